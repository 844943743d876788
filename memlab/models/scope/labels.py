"""Project labels of Hindsight: by the directory, or by the repository."""

from __future__ import annotations

from typing import Literal

from .repository import primary_root

__all__ = ["LabelRule", "project_label"]

LabelRule = Literal["cwd", "repository"]
UNKNOWN = "unknown"


def _last_part(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2]


def project_label(cwd: str, rule: LabelRule) -> str:
    """Label the project of a directory, an absolute path.

    ``"cwd"``: the last part of the path as it is, as the agent's recall tool
    documents. ``"repository"``: the name of the primary checkout, so that all
    worktrees share a label, else the last part; in small letters, as agent 18
    does. Where nothing is left: "unknown".
    """
    if rule == "cwd":
        return _last_part(cwd) or UNKNOWN
    root = primary_root(cwd)
    return _last_part(cwd if root is None else str(root)).lower() or UNKNOWN
