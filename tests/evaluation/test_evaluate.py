"""Asking every case: who is asked, what is kept, how failures are told apart."""

from __future__ import annotations

import threading
from datetime import datetime
from typing import Any

import pandas as pd
import pytest

from memlab import (
    RR,
    Backend,
    Bm25,
    Case,
    Cases,
    Mnemopi,
    R,
    Random,
    Recall,
    evaluate,
    nDCG,
    sweep,
)
from memlab.autorecall.auto import AutoRecall
from memlab.errors import (
    BackendUnavailable,
    InputError,
    InvalidReply,
    RecallRefused,
    RecallTimeout,
    UnknownOption,
)
from memlab.evaluation import Leaked
from memlab.models import Conversation
from tests.evaluation.fakes import Fixed, memory

CASES = Cases(
    [
        Case("a", "one", {"m1": 2, "m2": 1}, "rare"),
        Case("b", "two", {"m3": 1}, "plain"),
        Case("c", "three", {}, "null"),
    ]
)
BANK = Fixed(
    {"one": ["m2", "x", "m1"], "two": ["x"], "three": []},
    [memory("m1", "a" * 10), memory("m2", "bbb", "episodic"), memory("m3", "тёмная тема")],
)


def test_a_row_for_every_case() -> None:
    frame = evaluate(BANK, CASES, [R @ 8, RR]).frame()
    wanted = {
        "id": ["a", "b", "c"],
        "outcome": ["ok", "ok", "empty"],
        "hits": [3, 1, 0],
        "relevant": [2, 1, 0],
        "found": [2, 0, 0],
        "first": [1, pd.NA, pd.NA],
        "query_chars": [3, 3, 5],
    }
    for name, values in wanted.items():
        pd.testing.assert_series_equal(
            frame[name], pd.Series(values, name=name, dtype=frame[name].dtype)
        )
    assert frame["R@8"].tolist()[:2] == [1.0, 0.0]
    assert frame["R@8"].isna().tolist() == [False, False, True]


def test_groups() -> None:
    run = evaluate(BANK, CASES, [R @ 8])
    by = run.by("category")
    assert by.index.tolist() == ["null", "plain", "rare"]
    assert by.loc["rare"].tolist() == [1, 0, 1.0]
    assert by["R@8"].isna().tolist() == [True, False, False]
    tiers = run.by("tier")
    assert tiers.loc["working"].tolist() == [2, 1, 0.5]
    assert tiers.loc["episodic"].tolist() == [1, 1, 1.0]
    assert run.by("script")["share"].to_dict() == {"Cyrillic": 0.0, "Latin": 1.0}
    with pytest.raises(InputError, match="nothing called 'colour' to group by. Choose one of: cat"):
        run.by("colour")


def test_labels_that_no_memory_answers_to_count_as_missed() -> None:
    run = evaluate(BANK, [Case("a", "one", {"m1": 1, "gone": 1})], [R @ 8])
    assert run.frame()["R@8"].tolist() == [0.5]
    assert run.relevant().set_index("key")["state"].to_dict() == {"m1": "live", "gone": "missing"}


def test_misses_say_what_came_instead() -> None:
    row = evaluate(BANK, CASES).misses().iloc[0]
    assert (row["id"], row["relevant"], row["recalled"], row["state"]) == (
        "b",
        ["m3"],
        ["x"],
        "live",
    )
    assert evaluate(BANK, CASES).misses(k=0)["id"].tolist() == ["a", "b"]


def test_every_ending_is_told_apart() -> None:
    errors = [RecallTimeout("t"), RecallRefused("400"), BackendUnavailable("u"), InvalidReply("i")]
    answers = {str(n): error for n, error in enumerate(errors)} | {"4": ["m1"], "5": []}
    cases = [Case(str(n), str(n), {"m1": 1}) for n in range(6)]
    run = evaluate(Fixed(answers, BANK.stored), cases, [R @ 8])
    assert run.frame()["outcome"].tolist() == [
        "timeout", "refused", "unavailable", "invalid_reply", "ok", "empty",
    ]  # fmt: skip
    assert run.outcomes().to_dict() == dict.fromkeys(run.frame()["outcome"], 1)
    assert run.failures()["id"].tolist() == ["0", "1", "2", "3"]


