"""The settings as one frozen value."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Self

import pandas as pd
from pydantic import Field
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from memlab.frames import Column, to_frame
from memlab.settings.groups import HindsightSettings, MemorySettings, MnemopiSettings
from memlab.settings.keys import KEYS
from memlab.settings.layers import Layer, read_layers

__all__ = ["Settings", "mnemopi_path", "mnemopi_places"]


class _LayerSource(PydanticBaseSettingsSource):
    """One layer as nested values, for pydantic-settings to merge."""

    def __init__(self, settings_cls: type[BaseSettings], values: dict[str, Any]) -> None:
        super().__init__(settings_cls)
        self.values = values

    def get_field_value(
        self,
        field: FieldInfo,  # noqa: ARG002  (the signature is the base class's)
        field_name: str,
    ) -> tuple[Any, str, bool]:
        """The value of one top-level field."""
        return self.values.get(field_name), field_name, False

    def __call__(self) -> dict[str, Any]:
        """All values of the layer."""
        return self.values


class Settings(BaseSettings):
    """All settings, frozen, each from the highest layer that has it.

    Arguments, then MEMLAB_* variables, then the nearest memlab.toml, then the
    agent's own variables (HINDSIGHT_*, MNEMOPI_*), then the agent's config.yml,
    then the agent's defaults. ``load`` makes one; ``sources`` tells where each
    value came from; ``problems`` lists what the agent's layers hold that the
    agent itself would ignore.
    """

    model_config = SettingsConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    cache_dir: Path
    agent_dir: Path
    memories_dir: Path
    memory: MemorySettings = MemorySettings()
    hindsight: HindsightSettings = HindsightSettings()
    mnemopi: MnemopiSettings = MnemopiSettings()
    problems: tuple[str, ...] = Field(default=(), exclude=True, repr=False)
    origin: tuple[tuple[str, str], ...] = Field(default=(), exclude=True, repr=False)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Replace the usual sources by memlab's layers, highest first."""
        read = read_layers(init_settings())
        origin = {name: found.source for name in KEYS if (found := read.find(name)) is not None}
        notes = {"problems": tuple(read.problems), "origin": tuple(origin.items())}
        values = [*map(_nested, read.layers), notes]
        return tuple(_LayerSource(settings_cls, layer) for layer in values)

    @classmethod
    def load(cls, **overrides: Any) -> Self:
        """Read the settings; keyword arguments win over every other layer.

        A group is given as a mapping, ``load(mnemopi={"recall_limit": 4})``, or by
        dotted names, ``load(**{"mnemopi.recall_limit": 4})``. Raises SettingsError for
        an unknown name, a value of the wrong type, or a file that cannot be read.
        """
        return cls(**overrides)

    def sources(self) -> dict[str, str]:
        """Tell where each value came from.

        Keys are dotted names; values are ``"argument"``, the name of a variable, the
        path of a file, or ``"default"``.
        """
        origin = dict(self.origin)
        return {name: origin.get(name, "default") for name in KEYS}

    def get(self, name: str) -> Any:
        """Return one setting by its dotted name."""
        value: Any = self
        for part in name.split("."):
            value = getattr(value, part)
        return value

    def frame(self) -> pd.DataFrame:
        """Show all settings as a table: key, value (text, secrets masked), source."""
        sources = self.sources()
        rows = [
            {"key": name, "value": key.shown(self.get(name)), "source": sources[name]}
            for name, key in KEYS.items()
        ]
        return to_frame(rows, [Column("key"), Column("value"), Column("source")])


def _nested(layer: Layer) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, found in layer.items():
        group, _, leaf = name.rpartition(".")
        (values.setdefault(group, {}) if group else values)[leaf] = found.value
    return values


def mnemopi_places(settings: Settings) -> tuple[Path, ...]:
    """List where the Mnemopi database may be, most likely first.

    A path in the settings is the only place. Else the agent's own place comes
    first, then that of an engine used alone (MNEMOPI_DATA_DIR, else ``~/.hermes``).
    """
    if settings.mnemopi.db_path is not None:
        return (settings.mnemopi.db_path,)
    alone = settings.mnemopi.data_dir or Path.home() / ".hermes" / "mnemopi" / "data"
    return (settings.memories_dir / "mnemopi" / "mnemopi.db", alone / "mnemopi.db")


def mnemopi_path(settings: Settings) -> Path:
    """Return the Mnemopi database to open by default: the first place that has one.

    Where none has one, it is the agent's own place.
    """
    found = mnemopi_places(settings)
    return next((path for path in found if path.exists()), found[0])
