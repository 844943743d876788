"""Stored embeddings: the matrix, what is wrong with it, and queries asked with a vector."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memlab import Mnemopi, build_bank
from memlab.errors import InputError
from tests.golden_data import GOLDEN

NOW = "2026-03-01T12:00:00.000Z"


@pytest.fixture
def sick(tmp_path: Path) -> Mnemopi:
    """A bank with every fault that has been met."""
    items: list[dict[str, Any]] = [
        {"text": f"ferry {i}", "id": f"m{i}", "vector": [1.0, i, 0.5]} for i in range(6)
    ]
    items += [
        {"text": "twin", "id": "twin", "vector": [1.0, 0.0, 0.5]},  # as m0, another text
        {"text": "ferry 1", "id": "same", "vector": [1.0, 1.0, 0.5]},  # as m1, the same text
        {"text": "zero", "id": "zero", "vector": [0.0, 0.0, 0.0]},
        {"text": "wide", "id": "wide", "vector": [1.0, 2.0, 3.0, 4.0]},
        {"text": "bare", "id": "bare"},
        {"text": "bad", "id": "bad", "vector": [9.0, 9.0, 9.0]},
        {"text": "old model", "id": "old", "vector": [7.0, 7.0, 7.0]},
    ]
    path = build_bank(items, tmp_path / "sick.db", model="lab", now=NOW).path
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(
            "UPDATE memory_embeddings SET embedding_json = '[1, \"x\"' WHERE memory_id = 'bad'"
        )
        db.execute("UPDATE memory_embeddings SET model = 'other' WHERE memory_id = 'old'")
        db.execute(
            "INSERT INTO memory_embeddings (memory_id, embedding_json) VALUES ('gone', '[1]')"
        )
    return Mnemopi(path)


def test_the_matrix_of_a_sound_bank() -> None:
    bank = Mnemopi(GOLDEN / "marsh.db")
    vectors = bank.vectors(now=NOW)
    assert vectors.matrix.shape == (150, 12)
    assert (len(vectors), vectors.width) == (150, 12)
    assert vectors.matrix.dtype == np.float64
    row = bank.snapshot.rows("SELECT embedding_json AS v FROM memory_embeddings WHERE memory_id = ?", [vectors.ids[7]])  # fmt: skip
    assert vectors.matrix[7].tolist() == [float(x) for x in row[0]["v"][1:-1].split(",")]
    with pytest.raises(ValueError, match="read-only"):
        vectors.matrix[0, 0] = 1.0


def test_every_fault_is_named(sick: Mnemopi) -> None:
    vectors = sick.vectors(now=NOW)
    frame = vectors.frame().set_index("id")
    problems = frame["problem"].dropna().to_dict()
    assert problems == {
        "twin": "duplicate", "zero": "zero", "wide": "other width", "bare": "without",
        "bad": "unreadable", "old": "other model", "gone": "orphan",
    }  # fmt: skip
    assert frame.loc["twin", "same_as"] == "m0"
    assert frame.loc["wide", "width"] == 4
    assert frame.loc["m2", "norm"] == pytest.approx(5.25**0.5)
    health = vectors.health().set_index("fact")
    assert health.loc["sound", "count"] == 7
    assert health.loc["without", "share"] == pytest.approx(1 / 13)
    assert (vectors.width, vectors.model, len(vectors)) == (3, "lab", 10)
    assert "1 zero: all numbers are 0" in str(vectors)


def test_a_bank_without_vectors() -> None:
    vectors = Mnemopi(GOLDEN / "heron.db").vectors(now=NOW)
    assert vectors.matrix.shape == (0, 0)
    assert str(vectors).startswith("no vectors")
    assert vectors.health().set_index("fact").loc["without", "share"] == 1


def _shape(texts: list[str]) -> np.ndarray[Any, Any]:
    """A stand-in for a model: vowels, consonants, length."""
    return np.array(
        [[sum(c in "aeiou" for c in t), sum(c.isalpha() and c not in "aeiou" for c in t), len(t)] for t in texts]
    )  # fmt: skip


class TestEmbedders:
    @pytest.fixture
    def bank(self, tmp_path: Path) -> Mnemopi:
        texts = ["aeiou aeiou", "rhythm", "an old ferry", "zzz"]
        return build_bank(texts, tmp_path / "e.db", embedder=_shape, now=NOW)

    def test_the_query_is_embedded(self, bank: Mnemopi) -> None:
        recall = bank.recall("ieaou uaeio", now=NOW)
        assert recall[0].text == "aeiou aeiou"
        assert recall[0].scores["vector"] == 1.0
        assert recall.notes == ()
        given = bank.recall("ieaou uaeio", now=NOW, query_vector=_shape(["ieaou uaeio"])[0])
        assert given.records == recall.records
        assert bank.recall("ieaou uaeio", now=NOW, query_vector=None).ids == ()

    def test_for_one_call(self, bank: Mnemopi) -> None:
        plain = Mnemopi(bank.path)
        assert plain.recall("ieaou uaeio", now=NOW).ids == ()
        assert plain.recall("ieaou uaeio", now=NOW, embedder=_shape).ids == bank.recall("ieaou uaeio", now=NOW).ids  # fmt: skip

    def test_an_empty_query_has_no_vector(self, bank: Mnemopi) -> None:
        assert bank.recall("", now=NOW).options["query_vector"] is None

    def test_another_model_is_noted(self, bank: Mnemopi) -> None:
        def newer(texts: list[str]) -> Any:
            return _shape(texts)

        assert bank.recall("ferry", embedder=newer).notes == (
            "the query was embedded by newer, most memories by _shape",
        )


class TestWidths:
    """Stored vectors of one width, queries of another: never a crash, never taken for empty."""

    @pytest.fixture
    def bank(self, tmp_path: Path) -> Mnemopi:
        items = [{"text": f"ferry {i}", "vector": [1.0] * 1024} for i in range(3)]
        return build_bank(
            [*items, {"text": "boat", "vector": [1.0] * 768}], tmp_path / "w.db", now=NOW
        )

    def test_both_widths_and_the_way_out_are_named(self, bank: Mnemopi) -> None:
        with pytest.raises(InputError) as caught:
            bank.recall("ferry", query_vector=[1.0] * 384, now=NOW)
        for words in ("384", "1024 numbers (3)", "768 numbers (1)", "on_width_mismatch='words'"):
            assert words in str(caught.value)

    def test_it_goes_on_by_words_if_asked(self, bank: Mnemopi) -> None:
        recall = bank.recall("ferry", query_vector=[1.0] * 384, on_width_mismatch="words", now=NOW)
        assert recall.records == bank.recall("ferry", now=NOW).records
        assert len(recall) == 3
        assert "by words alone" in recall.notes[0]

    def test_the_engine_pads_with_zeros(self, bank: Mnemopi) -> None:
        recall = bank.recall("ferry", query_vector=[1.0] * 384, on_width_mismatch="engine", now=NOW)
        assert recall[0].scores["vector"] == pytest.approx((384 / 1024) ** 0.5, abs=1e-4)

    def test_a_width_that_some_have_will_do(self, bank: Mnemopi) -> None:
        assert bank.recall("ferry", query_vector=[1.0] * 768, now=NOW).notes == ()

    def test_an_option_that_is_none(self, bank: Mnemopi) -> None:
        with pytest.raises(InputError, match="on_width_mismatch='pad'"):
            bank.recall("ferry", on_width_mismatch="pad")  # type: ignore[arg-type]

    def test_a_bank_without_vectors_goes_by_words(self) -> None:
        bank = Mnemopi(GOLDEN / "heron.db")
        assert (
            bank.recall("deploy", query_vector=[1.0], now=NOW).ids
            == bank.recall("deploy", now=NOW).ids
        )


def test_vectors_of_a_few_memories_do_not_hide_the_rest(tmp_path: Path) -> None:
    """Vectors for 2 of 40 memories: full text still finds the others."""
    items = [
        {"text": f"ferry note {i}", "vector": [1.0, 0.0] if i < 2 else None} for i in range(40)
    ]
    bank = build_bank(items, tmp_path / "few.db", now=NOW)
    assert bank.vectors().health().set_index("fact").loc["without", "count"] == 38
    recall = bank.recall("ferry note", query_vector=[0.0, 1.0], now=NOW, limit=20)
    assert len(recall) == 20
