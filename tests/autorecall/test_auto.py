from __future__ import annotations

from pathlib import Path

import pytest

from memlab import AutoRecall, Mnemopi, Scope, Settings, tools
from memlab.errors import InputError, RecallTimeout, UnknownOption
from memlab.mnemopi.texts import recall_block
from memlab.models import Message
from tests.autorecall.toys import Toy, said

BANKS = Path(__file__).parents[2] / "data" / "banks"
DISPATCH = BANKS / "banks" / "team-dispatch-26o84yz56cokc" / "mnemopi.db"
NOW = "2026-11-02T09:00:00.000Z"
TALK = said("we moved the queue", "yes", "where is the queue now?", id="one")


def test_it_composes_recalls_and_makes_the_block() -> None:
    toy = Toy("the queue is Redis")
    answer = AutoRecall(toy, turns=2, max_chars=100)(TALK)
    whole = "Prior context:\n\nuser: we moved the queue\nassistant: yes\n\nwhere is the queue now?"
    assert toy.asked == [(whole, {"limit": 8})]
    assert answer.query is not None
    assert answer.recall is not None
    assert answer.block.endswith("- the queue is Redis [user] (2026-03-01)\n</memories>")
    assert [step.step for step in answer.trace] == [
        "compose",
        "truncate",
        "recall",
        "block",
        "state",
    ]


def test_it_asks_once_per_conversation() -> None:
    toy = Toy("the queue is Redis")
    auto = AutoRecall(toy)
    assert not auto.recalled
    first = auto(TALK)
    assert auto.recalled
    assert auto.snippet == first.block
    again = auto(TALK)
    assert not again.asked
    assert "has had its recall" in again.trace[0].what
    assert len(toy.asked) == 1
    other = auto(said("the queue?", id="two"))
    assert other.asked
    assert len(toy.asked) == 2
    assert not auto(TALK).asked


def test_a_recall_that_finds_nothing_counts() -> None:
    auto = AutoRecall(Toy())
    assert auto(TALK).block == ""
    assert auto.recalled
    assert auto.snippet == ""


def test_a_failure_is_kept_and_tried_again() -> None:
    toy = Toy("the queue is Redis", error=RecallTimeout("no answer within 30 s"))
    auto = AutoRecall(toy)
    answer = auto(TALK)
    assert answer.failed
    assert str(answer.outcome) == "timeout"
    assert answer.block == ""
    assert not auto.recalled
    assert "timeout: no answer within 30 s" in repr(answer.trace)
    assert "asks again" in answer.trace[-1].what
    toy.error = None
    assert auto(TALK).block
    assert auto.recalled


def test_a_reset_starts_anew() -> None:
    toy = Toy("the queue is Redis")
    auto = AutoRecall(toy)
    auto(TALK)
    auto.reset(TALK)
    assert not auto.recalled
    assert auto.snippet == ""
    assert auto(TALK).asked
    auto.reset()
    assert auto(TALK).asked


def test_a_reset_meanwhile_keeps_nothing() -> None:
    toy = Toy("the queue is Redis")
    auto = AutoRecall(toy)
    toy.before = auto.reset
    answer = auto(TALK)
    assert answer.block
    assert not auto.recalled
    assert auto.snippet == ""
    assert "reset meanwhile" in answer.trace[-1].what


def test_before_a_compaction_it_asks_and_keeps_its_state() -> None:
    toy = Toy("the queue is Redis")
    auto = AutoRecall(toy)
    assert auto.for_compaction(TALK).block
    assert not auto.recalled
    auto(TALK)
    snippet = auto.snippet
    assert auto.for_compaction(said("the queue", "...", "next queue")).query.text == (  # type: ignore[union-attr]
        "Prior context:\n\nuser: the queue\nassistant: ...\n\nnext queue"
    )
    assert (auto.recalled, auto.snippet) == (True, snippet)


def test_the_explicit_tool_never_touches_the_state() -> None:
    """Field report 44: two paths that share a flag lose memories."""
    toy = Toy("The canary phrase is PURPLE-OTTER-9931.")
    auto = AutoRecall(toy)
    assert "PURPLE-OTTER-9931" in tools.recall(toy, "what is the canary phrase").text
    assert not auto.recalled
    answer = auto(["what is the canary phrase"])
    assert "PURPLE-OTTER-9931" in answer.block
    snippet = auto.snippet
    tools.recall(toy, "phrase")
    assert (auto.recalled, auto.snippet) == (True, snippet)


