"""What recall means, on the real server."""

from __future__ import annotations

import pytest

import memlab as ml
from memlab.errors import (
    HindsightBankNotFound,
    HindsightRefused,
    InputError,
    UnknownOption,
)
from memlab.hindsight import Hindsight
from memlab.hindsight.budget import fitting
from memlab.text.tokens import count_tokens
from tests.hindsight.conftest import Open, fact

AT = {"query_timestamp": "2026-06-01T00:00:00Z"}
ALL = {"types": (), "max_tokens": 100_000, **AT}


def texts(recall: ml.Recall) -> list[str]:
    return [hit.text for hit in recall]


def test_the_defaults_are_the_agents(town: Hindsight) -> None:
    found = town.recall("where does Alice live?", **AT)
    assert found.options["budget"] == "mid"
    assert found.options["max_tokens"] == 1024
    assert found.options["types"] == ("world", "experience")
    assert {hit.tier for hit in found} == {"world", "experience"}
    assert found.backend == "hindsight:town"


def test_hits_come_with_all_scores_in_the_servers_order(town: Hindsight) -> None:
    found = town.recall("where does Alice live?", **ALL)
    frame = found.frame()
    assert frame["score"].is_monotonic_decreasing
    assert frame["score_reranker"].isna().all()  # rank fusion has no reranker
    assert frame["score_semantic"].between(0.3, 1).any()
    # Rank fusion breaks equal ranks by the memories' random ids, so the very first may differ.
    assert "Alice lives in Zurich." in set(frame["text"].head(3))
    assert [hit.raw["id"] for hit in found] == list(found.ids)
    again = town.recall("where does Alice live?", **ALL)
    assert again.ids == found.ids
    assert [hit.score for hit in again] == [hit.score for hit in found]


def test_types(town: Hindsight) -> None:
    for kind in ("world", "experience", "observation"):
        found = town.recall("Alice Zurich", types=[kind], **AT)
        assert {hit.tier for hit in found} == {kind}
    with pytest.raises(HindsightRefused, match="Invalid fact type") as caught:
        town.recall("Alice", types=["bogus"])
    assert caught.value.status == 422
    assert caught.value.details.startswith("Invalid fact type(s): bogus")
    with pytest.raises(InputError, match=r"give a list, like \['world'\]"):
        town.recall("Alice", types="world")


@pytest.mark.parametrize("query", ["", " ", "???", "\U0001f9e0"])
def test_a_query_without_a_word_is_refused_not_empty(town: Hindsight, query: str) -> None:
    with pytest.raises(HindsightRefused, match="at least one word character") as caught:
        town.recall(query)
    assert caught.value.status == 422
    assert caught.value.details[0]["loc"] == ["body", "query"]


@pytest.mark.parametrize(
    "query", ["_", "Alice \x00 Zurich", "Alice \ud83d", "<|endoftext|> Alice", "Alice " * 2_000]
)
def test_odd_and_long_queries_are_answered(town: Hindsight, query: str) -> None:
    found = town.recall(query, **AT)
    assert found.outcome in ("ok", "empty")
    assert ("Alice" in query) == (found.outcome == "ok")


def test_it_is_no_top_k(town: Hindsight) -> None:
    found = town.recall("quantum chromodynamics of neutron stars", **AT)
    assert found.outcome == "empty"
    assert found.text == "No relevant memories found."
    assert found.block == ""


def test_an_unknown_bank_is_an_error_that_lists_the_banks(town: Hindsight, opened: Open) -> None:
    with pytest.raises(HindsightBankNotFound, match="There is no bank 'twon'") as caught:
        opened("twon").recall("Alice")
    assert "'town'" in str(caught.value)
    assert caught.value.said == "recall failed: Bank 'twon' not found"
    assert caught.value.status == 404
    assert "twon" not in [one.bank_id for one in town.banks()]  # and it was not created


def test_names_that_are_no_option(town: Hindsight) -> None:
    with pytest.raises(UnknownOption, match="Did you mean 'max_tokens'"):
        town.recall("Alice", max_token=5)
    with pytest.raises(UnknownOption, match="no limit of hits"):
        town.recall("Alice", limit=5)


def test_times_that_are_none(town: Hindsight) -> None:
    with pytest.raises(HindsightRefused, match="Invalid query_timestamp") as caught:
        town.recall("Alice", query_timestamp="yesterday")
    assert caught.value.status == 400
    window = {"start": "2026-05-02T00:00:00Z", "end": "2026-05-01T00:00:00Z"}
    with pytest.raises(HindsightRefused) as caught:
        town.recall("Alice", temporal_window=window)
    assert caught.value.status == 422


def test_a_temporal_window_ranks_and_never_filters(town: Hindsight) -> None:
    window = {"start": "2026-03-20T00:00:00Z", "end": "2026-03-28T00:00:00Z"}
    found = town.recall("Alice", temporal_window=window, **ALL)
    assert len(found) >= len(town.recall("Alice", **ALL))


