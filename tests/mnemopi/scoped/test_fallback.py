"""The fallback query: golden lines, where it misfires, and what it does to a recall."""

from __future__ import annotations

from pathlib import Path

import pytest

from memlab import MnemopiScope, fallback_query, fallback_report
from memlab.errors import InputError
from memlab.mnemopi.scoped.effect import without_fallback
from tests.golden_data import lines
from tests.mnemopi.scoped.places import CWD, NOW, PROJECT, lay_out

BANK = "team-otter-api-28k8yu3vl3sfg"
GOLDEN = [line for line in lines("units.jsonl") if line["op"] == "fallbackQuery"]


def test_golden_fallback_queries() -> None:
    assert len(GOLDEN) == 8
    for line in GOLDEN:
        args = line["args"]
        own = fallback_query(args["query"], args["projectBank"], args["sharedBank"])
        assert own == line["result"], line


@pytest.mark.parametrize(
    ("query", "asked"),
    [
        ("how does the otter api keep its cache?", "how does the keep its cache?"),
        ("deploy TEAM Otter, and badger", "deploy, and badger"),
        # The name as people write it is no phrase of the bank's name, which ends in a hash.
        ("otter-api or badger and otter?", "- or badger ?"),
        ("otter_api and badger", None),
        ("what does the team want", "what does the want"),
        ("otters and apis", None),
        ("otter api!", None),
        ("deploy", None),
        ("", None),
        ("ott\u017fer \u212aelvin", None),
    ],
)
def test_what_is_asked(query: str, asked: str | None) -> None:
    assert fallback_query(query, BANK, "team") == asked


def test_no_shared_bank_no_fallback() -> None:
    assert fallback_query("otter", BANK, None) is None
    assert fallback_query("otter", BANK, "") is None
    assert fallback_query("otter deploy", BANK, BANK) is None
    assert fallback_query("otter deploy", "日本", "team") is None
    with pytest.raises(InputError, match="A query is text"):
        fallback_query(None, BANK, "team")  # type: ignore[arg-type]


@pytest.fixture
def backend(tmp_path: Path) -> MnemopiScope:
    path = lay_out(tmp_path / "agent")
    return MnemopiScope(cwd=CWD, mode="per-project-tagged", bank="team", path=path)


def test_the_report_is_what_a_recall_without_it_would_be(backend: MnemopiScope) -> None:
    for query in ("otter api commit messages", "otter api deploy", "deploy", "zzzz"):
        for limit in (1, 2, 8):
            recall = backend.recall(query, now=NOW, limit=limit)
            bare = backend.recall(query, now=NOW, limit=limit, fallback=False)
            assert without_fallback(recall) == bare.hits


def test_the_report_names_what_came_and_what_went(backend: MnemopiScope) -> None:
    report = fallback_report(backend, "otter api commit messages", now=NOW, limit=2)
    (effect,) = report.effects
    row = report.frame().iloc[0]
    assert row["fallback"] == "commit messages"
    assert row["gained"] == effect.gained
    assert row["lost"] == effect.lost
    hits = report.hits().set_index("id")
    assert list(hits[hits["effect"] == "only by the fallback"].index) == list(effect.gained)
    assert list(hits[hits["effect"] == "pushed out"].index) == list(effect.lost)
    assert hits.loc[list(effect.gained), "rank_without"].isna().all()
    assert hits.loc[list(effect.lost), "rank"].isna().all()
    assert len(hits) == 2 + len(effect.lost)
    assert effect.gained == ("s0005",)
    assert len(effect.lost) == 1
    assert repr(report) == (
        "FallbackReport: 1 queries, 1 with a fallback query, 1 changed by it: 1 hits gained, 1 lost"
    )


def test_cases_with_labels_over_several_scopes(backend: MnemopiScope, tmp_path: Path) -> None:
    cases = [
        {"id": "one", "query": "otter api commit messages", "relevant": ["s0005"], "cwd": CWD},
        {"id": "two", "query": "deploy", "relevant": {"s0002": 3, "gone": 1}, "cwd": CWD},
        {"query": "deploy", "cwd": CWD},
    ]
    frame = fallback_report({CWD: backend}, cases, now=NOW, limit=2).frame()
    assert list(frame["case"]) == ["one", "two", "3"]
    assert list(frame["changed"]) == [True, False, False]
    assert frame.loc[0, ["found", "found_without"]].tolist() == [1, 0]
    assert frame["fallback"].isna().tolist() == [False, True, True]
    assert frame["relevant"].isna().tolist() == [False, False, True]
    with pytest.raises(InputError, match="No scope for cwd='/else'"):
        fallback_report({CWD: backend}, [{"query": "x", "cwd": "/else"}])
    by_function = fallback_report(lambda case: backend, cases, now=NOW, limit=2).frame()
    assert by_function.equals(frame)
    with pytest.raises(InputError, match="labelled by source; only ids"):
        fallback_report(backend, [{"query": "x", "relevant": ["a"], "keys": "source"}])
    with pytest.raises(InputError, match="A case is a query"):
        fallback_report(backend, [{"text": "x"}])


def test_the_shared_bank_is_asked_twice_the_project_once(backend: MnemopiScope) -> None:
    recall = backend.recall("otter api commit messages", now=NOW)
    asked = [(bank, part.query) for bank, part in recall.parts]
    assert asked.count((PROJECT, recall.query)) == 1
    assert asked.count(("team", "commit messages")) == 1
