"""The engine's own variables move memlab's recall as they move the engine's."""

from __future__ import annotations

import pytest

from memlab import Mnemopi, MnemopiScope
from memlab.errors import SettingsError
from tests.golden_data import GOLDEN

NOW = "2026-03-01T12:00:00.000Z"
QUERY = "what is the current deploy target today"
VARIABLES = {
    "MNEMOPI_IMPORTANCE_WEIGHT": "0.9",
    "MNEMOPI_FTS_WEIGHT": "0.1",
    "MNEMOPI_TEMPORAL_HALFLIFE_HOURS": "900",
}
# What the engine itself answered under these variables (measured).
ENGINE = [
    ("fact_1bd23eb335446012_0", 0.94),
    ("h0017", 0.6643),
    ("h0010", 0.6123),
    ("h001f", 0.4942),
    ("h0019", 0.4913),
    ("b2e3ea1bc5ac3cd6", 0.415),
    ("h0005", 0.4832),
    ("h001d", 0.1972),
]


def _scores(bank: Mnemopi, **options: float) -> list[tuple[str, float | None]]:
    return [(hit.id, hit.score) for hit in bank.recall(QUERY, now=NOW, channel="", **options)]


def test_variables_move_the_recall(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = _scores(Mnemopi(GOLDEN / "heron.db"))
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value)
    bank = Mnemopi(GOLDEN / "heron.db")
    assert _scores(bank) == ENGINE != plain
    recall = bank.recall(QUERY, now=NOW)
    assert recall.options["importance_weight"] == 0.9
    assert recall.options["temporal_halflife"] == 900
    usual = {"importance_weight": 0.2, "fts_weight": 0.3, "temporal_halflife": 24.0}
    assert _scores(bank, **usual) == plain


def test_they_move_every_bank_of_a_scope(monkeypatch: pytest.MonkeyPatch) -> None:
    def asked() -> MnemopiScope:
        return MnemopiScope(
            cwd="/work/otter-api", mode="per-project", bank="team",
            path=GOLDEN / "scoped" / "mnemopi.db",
        )  # fmt: skip

    plain = [hit.score for hit in asked().recall("deploy", now=NOW)]
    monkeypatch.setenv("MNEMOPI_IMPORTANCE_WEIGHT", "9")
    moved = asked().recall("deploy", now=NOW)
    assert moved.options["importance_weight"] == 9
    assert [hit.score for hit in moved] != plain


def test_memlabs_own_variable_goes_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEMOPI_FTS_WEIGHT", "0.1")
    monkeypatch.setenv("MEMLAB_MNEMOPI_FTS_WEIGHT", "0.7")
    assert Mnemopi(GOLDEN / "heron.db").recall("x").options["fts_weight"] == 0.7
    monkeypatch.setenv("MEMLAB_MNEMOPI_FTS_WEIGHT", "heavy")
    with pytest.raises(SettingsError, match="heavy"):
        Mnemopi(GOLDEN / "heron.db")
