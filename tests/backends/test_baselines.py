"""The controls: what they rank by, what they refuse, and that they repeat to the last digit."""

from __future__ import annotations

import math
import pickle
from collections import Counter
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab import (
    Backend,
    Bm25,
    Case,
    FullContext,
    Lsa,
    Memory,
    Oracle,
    Outcome,
    Random,
    Recent,
    evaluate,
)
from memlab.backends.baselines.documents import Document
from memlab.backends.keys import content_key
from memlab.errors import InputError, UnknownOption

TEXTS = {
    "queue": "The queue is NATS. NATS replaced RabbitMQ.",
    "wind": "The wind gauge plays storm at every gust.",
    "cafe": "Café Moran wants an advert.",
    "ja": "湿度センサーを交換した。",
}
ALL = (Bm25, Lsa, Recent, Random, FullContext)


@pytest.mark.parametrize("control", ALL)
def test_each_is_a_backend(control: type[Bm25]) -> None:
    with control(TEXTS) as backend:
        assert isinstance(backend, Backend)
        answer = backend.recall("wind storm", limit=2)
        assert answer.outcome is Outcome.OK
        assert 0 < len(answer) <= 2
        assert backend.recall("wind storm", limit=2) == answer
        assert [memory.id for memory in backend.memories()] == list(TEXTS)
        with pytest.raises(UnknownOption, match="no option 'colour'. It has: limit"):
            backend.recall("wind", colour="red")
        for wrong in (-1, 2.5, "3", True):
            with pytest.raises(InputError, match="limit="):
                backend.recall("wind", limit=wrong)
        with pytest.raises(InputError, match="A query is text"):
            backend.recall(7)  # type: ignore[arg-type]
        assert backend.recall("wind", limit=0).outcome is Outcome.EMPTY


@pytest.mark.parametrize("control", ALL)
def test_none_trips_over_an_empty_bank(control: type[Bm25]) -> None:
    assert control({}).recall("anything").outcome is Outcome.EMPTY
    assert control({"a": "..."}).recall("!?").outcome in (Outcome.EMPTY, Outcome.OK)


def test_bm25_by_the_formula() -> None:
    """Robertson's formula, k1 = 1.2 and b = 0.75, worked out here."""
    texts = {
        f"d{n}": " ".join(["common"] * (n % 3) + ["rare"] * (n == 4) + ["x"] * n) for n in range(9)
    }
    lengths = {key: len(text.split()) for key, text in texts.items()}
    mean = sum(lengths.values()) / len(lengths)

    def score(key: str) -> float:
        total, words = 0.0, Counter(texts[key].split())
        for word in ("common", "rare"):
            has = sum(word in text.split() for text in texts.values())
            idf = max(math.log((len(texts) - has + 0.5) / (has + 0.5)), 1e-6)
            count = words[word]
            room = count + 1.2 * (1 - 0.75 + 0.75 * lengths[key] / mean)
            total += idf * count * 2.2 / room
        return total

    found = {hit.id: hit.score for hit in Bm25(texts).recall("common rare", limit=9)}
    expected = {key: score(key) for key in texts if score(key) > 0}
    assert found == pytest.approx(expected)


def test_bm25_finds() -> None:
    bm25 = Bm25(TEXTS)
    assert bm25.recall("what is the queue?")[0].id == "queue"
    assert bm25.recall("cafe")[0].id == "cafe"
    assert bm25.recall("センサー").outcome is Outcome.EMPTY  # a run without blanks is one word
    assert Bm25(TEXTS, tokenize="trigram").recall("センサー")[0].id == "ja"
    assert Bm25(TEXTS, tokenize="porter unicode61").recall("queues")[0].id == "queue"
    with pytest.raises(InputError, match='tokenize="nonsense\'" cannot be used'):
        Bm25(TEXTS, tokenize="nonsense'")


@given(st.text())
def test_no_query_is_syntax(query: str) -> None:
    BM25.recall(query)
    TRIGRAM.recall(query)


BM25, TRIGRAM = Bm25(TEXTS), Bm25(TEXTS, tokenize="trigram")


@pytest.mark.parametrize(
    "query", ["a AND b", 'foo"bar', "col:x", "NEAR(a b)", "x*", "^x", "don't", "-"]
)
def test_words_of_the_query_language_are_words(query: str) -> None:
    assert BM25.recall(query).outcome in (Outcome.OK, Outcome.EMPTY)


def test_lsa_knows_words_that_occur_together() -> None:
    texts = {f"s{n}": "sail boat harbour wind" for n in range(6)} | {"bees": "honey hive bees"}
    texts |= {"boat": "boat trip", "hive": "hive check"}
    found = Lsa(texts, components=2).recall("sail", limit=9).ids
    assert "boat" in found
    assert "hive" not in found


