"""A scope with an embedder: both queries embedded, each once; widths that do not fit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memlab import Mnemopi, MnemopiScope, Scope, build_bank
from memlab.errors import InputError
from memlab.mnemopi.embedding import EMBED_LIMIT
from tests.mnemopi.scoped.places import CWD, lay_out

NOW = "2026-03-01T12:00:00.000Z"
QUESTION = "ferry iou"  # the project's bank is named after the ferry: the fallback is "iou"


class Counting:
    """A stand-in for a model: vowels, other letters, length; it knows what it was asked."""

    model = "lab"

    def __init__(self, width: int = 3) -> None:
        self.width = width
        self.asked: list[str] = []

    def __call__(self, texts: list[str]) -> Any:
        self.asked += texts
        found = [
            [sum(c in "aeiou" for c in t), sum(c.isalpha() and c not in "aeiou" for c in t), len(t)]
            for t in texts
        ]
        return np.pad(np.array(found), ((0, 0), (0, self.width - 3)))


@pytest.fixture
def where(tmp_path: Path) -> Scope:
    """A project's bank and the shared one, both with vectors of three numbers."""
    shared = tmp_path / "lab" / "mnemopi.db"
    scope = Scope.mnemopi("/work/ferry", "per-project-tagged", bank="team", path=shared)
    own = scope.files[scope.bank]
    build_bank(
        ["aeiou aeiou", "rhythm"], own, bank=scope.bank, embedder=Counting(), model="lab", now=NOW
    )
    build_bank(
        ["ieaou", "nth", "an old tale"], shared, bank="team", embedder=Counting(), model="lab", now=NOW
    )  # fmt: skip
    return scope


def given(query: str) -> tuple[float, ...]:
    return tuple(Counting()([query])[0].tolist())


def test_every_query_has_its_own_vector(where: Scope) -> None:
    recall = MnemopiScope(where, embedder=Counting()).recall(QUESTION, now=NOW)
    assert recall.fallback == "iou"
    vectors = [part.options["query_vector"] for _, part in recall.parts]
    assert vectors == [given(QUESTION), given(QUESTION), given("iou")]
    assert recall.options["query_vector"] == given(QUESTION)
    assert recall.options["fallback_vector"] == given("iou")
    assert recall.notes == ()
    assert recall.hits[0].scores["vector"] > 0
    by_hand = MnemopiScope(where).recall(
        QUESTION, now=NOW, query_vector=given(QUESTION), fallback_vector=given("iou")
    )
    assert by_hand.records == recall.records
    assert by_hand.options == recall.options


def test_each_bank_answers_as_it_does_alone(where: Scope) -> None:
    embedder = Counting()
    recall = MnemopiScope(where, embedder=embedder).recall(QUESTION, now=NOW)
    for (bank, part), query in zip(recall.parts[:2], [QUESTION, QUESTION], strict=True):
        alone = Mnemopi(where.files[bank], bank=bank, embedder=embedder).recall(query, now=NOW)
        assert part.records == alone.records
        assert part.options == alone.options


def test_each_text_is_embedded_once(where: Scope) -> None:
    embedder = Counting()
    backend = MnemopiScope(where, embedder=embedder)
    backend.recall(QUESTION, now=NOW)
    assert embedder.asked == [QUESTION, "iou"]
    embedder.asked.clear()
    backend.recall(QUESTION, now=NOW, fallback=False)
    backend.recall("tale", now=NOW)
    assert embedder.asked == [QUESTION, "tale"]
    embedder.asked.clear()
    long = "tale " * EMBED_LIMIT
    backend.recall(long, now=NOW)
    assert len(embedder.asked) == 1
    assert len(embedder.asked[0]) == EMBED_LIMIT
    embedder.asked.clear()
    assert backend.recall("", now=NOW).options["query_vector"] is None
    assert embedder.asked == []


def test_for_one_call_and_for_none(where: Scope) -> None:
    plain, embedding = MnemopiScope(where), MnemopiScope(where, embedder=Counting())
    once = plain.recall(QUESTION, now=NOW, embedder=Counting())
    assert once.records == embedding.recall(QUESTION, now=NOW).records
    words = embedding.recall(QUESTION, now=NOW, query_vector=None)
    assert words.records == plain.recall(QUESTION, now=NOW).records != once.records
    assert words.notes == ()
    assert {part.options["query_vector"] for _, part in words.parts} == {None}