def test_floors_of_scores(town: Hindsight) -> None:
    whole = town.recall("Alice in Zurich", **ALL)
    middle = whole[len(whole) // 2].score
    floored = town.recall("Alice in Zurich", min_scores={"final": middle}, **ALL)
    assert 0 < len(floored) < len(whole)
    assert all(hit.score >= middle for hit in floored)


def test_observations_instead_of_their_sources(town: Hindsight) -> None:
    plain = town.recall("Alice Zurich", **ALL)
    fewer = town.recall("Alice Zurich", prefer_observations=True, **ALL)
    assert len(fewer) < len(plain)
    assert "Alice lives in Zurich." in texts(fewer)
    assert "I booked a flight to Zurich for Alice." not in texts(fewer)


def test_what_can_be_included(town: Hindsight) -> None:
    include = {"entities": {}, "chunks": {}, "source_facts": {}}
    found = town.recall("where does Alice live?", include=include, **ALL)
    assert found.reply is not None
    assert {"Alice", "Zurich"} <= set(found.reply.entities)
    assert "town_alice_0" in found.reply.chunks
    assert len(found.reply.source_facts) == 2
    assert all(one.scores is None for one in found.reply.source_facts.values())


def test_tag_groups(town: Hindsight) -> None:
    both = [{"and": [{"tags": ["team"]}, {"tags": ["user:alice"]}]}]
    found = town.recall("Alice garden", tag_groups=both, **ALL)
    assert texts(found) == ["Alice leads the team that builds the blue garden door."]
    with pytest.raises(HindsightRefused):
        town.recall("Alice", tag_groups=both, tags=["team"])


@pytest.fixture(scope="module")
def sized(opened: Open) -> Hindsight:
    """Four memories that share one rare word, of very different lengths."""
    bank = opened()
    bank.create_bank(enable_observations=False)
    long = "The zebrafinch sings " + "and sings again in the old house by the river " * 12
    facts = ["zebrafinch zebrafinch", long.strip(), "zebrafinch", "zebrafinch egg"]
    bank.import_facts([{"id": f"d{i}", "facts": [fact(text, 10)]} for i, text in enumerate(facts)])
    return bank


@pytest.mark.parametrize("max_tokens", [1, 2, 3, 4, 5, 8, 20, 60, 120, 150, 160, 1000, 10**9])
def test_max_tokens_skips_and_does_not_stop(sized: Hindsight, max_tokens: int) -> None:
    """The rule, read off the ranking without a limit, gives what the server gives."""
    whole = sized.recall("zebrafinch", **ALL)
    assert len(whole) == 4
    sizes = count_tokens(texts(whole))
    found = sized.recall("zebrafinch", **{**ALL, "max_tokens": max_tokens})
    assert found.ids == tuple(whole.ids[place] for place in fitting(sizes, max_tokens))


@pytest.mark.parametrize("max_tokens", [0, -1])
def test_no_tokens_no_memories(sized: Hindsight, max_tokens: int) -> None:
    assert sized.recall("zebrafinch", **{**ALL, "max_tokens": max_tokens}).outcome == "empty"


def test_what_the_limit_skipped_is_named_with_its_size(sized: Hindsight) -> None:
    options = {**ALL, "max_tokens": 40, "trace": True}
    found = sized.recall("zebrafinch", **options)
    skipped = found.trace.skipped
    assert len(skipped) == 1
    assert skipped["tokens"].iloc[0] > 40 >= skipped["room"].iloc[0]
    lost = found.explain(skipped["id"].iloc[0])
    assert lost.lost == "max_tokens"
    assert f"needs {skipped['tokens'].iloc[0]} tokens" in lost.verdict
    assert found.trace.tokens["kept"].sum() == len(found)


def test_a_limit_that_nothing_fits_gives_the_best_one_with_a_note(sized: Hindsight) -> None:
    found = sized.recall("zebrafinch", **{**ALL, "max_tokens": 1})
    assert len(found) == 1
    assert any("counts tokens, not memories" in note for note in found.notes)
    assert any("nothing fitted into 1 tokens" in note for note in found.notes)
    assert "nothing fitted" in repr(found)


@pytest.mark.parametrize("value", [1.5, "100", True, "abc"])
def test_a_limit_that_is_no_whole_number_is_refused(town: Hindsight, value: object) -> None:
    with pytest.raises(InputError, match="max_tokens"):
        town.recall("Alice", max_tokens=value)


def test_the_three_sizes(town: Hindsight) -> None:
    found = town.recall("where does Alice live?", **AT)
    sizes = found.sizes.set_index("what")
    assert sizes.loc["texts", "tokens"] == found.frame()["tokens"].sum()
    assert sizes.loc["texts", "tokens"] <= 1024
    assert sizes.loc["block", "chars"] == len(found.block)
    assert sizes.loc["reply", "bytes"] > sizes.loc["block", "bytes"] > sizes.loc["texts", "bytes"]


def test_budgets_look_deeper_and_never_less(opened: Open) -> None:
    """low, mid and high look at 100, 300 and 1000 rows per arm; at most 300 come back."""
    bank = opened()
    bank.create_bank(enable_observations=False)
    many = [
        fact(f"Parcel {number} waits in the garden shed.", number % 150) for number in range(400)
    ]
    bank.import_facts([{"id": "many", "facts": many}])
    wide = {**ALL, "max_tokens": 10**6}
    counts = [len(bank.recall("parcel shed", budget=b, **wide)) for b in ("low", "mid", "high")]
    assert counts[0] <= 200
    assert counts[0] < counts[1] <= counts[2] <= 300