def test_a_blank_prompt_does_nothing() -> None:
    toy = Toy("the queue")
    auto = AutoRecall(toy)
    assert not auto(TALK, prompt=" \n").asked
    assert not auto([*TALK.messages, Message("user", "  ")]).asked
    assert toy.asked == []
    assert not auto.recalled


def test_only_what_the_user_typed_is_a_prompt() -> None:
    """Logs keep results of tools under the role of the user as well, blank ones among them."""
    results = [Message("user", text, kind="tool_result") for text in ("", "the queue: 42")]
    for result in results:
        answer = AutoRecall(Toy("the queue"))([*TALK.messages, result])
        assert answer.query is not None
        assert answer.query.text.endswith("\n\nwhere is the queue now?")
        assert "42" not in answer.query.text


def test_a_new_prompt_is_added() -> None:
    answer = AutoRecall(Toy())(TALK, prompt="and the database?")
    assert answer.query is not None
    assert answer.query.text.endswith("\n\nand the database?")


def test_defaults_are_the_agents_for_each_backend() -> None:
    ours, theirs = AutoRecall(Toy()).plan, AutoRecall(Toy(name="hindsight:omp")).plan
    assert (ours.turns, ours.max_chars, ours.token_limit) == (3, 4000, 5000)
    assert ours.options == {"limit": 8}
    assert (theirs.turns, theirs.max_chars, theirs.token_limit) == (1, 800, None)
    assert theirs.options == {"budget": "mid", "max_tokens": 1024, "types": ("world", "experience")}


def test_settings_and_arguments_win_over_defaults() -> None:
    settings = Settings.load(mnemopi={"recall_limit": 3, "recall_context_turns": 5})
    plan = AutoRecall(Toy(), settings=settings, max_chars=0, token_limit=0, mmr_lambda=1.0).plan
    assert (plan.turns, plan.max_chars, plan.token_limit) == (5, 0, None)
    assert plan.options == {"limit": 3, "mmr_lambda": 1.0}


def test_settings_switch_it_off() -> None:
    toy = Toy("the queue")
    auto = AutoRecall(toy, settings=Settings.load(mnemopi={"auto_recall": False}))
    assert "mnemopi.autoRecall is false" in auto(TALK).trace[0].what
    assert toy.asked == []


def test_a_scope_opens_its_banks() -> None:
    scope = Scope.mnemopi(
        "/home/mira/work/dispatch", "per-project-tagged", bank="team", path=BANKS / "mnemopi.db"
    )
    with Mnemopi(DISPATCH) as bank, AutoRecall(scope, now=NOW) as auto:
        answer = auto(["what does Mira prefer?"])
        assert answer.recall is not None
        assert {hit.bank for hit in answer.recall} == {  # type: ignore[attr-defined]
            "team",
            "team-work-23i4qqpocmc4x",
        }
        assert answer.block == recall_block([hit.raw for hit in answer.recall])
        with AutoRecall(bank, scope=scope, now=NOW) as same:
            assert same(["what does Mira prefer?"]).block == answer.block


def test_scopes_that_do_not_fit_are_refused() -> None:
    hindsight = Scope.hindsight("/home/mira/work/dispatch")
    with pytest.raises(InputError, match="needs its server"):
        AutoRecall(hindsight)
    with pytest.raises(InputError, match="one of hindsight, the backend is mnemopi:toy"):
        AutoRecall(Toy(), scope=hindsight)
    with pytest.raises(InputError, match="Give one scope"):
        AutoRecall(hindsight, scope=hindsight)
    toy = Toy(name="hindsight:omp")
    AutoRecall(toy, scope=hindsight)(TALK)
    assert toy.asked[0][1]["scope"] == hindsight


def test_salient_terms_are_weighed_by_the_bank() -> None:
    with Mnemopi(DISPATCH) as bank:
        answer = AutoRecall(bank, strategy="salient terms", now=NOW)(["the zebra and the postcode"])
        assert answer.query is not None
        assert answer.query.text == "the and postcode"


def test_an_option_that_the_backend_lacks_is_raised() -> None:
    with Mnemopi(DISPATCH) as bank, pytest.raises(UnknownOption):
        AutoRecall(bank, bogus=1)(TALK)


def test_the_trace_is_a_table_too() -> None:
    trace = AutoRecall(Toy("the <b>queue</b> queue"))(TALK).trace
    assert list(trace.frame().columns) == ["step", "what", "chars"]
    assert len(trace.frame()) == len(trace)
    assert "<table>" in trace._repr_html_()


def test_a_trace_cannot_move_the_cursor() -> None:
    toy = Toy(error=RecallTimeout("\x1b[2J no answer"))
    assert "\x1b" not in repr(AutoRecall(toy)(TALK))
