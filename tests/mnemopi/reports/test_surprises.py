"""Surprises of the engine's recall, each shown in a few lines with memlab's own tools."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memlab import Mnemopi, build_bank
from tests.golden_data import GOLDEN

NOW = "2026-03-01T12:00:00.000Z"


@pytest.fixture
def make(tmp_path: Path) -> Any:
    def build(items: list[Any], **options: Any) -> Mnemopi:
        return build_bank(items, tmp_path / "lab.db", bank="lab", now=NOW, **options)

    return build


@pytest.fixture(scope="module")
def heron() -> Mnemopi:
    return Mnemopi(GOLDEN / "heron.db")


def test_01_context_asks_for_the_wrong_words(heron: Mnemopi) -> None:
    question = "how do we deploy it now"
    context = "Prior context:\n\nuser: please fix the chart of the gust data\n\n" + question
    asked = heron.recall(context, now=NOW).explain("h0010").details["asked"]
    assert asked[:7] == ("prior", "context", "user", "account", "profile", "identity", "person")
    assert "deploy" not in asked
    assert "h0010" in heron.recall(question, now=NOW).ids
    assert "h0010" not in heron.recall(context, now=NOW).ids


def test_02_long_queries_lose_almost_everything_at_the_threshold(heron: Mnemopi) -> None:
    words = "deploy server release job rollout bramble gust parser linter column"
    long = f"{words} kettle walnut violin harbour meadow quarry saddle thimble pepper lantern "
    long += "anchor button carrot dragon engine faucet garlic hammer island jacket kitten ladder"
    lost = {
        name: heron.recall(query, now=NOW).funnel().set_index("stage").loc["relevant", "working"]
        for name, query in {"short": words, "long": long}.items()
    }
    assert lost["short"] > 3 * lost["long"]


def test_03_facts_crowd_out_memories(heron: Mnemopi) -> None:
    recall = heron.recall("deploy", now=NOW)
    assert [hit.tier for hit in recall[:2]] == ["fact", "fact"]
    assert [hit.text for hit in recall[:2]] == ["bramble", "12bugs"]


def test_04_deliberate_memories_rank_below_transcripts(make: Any) -> None:
    same = {"text": "The ferry leaves at noon.", "importance": 0.7}
    bank = make(
        [
            {**same, "id": "retained", "veracity": "tool"},
            {**same, "id": "heard", "veracity": "unknown"},
        ]
    )
    assert bank.recall("ferry", now=NOW).ids == ("heard", "retained")
    assert list(bank.recall("ferry", now=NOW, limit=1).explain("retained").beside()["factor"])[:2] == [0.5, 0.8]  # fmt: skip


def test_05_invalidation_leaks_through_summaries_and_facts(make: Any) -> None:
    bank = make(
        [{"text": "PostgreSQL 15 on port 5432", "id": "old"}, {"text": "PostgreSQL 16 now", "id": "new"},
         {"text": "summary: PostgreSQL 15 on port 5432", "id": "s", "tier": "episodic", "summary_of": ["old"]}],
        facts=[{"subject": "PostgreSQL", "predicate": "is", "object": "15", "memory": "old", "id": "f"}],
    )  # fmt: skip
    assert bank.recall("PostgreSQL 15", now=NOW).explain("s").stage == "hidden by its sources"
    bank.invalidate("old", "new", now="2026-02-28T00:00:00.000Z")
    after = bank.recall("PostgreSQL 15", now=NOW)
    assert after.explain("old").stage == "not visible"
    assert {"s", "f"} <= set(after.ids)


def test_06_07_retaining_removes_what_is_a_day_old(make: Any) -> None:
    bank = make([])
    morning = bank.retain(["kept at eight"], now="2026-03-01T08:00:00.000Z").ids
    assert bank.retain(["next day"], now="2026-03-02T08:01:00.000Z").trimmed == morning
    many = bank.retain([f"note {i}" for i in range(1001)], now="2026-03-02T09:00:00.000Z")
    assert len(many.trimmed) == 2  # beyond the newest thousand


def test_08_an_invalidated_text_cannot_be_retained_again(make: Any) -> None:
    bank = make([])
    key = bank.retain(["The ferry is red."], now=NOW).ids[0]
    bank.invalidate(key, now="2026-03-01T12:01:00.000Z")
    again = bank.retain(["The ferry is red."], now="2026-03-01T12:02:00.000Z")
    assert again.refreshed == (key,)
    found = bank.recall("ferry", now="2026-03-01T12:03:00.000Z")
    assert found.ids == ()
    assert "it expired" in found.explain(key).sentence


def test_09_another_sessions_match_suppresses_the_scan(make: Any) -> None:
    bank = make([{"text": "ferryman's tale", "id": "mine"},
                 {"text": "ferry", "id": "theirs", "session": "other"}])  # fmt: skip
    assert bank.recall("ferry", now=NOW).ids == ()
    assert bank.recall("ferry", now=NOW).explain("mine").stage == "not matched"
    bank.snapshot.connection.execute("DELETE FROM working_memory WHERE id = 'theirs'")
    assert bank.recall("ferry", now=NOW).ids == ("mine",)


def test_10_parts_of_words_match(make: Any) -> None:
    bank = make([{"text": "we maintain the update list", "id": "m"}])
    answer = bank.recall("model health", now=NOW).explain("m")
    assert answer.details["holds"] == ()  # full text holds none of these words
    assert answer.found  # "ai" stands in maintain, "up" in update


def test_11_port_means_migrate(heron: Mnemopi) -> None:
    asked = heron.recall("port", now=NOW).explain("h0002").details["asked"]
    assert asked == ("migrate", "transfer", "move", "relocate", "port")


def test_12_the_phrase_rule_looks_for_canonical_words(make: Any) -> None:
    bank = make([{"text": "deploy and nothing else", "id": "m"}])
    assert bank.recall("can you deploy", now=NOW)[0].scores["keyword"] == 1.0


def test_13_the_repeat_bonus_counts_the_canonical_word(make: Any) -> None:
    bank = make([{"text": "db db db db", "id": "asked"}, {"text": "database database database database db", "id": "canonical"}])  # fmt: skip
    keyword = {hit.id: hit.scores["keyword"] for hit in bank.recall("db", now=NOW)}
    assert keyword == {"asked": 0.7, "canonical": 1.0}


def test_14_three_words_need_more_than_four(make: Any) -> None:
    bank = make([{"text": "ferry", "id": "m"}])
    found = {
        count: bank.recall(
            " ".join(["ferry", "oak", "elm", "ash"][:count]), now=NOW, synonyms=False
        ).ids
        for count in (1, 2, 3, 4)
    }
    assert [bool(found[count]) for count in (1, 2, 3, 4)] == [True, True, False, True]


def test_15_full_text_folds_accents_and_the_threshold_does_not(make: Any) -> None:
    answer = make([{"text": "Café Åke", "id": "m"}]).recall("cafe", now=NOW).explain("m")
    assert answer.details["holds"] == ("cafe",)
    assert answer.stage == "below the threshold"


def test_17_only_the_newest_500_are_compared_by_vector(make: Any) -> None:
    items = [{"text": f"note {i}", "id": f"m{i}", "vector": [1.0, 0.0] if i == 0 else [0.0, 1.0],
              "time": f"2026-02-{1 + i // 30:02d}T00:{i % 30:02d}:00.000Z"} for i in range(520)]  # fmt: skip
    answer = make(items).recall("xyzzy", query_vector=[1.0, 0.0], now=NOW).explain("m0")
    assert (
        "vectors are compared for the newest 500 rows of its tier, and it is number 520"
        in answer.sentence
    )


def test_18_a_date_in_the_query_filters_nothing(make: Any) -> None:
    bank = make([{"text": "ferry today", "id": "t", "time": "2026-03-01T10:00:00.000Z"},
                 {"text": "ferry then", "id": "y", "time": "2026-02-27T10:00:00.000Z"}])  # fmt: skip
    recall = bank.recall("ferry yesterday", now=NOW)
    assert set(recall.ids) == {"t", "y"}
    assert {hit.id: hit.scores["temporal"] for hit in recall}["t"] == 1.0


def test_19_memories_marked_false_come_back_with_score_0(make: Any) -> None:
    bank = make([{"text": "the ferry is green", "id": "m", "veracity": "false"}])
    assert (bank.recall("ferry", now=NOW).ids, bank.recall("ferry", now=NOW)[0].score) == (
        ("m",),
        0.0,
    )


def test_22_mmr_favours_what_is_different(make: Any) -> None:
    bank = make([{"text": "ferry leaves at noon", "id": "a"}, {"text": "ferry leaves at noon !", "id": "b", "importance": 0.49},
                 {"text": "a ferry tale by Åke, told badly", "id": "c", "importance": 0.0}])  # fmt: skip
    answer = bank.recall("ferry", now=NOW, limit=2).explain("b")
    assert (answer.stage, answer.details["replaced_by"]) == ("replaced by MMR", "c")
    assert answer.beside().set_index("role").loc["picked instead", "score"] < answer.own.score


def test_23_a_summary_is_hidden_by_a_source_that_is_cut_later(make: Any) -> None:
    bank = make(
        [{"text": "ferry", "id": "src", "importance": 0.0, "time": "2024-01-01T00:00:00.000Z"},
         {"text": "ferry summary", "id": "s", "tier": "episodic", "summary_of": ["src"]},
         *({"text": f"ferry ferry ferry ferry {i}", "id": f"m{i}"} for i in range(4))]
    )  # fmt: skip
    recall = bank.recall("ferry", now=NOW, limit=2)
    assert recall.explain("s").stage == "hidden by its sources"
    assert not recall.explain("src").found


def test_24_no_importance_is_0_and_topic_is_source(make: Any) -> None:
    bank = make([{"text": "ferry", "id": "none", "importance": None}, {"text": "ferry", "id": "half"},
                 {"text": "ferry", "id": "tool", "source": "tool", "session": "other", "author": "ada"}])  # fmt: skip
    scores = {hit.id: hit.scores["importance"] for hit in bank.recall("ferry", now=NOW)}
    assert scores == {"none": 0.0, "half": 0.5}
    assert bank.recall("ferry", now=NOW, topic="tool", author_id="ada", channel="").ids == ("tool",)


def test_26_get_shows_superseded_memories_of_any_session(make: Any) -> None:
    bank = make([{"text": "secret", "id": "m", "session": "other", "superseded_by": "n"}])
    assert (bank.lookup("m") or {})["content"] == "secret"
    assert bank.recall("secret", now=NOW).explain("m").stage == "not visible"
