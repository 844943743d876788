"""The settings, their types and defaults.

Each key that the agent has too carries an ``Agent`` mark: its environment
variable, and the rule the agent reads that variable by. The agent's own name of
a key is the camelCase form: ``recall_limit`` is ``recallLimit``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, SecretStr

from memlab.files import expanded
from memlab.settings import reading

__all__ = ["Agent", "Folder", "HindsightSettings", "MemorySettings", "MnemopiSettings", "masked"]

Scoping = Literal["global", "per-project", "per-project-tagged"]
Budget = Literal["low", "mid", "high"]
_ACCESS = re.compile(r"://[^/?#\s]*@")


@dataclass(frozen=True)
class Agent:
    """What the agent knows a setting by; ``read`` defaults to the rule of the type."""

    env: str | None = None
    read: Callable[[str], Any] | None = None
    in_file: bool = True
    env_is_fallback: bool = False


def _words(value: Any) -> Any:
    """A text of words between commas, as in an environment variable, is a list."""
    if isinstance(value, str):
        return tuple(word.strip() for word in value.split(",") if word.strip())
    return value


def _path(value: Any) -> Any:
    if isinstance(value, str) and not value.strip():
        return None
    return expanded(value) if isinstance(value, str | Path) else value


Folder = Annotated[Path, BeforeValidator(_path), AfterValidator(Path.absolute)]
OptionalPath = Annotated[Path | None, BeforeValidator(_path)]
Words = Annotated[tuple[str, ...], BeforeValidator(_words)]
Weight = Annotated[float, Field(allow_inf_nan=False)]


def masked(value: Any) -> Any:
    """Return a value to show: an address without the user and password that stand in it."""
    return _ACCESS.sub("://***@", value) if isinstance(value, str) else value


class _Group(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        for name, value in super().__repr_args__():
            yield name, masked(value)


class MemorySettings(_Group):
    """Which memory the agent uses."""

    backend: Annotated[Literal["off", "local", "hindsight", "mnemopi", "sharpshooter"], Agent()] = (
        "off"
    )


class HindsightSettings(_Group):
    """The agent's Hindsight client. Times in milliseconds, sizes in UTF-16 units or tokens."""

    api_url: Annotated[str, Agent("HINDSIGHT_API_URL")] = "http://localhost:8888"
    api_token: Annotated[SecretStr | None, Agent("HINDSIGHT_API_TOKEN")] = None
    bank_id: Annotated[str | None, Agent("HINDSIGHT_BANK_ID")] = None
    bank_id_prefix: Annotated[str | None, Agent()] = None
    scoping: Annotated[Scoping, Agent("HINDSIGHT_SCOPING")] = "per-project-tagged"
    bank_mission: Annotated[str | None, Agent("HINDSIGHT_BANK_MISSION")] = None
    retain_mission: Annotated[str | None, Agent()] = None
    auto_recall: Annotated[bool, Agent("HINDSIGHT_AUTO_RECALL")] = True
    auto_retain: Annotated[bool, Agent("HINDSIGHT_AUTO_RETAIN")] = True
    retain_mode: Annotated[Literal["full-session", "last-turn"], Agent("HINDSIGHT_RETAIN_MODE")] = (
        "full-session"
    )
    retain_every_n_turns: Annotated[int, Agent("HINDSIGHT_RETAIN_EVERY_N_TURNS")] = 3
    retain_overlap_turns: Annotated[int, Agent()] = 2
    retain_context: Annotated[str, Agent()] = "omp"
    recall_budget: Annotated[Budget, Agent("HINDSIGHT_RECALL_BUDGET")] = "mid"
    recall_max_tokens: Annotated[int, Agent("HINDSIGHT_RECALL_MAX_TOKENS")] = 1024
    recall_types: Annotated[Words, Agent()] = ("world", "experience")
    recall_context_turns: Annotated[int, Agent("HINDSIGHT_RECALL_CONTEXT_TURNS")] = 1
    recall_max_query_chars: Annotated[int, Agent("HINDSIGHT_RECALL_MAX_QUERY_CHARS")] = 800
    request_timeout_ms: Annotated[int, Agent("HINDSIGHT_REQUEST_TIMEOUT_MS")] = 30_000
    recall_timeout_ms: Annotated[int, Agent("HINDSIGHT_RECALL_TIMEOUT_MS")] = 30_000
    retain_timeout_ms: Annotated[int, Agent("HINDSIGHT_RETAIN_TIMEOUT_MS")] = 60_000
    reflect_timeout_ms: Annotated[int, Agent("HINDSIGHT_REFLECT_TIMEOUT_MS")] = 120_000
    mental_models_enabled: Annotated[bool, Agent()] = True
    mental_model_auto_seed: Annotated[bool, Agent()] = True
    mental_model_max_render_chars: Annotated[int, Agent()] = 16_000
    debug: Annotated[bool, Agent("HINDSIGHT_DEBUG")] = False


class MnemopiSettings(_Group):
    """The agent's Mnemopi layer, and the engine's own variables below it.

    Where a least value is given, the agent raises smaller ones to it; memlab's
    own settings refuse them.
    """

    db_path: Annotated[OptionalPath, Agent()] = None
    bank: Annotated[str | None, Agent()] = None
    scoping: Annotated[Scoping, Agent()] = "per-project"
    auto_recall: Annotated[bool, Agent()] = True
    auto_retain: Annotated[bool, Agent()] = True
    recall_limit: Annotated[int, Field(ge=1), Agent()] = 8
    recall_context_turns: Annotated[int, Field(ge=1), Agent()] = 3
    recall_max_query_chars: Annotated[int, Field(ge=256), Agent()] = 4000
    injection_token_limit: Annotated[int, Field(ge=256), Agent()] = 5000
    retain_every_n_turns: Annotated[int, Field(ge=1), Agent()] = 4
    no_embeddings: Annotated[bool, Agent()] = False
    embedding_variant: Annotated[Literal["en", "multilingual"], Agent()] = "en"
    embedding_model: Annotated[
        str | None, Agent("MNEMOPI_EMBEDDING_MODEL", env_is_fallback=True)
    ] = None
    polyphonic_recall: Annotated[bool, Agent("MNEMOPI_POLYPHONIC_RECALL", reading.switch)] = False
    enhanced_recall: Annotated[bool, Agent("MNEMOPI_ENHANCED_RECALL", reading.switch)] = False
    proactive_linking: Annotated[bool, Agent("MNEMOPI_PROACTIVE_LINKING", reading.switch)] = False
    vec_weight: Annotated[Weight, Agent("MNEMOPI_VEC_WEIGHT", in_file=False)] = 0.5
    fts_weight: Annotated[Weight, Agent("MNEMOPI_FTS_WEIGHT", in_file=False)] = 0.3
    importance_weight: Annotated[Weight, Agent("MNEMOPI_IMPORTANCE_WEIGHT", in_file=False)] = 0.2
    temporal_halflife_hours: Annotated[
        Weight, Agent("MNEMOPI_TEMPORAL_HALFLIFE_HOURS", in_file=False)
    ] = 24.0
    data_dir: Annotated[OptionalPath, Agent("MNEMOPI_DATA_DIR", in_file=False)] = None
