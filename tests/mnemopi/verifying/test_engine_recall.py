"""``engine="omp"``: the real engine answers, on a copy, with the same options."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from memlab import Mnemopi, Outcome
from memlab.errors import BankReadOnly, EngineMissing, InputError
from memlab.mnemopi.engine import Engine
from memlab.mnemopi.options import RecallOptions
from memlab.mnemopi.real import engine_options
from tests.golden_data import GOLDEN
from tests.parity.engine import engine

NOW = "2026-03-01T12:00:00.000Z"
VECTOR = tuple(0.5 - i / 12 for i in range(12))
CHANGES: list[dict[str, Any]] = [
    {}, {"limit": 3}, {"limit": 30}, {"limit": 2.5}, {"mode": "plain"}, {"mode": "facts"},
    {"include_facts": False}, {"include_working": False}, {"session": "nobody"},
    {"channel": "other"}, {"channel": ""}, {"any_session": True}, {"author_id": "ada"},
    {"author_type": "agent"}, {"from_date": "2026-02-28"}, {"to_date": "2026-02-28"},
    {"source": "user"}, {"topic": "import"}, {"veracity": "stated"}, {"memory_type": "fact"},
    {"query_time": "2026-02-20"}, {"query_vector": VECTOR}, {"synonyms": False},
    {"intent": False}, {"mode": "plain", "intent": True}, {"mode": "plain", "mmr": True},
    {"current_sensitive": True}, {"preview_chars": 20}, {"vec_weight": 3.0},
    {"fts_weight": 0.0}, {"importance_weight": 2.0}, {"temporal_weight": 1.0},
    {"temporal_halflife": 900.0, "temporal_weight": 1.0}, {"mmr_lambda": 0.1},
    {"now": "2026-04-01T00:00:00.000Z"},
]  # fmt: skip


@pytest.mark.engine
@pytest.mark.parametrize("changes", CHANGES, ids=str)
@pytest.mark.parametrize("name", ["heron", "marsh"])
def test_every_option_means_the_same_to_both(name: str, changes: dict[str, Any]) -> None:
    path = GOLDEN / f"{name}.db"
    options = {"now": NOW, **changes}
    if name == "heron":
        options.pop("query_vector", None)
    with Mnemopi(path, bank=name, engine=engine()) as real, Mnemopi(path, bank=name) as ours:
        for query in (
            "deploy the server",
            "otter at the lock yesterday",
            "current database",
            "tipping",
        ):
            got, wanted = real.recall(query, **options), ours.recall(query, **options)
            assert got.records == wanted.records, query
            assert got.text == wanted.text
            assert got.outcome == wanted.outcome
            assert got.options == wanted.options


@pytest.mark.engine
def test_it_is_the_same_kind_of_answer(tmp_path: Path) -> None:
    with Mnemopi(GOLDEN / "heron.db", engine="omp") as bank:
        recall = bank.recall("deploy", now=NOW)
        assert recall.outcome is Outcome.OK
        assert recall.backend == "mnemopi:heron (real engine)"
        assert recall.seconds > 0
        assert list(recall.frame()["id"]) == list(recall.ids)
        with pytest.raises(InputError, match="answered by the real engine"):
            recall.explain(recall.ids[0])


@pytest.mark.engine
def test_the_bank_is_not_touched_and_the_copy_goes(tmp_path: Path) -> None:
    path = GOLDEN / "heron.db"
    before = hashlib.sha256(path.read_bytes()).hexdigest(), sorted(p.name for p in GOLDEN.iterdir())
    bank = Mnemopi(path, engine="omp")
    first = bank.recall("deploy", now=NOW)
    assert bank._real is not None
    assert bank._real._running is not None
    copy = bank._real._running[1].path
    assert copy.exists()
    assert bank.recall("deploy", now=NOW) == first  # nothing was counted in between
    bank.close()
    assert not copy.exists()
    assert (hashlib.sha256(path.read_bytes()).hexdigest(), sorted(p.name for p in GOLDEN.iterdir())) == before  # fmt: skip


@pytest.mark.engine
def test_it_sees_what_was_written_and_the_past(tmp_path: Path) -> None:
    with Mnemopi(GOLDEN / "heron.db").copy(tmp_path / "c.db") as copy:
        asked = Mnemopi(copy.path, writable=True, engine=engine())
        key = asked.retain(["A quokka sleeps."], now=NOW).ids[0]
        assert asked.recall("quokka", now=NOW).ids == (key,)
        asked.forget(key, now=NOW)
        assert asked.recall("quokka", now=NOW).ids == ()
        past = asked.as_of("2025-12-24")
        ours = Mnemopi(copy.path).as_of("2025-12-24")
        assert past.recall("database").records == ours.recall("database").records
        past.close()
        asked.close()


def test_without_the_engine_the_way_to_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMLAB_CACHE", str(tmp_path))
    bank = Mnemopi(GOLDEN / "heron.db", engine="omp")
    with pytest.raises(EngineMissing, match="memlab engine install"):
        bank.recall("deploy")


def test_what_it_cannot_do_is_refused() -> None:
    bank = Mnemopi(GOLDEN / "heron.db", engine="omp")
    with pytest.raises(InputError, match=r"no option for recency_hours.*recency_hours=24\.0"):
        bank.recall("x", recency_hours=24.0)
    with pytest.raises(BankReadOnly, match="from a copy"):
        bank.recall("x", count=True)
    with pytest.raises(InputError, match="engine='fast'"):
        Mnemopi(GOLDEN / "heron.db", engine="fast")  # type: ignore[arg-type]


CONSTANTS = sorted(
    set(RecallOptions.model_fields)
    - {"limit", "mode", "now", "session", "channel"}
    - set(engine_options(RecallOptions(), "b"))
    - {name for change in CHANGES for name in change}
)


@pytest.mark.parametrize("name", CONSTANTS)
def test_a_constant_of_the_engine_is_refused(name: str) -> None:
    default = RecallOptions.model_fields[name].get_default(call_default_factory=True)
    other: Any = {bool: False, dict: {}, tuple: tuple(x / 2 for x in default) if isinstance(default, tuple) else None}  # fmt: skip
    changed = RecallOptions().model_copy(update={name: other.get(type(default), 7)})
    with pytest.raises(InputError, match=rf"no option for {name}"):
        engine_options(changed, "b")


def test_every_option_is_tried_or_a_constant() -> None:
    assert len(CONSTANTS) == 28
    assert {"term_cap", "recency_hours", "hide_summaries", "veracity_factors"} <= set(CONSTANTS)


@pytest.mark.engine
def test_a_running_engine_is_left_running() -> None:
    with Engine.start() as running:
        with Mnemopi(GOLDEN / "heron.db", engine=running) as bank:
            assert bank.recall("deploy", now=NOW).ids
        assert running.version()["mnemopi"]
