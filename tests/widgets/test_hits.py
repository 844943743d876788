from __future__ import annotations

import pytest

from memlab import Mnemopi
from memlab.text.javascript import well_formed
from memlab.widgets.agentview import AgentView, agent_texts
from memlab.widgets.hitlist import HitList, table_html
from memlab.widgets.hitview import hit_html, stored_text
from tests.widgets.conftest import NOW
from tests.widgets.toys import HOSTILE, Toy, harmless, hit


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_hits_stay_text_wherever_they_are_shown(text: str) -> None:
    bad = hit(1, text, id=text, tier=text, source=text, timestamp=text, raw={text: text})
    page = harmless(hit_html(bad, {}, stored=text))
    assert well_formed(text) in page.text
    harmless(table_html([bad]))
    view = AgentView()
    view.show(Toy(text).recall("x"))
    assert well_formed(text) in harmless(view.widget.children[0].value).text


def test_the_table_shows_every_hit_and_cuts_long_texts() -> None:
    text = harmless(table_html([hit(1, "word " * 200), hit(2, "short")])).text
    assert "…" in text
    assert len(text) < 400
    assert "short" in text
    assert "1.0000" in text
    assert "0.5000" in text


def test_a_hit_without_text_or_score_says_so() -> None:
    """An empty row would look like a fault of the page."""
    text = harmless(table_html([hit(1, "  ", score=None)])).text
    assert "no text" in text
    assert "none" in text
    assert "none" in harmless(hit_html(hit(1, "x", score=None), {})).text


def test_bars_never_leave_their_frame() -> None:
    page = hit_html(hit(1, "x", score=-2.0, scores={"final": 7.5}), {"final": "what it is"})
    widths = [value for value in harmless(page).values if value.startswith("width:")]
    assert widths == ["width:0.0%", "width:100.0%"]
    assert "7.5000" in page
    assert "what it is" in page
    harmless(table_html([hit(1, "x", score=-2.0), hit(2, "y", score=0.0)]))


def test_rows_are_chosen_and_told() -> None:
    rows, told = HitList(), []
    rows.on_choice(lambda: told.append(rows.index))
    assert rows.widget.layout.display is None
    rows.show([hit(1, "a"), hit(2, "b"), hit(3, "c")])
    rows.choose(2)
    rows.show([])
    assert rows.widget.layout.display == "none"
    rows.show([hit(1, "a"), hit(2, "b")], chosen=1)
    assert told == [0, 2, None, 1]


def test_a_text_that_recall_has_cut_is_shown_whole_too(bank: Mnemopi) -> None:
    recall = bank.recall("announce the window in workshop runbook", now=NOW)
    cut = next(hit for hit in recall if hit.id == "dis-008")
    stored = stored_text(bank, cut)
    assert stored == bank.get("dis-008").text
    text = harmless(hit_html(cut, {}, stored)).text
    assert "Cut by recall: the stored text has 1524 characters" in text
    assert stored in text
    assert "Cut by recall" in harmless(hit_html(cut, {})).text


def test_the_whole_text_is_asked_for_only_where_there_is_one(bank: Mnemopi) -> None:
    assert stored_text(bank, hit(1, "x")) is None
    assert stored_text(bank, hit(1, "x", raw={"truncated": True})) is None
    assert stored_text(Toy(), hit(1, "x", raw={"truncated": True})) is None


def test_the_agents_texts_are_exact(bank: Mnemopi) -> None:
    recall = bank.recall("RabbitMQ", now=NOW)
    texts = agent_texts(recall)
    assert texts == {
        "tool text": recall.text,
        "auto-recall block": recall.block,
        "context": recall.context(),
    }
    view = AgentView()
    view.show(recall)
    assert view.widget.titles == tuple(texts)
    for page, text in zip(view.widget.children, texts.values(), strict=True):
        assert harmless(page.value).text.startswith(text)


def test_a_backend_without_blocks_has_one_tab_and_no_text_is_said() -> None:
    view = AgentView()
    view.show(Toy("a").recall("x"))
    assert view.widget.titles == ("tool text",)
    view.show(Toy().recall("x"))
    assert "no text here" in view.widget.children[0].value
