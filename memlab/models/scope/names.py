"""Names of Mnemopi banks, as the agent makes them from a setting and a directory.

A name depends on the path alone, never on git. Checked against the agent's own
functions (18.3.4).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ...text.javascript import cut, length, trim
from ...text.wyhash import hash36

__all__ = [
    "DEFAULT",
    "BankNames",
    "bank_names",
    "clean_name",
    "limit_name",
    "project_bank",
    "project_segment",
]

DEFAULT = "default"
"""The shared bank where the settings name none."""

_LIMIT = 64
_FOREIGN = re.compile(r"[^a-zA-Z0-9_-]+")


class BankNames(NamedTuple):
    """The banks of one directory: written to, shared by all projects, recalled from in order."""

    retain: str
    shared: str
    recall: tuple[str, ...]


def limit_name(name: str) -> str:
    """Shorten a name of more than 64 UTF-16 units: its beginning, a dash, its hash."""
    if length(name) <= _LIMIT:
        return name
    digest = hash36(name)
    start = cut(name, 0, max(1, _LIMIT - 1 - len(digest))).rstrip("-") or "bank"
    return f"{start}-{digest}"


def clean_name(name: str | None) -> str | None:
    """Keep ASCII letters, digits, ``_`` and ``-``; a run of anything else becomes one ``-``.

    Returns None where nothing is left.
    """
    cleaned = _FOREIGN.sub("-", trim(name or "")).strip("-")
    return limit_name(cleaned) if cleaned else None


def project_segment(root: str) -> str:
    """Name a directory: its cleaned last part, a dash, the hash of the whole path."""
    last = root.rstrip("/").rpartition("/")[2]
    return limit_name(f"{clean_name(last) or DEFAULT}-{hash36(root)}")


def project_bank(base: str | None, root: str) -> str:
    """Name the bank of a directory; ``base`` is the setting, ``root`` the absolute path."""
    prefix, segment = clean_name(base), project_segment(root)
    return limit_name(f"{prefix}-{segment}" if prefix else segment)


def bank_names(base: str | None, root: str, mode: str) -> BankNames:
    """Name the banks of a directory under a mode, legacy banks not among them."""
    shared = clean_name(base) or DEFAULT
    if mode == "global":
        return BankNames(shared, shared, (shared,))
    project = project_bank(base, root)
    if mode == "per-project":
        return BankNames(project, shared, (project,))
    return BankNames(project, shared, tuple(dict.fromkeys((project, shared))))