@pytest.mark.parametrize("control", [Bm25, Lsa, Random])
def test_sent_to_another_process(control: type[Bm25]) -> None:
    backend = control(TEXTS)
    copy = pickle.loads(pickle.dumps(backend))
    assert copy.recall("storm wind gauge") == backend.recall("storm wind gauge")


def test_recent() -> None:
    days = {"old": 1, "new": 3, "mid": 2}
    items = [Document(k, k, datetime(2026, 1, day, tzinfo=UTC)) for k, day in days.items()]
    assert Recent([*items, Document("none", "x")]).recall("?").ids == ("new", "mid", "old", "none")


def test_random_by_seed() -> None:
    texts = {str(n): "x" for n in range(50)}
    first = Random(texts, seed=1)
    assert first.recall("a").ids != first.recall("b").ids
    assert first.recall("a").ids != Random(texts, seed=2).recall("a").ids
    assert len(set(first.recall("a", limit=50).ids)) == 50


def test_full_context_returns_all() -> None:
    assert FullContext(TEXTS).recall("?").ids == tuple(TEXTS)
    assert len(FullContext(TEXTS).recall("?", limit=2)) == 2


def test_oracle() -> None:
    cases = [
        Case("1", "q", {"wind": 1, "queue": 3, "gone": 2, "ja": 0}),
        Case("2", "null", {}),
        Case("3", "q", {"cafe": 2}),
    ]
    oracle = Oracle(TEXTS, cases)
    assert oracle.recall("q").ids == ("queue", "cafe", "wind")
    assert oracle.recall("null").outcome is Outcome.EMPTY


@pytest.mark.parametrize(
    ("keys", "wanted"),
    [
        ("source", "line 2"), ("document", "doc"), ("metadata.session", "s1"),
        ("content", content_key("two")), ("id", "b"),
    ],
)  # fmt: skip
def test_the_ceiling_knows_every_kind_of_key(keys: str, wanted: str) -> None:
    """A ceiling of 0 because the labels name sessions would be no ceiling."""
    items = [
        Document("a", "one", metadata={"source_key": "line 1"}),
        Document("b", "two", metadata={
            "source_key": "line 2", "document_id": "doc", "metadata": {"session": "s1"},
        }),
        Document("c", "three", metadata={"session": "s1"}),
    ]  # fmt: skip
    cases = [Case("1", "q", {wanted: 1}, keys=keys), Case("2", "other", {"x": 1}, keys=keys)]
    assert Oracle(items, cases).recall("q").ids == ("b",)
    assert evaluate(Oracle(items, cases), cases, ["R@8"]).values["1"] == {"R@8": 1}


@pytest.mark.parametrize("control", [Bm25, Lsa, Recent, Random, FullContext])
def test_any_limit_and_no_other_option(control: type[Bm25]) -> None:
    backend = control(TEXTS)
    assert backend.recall("wind", limit=0).outcome is Outcome.EMPTY
    assert len(backend.recall("wind", limit=2**80)) <= len(TEXTS)
    assert len(backend.recall("wind", limit=None)) >= len(backend.recall("wind", limit=1))
    for limit in (-1, 2.0, "2", True):
        with pytest.raises(InputError, match="cannot be used"):
            backend.recall("wind", limit=limit)
    with pytest.raises(UnknownOption, match="has no option 'mmr_lambda'. It has: limit"):
        backend.recall("wind", mmr_lambda=0.5)
    # What it declares, in the explorer for one, is what it does.
    assert list(backend.options_model.model_fields) == ["limit"]
    usual = backend.options_model().limit
    assert backend.recall("wind", limit=usual).ids == backend.recall("wind").ids


def test_a_closed_index_says_so() -> None:
    backend = Bm25(TEXTS)
    backend.close()
    with pytest.raises(InputError, match="cannot be asked .*closed"):
        backend.recall("wind")


def test_what_holds_documents() -> None:
    hidden = [
        Memory("a", "live", "working", "live"),
        Memory("b", "gone", "working", "superseded"),
        Memory("c", "late", "episodic", "expired"),
    ]
    assert [m.id for m in Bm25(hidden).memories()] == ["a"]
    for wrong in (5, "text", {"a": 1}, [1]):
        with pytest.raises(InputError):
            Bm25(wrong)
    with pytest.raises(InputError, match="1 keys occur more than once, such as 'a'.*on_each"):
        Bm25([Document("a", "x"), Document("a", "y")])
