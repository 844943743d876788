"""The layers a setting can come from, highest first.

Arguments, MEMLAB_* and memlab.toml are memlab's own and strict: a name or a value
that cannot be used is an error. The agent's variables and its config.yml are read
as the agent reads them: unknown names are not ours, and what cannot be used counts
as unset and is noted as a problem.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel

from memlab.errors import SettingsError
from memlab.files import expanded
from memlab.settings import files, places
from memlab.settings.keys import KEYS, Key, check_known, near

__all__ = ["Found", "Layer", "Layers", "read_layers"]

OTHER_VARIABLES = frozenset({"MEMLAB_SEED"})
"""MEMLAB_* variables that are no settings: the seed of memlab's own tests."""


class Found(NamedTuple):
    """A value and where it comes from."""

    value: Any
    source: str


Layer = dict[str, Found]


@dataclass(frozen=True)
class Layers:
    """The layers, highest first, and what could not be used in the agent's."""

    layers: list[Layer] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def find(self, name: str) -> Found | None:
        """The highest layer's value of a key."""
        return next((layer[name] for layer in self.layers if name in layer), None)


def read_layers(arguments: Mapping[str, Any]) -> Layers:
    """Read all layers; the nearest memlab.toml is searched from the working directory up."""
    result = Layers([_arguments(arguments), _variables(), _toml(files.find_toml(Path.cwd()))])
    home = places.agent_home()
    chosen = result.find("agent_dir")
    if chosen is not None:
        is_default = home.is_default and chosen.value == home.path
        home = places.AgentHome(chosen.value, chosen.source, home.profile, is_default)
    result.layers.append(_agent_variables(result.problems, fallback=False))
    result.layers.append(_agent_file(home.path, result.problems))
    result.layers.append(_agent_variables(result.problems, fallback=True))
    result.layers.append(
        {
            "agent_dir": Found(home.path, home.source),
            "memories_dir": Found(*places.memories_dir(home)),
            "cache_dir": Found(*places.cache_dir()),
        }
    )
    return result


def _strict(key: Key, value: Any, source: str, label: str) -> Found:
    try:
        return Found(key.convert(value), source)
    except ValueError as error:
        shown = "" if key.secret else f" = {value!r:.80}"
        raise SettingsError(f"{label}{shown} cannot be used: {error}.") from None


def _flat(data: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for leaf, value in data.items():
        if isinstance(value, BaseModel):
            chosen = {name: getattr(value, name) for name in value.model_fields_set}
            yield from _flat(chosen, f"{prefix}{leaf}.")
        elif isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{leaf}.")
        else:
            yield f"{prefix}{leaf}", value


def _arguments(arguments: Mapping[str, Any]) -> Layer:
    layer = {}
    for name, value in _flat(arguments):
        wrong = check_known(name)
        if wrong:
            raise SettingsError(f"Argument: {wrong}")
        layer[name] = _strict(KEYS[name], value, "argument", f"The argument {name}")
    return layer


def _variables() -> Layer:
    known = {key.variable: key for key in KEYS.values()}
    layer = {}
    for variable, raw in os.environ.items():
        if not variable.startswith("MEMLAB_") or variable in OTHER_VARIABLES:
            continue
        if variable not in known:
            hint = near(variable, list(known))
            raise SettingsError(f"The variable {variable} is not a setting of memlab.{hint}")
        if raw.strip():  # an empty variable is an unset one
            key = known[variable]
            layer[key.name] = _strict(key, raw, variable, f"The variable {variable}")
    return layer


def _toml(path: Path | None) -> Layer:
    if path is None:
        return {}
    layer = {}
    for name, raw in _flat(files.read_toml(path)):
        wrong = check_known(name)
        if wrong:
            raise SettingsError(f"{path}: {wrong}")
        key = KEYS[name]
        is_path = key.kind is Path and isinstance(raw, str) and raw.strip()
        value = path.parent / expanded(raw) if is_path else raw  # relative to the file
        layer[name] = _strict(key, value, str(path), f"{path}: {name}")
    return layer


def _agent_variables(problems: list[str], *, fallback: bool) -> Layer:
    layer = {}
    for key in KEYS.values():
        if key.agent is None or not key.agent.env or key.agent.env_is_fallback is not fallback:
            continue
        variable = key.agent.env
        raw = os.environ.get(variable, "")
        value = key.from_variable(raw)
        if value is not None:
            layer[key.name] = Found(key.convert(value), variable)
        elif raw.strip():
            shown = "its value" if key.secret else repr(raw)
            problems.append(f"{variable}: the agent cannot use {shown}, so it counts as unset")
    return layer


def _agent_file(folder: Path, problems: list[str]) -> Layer:
    path, data = files.read_agent_file(folder)
    layer = {}
    for key in KEYS.values():
        if key.agent is None or not key.agent.in_file:
            continue
        raw = _look_up(data, key.agent_name)
        value = key.from_file(raw)
        if value is not None and not (key.agent.env_is_fallback and not str(value).strip()):
            layer[key.name] = Found(key.convert(value), str(path))
        elif value is None and raw is not None:
            shown = "its value" if key.secret else f"{raw!r:.80}"
            problems.append(f"{path}: the agent cannot use {shown} as {key.agent_name}; ignored")
            if key.agent.env_is_fallback:  # it keeps the variable out all the same
                layer[key.name] = Found(None, str(path))
    return layer


def _look_up(data: Mapping[str, Any], name: str) -> Any:
    """The value under a nested key, else under the dotted one."""
    group, _, leaf = name.partition(".")
    table = data.get(group)
    nested = table.get(leaf) if isinstance(table, dict) else None
    return data.get(name) if nested is None else nested
