"""The repository that a directory belongs to, read from its files alone.

No git program is needed, nothing is written, and no link is followed: paths are
taken as they are spelled. The rules are the agent's own (18.3.4), found by
asking it about more than a hundred layouts: the nearest directory above that holds a usable
``.git`` or ``.jj`` is the checkout, ``.git`` first; its *primary* root is that
of the main checkout, so that all linked worktrees have one.
"""

from __future__ import annotations

import os
from pathlib import Path

from ...errors import FormatError

__all__ = ["primary_root"]

_GIT = ".git"
_POINTER = "gitdir:"


def _is_dir(path: Path) -> bool:
    """Tell whether it is a directory; no where it may not be looked at."""
    try:
        return path.is_dir()
    except PermissionError:
        return False


def _is_file(path: Path) -> bool:
    """Tell whether it is a file; no where it may not be looked at."""
    try:
        return path.is_file()
    except PermissionError:
        return False


def _text(path: Path) -> str | None:
    """Return the trimmed text of a small file, or None where there is none."""
    try:
        return path.read_text(encoding="utf-8").strip() or None
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError, PermissionError):
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError(
            f"{path} cannot be read as text ({error}). The agent fails on it too; repair it, or "
            'use the label rule "cwd".'
        ) from error


def _joined(base: Path, target: str) -> Path:
    """Resolve a path that a file names, by spelling only."""
    return Path(os.path.normpath(base / target))


def _git_folder(checkout: Path) -> Path | None:
    """Return the git folder of a checkout: ``.git`` itself, or where a ``.git`` file points."""
    entry = checkout / _GIT
    folder = entry
    if not _is_dir(entry):
        text = _text(entry)
        if text is None or not text.startswith(_POINTER):
            return None
        target = text.removeprefix(_POINTER).strip()
        if not target:
            return None
        folder = _joined(checkout, target)
    return folder if _is_file(folder / "HEAD") else None


def _git_root(checkout: Path) -> Path | None:
    folder = _git_folder(checkout)
    if folder is None:
        return None
    shared = _text(folder / "commondir")
    common = folder if shared is None else _joined(folder, shared)
    if common.name == _GIT:
        return common.parent
    return checkout if common == folder else common


def _jj_root(checkout: Path) -> Path | None:
    """Return the root of a Jujutsu workspace: the one whose ``.jj/repo`` is a folder."""
    entry = checkout / ".jj" / "repo"
    if _is_dir(entry):
        return checkout
    text = _text(entry)
    if text is None:
        return None
    target = _joined(entry.parent, text)
    return checkout if len(target.parents) < 2 else target.parents[1]


def primary_root(directory: str | Path) -> Path | None:
    """Return the root of the primary checkout that a directory belongs to, or None.

    Linked worktrees give their main checkout; worktrees of a bare repository
    its shared folder. ``directory`` is absolute and need not exist. Raises
    FormatError where a file on the way is no text.
    """
    start = Path(directory)
    for folder in (start, *start.parents):
        root = _git_root(folder) or _jj_root(folder)
        if root is not None:
            return root
    return None
