from __future__ import annotations

import re
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import ipywidgets as w
import pytest

from memlab import Bm25, Mnemopi, MnemopiScope, explore
from memlab.errors import InputError, UnknownOption
from memlab.hindsight import Hindsight
from memlab.testing.hindsight import FakeHindsight
from memlab.widgets import RecallExplorer
from memlab.widgets.style import framed
from tests.widgets.conftest import BANKS, NOW
from tests.widgets.toys import HOSTILE, Toy, ToyOptions, harmless


def pages(widget: w.Widget) -> list[str]:
    """All the HTML that a widget shows, its style apart."""
    inner = [page for child in getattr(widget, "children", ()) for page in pages(child)]
    own = [widget.value] if isinstance(widget, w.HTML) and "<style>" not in widget.value else []
    return own + inner


def enter(explorer: RecallExplorer, **values: str) -> None:
    for name, value in values.items():
        explorer._panel.controls[name].widget.value = value


def test_it_shows_what_recall_returns(bank: Mnemopi) -> None:
    explorer = explore(bank, "RabbitMQ", now=NOW, limit=4)
    recall = bank.recall("RabbitMQ", now=NOW, limit=4)
    assert explorer.recall == recall
    assert explorer.hit == recall[0]
    assert explorer.code == f"bank.recall('RabbitMQ', limit=4, now={NOW!r})"
    shown = " ".join(harmless(page).text for page in pages(explorer.widget))
    for hit in recall:
        assert hit.id in shown
    assert recall.text in shown
    assert recall.block in shown
    assert explorer.code in shown


def test_it_waits_for_a_question(bank: Mnemopi) -> None:
    explorer = explore(bank, now=NOW)
    enter(explorer, limit="3")
    assert explorer.answer is None
    assert explorer.code == ""
    explorer.query = "RabbitMQ"
    assert explorer.recall == bank.recall("RabbitMQ", now=NOW, limit=3)


def test_every_change_of_an_option_asks_again(bank: Mnemopi) -> None:
    explorer = explore(bank, "which message queue do assignments go through?", now=NOW)
    first = explorer.recall
    enter(explorer, limit="2")
    assert len(explorer.recall) == 2
    enter(explorer, mode="facts")
    assert explorer.code.endswith(f"limit=2, mode='facts', now={NOW!r})")
    explorer.reset()
    enter(explorer, now=NOW)
    assert explorer.recall == first


def test_the_hit_in_view_stays_while_the_question_stays(bank: Mnemopi) -> None:
    explorer = explore(bank, "which message queue do assignments go through?", now=NOW)
    explorer._view._list.choose(1)
    kept = explorer.hit.id
    enter(explorer, mmr_lambda="1")
    assert (explorer.hit.rank, explorer.hit.id) == (3, kept)
    explorer.query = "RabbitMQ"
    assert explorer.hit.rank == 1


def test_an_option_that_cannot_be_read_is_said_and_nothing_is_asked() -> None:
    toy = Toy("a memory")
    toy.options_model = ToyOptions
    explorer = explore(toy, "x")
    enter(explorer, limit="many")
    assert len(toy.asked) == 1
    assert explorer.recall is None
    assert explorer.hit is None
    assert explorer.code == ""
    shown = " ".join(pages(explorer.widget))
    assert "InputError" in shown
    assert "a memory" not in shown
    enter(explorer, limit="3")
    assert toy.asked[-1] == ("x", {"limit": 3})
    assert "a memory" in " ".join(pages(explorer.widget))


def test_an_error_takes_the_former_answer_away(bank: Mnemopi) -> None:
    explorer = explore(bank, "RabbitMQ", now=NOW)
    enter(explorer, query_time="noon")
    shown = " ".join(harmless(page).text for page in pages(explorer.widget))
    assert type(explorer.error).__name__ in shown
    assert str(explorer.error) in shown
    assert "JetStream" not in shown
    assert "No memories" not in shown


@pytest.mark.parametrize("error", [KeyError("x"), RuntimeError(HOSTILE[0]), RecursionError()])
def test_nothing_a_backend_raises_leaves_the_widget(
    error: Exception, capfd: pytest.CaptureFixture[str]
) -> None:
    explorer = explore(Toy(error=error), "x")
    assert explorer.error is error
    shown = " ".join(harmless(page).text for page in pages(explorer.widget))
    assert type(error).__name__ in shown
    assert "fault in memlab" in shown
    assert "Traceback" not in shown
    assert capfd.readouterr() == ("", "")


