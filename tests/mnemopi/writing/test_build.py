"""Building a bank: what it says about items that cannot be used, and what it never does."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memlab import Mnemopi, NewMemory, build_bank
from memlab.datasets import Item
from memlab.errors import InputError
from memlab.mnemopi.embedding import clip_middle
from tests.golden_data import GOLDEN

NOW = "2026-03-01T12:00:00.000Z"


def test_texts_mappings_and_values(tmp_path: Path) -> None:
    bank = build_bank(
        ["The ferry leaves at noon.", {"content": "Deploy on Fridays.", "key": "t7", "tags": ["ops"]},
         NewMemory(text="A summary.", tier="episodic", degradation=2, summary_of=("a", "b"))],
        tmp_path / "lab.db",
        facts=[{"subject": "deploy", "predicate": "is", "object": "weekly"}],
        now=NOW,
    )  # fmt: skip
    first, second, third = bank.memories()
    assert [memory.tier for memory in (first, second, third)] == ["working", "working", "episodic"]
    assert second.metadata == {"source_key": "t7", "tags": ["ops"]}
    assert second.tags == ("ops",)
    assert third.raw["summary_of"] == "a,b"
    assert bank.bank == "default"
    assert bank.recall("deploy fridays", now=NOW).ids[0] == second.id
    assert any(hit.tier == "fact" for hit in bank.recall("weekly", now=NOW))


def test_the_same_items_give_the_same_bank(tmp_path: Path) -> None:
    items = ["one", "two", "two", {"text": "three", "time": "2026-01-01T00:00:00.000Z"}]
    built = [build_bank(items, tmp_path / name, now=NOW).path for name in ("a.db", "b.db")]
    first, second = (hashlib.sha256(path.read_bytes()).hexdigest() for path in built)
    assert first == second
    assert len({memory.id for memory in Mnemopi(built[0]).memories()}) == 4


def test_the_name_is_the_folders_in_the_agents_layout(tmp_path: Path) -> None:
    path = tmp_path / "banks" / "ferry" / "mnemopi.db"
    assert build_bank(["x"], path).bank == "ferry"
    assert Mnemopi(path).bank == "ferry"


def test_a_bank_of_another_bank(tmp_path: Path) -> None:
    """Memories travel with times, validity, embed texts, tiers and links."""
    heron = Mnemopi(GOLDEN / "heron.db")
    copy = build_bank(heron.memories(), tmp_path / "lab.db", bank="heron", now=NOW)
    query = "deploy the database"
    wanted = heron.recall(query, include_facts=False, now=NOW, recency_hours=72)
    got = copy.recall(query, include_facts=False, now=NOW, recency_hours=72)
    assert got.ids == wanted.ids
    assert [hit.score for hit in got] == [hit.score for hit in wanted]


WRONG: list[tuple[list[Any], str]] = [
    ([{"txt": "x"}], r"Item 0 has 'txt', which NewMemory does not have. Did you mean 'text'\?"),
    (["ok", {"key": "a"}], "Item 1: text"),
    ([{"text": "x", "importance": "much"}], "Item 0: importance='much'"),
    ([{"text": "x", "tier": "short"}], "Item 0: tier='short'"),
    ([{"text": "a", "id": "i"}, {"text": "b", "id": "i"}], "Items 0 and 1 have the same id 'i'"),
    ([7], "Item 0 is a int"),
    ([Item("k", "x")], r"Item 0 is a Item; .*memlab\.datasets\.build_banks"),
    ("a text", "a list of memories"),  # type: ignore[list-item]
]


@pytest.mark.parametrize(("items", "words"), WRONG, ids=[words[:25] for _, words in WRONG])
def test_what_cannot_be_written_is_said_and_no_file_is_left(
    tmp_path: Path, items: list[Any], words: str
) -> None:
    with pytest.raises(InputError, match=words):
        build_bank(items, tmp_path / "lab.db")
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("dear diary")
    with pytest.raises(InputError, match="exists already"):
        build_bank(["x"], path)
    with pytest.raises(InputError, match="exists already"):
        Mnemopi(GOLDEN / "heron.db").copy(path)
    assert path.read_text() == "dear diary"


def test_lone_surrogates_are_written_as_the_engine_writes_them(tmp_path: Path) -> None:
    bank = build_bank([{"text": "cut \ud83d here", "metadata": {"a": "\ud83d"}}], tmp_path / "l.db")
    assert next(iter(bank.memories())).text == "cut \ufffd here"
    assert bank.retain(["cut \ud83d here"], trim=False).refreshed


class TestVectors:
    def test_an_embedder_gives_every_memory_a_vector(self, tmp_path: Path) -> None:
        asked: list[list[str]] = []

        def embedder(texts: list[str]) -> np.ndarray[Any, Any]:
            asked.append(texts)
            return np.array([[len(text), 0.1] for text in texts])

        items = [
            {"text": "content", "embed_text": "indexed"},
            {"text": " "},
            {"text": "own", "vector": [1, 2]},
        ]
        bank = build_bank(items, tmp_path / "v.db", embedder=embedder, model="lengths")
        assert asked == [["indexed"]]
        rows = bank.snapshot.rows("SELECT embedding_json AS v, model FROM memory_embeddings")
        # Single precision, as the engine's own vectors are.
        assert {row["v"] for row in rows} == {"[7,0.10000000149011612]", "[1,2]"}
        assert {row["model"] for row in rows} == {"lengths"}

    def test_long_texts_are_embedded_by_their_ends(self) -> None:
        text = "a" * 5000 + "b" * 5000
        clipped = clip_middle(text)
        assert len(clipped) == 8192
        assert clipped.startswith("a" * 4091 + "\n\n[...]\n\n")
        assert clipped.endswith("b" * 4092)

    @pytest.mark.parametrize(
        ("given", "words"),
        [
            ([[1.0], [1.0]], r"shape \(2, 1\) for 1 texts"),
            ([1.0], r"shape \(1,\)"),
            ([[float("nan")]], "not finite"),
            ([["x"]], "one width"),
        ],
    )
    def test_an_embedder_that_gives_something_else(
        self, tmp_path: Path, given: Any, words: str
    ) -> None:
        with pytest.raises(InputError, match=words):
            build_bank(["x"], tmp_path / "v.db", embedder=lambda texts: given)
        assert not (tmp_path / "v.db").exists()