def test_mistakes_in_the_call_are_raised() -> None:
    with pytest.raises(UnknownOption, match="no option 'colour'"):
        evaluate(BANK, CASES, colour="red")
    with pytest.raises(
        RecallRefused, match="All 2 cases were refused. The first: RecallRefused: n"
    ):
        evaluate(Fixed(dict.fromkeys(["one", "two"], RecallRefused("no"))), CASES[:2])
    with pytest.raises(InputError, match="no cases to ask"):
        evaluate(BANK, [])
    with pytest.raises(InputError, match="'no' is no backend"):
        evaluate("no", CASES)  # type: ignore[arg-type]


def test_a_bank_for_every_case() -> None:
    cases = Cases([Case("a", "one", {"m1": 1}, bank="x"), Case("b", "one", {"m1": 1}, bank="y")])
    banks = {"x": Fixed({"one": ["m1"]}, BANK.stored), "y": Fixed({}, BANK.stored)}
    assert evaluate(banks, cases, R @ 8).frame()["R@8"].tolist() == [1, 0]
    by_function = evaluate(lambda case: banks[case.bank], cases, R @ 8)
    assert by_function.frame()["R@8"].tolist() == [1, 0]
    with pytest.raises(
        InputError, match="1 cases, such as 'b', name banks that were not given: 'y'"
    ):
        evaluate({"x": banks["x"]}, cases)
    with pytest.raises(InputError, match="For case 'a' the function gave None, no backend"):
        evaluate(lambda case: None, cases)  # type: ignore[arg-type, return-value]


def test_one_bank_is_not_asked_the_questions_of_several(
    world_banks: dict[str, Mnemopi], world_cases: Cases
) -> None:
    with pytest.raises(InputError, match="about 6 banks .* and one bank is given"):
        evaluate(world_banks["team"], world_cases)


def test_the_world(world_banks: dict[str, Mnemopi], world_cases: Cases, now: str) -> None:
    """The same share of questions answered as the engine itself answers: 31 of 45."""
    run = evaluate(world_banks, world_cases, now=now)
    assert run.backend == "mnemopi (6 banks)"
    assert run.means().set_index("measure").loc["Success@8", "mean"] == pytest.approx(31 / 45)
    assert run.by()["Success@8"].dropna().round(2).to_dict() == {
        "cross-project": 0.86, "inflection": 0.4, "language": 0.67, "paraphrase": 0.5,
        "preference": 0.75, "rare-token": 1.0, "temporal": 0.67, "update": 0.67,
    }  # fmt: skip
    states = run.by("state")
    assert states.loc[["expired", "superseded"], "share"].tolist() == [0, 0]


def test_the_clock_stands_still_during_a_run(world_banks: dict[str, Mnemopi]) -> None:
    bank = world_banks["team"]
    run = evaluate(bank, [Case("a", "backups", {"team-009": 1})])
    datetime.fromisoformat(run.options["now"])
    assert run.context is not None
    assert run.context.options["now"] == run.options["now"]


def test_a_conversation_is_composed(world_banks: dict[str, Mnemopi], now: str) -> None:
    bank = world_banks["team-dispatch-26o84yz56cokc"]
    talk = Conversation.of(
        [{"role": "user", "text": "ERR_ZONE_4127"}, {"role": "assistant", "text": "Looking."},
         {"role": "user", "text": "what does it mean?"}]
    )  # fmt: skip
    case = Case("talk", relevant={"dis-004": 1}, conversation=talk)
    asked = evaluate(bank, [case], turns=2, now=now).frame().iloc[0]
    assert asked["query"].startswith("Prior context:\n\nuser: ERR_ZONE_4127")
    alone = evaluate(AutoRecall(bank, turns=1, now=now), [case]).frame().iloc[0]
    assert alone["query"] == "what does it mean?"
    assert asked["tokens"] > 0
    with pytest.raises(RecallRefused, match="holds a conversation, and .* takes queries"):
        evaluate(bank, [case], now=now)
    with pytest.raises(InputError, match="turns: an AutoRecall has its own"):
        evaluate(AutoRecall(bank), [case], turns=1)


def test_a_control_is_asked_what_an_agent_would_ask(world_banks: dict[str, Mnemopi]) -> None:
    bank = world_banks["team-dispatch-26o84yz56cokc"]
    talk = Conversation.of(["ERR_ZONE_4127", "what does it mean?"])
    case = Case("talk", relevant={"dis-004": 1}, conversation=talk)
    for control in (Bm25(bank), Random(bank, seed=1)):
        with pytest.raises(InputError, match='Give style="mnemopi"'):
            evaluate(control, [case], turns=2)
        asked = evaluate(control, [case], turns=2, style="mnemopi").frame().iloc[0]
        assert asked["query"] == "Prior context:\n\nuser: ERR_ZONE_4127\n\nwhat does it mean?"
    grid = sweep(Bm25(bank), [case], turns=[1, 2], style=["mnemopi"], cache=None, progress=False)
    assert grid.frame()["turns"].tolist() == [1, 2]


