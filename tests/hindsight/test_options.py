"""What a server would overlook in silence is refused before it is sent."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from memlab.errors import InputError
from memlab.hindsight import Hindsight, HindsightOptions
from memlab.testing.hindsight import FakeHindsight
from tests.hindsight.conftest import Open

WRONG: list[dict[str, Any]] = [
    {"min_scores": {"rerank": 0.5}},
    {"min_scores": {"final": "high"}},
    {"include": {"chunk": {}}},
    {"include": {"chunks": {"max_token": 3}}},
    {"include": {"chunks": {"max_tokens_per_observation": 3}}},
    {"include": {"chunks": 5}},
    {"temporal_window": {"begin": "2026-01-01", "end": "2026-02-01"}},
    {"tag_groups": [{"tags": ["a"], "mode": "all"}]},
    {"tag_groups": [{"tags": "a"}]},
    {"tag_groups": [{"tags": ["a"], "match": "some"}]},
    {"tag_groups": [{"not": {"tag": ["a"]}}]},
    {"tag_groups": [{"and": []}]},
    {"tag_groups": [{"and": [{"tags": ["a"]}], "or": [{"tags": ["b"]}]}]},
    {"tag_groups": [{"or": [{"tags": ["a"]}], "match": "all"}]},
    {"tag_groups": [{"and": {"tags": ["a"]}}]},
    {"tag_groups": [{"tags": 5}]},
    {"tag_groups": [5]},
    {"tag_groups": [{}]},
]


@pytest.mark.parametrize("options", WRONG, ids=str)
def test_a_word_inside_an_option_that_means_nothing_is_refused(
    fake: FakeHindsight, options: dict[str, Any]
) -> None:
    """A sweep over ``min_scores={"rerank": ...}`` would find that it makes no difference."""
    fake.add("b", "words")
    (name,) = options
    with pytest.raises(InputError, match=f"Option {name}"):
        Hindsight("b", url="http://fake", transport=fake.transport).recall("words", **options)
    assert fake.requests == []


RIGHT: list[dict[str, Any]] = [
    {"min_scores": {"final": 0.1, "reranker": 0.0, "semantic": 0.0, "keyword": 0.0}},
    {"include": {"entities": None, "chunks": {}, "source_facts": {"max_tokens": 9}}},
    {"include": {"source_facts": {"max_tokens_per_observation": 5}, "entities": {"max_tokens": 1}}},
    {"temporal_window": {"start": "2026-01-01", "end": "2026-02-01T00:00:00Z"}},
    {"tag_groups": [{"tags": ["a"], "match": "all", "resolve": "exact"}, {"not": {"tags": ["b"]}}]},
    {"tag_groups": [{"or": [{"and": [{"tags": ["a"]}, {"tags": []}]}, {"tags": ["c"]}]}]},
]


@pytest.mark.parametrize("options", RIGHT, ids=str)
def test_what_means_something_goes_as_it_is_given(town: Hindsight, options: dict[str, Any]) -> None:
    (name,) = options
    body = HindsightOptions.of(options).body("Alice")
    assert {name: _plain(body[name])} == options
    assert town.recall("Alice", **options).outcome in ("ok", "empty")


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def test_moments_are_written_out() -> None:
    moment = datetime(2026, 1, 2, tzinfo=UTC)
    options = HindsightOptions.of(
        {"query_timestamp": moment, "temporal_window": {"start": moment, "end": moment}}
    )
    said = "2026-01-02T00:00:00+00:00"
    assert options.query_timestamp == said
    assert options.temporal_window == {"start": said, "end": said}


def test_the_server_overlooks_them_indeed(opened: Open) -> None:
    """Why memlab looks: a newer server that refuses them makes this test fail."""
    bank = opened()
    bank.create_bank(enable_observations=False)
    bank.retain("The kettle is copper.", asynchronous=False)
    where = bank._path("memories", "recall")
    for wrong in ({"min_scores": {"rerank": 9.0}}, {"include": {"chunk": {}}}):
        answer = bank._send("recall", "POST", where, body={"query": "kettle", **wrong})
        assert len(answer.data["results"]) == 1