def test_an_answer_that_cannot_be_drawn_is_said_too() -> None:
    explorer = explore(Toy(hits=(object(),)), "x")
    assert "AttributeError" in " ".join(pages(explorer.widget))


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_memories_and_questions_stay_text(text: str) -> None:
    explorer = explore(Toy(text), text)
    for page in pages(explorer.widget):
        harmless(page)
    explorer._repr_mimebundle_()["text/plain"].encode()


def test_any_backend_can_be_explored(bank: Mnemopi) -> None:
    assert explore(Bm25(bank.memories()), "RabbitMQ").recall.backend == "bm25"
    with MnemopiScope(
        cwd="/home/mira/work/dispatch",
        mode="per-project-tagged",
        bank="team",
        path=BANKS / "mnemopi.db",
    ) as scope:
        explorer = explore(scope, "dispatch approval rule", now=NOW, limit=3)
        assert explorer.recall == scope.recall("dispatch approval rule", now=NOW, limit=3)
    shown = " ".join(harmless(page).text for page in pages(explorer.widget))
    assert explorer.recall[0].bank in shown


def test_a_server_can_be_explored_and_its_refusals_are_shown() -> None:
    fake = FakeHindsight()
    fake.add("omp", "Prices are in cents.", tags=("project:x",))
    with Hindsight("omp", transport=fake.transport) as server:
        explorer = explore(server, "prices in cents", tags=["project:x"])
        assert explorer.recall.ids == server.recall("prices in cents", tags=("project:x",)).ids
        assert len(explorer.recall) == 1
        enter(explorer, max_tokens="2.5")
        assert explorer.error is not None
        explorer.reset()
        fake.fault = lambda request: (503, {"detail": "starting"}, {})
        explorer.ask()
    shown = " ".join(harmless(page).text for page in pages(explorer.widget))
    assert type(explorer.error).__name__ in shown
    assert "No memories" not in shown


def test_it_says_that_it_is_asking() -> None:
    toy = Toy("a memory")
    explorer, seen = explore(toy), []
    answer = toy.recall
    toy.recall = lambda query: seen.append(pages(explorer.widget)) or answer(query)
    explorer.query = "x"
    assert "asking" in " ".join(seen[0])
    assert "asking" not in " ".join(pages(explorer.widget))


def test_a_composed_query_is_asked_as_its_text() -> None:
    toy, composed = Toy("a"), SimpleNamespace(text="composed")
    assert explore(toy, composed).query == "composed"
    assert toy.asked == [("composed", {})]


@pytest.mark.parametrize(
    ("thing", "words"),
    [
        ("bank.db", r"'bank.db' is a path. Open it first: explore\(memlab.Mnemopi\('bank.db'\)\)"),
        (3, "no view of 3. It can show: a memory backend such as Mnemopi"),
        (Mnemopi, "no view of <class"),
    ],
)
def test_what_cannot_be_explored_is_refused(thing: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        explore(thing)


def test_unknown_options_and_other_queries_are_refused(bank: Mnemopi) -> None:
    with pytest.raises(UnknownOption, match="Did you mean 'limit'?"):
        explore(bank, limmit=3)
    with pytest.raises(InputError, match="A query is text, not int: 3"):
        explore(bank, 3)


def test_times_may_be_given_as_times(bank: Mnemopi) -> None:
    explorer = explore(bank, "RabbitMQ", now=datetime(2026, 11, 2, 9, tzinfo=UTC))
    assert explorer.recall == bank.recall("RabbitMQ", now=NOW)


def test_a_question_of_several_lines_keeps_them() -> None:
    toy, query = Toy("a"), "Prior context:\n\nuser: where?\n\nnow?"
    explorer = explore(toy, query)
    explorer.ask()
    assert [asked for asked, _ in toy.asked] == [query, query]
    assert isinstance(explorer._query, w.Textarea)


def test_where_no_widget_can_be_drawn_there_is_text(bank: Mnemopi) -> None:
    explorer = explore(bank, "RabbitMQ", now=NOW)
    bundle = explorer._repr_mimebundle_()
    assert bundle["text/plain"] == repr(explorer)
    assert repr(explorer).endswith(repr(explorer.recall))
    assert "application/vnd.jupyter.widget-view+json" in bundle
    enter(explorer, limit="many")
    assert repr(explorer).endswith(
        "InputError: limit: 'many' is not a number. Write it like 8 or 0.5."
    )


def test_the_style_loads_nothing_and_is_there_once(bank: Mnemopi) -> None:
    style = framed([]).children[0].value
    assert not re.search(r"url\(|@import|https?:|</(?!style>$)", style)
    styles = [
        child for child in explore(bank).widget.children if "<style>" in getattr(child, "value", "")
    ]
    assert len(styles) == 1
