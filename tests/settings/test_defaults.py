"""Every row of the agent's settings table: name, default, variable."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memlab.settings import Settings
from memlab.settings.keys import KEYS

# key in the agent's file, default, variable, a text for the variable, its value
TABLE: list[tuple[str, Any, str | None, str, Any]] = [
    ("memory.backend", "off", None, "", None),
    ("hindsight.apiUrl", "http://localhost:8888", "HINDSIGHT_API_URL", "http://h:1", "http://h:1"),
    ("hindsight.apiToken", None, "HINDSIGHT_API_TOKEN", "tok", "tok"),
    ("hindsight.bankId", None, "HINDSIGHT_BANK_ID", "b", "b"),
    ("hindsight.bankIdPrefix", None, None, "", None),
    ("hindsight.scoping", "per-project-tagged", "HINDSIGHT_SCOPING", "global", "global"),
    ("hindsight.bankMission", None, "HINDSIGHT_BANK_MISSION", "m", "m"),
    ("hindsight.retainMission", None, None, "", None),
    ("hindsight.autoRecall", True, "HINDSIGHT_AUTO_RECALL", "0", False),
    ("hindsight.autoRetain", True, "HINDSIGHT_AUTO_RETAIN", "no", False),
    ("hindsight.retainMode", "full-session", "HINDSIGHT_RETAIN_MODE", "last-turn", "last-turn"),
    ("hindsight.retainEveryNTurns", 3, "HINDSIGHT_RETAIN_EVERY_N_TURNS", "5", 5),
    ("hindsight.retainOverlapTurns", 2, None, "", None),
    ("hindsight.retainContext", "omp", None, "", None),
    ("hindsight.recallBudget", "mid", "HINDSIGHT_RECALL_BUDGET", "high", "high"),
    ("hindsight.recallMaxTokens", 1024, "HINDSIGHT_RECALL_MAX_TOKENS", "64", 64),
    ("hindsight.recallTypes", ("world", "experience"), None, "", None),
    ("hindsight.recallContextTurns", 1, "HINDSIGHT_RECALL_CONTEXT_TURNS", "2", 2),
    ("hindsight.recallMaxQueryChars", 800, "HINDSIGHT_RECALL_MAX_QUERY_CHARS", "100", 100),
    ("hindsight.requestTimeoutMs", 30_000, "HINDSIGHT_REQUEST_TIMEOUT_MS", "5000ms", 5000),
    ("hindsight.recallTimeoutMs", 30_000, "HINDSIGHT_RECALL_TIMEOUT_MS", "2.5", 2),
    ("hindsight.retainTimeoutMs", 60_000, "HINDSIGHT_RETAIN_TIMEOUT_MS", " 7 s", 7),
    ("hindsight.reflectTimeoutMs", 120_000, "HINDSIGHT_REFLECT_TIMEOUT_MS", "+9", 9),
    ("hindsight.mentalModelsEnabled", True, None, "", None),
    ("hindsight.mentalModelAutoSeed", True, None, "", None),
    ("hindsight.mentalModelMaxRenderChars", 16_000, None, "", None),
    ("hindsight.debug", False, "HINDSIGHT_DEBUG", "1", True),
    ("mnemopi.dbPath", None, None, "", None),
    ("mnemopi.bank", None, None, "", None),
    ("mnemopi.scoping", "per-project", None, "", None),
    ("mnemopi.autoRecall", True, None, "", None),
    ("mnemopi.autoRetain", True, None, "", None),
    ("mnemopi.recallLimit", 8, None, "", None),
    ("mnemopi.recallContextTurns", 3, None, "", None),
    ("mnemopi.recallMaxQueryChars", 4000, None, "", None),
    ("mnemopi.injectionTokenLimit", 5000, None, "", None),
    ("mnemopi.retainEveryNTurns", 4, None, "", None),
    ("mnemopi.noEmbeddings", False, None, "", None),
    ("mnemopi.embeddingVariant", "en", None, "", None),
    ("mnemopi.embeddingModel", None, "MNEMOPI_EMBEDDING_MODEL", "m", "m"),
    ("mnemopi.polyphonicRecall", False, "MNEMOPI_POLYPHONIC_RECALL", "1", True),
    ("mnemopi.enhancedRecall", False, "MNEMOPI_ENHANCED_RECALL", " 1 ", True),
    ("mnemopi.proactiveLinking", False, "MNEMOPI_PROACTIVE_LINKING", "1", True),
    ("mnemopi.vecWeight", 0.5, "MNEMOPI_VEC_WEIGHT", "0.25", 0.25),
    ("mnemopi.ftsWeight", 0.3, "MNEMOPI_FTS_WEIGHT", ".6x", 0.6),
    ("mnemopi.importanceWeight", 0.2, "MNEMOPI_IMPORTANCE_WEIGHT", "1e-1", 0.1),
    ("mnemopi.temporalHalflifeHours", 24.0, "MNEMOPI_TEMPORAL_HALFLIFE_HOURS", "48", 48.0),
    ("mnemopi.dataDir", None, "MNEMOPI_DATA_DIR", "/d", Path("/d")),
]
NAMES = {key.agent_name: key for key in KEYS.values() if key.agent is not None}


def plain(value: Any) -> Any:
    return value.get_secret_value() if hasattr(value, "get_secret_value") else value


def test_the_table_is_complete() -> None:
    assert [row[0] for row in TABLE] == list(NAMES)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row[0])
def test_default(row: tuple[Any, ...]) -> None:
    settings = Settings.load()
    name = NAMES[row[0]].name
    assert settings.get(name) == row[1]
    assert type(settings.get(name)) is type(row[1])
    assert settings.sources()[name] == "default"


@pytest.mark.parametrize("row", [row for row in TABLE if row[2]], ids=lambda row: row[2])
def test_variable(row: tuple[Any, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    _, default, variable, raw, value = row
    key = NAMES[row[0]]
    assert value != default
    monkeypatch.setenv(variable, raw)
    settings = Settings.load()
    assert plain(settings.get(key.name)) == value
    assert settings.sources()[key.name] == variable


def test_no_other_key_reads_a_variable() -> None:
    read = {key.agent.env for key in NAMES.values() if key.agent and key.agent.env}
    assert read == {row[2] for row in TABLE if row[2]}
