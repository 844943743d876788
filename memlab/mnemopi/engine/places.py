"""Where the engine lives on this machine."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from ...errors import EngineError
from ...files import expanded
from .host import bun_package
from .pins import pins

__all__ = ["bridge", "bun", "cache_dir", "engine_dir", "installed"]

READY = "ready.json"


def cache_dir() -> Path:
    """The folder for what memlab downloads: ``MEMLAB_CACHE``, else the user's cache folder."""
    from ...settings import places

    own = os.environ.get("MEMLAB_CACHE")
    return expanded(own).absolute() if own else places.cache_dir()[0]


def engine_dir(cache: Path | None = None) -> Path:
    """The folder of the engine in the pinned versions, whether it is there or not."""
    return (cache_dir() if cache is None else expanded(cache).absolute()) / pins().name


def installed(cache: Path | None = None) -> bool:
    """Whether the engine is there in the pinned versions and whole."""
    return is_whole(engine_dir(cache))


def is_whole(folder: Path) -> bool:
    """Whether a folder holds a finished installation."""
    return (folder / READY).is_file() and bun(folder).is_file()


def bun(folder: Path) -> Path:
    """The Bun program of an installation."""
    home = folder / "node_modules" / bun_package() / "bin"
    return home / ("bun.exe" if os.name == "nt" else "bun")


def bridge(folder: Path) -> Path:
    """The bridge script beside the engine, laid there now if this memlab's is missing.

    The script has to lie beside the engine's modules to find them. Its folder
    is named by its content, so that several versions of memlab share one engine.
    """
    files = _bridge_files()
    target = folder / f"bridge-{_digest(files)}"
    if not target.is_dir():
        _place(files, folder, target)
    return target / "main.ts"


@cache
def _bridge_files() -> dict[str, bytes]:
    source = resources.files(__package__).joinpath("bridge")
    scripts: list[Traversable] = [entry for entry in source.iterdir() if entry.name.endswith(".ts")]
    return {entry.name: entry.read_bytes() for entry in sorted(scripts, key=lambda e: e.name)}


def _digest(files: Mapping[str, bytes]) -> str:
    total = hashlib.sha256()
    for name, content in files.items():
        total.update(name.encode() + b"\0" + content + b"\0")
    return total.hexdigest()[:16]


def _place(files: Mapping[str, bytes], folder: Path, target: Path) -> None:
    """Write the files into a temporary sibling and rename it: another process may do the same."""
    try:
        fresh = Path(tempfile.mkdtemp(prefix="bridge-new-", dir=folder))
    except OSError as error:
        raise EngineError(
            f"The engine's folder {folder} cannot be written ({error.strerror}), and this memlab "
            "has to lay its bridge script there. Point MEMLAB_CACHE at a folder of your own and "
            "run `memlab engine install`."
        ) from error
    try:
        for name, content in files.items():
            (fresh / name).write_bytes(content)
        fresh.chmod(0o755)
        fresh.rename(target)
    except OSError:
        if not target.is_dir():
            raise
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
