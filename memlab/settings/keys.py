"""Every key of the settings: its type, its variables, its name in the agent's file."""

from __future__ import annotations

import difflib
import types
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, cast

from annotated_types import Ge
from pydantic import BaseModel, SecretStr, TypeAdapter, ValidationError
from pydantic.alias_generators import to_camel

from memlab.settings import reading
from memlab.settings.groups import (
    Agent,
    Folder,
    HindsightSettings,
    MemorySettings,
    MnemopiSettings,
    masked,
)

__all__ = ["KEYS", "Key", "check_known"]

GROUPS: Mapping[str, type[BaseModel]] = {
    "memory": MemorySettings,
    "hindsight": HindsightSettings,
    "mnemopi": MnemopiSettings,
}
FOLDERS = {"cache_dir": "MEMLAB_CACHE", "agent_dir": "MEMLAB_AGENT_DIR"}
FOLDERS["memories_dir"] = "MEMLAB_MEMORIES_DIR"


class Key(NamedTuple):
    """One setting: ``hindsight.api_url``, MEMLAB_HINDSIGHT_API_URL, ``hindsight.apiUrl``."""

    name: str
    variable: str
    adapter: TypeAdapter[Any]
    kind: type
    choices: tuple[str, ...] = ()
    least: int | None = None
    secret: bool = False
    agent: Agent | None = None

    @property
    def agent_name(self) -> str:
        """The key in the agent's file."""
        group, _, leaf = self.name.partition(".")
        return f"{group}.{to_camel(leaf)}"

    def convert(self, value: Any) -> Any:
        """Return the value in the type of the key; a refusal is a ValueError with the reason."""
        try:
            return self.adapter.validate_python(value)
        except ValidationError as error:
            raise ValueError(error.errors(include_input=False)[0]["msg"]) from None

    def from_variable(self, raw: str) -> Any:
        """Read the agent's variable by the agent's rule; None is unset."""
        if self.agent is not None and self.agent.read is not None:
            return self._raised(self.agent.read(raw))
        if self.choices:
            return reading.choice(raw, self.choices)
        rules = {bool: reading.flag, int: reading.integer, float: reading.decimal}
        return self._raised(rules.get(self.kind, reading.text)(raw))

    def from_file(self, value: Any) -> Any:
        """Take a value of the agent's file if its type fits; None is unset."""
        return self._raised(reading.from_file(value, self.kind, self.choices))

    def shown(self, value: Any) -> str | None:
        """A value as text for people; a secret is masked."""
        if value is None:
            return None
        if self.secret:
            return "**********"
        return ", ".join(value) if isinstance(value, tuple) else str(masked(value))

    def _raised(self, value: Any) -> Any:
        return value if self.least is None or value is None else max(self.least, value)


def _plain(annotation: Any) -> tuple[type, tuple[str, ...]]:
    """The kind of value behind an annotation, and its choices."""
    if isinstance(annotation, types.UnionType):
        annotation = next(a for a in typing.get_args(annotation) if a is not type(None))
    origin = typing.get_origin(annotation)
    if origin is Literal:
        return str, typing.get_args(annotation)
    if origin is tuple:
        return tuple, ()
    return (annotation if annotation in (bool, int, float, Path) else str), ()


def _group_keys(group: str, model: type[BaseModel]) -> dict[str, Key]:
    keys = {}
    for leaf, field in model.model_fields.items():
        kind, choices = _plain(field.annotation)
        name = f"{group}.{leaf}"
        keys[name] = Key(
            name,
            f"MEMLAB_{group}_{leaf}".upper(),
            TypeAdapter(cast(Any, Annotated)[field.annotation, field]),
            kind,
            choices,
            next((int(cast(Any, m.ge)) for m in field.metadata if isinstance(m, Ge)), None),
            field.annotation == SecretStr | None,
            next((m for m in field.metadata if isinstance(m, Agent)), None),
        )
    return keys


def _folder(name: str, variable: str) -> Key:
    return Key(name, variable, TypeAdapter(Folder), Path)


KEYS: Mapping[str, Key] = {name: _folder(name, variable) for name, variable in FOLDERS.items()} | {
    name: key for group, model in GROUPS.items() for name, key in _group_keys(group, model).items()
}
"""All keys by name, in the order they are shown."""


def near(name: str, known: list[str]) -> str:
    """A hint with the known names that look like this one."""
    same_leaf = [other for other in known if other.rpartition(".")[2] == name]
    hits = same_leaf or difflib.get_close_matches(name, known, n=2, cutoff=0.75)
    return f" Did you mean {' or '.join(hits)}?" if hits else ""


def check_known(name: str) -> str | None:
    """Return what is wrong with a key's name, or None when it is a setting."""
    if name in KEYS:
        return None
    if name in GROUPS:
        example = next(key for key in KEYS if key.startswith(f"{name}."))
        return f"{name!r} is a group of settings; give it as a table, with keys such as {example}."
    return f"{name!r} is not a setting of memlab.{near(name, list(KEYS))}"
