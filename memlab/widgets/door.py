"""The one door to all explorers: ``explore(x)`` chooses by what x is."""

from __future__ import annotations

from functools import singledispatch
from pathlib import Path
from typing import Any

from ..backends import Backend
from ..errors import InputError
from .recall import RecallExplorer

__all__ = ["explore"]


@singledispatch
def explore(thing: Any, *args: Any, **options: Any) -> Any:
    """Explore something in a notebook: a memory backend by asking it.

    ``explore(bank, query, **options)`` gives a :class:`RecallExplorer` for any
    backend, such as a Mnemopi bank; the options are those of its ``recall``.

    Raises InputError for what cannot be explored, and UnknownOption, with the
    nearest name, for an option that the backend does not have.
    """
    if isinstance(thing, Backend) and not isinstance(thing, type):
        return RecallExplorer(thing, *args, **options)
    if isinstance(thing, str | Path):
        raise InputError(
            f"{str(thing)!r} is a path. Open it first: explore(memlab.Mnemopi({str(thing)!r}))."
        )
    kinds = [kind.__name__ for kind in explore.registry if kind is not object]
    known = ", ".join(["a memory backend such as Mnemopi", *kinds])
    raise InputError(f"explore() has no view of {thing!r:.80}. It can show: {known}.")
