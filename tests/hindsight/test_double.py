"""The double answers as the real server does, where it answers at all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import memlab as ml
from memlab.errors import HindsightError
from memlab.hindsight import Hindsight
from memlab.testing.hindsight import FakeHindsight
from tests.hindsight.conftest import Open

MEMORIES: list[dict[str, Any]] = [
    {"text": "The copper kettle sings.", "document": "a", "tags": ("x",)},
    {"text": "The copper kettle was bought in May by Ada.", "document": "b", "tags": ("x", "y")},
    {"text": "A kettle without any label.", "document": "c"},
    {"text": "Nothing of the kind.", "document": "d", "tags": ("z",)},
]


@pytest.fixture(scope="module")
def real(opened: Open) -> Hindsight:
    bank = opened()
    bank.create_bank(enable_observations=False)
    bank.import_facts(
        [{"id": one["document"], "tags": one.get("tags", ()),
          "facts": [{"text": one["text"], "mentioned_at": "2026-01-01T00:00:00Z"}]}
         for one in MEMORIES]
    )  # fmt: skip
    return bank


@pytest.fixture(scope="module")
def both(real: Hindsight) -> Iterator[tuple[Hindsight, Hindsight]]:
    fake = FakeHindsight()
    for one in MEMORIES:
        fake.add("double", **one)
    with fake.serve() as url, Hindsight("double", url=url, writable=True) as bank:
        yield real, bank


def names(recall: ml.Recall) -> set[str]:
    return {str(hit.source) for hit in recall}


OPTIONS: list[dict[str, Any]] = [
    {}, {"types": ["world"]}, {"types": ["observation"]}, {"tags": ["x"]},
    {"tags": ["x"], "tags_match": "any_strict"}, {"tags": ["x", "y"], "tags_match": "all_strict"},
    {"tags": ["y", "x"], "tags_match": "exact"}, {"tags": [], "tags_match": "exact"},
    {"max_tokens": 0}, {"max_tokens": 1},
]  # fmt: skip


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_recall_finds_the_same(both: tuple[Hindsight, Hindsight], options: dict[str, Any]) -> None:
    real, double = (names(bank.recall("copper kettle", **options)) for bank in both)
    if options.get("max_tokens") == 1:
        assert len(real) == len(double) == 1
    else:
        assert real == double


@pytest.mark.parametrize("query", ["???", ""])
def test_it_refuses_the_same(both: tuple[Hindsight, Hindsight], query: str) -> None:
    for options in ({}, {"types": ["bogus"]}, {"tags": ["x"], "tags_match": "any"}):
        said = []
        for bank in both:
            with pytest.raises(HindsightError) as caught:
                bank.recall(query, **options)  # type: ignore[arg-type]
            said.append((type(caught.value), caught.value.status))
        assert said[0] == said[1]


def test_lists_and_numbers_are_the_same(both: tuple[Hindsight, Hindsight]) -> None:
    real, double = both
    assert {(one.text, one.tags, one.tier, one.time) for one in real.memories()} == {
        (one.text, one.tags, one.tier, one.time) for one in double.memories()
    }
    assert {one.id for one in real.documents()} == {one.id for one in double.documents()}
    assert {(one.tag, one.count) for one in real.tags()} == {
        (one.tag, one.count) for one in double.tags()
    }
    assert real.stats().nodes_by_fact_type["world"] == double.stats().nodes_by_fact_type["world"]


def test_a_missing_bank_is_missing_in_both(both: tuple[Hindsight, Hindsight]) -> None:
    for bank in both:
        there = Hindsight("no such bank", url=bank.url, token="")
        with pytest.raises(ml.MemlabError, match="There is no bank 'no such bank'"):
            there.recall("x")
        there.close()


def test_unknown_fields_are_reported_by_both(both: tuple[Hindsight, Hindsight]) -> None:
    for bank in both:
        with pytest.raises(HindsightError, match="does not know max_token "):
            bank._ask("recall", bank._path("memories", "recall"), method="POST",
                      body={"query": "x", "max_token": 5})  # fmt: skip


def test_it_is_a_backend_for_the_tools_and_the_explorer() -> None:
    fake = FakeHindsight()
    fake.add("b", "The copper kettle sings.", time="2026-03-01T10:00:00+00:00")
    bank = Hindsight("b", url="http://fake", transport=fake.transport, writable=True)
    assert isinstance(bank, ml.Backend)
    shown = ml.tools.recall(bank, "kettle", now="2026-11-02T09:00:00Z")
    assert shown.text == (
        "Found 1 relevant memory (as of 2026-11-02 09:00 UTC):\n\n"
        "- The copper kettle sings. [world] (2026-03-01T10:00:00+00:00)"
    )
    queued = ml.tools.retain(bank, ["A new one."], session_id="s")
    assert queued.details == {"count": 1}
    (new,) = [one for one in fake.banks["b"].memories.values() if one["text"] == "A new one."]
    assert new["metadata"] == {"session_id": "s"}
    fake.fault = lambda request: (
        (200, {"text": " So it is. "}, {}) if "reflect" in request.path else None
    )
    assert ml.tools.reflect(bank, "why?").text == "So it is."
    fake.fault = None
    view = ml.explore(bank, "kettle")
    assert view.recall is not None
    assert len(view.recall) == 1


def test_automatic_recall_over_a_scope() -> None:
    fake = FakeHindsight()
    fake.add("omp", "The copper kettle sings.", tags=("project:dispatch",))
    fake.add("omp", "Another kettle.", tags=("project:other",))
    scope = ml.Scope.hindsight("/home/mira/work/dispatch", "per-project-tagged")
    bank = Hindsight(url="http://fake", transport=fake.transport, scope=scope)
    answer = ml.AutoRecall(bank)(["where is the kettle?"])
    assert "The copper kettle sings. [world]" in answer.block
    assert "Another" not in answer.block
    assert fake.requests[-1].json == {
        "query": "where is the kettle?", "budget": "mid", "max_tokens": 1024,
        "types": ["world", "experience"], "tags": ["project:dispatch"], "tags_match": "any",
    }  # fmt: skip


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE"])
@pytest.mark.parametrize(
    "path",
    ["", "/b", "/b/memories", "/b/memories/recall", "/b/memories/list?limit=x", "/b/memories/no",
     "/b/documents?offset=-1", "/b/operations/x", "/b/x/y/z", "/none/tags"],
)  # fmt: skip
def test_the_double_answers_whatever_it_is_asked(method: str, path: str) -> None:
    """It is a server for tests of others' agents: an odd request is refused, it never breaks."""
    bodies = [b"", b"{}", b"[]", b"5", b"not json", b'{"items": 5}', b'{"items": [5]}',
              b'{"query": "x", "max_tokens": "y"}', b'{"query": "x", "tag_groups": [5]}']  # fmt: skip
    for body in bodies:
        fake = FakeHindsight()
        fake.add("b", "words")
        status, answer, _ = fake.answer(method, f"/v1/default/banks{path}", {}, body)
        assert status in (200, 404, 422)
        assert ("detail" in answer) == (status != 200)
