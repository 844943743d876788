from __future__ import annotations

from typing import Any

import ipywidgets as w
import pytest

from memlab import Mnemopi, compose_query, explore
from memlab.autorecall import Draft
from memlab.errors import InputError, RecallTimeout
from memlab.models import Conversation
from memlab.widgets import ComposerExplorer
from tests.autorecall.toys import said
from tests.widgets.conftest import NOW
from tests.widgets.toys import HOSTILE, Reader, Toy

TALK = said("The queue lost two tours.\nLook into it.", "ok", "Which queue do assignments use?")
TAGS = {"b", "div", "em", "i", "p", "s", "small", "span"}


def pages(widget: w.Widget) -> list[str]:
    """All the HTML that a widget shows, its style apart."""
    inner = [page for child in getattr(widget, "children", ()) for page in pages(child)]
    own = [widget.value] if isinstance(widget, w.HTML) and "<style>" not in widget.value else []
    return own + inner


def shown(explorer: ComposerExplorer) -> Reader:
    html = "".join(pages(explorer.widget))
    html.encode()
    reader = Reader(html)
    assert reader.tags <= TAGS
    assert reader.attributes <= {"class", "dir", "role", "style", "title"}
    return reader


def test_it_shows_what_is_asked_and_what_that_brings(bank: Mnemopi) -> None:
    explorer = explore(TALK, bank, now=NOW)
    query = compose_query(TALK)
    assert explorer.query == query
    assert explorer.recall == bank.recall(query.text, limit=8, now=NOW)
    text = shown(explorer).text
    assert query.report().head in text
    for line in query.lines:
        assert line.shown in text
    for hit in explorer.recall:
        assert hit.id in text
    assert explorer.recall[0].text in text


def test_every_slider_asks_again(bank: Mnemopi) -> None:
    explorer = explore(TALK, bank, now=NOW)
    for values in ({"turns": 1}, {"max_chars": 20}, {"strategy": "last sentence"}, {"prompt": 1}):
        explorer.set(**values)
    assert explorer.query == compose_query(
        Conversation(TALK.messages[:1]), 1, 20, strategy="last sentence"
    )
    assert explorer.recall == bank.recall(explorer.query.text, limit=8, now=NOW)
    assert "over budget" not in shown(explorer).text


def test_it_begins_with_the_agents_values() -> None:
    begin = explore(TALK)
    assert (begin.query.turns, begin.query.max_chars) == (3, 4000)
    assert begin.recall is None
    server = Toy("x")
    server.name = "hindsight:omp"
    explorer = explore(TALK, server)
    assert (explorer.query.turns, explorer.query.max_chars) == (1, 800)
    assert server.asked[0][1]["budget"] == "mid"
    other = explore(TALK, Toy("x"), style="mnemopi", turns=2, max_chars=99)
    assert (other.query.turns, other.query.max_chars) == (2, 99)


def test_a_strategy_of_ones_own_can_be_chosen() -> None:
    def shout(draft: Draft) -> str:
        return draft.latest.upper()

    explorer = explore(TALK, strategy=shout)
    assert explorer.query.text == "WHICH QUEUE DO ASSIGNMENTS USE?"
    explorer.set(strategy="agent")
    assert explorer.query == compose_query(TALK)


def test_errors_are_shown_inside_and_go_again() -> None:
    def broken(draft: Draft) -> Any:
        if draft.max_chars < 100:
            raise KeyError("no room")
        return draft.latest

    toy = Toy("a memory", error=RecallTimeout("No answer in 30 s."))
    explorer = explore(TALK, toy, style="mnemopi", strategy=broken)
    assert "RecallTimeout" in shown(explorer).text
    assert "No memories" not in shown(explorer).text
    assert isinstance(explorer.error, RecallTimeout)
    explorer.set(max_chars=50)
    assert "KeyError" in shown(explorer).text
    assert explorer.query is None
    assert "KeyError" in repr(explorer)
    toy.error = None
    explorer.set(max_chars=500)
    assert explorer.error is None
    assert "KeyError" not in shown(explorer).text
    assert "a memory" in shown(explorer).text


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(text: str) -> None:
    explorer = explore(said(text, text, f"{text}?"), Toy(text, text), style="mnemopi")
    assert shown(explorer)
    repr(explorer).encode()
    explorer.set(max_chars=10)
    assert shown(explorer)


def test_a_chosen_hit_is_shown_in_full() -> None:
    explorer = explore(TALK, Toy("first " * 100, "second " * 100), style="mnemopi")
    assert "first " * 100 in shown(explorer).text
    explorer._hits.choose(1)
    assert "second " * 100 in shown(explorer).text


def test_what_cannot_be_explored_is_refused() -> None:
    with pytest.raises(InputError, match="no prompt of a user"):
        explore(Conversation())
    with pytest.raises(InputError, match='Did you mean "head"'):
        explore(TALK, strategy="hed")
    explorer = explore(TALK)
    with pytest.raises(InputError, match="There is no control 'turn'"):
        explorer.set(turn=1)
    with pytest.raises(InputError, match="strategy cannot be 'hed'"):
        explorer.set(strategy="hed")
    with pytest.raises(InputError, match=r"turns is a whole number, not 2\.5"):
        explore(TALK, turns=2.5)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("turns", 50, "turns cannot be 50: its slider goes from 1 to 10"),
        ("max_chars", 4001, "its slider goes from 0 to 4000"),
        ("prompt", 0, "its slider goes from 1 to 2"),
        ("turns", 2.7, r"turns is a whole number, not 2\.7"),
        ("turns", "3", "turns is a whole number, not '3'"),
    ],
)
def test_no_slider_moves_elsewhere_in_silence(name: str, value: Any, message: str) -> None:
    explorer = explore(TALK)
    before = explorer.query
    with pytest.raises(InputError, match=message):
        explorer.set(**{name: value})
    assert explorer.query == before


def test_it_draws_itself_and_has_a_text() -> None:
    bundle = explore(TALK)._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert bundle["text/plain"].startswith("Composer explorer\nagent, turns=3, max_chars=4000: ")
