"""From what a caller varies to a list of settings."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ...errors import InputError
from ..case import Case
from ..digest import digest
from ..targets import COMPOSER

__all__ = ["Setting", "check_effect", "settings_of"]

Setting = dict[str, Any]


def settings_of(
    options: Mapping[str, Any], grid: Iterable[Mapping[str, Any]] | None
) -> list[Setting]:
    """Return every setting: a list (range, array) is varied, anything else is the same in all.

    ``grid`` are several grids to be put one after the other, each with the
    options that are the same in all; scikit-learn's ParameterGrid will do.
    Settings that come twice are asked once. Raises InputError for an empty list.
    """
    grids = [{}] if grid is None else list(grid)
    found: dict[str, Setting] = {}
    for one in grids:
        for setting in _product({**options, **one}):
            found.setdefault(digest(setting), setting)
    if not found:
        raise InputError("There are no settings to try. Give options as lists: limit=[4, 8].")
    return list(found.values())


def _product(options: Mapping[str, Any]) -> Iterable[Setting]:
    given = {name: _plain(values) for name, values in options.items()}
    for name, values in given.items():
        if isinstance(values, list) and not values:
            raise InputError(f"{name}=[] leaves nothing to try. Give values, or leave it out.")
    pools = [values if isinstance(values, list) else [values] for values in given.values()]
    return (dict(zip(options, chosen, strict=True)) for chosen in itertools.product(*pools))


def _plain(values: Any) -> Any:
    """Return ranges and numpy's arrays as lists, numpy's numbers as Python's."""
    if isinstance(values, range | list):
        return [_plain(value) for value in values]
    return values.tolist() if isinstance(values, np.ndarray | np.generic) else values


def varied(settings: Sequence[Setting]) -> tuple[str, ...]:
    """Return the names of the options that are not the same in all settings."""
    names = dict.fromkeys(name for setting in settings for name in setting)
    missing = object()
    return tuple(
        name
        for name in names
        if len({digest([name in one, one.get(name, None)]) for one in settings}) > 1
        or any(one.get(name, missing) is missing for one in settings)
    )


def check_effect(settings: Sequence[Setting], cases: Iterable[Case]) -> None:
    """Refuse to vary what cannot make a difference: a table of equal rows would mislead."""
    without_talk = all(case.conversation is None for case in cases)
    if "turns" in varied(settings) and without_talk:
        raise InputError(
            "turns has no effect here: no case holds a conversation, so there is no earlier turn "
            "to take along. Give cases with conversations, or leave turns out."
        )


def composing(settings: Sequence[Setting]) -> bool:
    """Tell whether options are varied that come after, or before, the recall itself."""
    return any(name in COMPOSER for name in varied(settings))
