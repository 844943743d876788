"""One option of a backend, as something that can be shown in a box and read back."""

from __future__ import annotations

import json
import math
import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from ..errors import InputError

__all__ = ["Kind", "Knob", "knobs", "same"]

Kind = Literal["choice", "switch", "number", "text", "list", "json"]
EXACT = 2**53  # above it, a float skips whole numbers
NO_TEXT = ("''", '""')


@dataclass(frozen=True)
class Knob:
    """One option: its name, the kind of its values, its default and what it is for.

    ``optional`` tells that None is a value, and the one meant by an empty box.
    ``choices`` are the values of a choice; ``items`` is what a list holds.
    """

    name: str
    kind: Kind
    default: Any
    help: str = ""
    optional: bool = False
    choices: tuple[Any, ...] = ()
    items: Literal["number", "text"] = "text"

    def shown(self, value: Any) -> str:
        """Return a value as the text of a box."""
        if value is None:
            return ""
        if value == "" and self.optional:
            return NO_TEXT[0]
        if self.kind == "list" and not isinstance(value, str):
            if not value and self.optional:
                return "[]"
            return ", ".join(str(plain(item)) for item in value)
        if self.kind == "json":
            return json.dumps(value, ensure_ascii=False, default=dict)
        return str(plain(value))

    def read(self, text: str) -> Any:
        """Return the value that a text in a box stands for.

        Raises InputError, with the name and the text, where it stands for none.
        """
        bare = text.strip()
        if not bare and self.kind != "text":
            return None if self.optional else self.default
        if self.kind == "text":
            return self._read_text(text)
        if self.kind == "number":
            return self._number(bare)
        if self.kind == "list":
            return self._list(bare)
        return self._json(bare)

    @property
    def tooltip(self) -> str:
        """Return the sentence that explains the option."""
        about = f"{self.name}: {self.help}." if self.help else f"{self.name}."
        if "default:" in self.help:
            return about
        return (
            f"{about} Default: {self.unset if self.default is None else self.shown(self.default)}."
        )

    @property
    def unset(self) -> str:
        """Return in words what happens while the option is not set."""
        _, found, words = self.help.partition("default:")
        return words.strip() if found else "not set"

    def _read_text(self, text: str) -> str | None:
        if not self.optional:
            return text
        if text.strip() in NO_TEXT:
            return ""
        return text if text.strip() else None

    def _number(self, text: str) -> float | int:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if math.isnan(value):
            raise InputError(f"{self.name}: {text!r} is not a number. Write it like 8 or 0.5.")
        return int(value) if value.is_integer() and abs(value) < EXACT else value

    def _list(self, text: str) -> tuple[Any, ...]:
        if text.startswith("["):
            value = self._json(text)
            return tuple(value) if isinstance(value, list) else (value,)
        parts = [part.strip() for part in text.split(",") if part.strip()]
        return tuple(map(self._number, parts)) if self.items == "number" else tuple(parts)

    def _json(self, text: str) -> Any:
        try:
            return json.loads(text)
        except (ValueError, RecursionError) as error:
            raise InputError(
                f"{self.name}: {text!r:.80} is not JSON ({error}). "
                f"Write it like {self.shown(self.default) or '[1, 2]'}."
            ) from None


def plain(value: Any) -> Any:
    """Return whole numbers without their .0, as people write them."""
    whole = isinstance(value, float) and value.is_integer() and abs(value) < EXACT
    return int(value) if whole else value


def knobs(model: type[BaseModel]) -> dict[str, Knob]:
    """Return the options that a model declares, by name, in its order."""
    return {name: _knob(name, field) for name, field in model.model_fields.items()}


def _knob(name: str, field: FieldInfo) -> Knob:
    kinds = _alternatives(field.annotation)
    optional = type(None) in kinds
    kind, extra = _kind([one for one in kinds if one is not type(None)])
    default = field.get_default(call_default_factory=True, validated_data={})
    help_ = (field.description or "").rstrip(". ")
    return Knob(name, kind, default, help_, optional, **extra)


def _alternatives(annotation: Any) -> list[Any]:
    if get_origin(annotation) is Annotated:
        return _alternatives(get_args(annotation)[0])
    if get_origin(annotation) in (Union, types.UnionType):
        return [inner for one in get_args(annotation) for inner in _alternatives(one)]
    return [annotation]


def _kind(kinds: Sequence[Any]) -> tuple[Kind, dict[str, Any]]:
    first = kinds[0] if kinds else str
    origin = get_origin(first)
    if origin is Literal:
        return "choice", {"choices": get_args(first)}
    if first is bool:
        return "switch", {}
    if first in (int, float):
        return "number", {}
    if first is str:
        return "text", {}
    items = {one for one in get_args(first) if one is not Ellipsis}
    if isinstance(origin, type) and issubclass(origin, Sequence | frozenset | set):
        if items <= {int, float}:
            return "list", {"items": "number"}
        if items == {str}:
            return "list", {}
    return "json", {}


def same(value: Any, default: Any) -> bool:
    """Tell whether a value is the default, whatever kind of list or mapping it came as."""
    if isinstance(value, Mapping) and isinstance(default, Mapping):
        return dict(value) == dict(default)
    if isinstance(value, list | tuple) and isinstance(default, list | tuple):
        return list(value) == list(default)
    return bool(value == default) and (isinstance(value, bool) == isinstance(default, bool))
