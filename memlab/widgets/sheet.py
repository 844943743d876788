"""Which options a backend has, and in which groups an explorer shows them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import singledispatch
from typing import Any

from pydantic import BaseModel, ValidationError

from ..errors import InputError, UnknownOption
from .knob import Knob, knobs

__all__ = ["MORE", "Sheet", "sheet_of"]

MORE = "more options"
FIRST = 6


@dataclass(frozen=True)
class Sheet:
    """The options of one backend.

    ``first`` names those that are always in sight; ``groups`` maps the title of
    each folded group to its options; ``parts`` says what the parts of a score are.
    """

    backend: str
    model: type[BaseModel] | None = None
    first: tuple[str, ...] = ()
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    parts: Mapping[str, str] = field(default_factory=dict)

    @property
    def knobs(self) -> dict[str, Knob]:
        """Return the options by name."""
        return {} if self.model is None else knobs(self.model)

    def checked(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return options given by name as the model reads them.

        Raises UnknownOption or InputError with a sentence that says what to change.
        """
        known = self.knobs
        for name in options:
            if name not in known:
                raise UnknownOption(_unknown(name, list(known), self.backend))
        if self.model is None or not options:
            return {}
        try:
            model = self.model.model_validate(dict(options))
        except ValidationError as error:
            first = error.errors()[0]
            name = str(first["loc"][0]) if first["loc"] else "the options"
            raise InputError(f"{name}={options.get(name)!r}: {first['msg']}.") from error
        return {name: getattr(model, name) for name in options}


def _unknown(name: str, known: list[str], backend: str) -> str:
    if not known:
        return f"{backend} declares no options, so {name!r} cannot be set."
    near = get_close_matches(name, known, n=1)
    hint = f"Did you mean {near[0]!r}?" if near else f"It has: {', '.join(known)}."
    return f"{backend} has no option {name!r}. {hint}"


@singledispatch
def sheet_of(backend: Any) -> Sheet:
    """Return the options of a backend: those of its ``options_model``, if it has one.

    ``options_model`` is a pydantic model whose fields are the options of
    ``recall``. A backend can have a sheet of its own by ``sheet_of.register``.
    """
    name = str(getattr(backend, "name", type(backend).__name__))
    model = getattr(backend, "options_model", None)
    if model is None:
        return Sheet(name)
    names = tuple(model.model_fields)
    rest = names[FIRST:]
    return Sheet(name, model, names[:FIRST], {MORE: rest} if rest else {})
