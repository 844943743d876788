"""Questions that cannot be asked: memlab's own errors, whatever is handed in."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from memlab import Mnemopi, MnemopiScope, Scope, build_bank, fallback_query, fallback_report
from memlab.errors import InputError, MemoryNotFound, RecallError
from memlab.mnemopi.polyphonic import polyphonic_recall
from tests.golden_data import GOLDEN

NOW = "2026-03-01T12:00:00.000Z"
TOO_LONG = "x" * 60_000  # one word, longer than what SQLite's LIKE takes


@pytest.fixture(scope="module")
def heron() -> Mnemopi:
    return Mnemopi(GOLDEN / "heron.db")


@pytest.fixture(scope="module")
def scope() -> MnemopiScope:
    path = GOLDEN / "scoped" / "mnemopi.db"
    return MnemopiScope(cwd="/work/otter-api", mode="per-project-tagged", bank="team", path=path)


@pytest.mark.parametrize("key", [None, 5, ["h0001"], b"h0001"])
def test_an_id_is_text(heron: Mnemopi, scope: MnemopiScope, key: Any) -> None:
    asked = (
        heron.get,
        heron.lookup,
        heron.recall("deploy", now=NOW).explain,
        scope.get,
        scope.lookup,
        scope.recall("deploy", now=NOW).explain,
    )
    for ask in asked:
        with pytest.raises(InputError, match="An id is text"):
            ask(key)


@pytest.mark.parametrize("time", [None, 5, "soon", "", pd.NaT, date(2026, 1, 1), "+012026-01-01"])
def test_a_time_is_one(heron: Mnemopi, scope: MnemopiScope, time: Any) -> None:
    for bank in (heron, scope):
        with pytest.raises(InputError, match="is not a time"):
            bank.as_of(time)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path: MnemopiScope("/work/otter-api"), "For a directory give cwd='/work/otter-api'"),
        (lambda path: Scope.mnemopi("/work", bank=5, path=path), "bank=5"),
        (lambda path: fallback_query("x", None, "team"), "project_bank=None"),  # type: ignore[arg-type]
        (lambda path: Mnemopi(path).recall("x", embedder=5), "embedder=5 is none"),
        (lambda path: MnemopiScope(cwd="/", path=path, mode="global").recall("x", embedder="m"),
         "embedder='m' is none"),
        (lambda path: polyphonic_recall(Mnemopi(path), "x", limit=float("nan")), "limit=nan"),
        (lambda path: polyphonic_recall(Mnemopi(path), "x", query_vector="abc"), "query_vector"),
        (lambda path: polyphonic_recall(Mnemopi(path), "x", context_budget="all"), "context_budget"),
        (lambda path: polyphonic_recall(MnemopiScope(cwd="/", path=path), "x"), "asks one bank"),
        (lambda path: fallback_report(Mnemopi(path), ["x"]), "over a MnemopiScope.*Mnemopi"),
        (lambda path: fallback_report(lambda case: None, ["x"]), "over a MnemopiScope.*NoneType"),
        (lambda path: fallback_report(MnemopiScope(cwd="/", path=path), pd.DataFrame({"query": ["x"]})),
         "not as a frame"),
    ],
)  # fmt: skip
def test_what_is_handed_in_is_looked_at(
    tmp_path: Path, make: Callable[[Path], Any], words: str
) -> None:
    path = tmp_path / "mnemopi.db"
    build_bank([{"text": "a", "vector": [1.0]}], path)
    with pytest.raises(InputError, match=words):
        make(path)


def test_a_vector_that_changes_nothing_is_noted(heron: Mnemopi, scope: MnemopiScope) -> None:
    recall = heron.recall("deploy", now=NOW, query_vector=[1.0, 2.0])
    assert recall.records == heron.recall("deploy", now=NOW).records
    assert recall.notes == ("the bank has no vectors, so the query's vector changed nothing",)
    both = scope.recall("deploy", now=NOW, embedder=lambda texts: [[1.0] for _ in texts])
    assert [note.partition(":")[0] for note in both.notes] == [
        f"bank {name}" for name in scope.opened
    ]


def test_what_sqlite_cannot_answer(heron: Mnemopi, scope: MnemopiScope) -> None:
    with pytest.raises(RecallError, match="SQLite could not answer this query of 60000 units"):
        heron.recall(TOO_LONG, now=NOW)
    recall = scope.recall(TOO_LONG, now=NOW)  # a bank without facts has nothing to scan
    assert {type(error) for error in recall.failures.values()} == {RecallError}
    assert recall.outcome == "error"


def test_a_scope_without_any_bank_has_a_funnel_and_no_memory(tmp_path: Path) -> None:
    recall = MnemopiScope(cwd="/nowhere", path=tmp_path / "m.db").recall("ferry", now=NOW)
    assert recall.funnel()["total"].tolist() == [0, 0]
    with pytest.raises(MemoryNotFound, match="no bank answered"):
        recall.explain("m")


EVIL = "ferry \x1b[31m red \x07 \u202e night"


class TestForeignTextOnATerminal:
    """What a bank or a folder says does not move the cursor of whoever looks at it."""

    def test_recalls_and_explanations(self, tmp_path: Path) -> None:
        bank = build_bank(
            [
                {"text": EVIL, "id": "shown\x1b[2J"},
                {"text": f"{EVIL} {EVIL}", "id": "gone\x1b[2J", "superseded_by": "\x1b[2J"},
                {"text": f"about {EVIL}", "id": "sum\x1b[2J", "tier": "episodic",
                 "summary_of": ["shown\x1b[2J"]},
            ],
            tmp_path / "lab.db",
            now=NOW,
        )  # fmt: skip
        recall = bank.recall("ferry", now=NOW)
        assert recall.ids == ("shown\x1b[2J",)
        answers = [recall.explain(memory.id) for memory in bank.memories()]
        assert {answer.stage for answer in answers} == {
            "returned", "not visible", "hidden by its sources",
        }  # fmt: skip
        for shown in (repr(recall), *map(repr, answers), *map(str, answers)):
            assert not {"\x1b", "\x07", "\u202e"} & set(shown)
        assert "\x1b" in answers[-1].id

    def test_scopes(self, tmp_path: Path) -> None:
        folder = tmp_path / "banks" / "old\x1b[2J"
        folder.mkdir(parents=True)
        scope = Scope.mnemopi("/work/\x1b[31m\udc80", path=tmp_path / "m.db")
        recall = MnemopiScope(scope).recall("ferry", now=NOW)
        for shown in (repr(scope), repr(recall)):
            assert "\x1b" not in shown
            shown.encode()


@pytest.mark.parametrize("options", [{"now": ""}, {"limit": 10**30}])
def test_an_option_is_never_replaced_or_too_large(
    heron: Mnemopi, scope: MnemopiScope, options: dict[str, Any]
) -> None:
    for bank in (heron, scope):
        with pytest.raises(InputError):
            bank.recall("deploy", **{"now": NOW, **options})


@pytest.mark.parametrize("name", [5, b"heron", ["heron"]])
def test_the_name_of_a_bank_is_text(name: Any) -> None:
    with pytest.raises(InputError, match="bank=.*: the name of a bank is text"):
        Mnemopi(GOLDEN / "heron.db", bank=name)


def test_a_context_has_two_styles(heron: Mnemopi) -> None:
    with pytest.raises(InputError, match="style='table': it is one of bullet, json"):
        heron.recall("deploy", now=NOW).context("table")  # type: ignore[arg-type]