def test_the_block_limits_what_counts(
    world_banks: dict[str, Mnemopi], world_cases: Cases, now: str
) -> None:
    """A hit that does not fit into the injected block was never seen by the agent."""
    whole = evaluate(world_banks, world_cases, now=now, token_limit=0).frame()
    tight = evaluate(world_banks, world_cases, now=now, token_limit=120).frame()
    assert tight["tokens"].max() <= 480 < whole["tokens"].max()
    assert tight["R@8"].mean() < whole["R@8"].mean()
    answers = evaluate(world_banks, world_cases, now=now, token_limit=120).answers
    assert any(answer.cut for answer in answers.values())


def test_hits_outside_the_scope(world_banks: dict[str, Mnemopi], now: str) -> None:
    bank = world_banks["team"]
    cases = [Case("a", "backups", {"team-009": 1}), Case("b", "commit messages", {"team-001": 1})]
    inside = evaluate(bank, cases, [Leaked], now=now, allowed=["team"])
    assert inside.frame()["Leaked"].tolist() == [0, 0]
    outside = evaluate(bank, cases, [Leaked], now=now, allowed=lambda case: ["team-001"])
    assert 0 < outside.frame()["Leaked"].mean() <= 1
    assert evaluate(bank, cases, [Leaked], now=now).frame()["Leaked"].isna().all()
    with pytest.raises(InputError, match="allowed is a list"):
        evaluate(bank, cases, [Leaked], now=now, allowed=lambda case: "team")


def test_other_keys() -> None:
    stored = [memory("row1", "The queue is NATS."), memory("row2", "Other.")]
    from memlab import Memory
    from memlab.evaluation import content_key

    tagged = Memory("row1", "The queue is NATS.", "working", "live", metadata={"turn": "t7"})
    backend = Fixed({"q": ["row2", "row1"]}, [tagged, stored[1]])
    by_content = Case("a", "q", {content_key(" The queue is NATS.\n"): 1}, keys="content")
    by_field = Case("b", "q", {"t7": 1}, keys="metadata.turn")
    run = evaluate(backend, [by_content, by_field], RR)
    assert run.frame()["RR"].tolist() == [0.5, 0.5]
    assert run.answers["b"].keys == ("id:row2", "t7")
    assert run.relevant()["state"].tolist() == ["live", "live"]


def test_several_at_once() -> None:
    """Two recalls that each wait for the other end only if both are asked at the same time."""
    gate = threading.Barrier(2, timeout=20)

    class Meeting(Fixed):
        def recall(self, query: str, **options: Any) -> Recall:
            gate.wait()
            return Fixed.recall(self, query, **options)

    backend = Meeting({"one": ["m1"], "two": ["m3"]}, BANK.stored)
    run = evaluate(backend, CASES[:2], R @ 8, jobs=2)
    assert run.frame()["found"].tolist() == [1, 1]


def test_names() -> None:
    assert evaluate(BANK, CASES).name == "told"
    assert evaluate(BANK, CASES, limit=3).name == "told (limit=3)"
    assert evaluate(BANK, CASES, label="mine", limit=3).name == "mine"
    assert repr(evaluate(BANK, CASES, [nDCG @ 3])).splitlines() == [
        "told: 3 cases (2 labelled, 1 null)",
        "  nDCG@3            0.380  over 2",
    ]


def test_hostile_text_is_escaped() -> None:
    page = evaluate(BANK, CASES, label="<script>alert(1)</script>")._repr_html_()
    assert "<script>" not in page
    assert "&lt;script&gt;" in page


def test_latency() -> None:
    times = evaluate(BANK, CASES).latency()
    assert times.index.tolist() == ["p50", "p90", "p95", "p99", "max"]
    assert times.tolist() == [pytest.approx(0.01)] * 5


def test_controls_are_evaluated_alike(
    world_banks: dict[str, Mnemopi], world_cases: Cases, now: str
) -> None:
    controls: dict[str, Backend] = {
        name: Bm25(bank.memories(now=now)) for name, bank in world_banks.items()
    }
    run = evaluate(controls, world_cases)
    assert run.backend == "bm25"
    assert 0.5 < run.means()["mean"][1] < 0.8
