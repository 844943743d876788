"""Where the local server's environment and its data are."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

from ...errors import InputError, ServerError
from ...settings import Settings
from .pins import FOLDER

__all__ = ["Environment", "Place", "environment", "place"]

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


@dataclass(frozen=True)
class Environment:
    """The installed packages and the embedding model: shared by all local servers."""

    folder: Path

    @property
    def python(self) -> Path:
        """Return the environment's own Python."""
        scripts = "Scripts/python.exe" if os.name == "nt" else "bin/python"
        return self.folder / "venv" / scripts

    @property
    def model(self) -> Path:
        """Return the embedding model's file."""
        return self.folder / "model" / "model.onnx"

    @property
    def tokenizer(self) -> Path:
        """Return the folder of its tokenizer."""
        return self.folder / "model"

    @property
    def ready(self) -> bool:
        """Tell whether the installation was finished, and its Python and model are there still.

        The Python is a link to the one it was made with, which may be gone.
        """
        needed = (self.folder / "ready.json", self.python, self.model)
        return all(file.is_file() for file in needed)


@dataclass(frozen=True)
class Place:
    """What one local server keeps: its database, its log, its state."""

    name: str
    folder: Path

    @property
    def state(self) -> Path:
        """Return the file with address, process and database password; for the owner only."""
        return self.folder / "state.json"

    @property
    def log(self) -> Path:
        """Return the server's log."""
        return self.folder / "server.log"

    @property
    def lock(self) -> Path:
        """Return the file that is locked while the server is started or stopped."""
        return self.folder.parent / f"{self.name}.lock"

    @property
    def database(self) -> Path:
        """Return the home of PostgreSQL."""
        return self.folder / "postgres"


def environment(cache: Path | None = None) -> Environment:
    """Return the environment's place below the cache folder; it need not exist."""
    return Environment(_cache(cache) / FOLDER)


def place(name: str = "main", cache: Path | None = None) -> Place:
    """Return where a server of this name keeps its data; it need not exist.

    It is below the cache folder. Run as root, PostgreSQL is another user, who
    may not be able to get there: then it is a folder below /var/tmp.
    Raises InputError for a name that is none.
    """
    if not _NAME.fullmatch(name):
        raise InputError(f"name={name!r}: a local server's name is 1 to 40 of a-z 0-9 and -.")
    cache = _cache(cache)
    home = cache / "hindsight-servers"
    if _is_root() and not _open_to_all(cache):
        mark = hashlib.sha256(str(cache).encode()).hexdigest()[:12]
        home = Path("/var/tmp") / f"memlab-hindsight-{mark}"
    return Place(name, home / name)


def make(where: Place) -> None:
    """Make a server's folder, and refuse one that somebody else has made.

    Raises ServerError.
    """
    home = where.folder.parent
    try:
        home.mkdir(parents=True, exist_ok=True, mode=0o755)
        found = home.lstat()
        if hasattr(os, "geteuid") and (
            not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid()
        ):
            raise ServerError(f"{home} belongs to somebody else. Remove it, or set MEMLAB_CACHE.")
        where.folder.mkdir(exist_ok=True, mode=0o755)
    except OSError as error:
        raise ServerError(
            f"The folder {where.folder} cannot be made ({error.strerror}). "
            "Set MEMLAB_CACHE to a folder you may write to."
        ) from error


def _cache(cache: Path | None) -> Path:
    return Path(cache).absolute() if cache is not None else Settings.load().cache_dir


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _open_to_all(folder: Path) -> bool:
    """Tell whether any user may walk into a folder; what is missing will be made so."""
    existing = [path for path in (folder, *folder.parents) if path.exists()]
    return all(path.stat().st_mode & stat.S_IXOTH for path in existing)
