"""The trace of the real server: arms, fusion, boosts, final order; and who flipped it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.errors import InputError
from memlab.hindsight import Candidate, Hindsight, HindsightRecall, flips, order_is_recency
from memlab.hindsight.boosts import factor
from memlab.hindsight.budget import fitting
from memlab.hindsight.flipping import rank_correlation
from tests.hindsight.conftest import Open, fact

AT = {"query_timestamp": "2026-06-01T00:00:00Z", "types": (), "max_tokens": 5000}


@pytest.fixture(scope="module")
def traced(town: Hindsight) -> HindsightRecall:
    return town.recall("what did Alice do in the garden last month?", trace=True, **AT)


def test_a_trace_is_only_there_when_asked_for(town: Hindsight) -> None:
    found = town.recall("Alice", **AT)
    with pytest.raises(InputError, match="trace=True"):
        _ = found.trace


def test_the_arms_and_the_funnel(traced: HindsightRecall) -> None:
    arms = traced.trace.arms
    assert {"semantic", "bm25"} <= set(arms["arm"])
    assert set(arms["type"]) <= {"world", "experience", "observation"}
    funnel = traced.trace.funnel.set_index("stage")["memories"]
    assert funnel["returned"] == len(traced)
    assert funnel["any arm"] >= funnel["rank fusion"] >= funnel["reranked"] >= funnel["returned"]
    assert funnel["any arm"] == arms["id"].nunique()
    assert repr(traced.trace).endswith(f"returned {len(traced)})")


def test_the_formula_gives_the_servers_scores(traced: HindsightRecall) -> None:
    """To the last digit: base score times three boosts."""
    candidates = traced.trace.candidates
    assert len(candidates) >= 4
    for one in candidates:
        assert one.expected == pytest.approx(one.final, rel=1e-12)
    assert [one.id for one in candidates][: len(traced)] == list(traced.ids)
    finals = {hit.id: hit.score for hit in traced}
    for one in candidates:
        assert finals[one.id] == pytest.approx(one.final, rel=1e-9)


def test_the_ranked_frame_multiplies_out(traced: HindsightRecall) -> None:
    frame = traced.trace.ranked
    product = frame["base"] * frame["recency"] * frame["temporal"] * frame["proof"]
    assert (product - frame["final"]).abs().max() < 1e-12
    assert (frame["boost"] * frame["base"] - frame["final"]).abs().max() < 1e-12
    assert (frame["rrf_rank"] - frame["rank"] == frame["change"]).all()


def test_the_phases(traced: HindsightRecall) -> None:
    """Field report 47: where the time went."""
    phases = traced.trace.phases.set_index("phase")
    assert {"generate_query_embedding", "parallel_retrieval", "reranking"} <= set(phases.index)
    assert (phases["seconds"] >= 0).all()
    assert traced.trace.seconds is not None
    assert 0 < traced.trace.seconds <= traced.seconds


def test_explain_follows_one_memory(traced: HindsightRecall, town: Hindsight) -> None:
    first = traced.explain(traced.ids[0])
    assert first.lost is None
    assert first.verdict == "returned as number 1"
    assert first.frame()["stage"].tolist()[-3:] == ["rank fusion", "reranked", "returned"]
    assert first.frame()["present"].all()
    nothing = traced.explain("00000000-0000-4000-8000-000000000000")
    assert nothing.lost == "arms"
    assert "no arm found it" in repr(nothing)


def test_explain_sees_a_floor(town: Hindsight) -> None:
    whole = town.recall("Alice in Zurich", trace=True, **AT)
    lost = whole.ids[-1]
    score = whole[-2].score
    found = town.recall("Alice in Zurich", trace=True, min_scores={"final": score}, **AT)
    assert lost not in found.ids
    assert found.explain(lost).lost in ("rank fusion", "returned")


def candidate(rank: int, base: float, **signals: float | None) -> Candidate:
    made = Candidate(str(rank), f"text {rank}", rank, 0.0, base, 1 / (60 + rank), rank)
    final = base
    for name in ("recency", "temporal", "proof"):
        final *= factor(name, signals.get(name))
    return Candidate(
        made.id, made.text, rank, final, base, signals.get("rrf") or made.rrf, rank,
        signals.get("recency"), signals.get("temporal"), signals.get("proof"),
    )  # fmt: skip


def test_a_year_that_became_its_first_day_is_flipped_by_recency() -> None:
    """Field report 16, with its own numbers: the right memory led by 11 % and lost."""
    right = candidate(2, 0.999924, recency=0.339726)
    wrong = candidate(1, 0.900004, recency=0.983562)
    assert factor("recency", 0.339726) == pytest.approx(0.967945, abs=1e-4)
    assert factor("recency", 0.983562) * 0.900004 == pytest.approx(0.987045, abs=1e-4)
    assert wrong.final > right.final
    (row,) = flips([wrong, right]).to_dict("records")
    assert (row["winner"], row["loser"], row["by"]) == ("1", "2", "recency")
    assert row["lead"] == pytest.approx(0.999924 / 0.900004 - 1)
    assert row["recency"] == pytest.approx(1.096712 / 0.967945 - 1, abs=1e-5)
    assert row["temporal"] == row["proof"] == 0.0
    assert (1 + row["lead"]) * (1 + row["turned"]) == pytest.approx(
        (1 + row["recency"]) * (1 + row["temporal"]) * (1 + row["proof"])
    )


def test_equal_reranker_scores_make_the_order_pure_recency() -> None:
    """Field report 17: without a reranker all scores were 0.6225, so the newest came first."""
    signals = [0.9, 0.7, 0.5, 0.3, 0.2]
    fusion = [0.016, 0.012, 0.03, 0.02, 0.028]
    equal = [
        candidate(rank, 0.6225, recency=signal, rrf=rrf)
        for rank, (signal, rrf) in enumerate(zip(signals, fusion, strict=True), start=1)
    ]
    assert order_is_recency(equal)
    kept = [candidate(rank, 1 - rank / 10, recency=s) for rank, s in enumerate(signals, start=1)]
    assert not order_is_recency(kept)
    assert not order_is_recency(equal[:3])  # too few to tell


def test_the_pinned_server_keeps_the_order_of_rank_fusion(opened: Open) -> None:
    """The same on the real server: old and relevant stays before new and irrelevant."""
    bank = opened()
    bank.create_bank(enable_observations=False)
    texts = [
        "The zebrafinch cage has a copper lock.",
        "The zebrafinch eats millet.",
        "A cage for birds.",
        "The copper roof leaks.",
        "A lock on the door of the shed.",
    ]
    bank.import_facts(
        [{"id": f"d{i}", "facts": [fact(text, 30 * i)]} for i, text in enumerate(texts)]
    )
    found = bank.recall("lock of the zebrafinch cage", trace=True, **AT)
    assert found[0].text == texts[0]  # the oldest of all
    assert not found.trace.order_is_recency
    turned = found.trace.flips("rrf")
    for row in turned.to_dict("records"):
        assert row["winner_rank"] < row["loser_rank"]


def test_the_temporal_arm_is_seen(opened: Open) -> None:
    bank = opened()
    bank.create_bank(enable_observations=False)
    bank.import_facts(
        [{"id": f"d{i}", "facts": [fact(f"The ferry ran aground near pier {i}.", 20 * i,
          occurred_start=f"2026-0{i + 1}-10T00:00:00Z")]} for i in range(5)]
    )  # fmt: skip
    found = bank.recall("what happened to the ferry in March 2026?", trace=True, **AT)
    assert "temporal" in set(found.trace.arms["arm"])
    assert found.trace.merged["temporal"].notna().any()
    assert found.trace.raw["query"]["temporal_constraint"]["start"] == "2026-03-01T00:00:00"


@given(st.lists(st.integers(1, 40), min_size=1, max_size=12), st.integers(-2, 80))
def test_what_fits(sizes: list[int], most: int) -> None:
    """Within the limit, or one alone; nothing left out that would have fitted in its turn."""
    kept = fitting(sizes, most)
    used = sum(sizes[place] for place in kept)
    if most <= 0:
        assert kept == []
    elif min(sizes) > most:
        assert kept == [0]
    else:
        assert used <= most
        room = most
        for place, size in enumerate(sizes):
            assert (place in kept) == (size <= room)
            room -= size if place in kept else 0


def test_a_larger_limit_can_lose_a_memory() -> None:
    """Field report 32 asks for monotone; the server is not, and memlab shows it."""
    sizes = [6, 154, 1, 2]
    assert fitting(sizes, 3) == [2, 3]
    assert fitting(sizes, 6) == [0]
    assert fitting(sizes, 8) == [0, 2]
    assert fitting(sizes, 150) == [0, 2, 3]


def test_rank_correlation() -> None:
    assert rank_correlation([1, 2, 3], [10, 20, 30]) == pytest.approx(1.0)
    assert rank_correlation([1, 2, 3], [3, 2, 1]) == pytest.approx(-1.0)
    assert str(rank_correlation([1, 1, 1], [1, 2, 3])) == "nan"
    assert str(rank_correlation([1], [1])) == "nan"