def test_vectors_that_are_given_go_before_the_embedder(where: Scope) -> None:
    embedder = Counting()
    backend = MnemopiScope(where, embedder=embedder)
    recall = backend.recall(QUESTION, now=NOW, query_vector=np.array([1.0, 2.0, 3.0]))
    assert embedder.asked == ["iou"]
    assert recall.parts[0][1].options["query_vector"] == (1.0, 2.0, 3.0)
    assert recall.parts[2][1].options["query_vector"] == given("iou")
    embedder.asked.clear()
    own = np.array([3.0, 2.0, 1.0])
    recall = backend.recall(QUESTION, now=NOW, fallback_vector=own)
    assert embedder.asked == [QUESTION]
    assert recall.parts[2][1].options["query_vector"] == (3.0, 2.0, 1.0)
    alone = MnemopiScope(where).recall(QUESTION, now=NOW, fallback_vector=own)
    assert [part.options["query_vector"] for _, part in alone.parts] == [
        None,
        None,
        (3.0, 2.0, 1.0),
    ]
    with pytest.raises(InputError, match="fallback_vector is no vector"):
        backend.recall(QUESTION, now=NOW, fallback_vector="abc")  # type: ignore[arg-type]


def test_where_nothing_is_asked_nothing_is_embedded(tmp_path: Path) -> None:
    embedder = Counting()
    path = tmp_path / "none" / "mnemopi.db"
    backend = MnemopiScope(
        cwd="/work/ferry", mode="per-project-tagged", bank="team", path=path, embedder=embedder
    )
    assert len(backend.recall(QUESTION, now=NOW)) == 0
    assert embedder.asked == []


def test_an_embedder_that_fails_is_no_bank_that_fails(where: Scope) -> None:
    def offline(texts: list[str]) -> Any:
        raise ConnectionError("the model is offline")

    with pytest.raises(ConnectionError, match="the model is offline"):
        MnemopiScope(where, embedder=offline).recall(QUESTION, now=NOW)
    with pytest.raises(InputError, match="The embedder flat gave an array of shape"):
        MnemopiScope(where).recall(QUESTION, now=NOW, embedder=flat)


def flat(texts: list[str]) -> list[float]:
    return [1.0, 2.0, 3.0]


def test_another_model_is_noted_for_each_bank(where: Scope) -> None:
    embedder = Counting()
    embedder.model = "newer"
    recall = MnemopiScope(where, embedder=embedder).recall(QUESTION, now=NOW)
    said = "the query was embedded by newer, most memories by lab"
    assert recall.notes == (f"bank {where.bank}: {said}", f"bank team: {said}")
    assert said in repr(recall)


class TestWidths:
    """The project's bank fits, the shared one has vectors of another width."""

    @pytest.fixture
    def backend(self, where: Scope) -> MnemopiScope:
        shared = where.files["team"]
        shared.unlink()
        items = [
            {"text": "iou tale", "vector": [1.0] * 5},
            {"text": "iou note", "vector": [2.0] * 5},
        ]
        build_bank(items, shared, bank="team", now=NOW)
        return MnemopiScope(where, embedder=Counting())

    def test_the_bank_both_widths_and_the_way_out_are_named(self, backend: MnemopiScope) -> None:
        with pytest.raises(InputError) as caught:
            backend.recall(QUESTION, now=NOW)
        for words in ("Bank team:", "has 3 numbers", "5 numbers (2)", "on_width_mismatch='words'"):
            assert words in str(caught.value)

    def test_by_words_in_that_bank_alone(self, backend: MnemopiScope) -> None:
        recall = backend.recall(QUESTION, now=NOW, on_width_mismatch="words")
        vectors = [part.options["query_vector"] for _, part in recall.parts]
        assert vectors == [given(QUESTION), None, None]
        bank = Mnemopi(backend.scope.files["team"], bank="team")
        assert recall.parts[1][1].records == bank.recall(QUESTION, now=NOW).records
        said = [note for note in recall.notes if "by words alone" in note]
        assert [note.partition(":")[0] for note in said] == ["bank team"]
        assert len(recall.parts[2][1]) == 2

    def test_a_note_for_every_bank(self, backend: MnemopiScope) -> None:
        recall = backend.recall(QUESTION, now=NOW, embedder=Counting(4), on_width_mismatch="words")
        said = [note.partition(":")[0] for note in recall.notes if "by words alone" in note]
        assert said == [f"bank {backend.scope.bank}", "bank team"]
        assert recall.records == MnemopiScope(backend.scope).recall(QUESTION, now=NOW).records

    def test_the_engine_pads_with_zeros(self, backend: MnemopiScope) -> None:
        recall = backend.recall(QUESTION, now=NOW, on_width_mismatch="engine")
        (hit, _) = recall.parts[2][1].hits
        wide = np.array([*given("iou"), 0, 0])
        wanted = wide.sum() / np.linalg.norm(wide) / 5**0.5
        assert hit.scores["vector"] == pytest.approx(wanted, abs=1e-4)
        assert not any("by words alone" in note for note in recall.notes)

    def test_an_option_that_is_none(self, tmp_path: Path) -> None:
        path = lay_out(tmp_path / "agent")
        backend = MnemopiScope(cwd=CWD, mode="per-project-tagged", bank="team", path=path)
        with pytest.raises(InputError, match=r"^on_width_mismatch='pad'"):
            backend.recall("ferry", on_width_mismatch="pad")  # type: ignore[arg-type]
