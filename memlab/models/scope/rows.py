"""A scope as rows of a table, one per bank."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...frames import Column

if TYPE_CHECKING:
    from .value import Scope

__all__ = ["SCOPE_COLUMNS", "scope_rows"]

SCOPE_COLUMNS = (
    Column("role"),
    Column("bank"),
    Column("file"),
    Column("exists", "bool"),
    Column("recalled", "bool"),
    Column("tags"),
    Column("match"),
    Column("note"),
)
_WRITTEN = {
    "global": "all projects write to it and recall from it",
    "per-project": "this project writes to it and recalls from it",
    "per-project-tagged": "this project writes to it and recalls from it",
}
_TAGGED = "all projects write to it; recall gives what has this project's tag, or no tag at all"
_SHARED = "all projects recall from it; written to only where a memory is kept as global"
_MISSING = "no such file yet: the agent would make it, memlab takes it as empty"


def scope_rows(scope: Scope) -> Iterator[dict[str, Any]]:
    """Give the banks of a scope: retain, the others in the order of recall, then the skipped."""
    reasons = {bank.name: bank.reason for bank in scope.legacy}
    for name in dict.fromkeys((scope.bank, *scope.banks)):
        row = {"role": _role(scope, name), "bank": name, "recalled": name in scope.banks}
        yield row | _place(scope, name) | {"note": _note(scope, name, reasons)}
    for bank in scope.skipped:
        yield {
            "role": "skipped",
            "bank": bank.name,
            "file": str(bank.path),
            "exists": bank.path.is_file(),
            "recalled": False,
            "note": bank.reason,
        }


def _role(scope: Scope, name: str) -> str:
    if name == scope.bank:
        return "retain"
    if name == scope.shared:
        return "shared"
    return "legacy" if any(bank.name == name for bank in scope.legacy) else "recall"


def _place(scope: Scope, name: str) -> dict[str, Any]:
    if scope.backend == "hindsight":
        return {"tags": ", ".join(scope.recall_tags) or None, "match": scope.match}
    file = scope.files.get(name)
    return {"file": None if file is None else str(file), "exists": bool(file and file.is_file())}


def _note(scope: Scope, name: str, reasons: dict[str, str]) -> str:
    if scope.backend == "hindsight":
        return _TAGGED if scope.recall_tags else _WRITTEN[scope.mode]
    role = _role(scope, name)
    said = {"retain": _WRITTEN[scope.mode], "shared": _SHARED, "recall": "recalled from"}
    file = scope.files.get(name)
    absent = f"; {_MISSING}" if file is not None and not file.is_file() else ""
    return said.get(role, reasons.get(name, "")) + absent
