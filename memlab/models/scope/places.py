"""Where the agent works and where it keeps its banks, as absolute paths."""

from __future__ import annotations

import os
from pathlib import Path

from ...errors import InputError
from ...files import expanded
from ...settings import Settings, mnemopi_places
from .names import DEFAULT

__all__ = ["DATABASE", "bank_file", "directory", "shared_file"]

DATABASE = "mnemopi.db"


def directory(cwd: str | Path | None) -> str:
    """Return a working directory as the agent spells it: absolute, no link followed.

    None is the current directory, and ``~`` the home folder.
    """
    if cwd is None or str(cwd) == "":
        return str(Path.cwd())
    if not isinstance(cwd, str | Path):
        raise InputError(f"cwd is a path, not {type(cwd).__name__}: {cwd!r}.")
    if "\0" in str(cwd):
        raise InputError(f"cwd={str(cwd)!r} holds a NUL character; no directory has such a name.")
    path = os.path.normpath(expanded(cwd).absolute())
    return "/" + path.lstrip("/") if path.startswith("//") else path


def shared_file(path: str | Path | None, settings: Settings) -> Path:
    """Return the database of the shared bank; the other banks lie beside it.

    Without a path it is the one of the settings, else the agent's own place,
    whether or not there is a file yet.
    """
    if path is None:
        return mnemopi_places(settings)[0].absolute()
    file = expanded(path).absolute()
    if file.is_dir():
        raise InputError(
            f"path={str(path)!r} is a directory. Give the database of the shared bank, "
            f"{str(file / DATABASE)!r}, even where no such file exists yet."
        )
    return file


def bank_file(name: str, shared: str, path: Path) -> Path:
    """Return the database of a bank; ``path`` is that of the ``shared`` one."""
    if name == shared:
        return path
    if name == DEFAULT:
        return path.parent / DATABASE
    return path.parent / "banks" / name / DATABASE
