"""Whatever JSON a server answers: what is asked, or an error of memlab's tree."""

from __future__ import annotations

import inspect
from contextlib import suppress
from typing import Any

import pytest

from memlab.errors import HindsightError, InputError
from memlab.hindsight import Hindsight
from memlab.testing.hindsight import FakeHindsight

KEY = "4af5c830-0000-4000-8000-000000000000"
ARGUMENTS: dict[str, Any] = {
    "key": KEY, "operation": KEY, "name": "n", "source_query": "q", "content": "c", "tags": ["t"],
    "items": "text", "template": {}, "data": b"", "documents": [], "document": "d", "query": "q",
    "text": "x", "progress": False,
}  # fmt: skip
ODD: list[Any] = [
    [], "x", 3, {}, [[]], [{}], [5],
    {"items": 5}, {"items": [5]}, {"items": [{}], "total": 1}, {"items": [{"id": 5}], "total": 1},
    {"items": [], "total": "x"}, {"items": [{"previous_content": 5}]},
    {"results": [5]}, {"results": [{"id": "1", "text": "t"}], "trace": []},
    {"nodes": 5}, {"nodes": [{}], "edges": [{}]}, {"nodes": [{"data": {}}], "edges": [{"data": {}}]},
    {"edges": [{"data": {"source": "a", "target": "b", "lastCooccurred": "never"}}]},
    {"edges": [{"data": {"source": "a", "target": "b", "weight": "x"}}]},
    {"scopes": 5}, {"scopes": [{"tags": 5}]}, {"banks": [{}]}, {"operations": [{}]},
    {"operation_id": 5}, {"operation_id": KEY, "status": "completed", "result_metadata": 5},
    {"deleted_count": "x"}, {"id": KEY, "text": "t", "metadata": 5}, {"config": 5, "bank_id": "b"},
    {"bank_id": "b", "nodes_by_fact_type": 5}, {"bank_id": "b", "nodes_by_fact_type": {"w": "x"}},
    {"buckets": [{"time": "x"}], "period": "7d"}, {"status": "completed"},
]  # fmt: skip
ASKED = [
    name
    for name, _ in inspect.getmembers(Hindsight, inspect.isfunction)
    if not name.startswith("_") and name not in ("close", "wait")
]


@pytest.mark.parametrize("name", ASKED)
def test_an_answer_of_another_shape_is_an_error_of_the_tree(name: str) -> None:
    for odd in ODD:
        fake = FakeHindsight(fault=lambda request, body=odd: (200, body, {}))
        bank = Hindsight("b", url="http://fake", transport=fake.transport, writable=True)
        method = getattr(bank, name)
        given = {
            key: ARGUMENTS[key]
            for key, one in inspect.signature(method).parameters.items()
            if one.kind.name != "VAR_KEYWORD"
            if one.default is inspect.Parameter.empty or (name, key) == ("edit", "text")
        }
        with suppress(HindsightError, InputError):
            found = method(**given)
            if hasattr(found, "frame"):
                found.frame()
            repr(found)


def test_all_is_asked() -> None:
    assert len(ASKED) >= 45
    assert {"recall", "memories", "graph", "stats", "delete_bank", "import_archive"} <= set(ASKED)


TRACES: list[dict[str, Any]] = [
    {"retrieval_results": 5}, {"retrieval_results": [5]}, {"retrieval_results": [{}]},
    {"retrieval_results": [{"method_name": "x", "results": [{}]}]},
    {"rrf_merged": [{}]}, {"rrf_merged": [5]},
    {"rrf_merged": [{"node_id": "1", "source_ranks": {"bm25_rank": "x"}}]},
    {"reranked": [{}]}, {"reranked": [5]}, {"reranked": [{"node_id": "1", "rerank_rank": "x"}]},
    {"reranked": [{"node_id": "1", "rerank_rank": None}]},
    {"reranked": [{"node_id": "1", "rerank_rank": 1, "rerank_score": None}]},
    {"reranked": [{"node_id": "1", "rerank_rank": 1, "score_components": {"recency": "x"}}]},
    {"summary": 5}, {"summary": {"phase_metrics": [{}]}}, {"summary": {"phase_metrics": [5]}},
]  # fmt: skip


@pytest.mark.parametrize("trace", TRACES, ids=str)
def test_a_trace_of_another_server_says_so(trace: dict[str, Any]) -> None:
    body = {"results": [{"id": "1", "text": "t"}], "trace": trace}
    fake = FakeHindsight(fault=lambda request: (200, body, {}))
    found = Hindsight("b", url="http://fake", transport=fake.transport).recall("q", trace=True)
    assert found.ids == ("1",)
    for look in (lambda: found.trace, lambda: found.explain("1")):
        with pytest.raises(HindsightError, match="recall's trace") as caught:
            look()
        assert caught.value.outcome == "invalid_reply"


def test_a_trace_may_lack_whole_stages() -> None:
    body = {"results": [{"id": "1", "text": "t"}], "trace": {"newer": 1}}
    fake = FakeHindsight(fault=lambda request: (200, body, {}))
    found = Hindsight("b", url="http://fake", transport=fake.transport).recall("q", trace=True)
    assert found.trace.funnel["memories"].tolist() == [0, 0, 0, 1]
    assert found.trace.ranked.empty
    assert found.trace.phases.empty
    assert found.trace.seconds is None


def test_a_note_of_a_best_one_that_did_not_fit_is_for_one(fake: FakeHindsight) -> None:
    """Older servers count tokens by another vocabulary: several over the limit are no floor."""
    rows = [{"id": str(n), "text": "several words that are long"} for n in range(3)]
    fake.fault = lambda request: (200, {"results": rows}, {})
    bank = Hindsight("b", url="http://fake", transport=fake.transport)
    assert not any("nothing fitted" in note for note in bank.recall("q", max_tokens=14).notes)
    fake.fault = lambda request: (200, {"results": rows[:1]}, {})
    assert any("nothing fitted" in note for note in bank.recall("q", max_tokens=4).notes)
