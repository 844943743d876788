"""Each stage at which a memory can be lost, on small banks made for it."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

from memlab import Mnemopi, build_bank
from memlab.errors import BankError, InputError, MemoryNotFound

NOW = "2026-03-01T12:00:00.000Z"
OLD = "2025-01-01T00:00:00.000Z"


@pytest.fixture
def make(tmp_path: Path) -> Any:
    def build(items: list[Any], **options: Any) -> Mnemopi:
        return build_bank(items, tmp_path / "lab.db", bank="lab", now=NOW, **options)

    return build


def _why(bank: Mnemopi, query: str, key: str, **options: Any) -> Any:
    recall = bank.recall(query, now=NOW, **options)
    answer = recall.explain(key)
    assert answer.found == (key in recall.ids)
    assert str(answer) == answer.sentence
    assert [step.passed for step in answer.steps[:-1]] == [True] * (len(answer.steps) - 1)
    assert answer.steps[-1].passed == answer.found
    return answer


def test_returned(make: Any) -> None:
    bank = make([{"text": "The ferry leaves at noon.", "id": "m"}])
    answer = _why(bank, "ferry", "m")
    assert (answer.stage, answer.rank) == ("returned", 1)
    assert answer.sentence.startswith("Returned: number 1 of 1, score 0.")
    assert list(answer.frame()["stage"]) == ["visible", "matched", "relevant", "pass", "final"]


@pytest.mark.parametrize(
    ("row", "options", "words"),
    [
        ({"superseded_by": "n"}, {}, "superseded by 'n'"),
        ({"superseded_by": ""}, {}, "an empty id, which counts too"),
        ({"valid_until": "2026-03-01"}, {}, "expired: valid until '2026-03-01', and the clock"),
        ({"session": "other"}, {}, "belongs to session 'other'"),
        ({"source": "tool"}, {"source": "user"}, r"source='user' leaves out its 'tool'"),
        ({"source": "tool"}, {"topic": "user"}, r"topic='user' leaves out its 'tool'"),
        ({"time": OLD}, {"from_date": "2026-01-01"}, r"from_date='2026-01-01' leaves out its '2025"),
        ({}, {"to_date": "2025-12-31"}, r"to_date='2025-12-31' leaves out"),
        ({"type": "fact"}, {"memory_type": "episode"}, r"memory_type='episode' leaves out its 'fact'"),
        ({"veracity": "tool"}, {"veracity": "stated"}, r"veracity='stated' leaves out its 'tool'"),
        ({"author": "ada"}, {"author_id": "bo"}, r"author_id='bo' leaves out its 'ada'"),
        ({}, {"include_working": False}, "include_working=False"),
        ({}, {"mode": "facts"}, "facts only"),
    ],
)  # fmt: skip
def test_not_visible(make: Any, row: dict[str, Any], options: dict[str, Any], words: str) -> None:
    bank = make([{"text": "The ferry leaves at noon.", "id": "m", **row}])
    answer = _why(bank, "ferry", "m", **options)
    assert answer.stage == "not visible"
    assert words in answer.sentence


def test_all_reasons_are_given(make: Any) -> None:
    bank = make([{"text": "The ferry.", "id": "m", "session": "x", "superseded_by": "n"}])
    answer = _why(bank, "ferry", "m", source="user")
    assert len(answer.details["reasons"]) == 3


def test_not_matched_says_what_was_asked_and_what_was_cut(make: Any) -> None:
    """A long query: only the first twelve words are asked for, and the right one is not among them."""
    bank = make([{"text": "The quokka sleeps.", "id": "m"}, {"text": "one two three", "id": "n"}])
    query = "one two three four five six seven eight nine ten eleven twelve quokka"
    answer = _why(bank, query, "m")
    assert answer.stage == "not matched"
    assert answer.details["cut"] == ("quokka",)
    assert answer.details["missed"] == ("quokka",)
    assert "it does hold quokka, but only the first 12 of 13 words are asked for" in answer.sentence


def test_not_matched_beyond_the_reach(make: Any) -> None:
    """Full text takes the best fifty; the longest texts are the last."""
    items = [{"text": "ferry " + "x " * (i + 2), "id": f"m{i:02d}"} for i in range(60)]
    answer = _why(make(items), "ferry", "m59")
    assert answer.stage == "not matched"
    assert (
        "full text takes the best 50 rows of its tier, and it is number 60 of 60" in answer.sentence
    )


def test_not_matched_by_the_scan(make: Any) -> None:
    items = [{"text": f"note {i}", "id": f"m{i:03d}", "time": f"2026-02-{1 + i // 50:02d}T00:00:00.000Z"} for i in range(520)]  # fmt: skip
    answer = _why(make(items), "ferry", "m000")
    assert answer.stage == "not matched"
    assert "the newest 500 rows were scanned, and it is number 520" in answer.sentence


def test_not_matched_by_its_vector(make: Any) -> None:
    items = [{"text": "alpha", "id": "m", "vector": [1, 0]}, {"text": "beta", "id": "bare"},
             {"text": "gamma", "id": "n", "vector": [0, 1]}]  # fmt: skip
    bank = make(items)
    assert "no vector" in _why(bank, "gamma", "bare", query_vector=[0.0, 1.0]).sentence
    close = _why(bank, "gamma", "m", query_vector=[0.0, 1.0], candidate_floor=1, candidate_factor=0)
    assert "its vector (0.0000) is number 2, and vectors bring the best 1" in close.sentence


def test_below_the_threshold(make: Any) -> None:
    bank = make([{"text": "The ferry leaves at noon.", "id": "m"}])
    answer = _why(bank, "ferry walrus basalt quokka zephyr", "m", synonyms=False)
    assert answer.stage == "below the threshold"
    assert answer.details["relevance"] == pytest.approx(0.2)
    assert answer.details["threshold"] == 0.22
    assert "answers 1 of 5 words of the query (ferry)" in answer.sentence


def test_the_threshold_names_the_word_asked_not_its_canonical_form(make: Any) -> None:
    bank = make([{"text": "We relocate on Monday.", "id": "m"}])
    answer = _why(bank, "port walrus basalt quokka zephyr", "m")
    assert answer.details["answered"] == ("port",)


def test_hidden_by_its_sources(make: Any) -> None:
    bank = make(
        [{"text": "The ferry leaves at noon.", "id": "m"},
         {"text": "Summary: the ferry.", "id": "s", "tier": "episodic", "summary_of": ["m"]}]
    )  # fmt: skip
    answer = _why(bank, "ferry", "s")
    assert answer.stage == "hidden by its sources"
    assert answer.details["sources"] == ("m",)
    assert list(answer.beside()["role"]) == ["this memory", "its source"]
    assert _why(bank, "ferry", "s", hide_summaries=False).found


def test_outranked(make: Any) -> None:
    items = [{"text": f"ferry {word}", "id": word, "importance": i / 10}
             for i, word in enumerate(["low", "mid", "high"])]  # fmt: skip
    answer = _why(make(items), "ferry", "low", limit=1)
    assert answer.stage == "outranked"
    beside = answer.beside()
    assert beside["id"].iloc[0] == "low"
    assert set(beside["role"]) == {"this memory", "the weakest taken", "the best"}
    assert beside["score"][0] < beside["score"][1]
    assert {"keyword", "full_text", "vector", "importance", "recency", "factor"} <= set(beside)


def test_outranked_in_coverage(make: Any) -> None:
    items = [{"text": f"alpha beta gamma delta {'x ' * i}", "id": f"m{i}", "importance": 1 - i / 10}
             for i in range(6)]  # fmt: skip
    answer = _why(make(items), "alpha beta gamma delta", "m5", limit=1)
    assert answer.stage == "outranked"
    assert "score and new words of the query" in answer.sentence


def test_replaced_by_mmr(make: Any) -> None:
    bank = make(
        [{"text": "ferry leaves at noon today", "id": "a", "importance": 1.0},
         {"text": "ferry leaves at noon today.", "id": "twin", "importance": 0.99},
         {"text": "ferry painted red by Åke", "id": "c", "importance": 0.6}]
    )  # fmt: skip
    answer = _why(bank, "ferry", "twin", limit=2)
    assert answer.stage == "replaced by MMR"
    assert answer.details["similar_to"] == "a"
    assert answer.details["similarity"] == pytest.approx(4 / 6)
    assert answer.details["replaced_by"] == "c"
    assert answer.details["value"] < answer.details["needed"]
    assert _why(bank, "ferry", "twin", limit=2, mmr_lambda=1.0).found


def test_cut_by_the_limit(make: Any) -> None:
    items = [{"text": f"ferry {i}", "id": f"m{i}", "importance": i / 10} for i in range(4)]
    bank = make(items)
    answer = _why(bank, "ferry", "m0", limit=3, mode="plain")
    assert answer.stage == "cut by the limit"
    assert "number 4 by score" in answer.sentence
    assert "so nothing was asked for" in bank.recall("ferry", limit=0).explain("m0").sentence


def test_beaten_by_facts(make: Any) -> None:
    bank = make(
        [{"text": "the ferry needs paint", "id": "m", "importance": 0.1, "time": OLD}],
        facts=[
            {"subject": "ferry", "predicate": "is", "object": name, "id": name} for name in "ab"
        ],
    )
    answer = _why(bank, "ferry", "m", limit=2)
    assert answer.stage == "beaten by facts"
    assert set(answer.details["facts"]) == {"a", "b"}
    assert _why(bank, "ferry", "m", limit=2, include_facts=False).found


class TestFacts:
    FACTS = tuple(
        {
            "subject": "ferry",
            "predicate": f"p{i}",
            "object": f"o{i}",
            "id": f"f{i}",
            "confidence": i / 10,
        }
        for i in range(6)
    )

    def test_where_they_are_lost(self, make: Any) -> None:
        other = {"subject": "ferry", "predicate": "is", "object": "red", "id": "x", "session": "y"}
        odd = {"subject": "moon", "predicate": "is", "object": "far", "id": "moon"}
        bank = make(["nothing"], facts=[*self.FACTS, other, odd])
        recall = bank.recall("ferry", now=NOW)
        assert recall.explain("f5").stage == "returned"
        assert "session 'y'" in recall.explain("x").sentence
        assert recall.explain("moon").stage == "not matched"
        assert "4 facts are mixed in, and it is number 6" in recall.explain("f0").sentence
        without = bank.recall("ferry", now=NOW, include_facts=False)
        assert "asked for no facts" in without.explain("f5").sentence
        # For a single place full text looks at three facts only.
        few = bank.recall("ferry", now=NOW, limit=1)
        assert few.ids == ("f2",)
        assert "takes the best 3 facts" in few.explain("f5").sentence
        assert few.explain("f1").stage == "cut by the limit"


class TestShown:
    def test_memory_text_is_escaped(self, make: Any) -> None:
        evil = "<script>alert(1)</script>"
        bank = make([{"text": f"ferry {evil}", "id": evil, "superseded_by": evil}])
        html = bank.recall("ferry", now=NOW).explain(evil)._repr_html_()
        assert "<script" not in html
        assert "&lt;script&gt;" in html

    def test_rivals_are_in_the_html(self, make: Any) -> None:
        bank = make(
            [{"text": "ferry", "id": "a<b", "importance": 0.1}, {"text": "ferry ferry", "id": "b"}]
        )
        html = bank.recall("ferry", now=NOW, limit=1).explain("a<b")._repr_html_()
        assert "a&lt;b" in html
        assert "the weakest taken" in html

    def test_repr_says_it_in_lines(self, make: Any) -> None:
        bank = make([{"text": "ferry", "id": "m", "session": "x"}])
        lines = repr(bank.recall("ferry", now=NOW).explain("m")).splitlines()
        assert lines[0] == "m (working): not visible"
        assert lines[2].startswith("  - visible")


class TestWhereThereIsNothingToAsk:
    def test_an_unknown_id_names_near_ones(self, make: Any) -> None:
        bank = make([{"text": "ferry", "id": "abcd"}])
        with pytest.raises(MemoryNotFound, match="Did you mean abcd"):
            bank.recall("ferry").explain("abce")

    def test_an_old_recall_explains_the_bank_it_asked(self, make: Any) -> None:
        bank = make([{"text": "ferry", "id": "m"}])
        recall = bank.recall("ferry", now=NOW)
        bank.forget("m")
        assert recall.explain("m").found
        with pytest.raises(MemoryNotFound):
            bank.recall("ferry").explain("m")

    def test_a_closed_bank(self, make: Any) -> None:
        bank = make([{"text": "ferry", "id": "m"}])
        recall = bank.recall("ferry")
        bank.close()
        with pytest.raises(BankError, match="was closed"):
            recall.explain("m")

    def test_a_recall_that_travelled(self, make: Any) -> None:
        recall = make([{"text": "ferry", "id": "m"}]).recall("ferry")
        travelled = pickle.loads(pickle.dumps(recall))
        assert travelled.ids == recall.ids
        with pytest.raises(InputError, match="another process"):
            travelled.explain("m")
