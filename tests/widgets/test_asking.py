from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from memlab import Mnemopi
from memlab.errors import RecallTimeout
from memlab.models import Outcome
from memlab.widgets.asking import Answer, ask, call_text
from memlab.widgets.message import answer_html
from tests.widgets.conftest import BANKS, NOW
from tests.widgets.toys import Toy, harmless


def test_an_answer_is_the_backends_own(bank: Mnemopi) -> None:
    answer = ask(bank, "RabbitMQ", {"now": NOW})
    assert answer.recall == bank.recall("RabbitMQ", now=NOW)
    assert answer.failure is None
    assert answer.seconds > 0


def test_an_error_of_the_tree_becomes_its_sentence(bank: Mnemopi) -> None:
    answer = ask(bank, "x", {"now": "noon"})
    assert answer.recall is None
    assert answer.failure == (
        "InvalidTime",
        "now='noon' is not a time. Write it like 2026-03-01T12:00:00Z.",
    )


def test_any_other_error_is_called_a_fault() -> None:
    answer = ask(Toy(error=KeyError("bank")), "x", {})
    assert answer.failure == (
        "KeyError",
        "'bank'. This is a fault in memlab; please report it.",
    )


def test_a_failure_never_reads_like_no_memories() -> None:
    empty = answer_html(ask(Toy(), "x", {}))
    late = answer_html(ask(Toy(outcome=Outcome.TIMEOUT), "x", {}))
    raised = answer_html(ask(Toy(error=RecallTimeout("No answer in 30 s.")), "x", {}))
    assert "No memories found" in empty
    assert "toy did not answer: timeout" in late
    assert "RecallTimeout" in raised
    assert "No answer in 30 s." in raised
    for failed in (late, raised):
        assert "No memories" not in failed
        assert "alert" in harmless(failed).values


def test_what_only_some_banks_answered_is_said() -> None:
    answer = ask(Toy("a memory"), "x", {})
    object.__setattr__(answer.recall, "failures", {"<shared>": OSError("it is locked")})
    object.__setattr__(answer.recall, "notes", ("asked twice",))
    text = harmless(answer_html(answer)).text
    assert "1 hit" in text
    assert "<shared> did not answer" in text
    assert "it is locked" in text
    assert "asked twice" in text


def test_a_copy_that_is_out_of_date_says_so(tmp_path: Path) -> None:
    """Whoever watches an agent at work would else look for its newest memories in vain."""
    path = Path(shutil.copy(BANKS / "mnemopi.db", tmp_path))
    with Mnemopi(path) as bank:
        assert "refresh()" not in answer_html(ask(bank, "x", {}))
        with closing(sqlite3.connect(path)) as db, db:
            db.execute("UPDATE working_memory SET importance = 1")
        assert "refresh()" in answer_html(ask(bank, "x", {}))
        assert "refresh()" not in answer_html(ask(bank.refresh(), "x", {}))
        path.unlink()
        assert "refresh()" in answer_html(ask(bank, "x", {}))


def test_before_the_first_question_nothing_is_said() -> None:
    assert answer_html(Answer("")) == ""


@pytest.mark.parametrize(
    ("query", "options"),
    [
        ("plain", {}),
        ('it\'s "quoted"\n', {"limit": 3, "now": NOW}),
        ("x", {"min_relevance": (0.1, 0.2), "veracity_factors": {"tool": 1.0}, "mmr": False}),
    ],
)
def test_the_line_of_python_asks_the_same(query: str, options: dict[str, object]) -> None:
    toy = Toy()
    exec(call_text(query, options), {"bank": toy})  # noqa: S102
    assert toy.asked == [(query, options)]
