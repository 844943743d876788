"""The clock of a sweep that names none: that of the first sweep over the same bank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from ...text.dates import iso_millis, parse_millis
from ..context import clock_of
from ..digest import digest
from ..fingerprint import fingerprint
from ..targets import Subject
from .grid import Setting
from .store import Store

__all__ = ["stopped"]


def stopped(
    settings: Sequence[Setting], chosen: Mapping[str, Subject], store: Store
) -> list[Setting]:
    """Return the settings with the clock stopped where a bank would read the real one.

    Kept answers would otherwise be of another moment than new ones.
    """
    now = iso_millis(datetime.now(UTC))
    if all(clock_of(chosen, setting, now) == setting for setting in settings):
        return list(settings)
    if store.folder is not None:
        subjects = {id(subject): subject for subject in chosen.values()}.values()
        name = digest(["clock", sorted({fingerprint(subject) for subject in subjects})])
        path = store.folder / f"{name}.clock"
        if path.exists() and parse_millis(kept := path.read_text(encoding="utf-8")) is not None:
            now = kept
        else:
            path.write_text(now, encoding="utf-8")
    return [clock_of(chosen, setting, now) for setting in settings]
