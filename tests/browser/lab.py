"""A real JupyterLab on loopback, with a home of its own, for the browser tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Any

import nbformat

ROOT = Path(__file__).parents[2]
BANK = "banks/team-dispatch-26o84yz56cokc/mnemopi.db"  # beside every notebook
# Seconds; only what hangs takes as long, for a busy machine may need a minute.
STARTS_WITHIN = 600
STOPS_WITHIN = 60
# No news pop-up, and nothing that looks for the network.
DISABLED = (
    "@jupyterlab/apputils-extension:announcements",
    "@jupyterlab/extensionmanager-extension",
)


@dataclass(frozen=True)
class Lab:
    """A running JupyterLab; notebooks in ``folder`` can be opened."""

    folder: Path
    address: str
    token: str

    def url(self, notebook: str) -> str:
        """The address of a notebook, in the mode that shows one document."""
        return f"{self.address}doc/tree/{notebook}?token={self.token}"


def write_notebook(path: Path, *cells: str) -> None:
    """Write a notebook with these code cells and no outputs."""
    book = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(dedent(cell).strip()) for cell in cells]
    )
    book.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(book, path)


@contextmanager
def running(home: Path, folder: Path) -> Iterator[Lab]:
    """Start JupyterLab in a folder and stop it at the end."""
    _configure(home)
    with (home / "lab.log").open("w") as log:
        process = subprocess.Popen(
            _command(folder), env=_environment(home), stdout=log, stderr=subprocess.STDOUT
        )
    try:
        info = _started(process, home)
        yield Lab(folder, info["url"], info["token"])
    finally:
        process.terminate()
        try:
            process.wait(timeout=STOPS_WITHIN)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _command(folder: Path) -> list[str]:
    options = {
        "ServerApp.ip": "127.0.0.1",
        "ServerApp.port": 0,
        "ServerApp.open_browser": False,
        "ServerApp.allow_root": True,
        "ServerApp.root_dir": folder,
        "MappingKernelManager.kernel_info_timeout": STARTS_WITHIN,
        "LabApp.expose_app_in_browser": True,
        "LabApp.check_for_updates_class": "jupyterlab.NeverCheckForUpdate",
    }
    given = [f"--{name}={value}" for name, value in options.items()]
    return [sys.executable, "-m", "jupyterlab", *given]


def _environment(home: Path) -> dict[str, str]:
    places = {
        "HOME": home,
        "IPYTHONDIR": home / "ipython",
        "JUPYTER_CONFIG_DIR": home / "config",
        "JUPYTER_DATA_DIR": home / "share",
        "JUPYTER_RUNTIME_DIR": home / "runtime",
        "JUPYTERLAB_SETTINGS_DIR": home / "settings",
        "JUPYTERLAB_WORKSPACES_DIR": home / "workspaces",
        "PYTHONPATH": ROOT,
    }
    kept = {
        name: os.environ[name] for name in ("PATH", "LANG", "MEMLAB_CACHE") if name in os.environ
    }
    return {**kept, **{name: str(place) for name, place in places.items()}}


def _configure(home: Path) -> None:
    path = home / "config" / "labconfig" / "page_config.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"disabledExtensions": dict.fromkeys(DISABLED, True)}))


def _started(process: subprocess.Popen[bytes], home: Path) -> dict[str, Any]:
    """Wait until the server has written down its address and token."""
    end = time.monotonic() + STARTS_WITHIN
    while time.monotonic() < end and process.poll() is None:
        for path in (home / "runtime").glob("jpserver-*.json"):
            try:
                info: dict[str, Any] = json.loads(path.read_text())
            except ValueError:
                continue  # it is being written
            return info
        time.sleep(0.1)
    raise RuntimeError(f"JupyterLab did not start:\n{(home / 'lab.log').read_text()[-2000:]}")
