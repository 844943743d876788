"""Brings the real engine by npm into the cache folder."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from ...errors import EngineError, EngineMissing
from ...locks import exclusive
from .driver import Engine
from .host import bun_package
from .layout import check_packages, keep_one_library, lay_agent, reveal
from .npm import npm
from .pins import manifest, pins
from .places import READY, bridge, engine_dir, is_whole

__all__ = ["install"]

# Measured on Linux x86-64; other builds of Bun and of the native library differ a little.
DOWNLOAD_MB = 153
DISK_MB = 316

# Said in full, so that no npm setting of the user changes what is installed.
_INSTALL = (
    "--ignore-scripts",
    "--include=optional",
    "--omit=dev",
    "--omit=peer",
    "--install-strategy=hoisted",
    "--no-package-lock",
)

Progress = Callable[[str], None]


def to_stderr(line: str) -> None:
    """Show a line of progress on standard error."""
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


def install(cache: Path | None = None, *, on_progress: Progress = to_stderr) -> Path:
    """Install the real engine in the pinned versions; the folder it is in.

    Does nothing where it is there already. Safe to run twice, by two
    processes, and to interrupt: the folder appears only when it is complete
    and has answered a first question. ``cache`` is the folder to install
    under (default: places.cache_dir).

    Raises EngineMissing if npm is missing or fails, or if the machine has no
    build of it; EngineError if what came is not what was expected.
    """
    target = engine_dir(cache)
    if is_whole(target):
        return target
    _make_parent(target.parent)

    def on_wait() -> None:
        on_progress("Another process is installing the engine; waiting for it")

    with exclusive(target.parent / f"{target.name}.lock", on_wait) as alone:
        if is_whole(target):
            return target
        if alone:
            _sweep(target)
        on_progress(
            f"Downloading the Mnemopi engine {pins().mnemopi}, the agent's memory layer "
            f"{pins().agent} and Bun {pins().bun} by npm: about {DOWNLOAD_MB} MB, "
            f"{DISK_MB} MB on disk, into {target}"
        )
        _build_beside(target, on_progress)
    return target


def _make_parent(parent: Path) -> None:
    try:
        parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EngineMissing(
            f"The cache folder {parent} cannot be made ({error.strerror}). Point MEMLAB_CACHE at "
            "a folder you may write to."
        ) from error


def _sweep(target: Path) -> None:
    """Remove what interrupted installations left; only under the lock, where none is running."""
    for stale in target.parent.glob(f"{target.name}.new-*"):
        shutil.rmtree(stale, ignore_errors=True)


def _build_beside(target: Path, on_progress: Progress) -> None:
    fresh = Path(tempfile.mkdtemp(prefix=f"{target.name}.new-", dir=target.parent))
    try:
        _fetch(fresh)
        on_progress("Downloaded; asking the engine a first question")
        _build(fresh)
        _move(fresh, target)
    except OSError as error:
        raise EngineMissing(
            f"The engine could not be written to {target.parent}: {error}. Free some space "
            f"({DISK_MB} MB are needed) or point MEMLAB_CACHE at another folder."
        ) from error
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    on_progress(f"The engine is ready in {target}")


def _fetch(folder: Path) -> None:
    wanted = dict(manifest())
    wanted["dependencies"] = manifest()["dependencies"] | {bun_package(): pins().bun}
    (folder / "package.json").write_text(json.dumps(wanted, indent=2), "utf8")
    npm(["install", *_INSTALL], folder)
    npm(["pack", f"{pins().agent_package}@{pins().agent}"], folder)
    check_packages(folder)


def _build(folder: Path) -> None:
    archives = list(folder.glob("*.tgz"))
    if len(archives) != 1:
        raise EngineError(f"npm packed {len(archives)} archives of the agent instead of one.")
    lay_agent(archives[0], folder)
    archives[0].unlink()
    reveal(folder)
    keep_one_library(folder)
    bridge(folder)
    folder.chmod(0o755)
    _first_question(folder)
    (folder / READY).write_text(json.dumps(pins().versions()), "utf8")


def _first_question(folder: Path) -> None:
    """Rank two texts: that needs Bun, the engine and its native library."""
    items = [{"content": "a b", "score": 2}, {"content": "a b", "score": 1}]
    try:
        with Engine(folder) as engine:
            engine.call("mmrRerank", items=items, topK=2)
    except EngineError as error:
        raise EngineMissing(
            f"The engine was downloaded but does not run on this machine: {error}"
        ) from error


def _move(fresh: Path, target: Path) -> None:
    if target.exists() and not is_whole(target):
        shutil.rmtree(target)
    try:
        fresh.rename(target)
    except OSError:
        if not is_whole(target):
            raise
