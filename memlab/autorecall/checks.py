"""Checks of arguments that several functions share."""

from __future__ import annotations

from ..errors import InputError

__all__ = ["whole_number"]


def whole_number(name: str, value: object) -> int:
    """Return a whole number as it is; raise InputError, naming it, for anything else."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputError(f"{name} is a whole number, not {value!r}.")
    return value
