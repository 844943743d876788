"""The composer explorer in a real JupyterLab: sliders moved by hand, lines and hits live."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.lab import BANK
from tests.browser.page import Notebook

pytestmark = pytest.mark.browser

CELLS = (
    f"""
    import memlab as ml
    from memlab.models import Conversation, Message
    bank = ml.Mnemopi("{BANK}")
    talk = Conversation((
        Message("user", "The queue lost two tours again."),
        Message("assistant", "Shall I look at RabbitMQ?"),
        Message("user", "Which message queue do assignments go through?"),
    ))
    ml.explore(talk, bank, now="2026-11-02T09:00:00Z")
    """,
    """
    from tests.widgets.toys import HOSTILE, Toy
    hostile = Conversation(tuple(Message("user", text) for text in HOSTILE))
    ml.explore(hostile, Toy(*HOSTILE), style="mnemopi")
    """,
)


@pytest.fixture
def explorer(notebook: Notebook) -> Locator:
    root = notebook.page.locator(".memlab").first
    root.wait_for()
    return root


def slider(explorer: Locator, name: str) -> Locator:
    box = explorer.locator(".widget-slider").filter(has_text=name)
    return box.get_by_role("slider")


def test_sliders_change_lines_and_hits_while_they_move(explorer: Locator) -> None:
    dropped = explorer.locator("s")
    expect(explorer).to_contain_text("agent, turns=3, max_chars=4000")
    expect(dropped).to_have_count(0)
    first = explorer.locator(".memlab-row").first
    expect(first).to_be_visible()
    for _ in range(2):
        slider(explorer, "turns").press("ArrowLeft")
    expect(explorer).to_contain_text("agent, turns=1, max_chars=4000: 46 units")
    expect(dropped).to_have_count(2)
    expect(explorer).to_contain_text("only the prompt is asked")
    slider(explorer, "max_chars").press("Home")
    expect(explorer).to_contain_text("max_chars=no limit")
    slider(explorer, "max_chars").press("ArrowRight")
    expect(explorer).to_contain_text("36 units of the prompt are not asked.")


def test_hostile_text_does_nothing(notebook: Notebook) -> None:
    hostile = notebook.page.locator(".memlab").nth(1)
    expect(hostile).to_contain_text("onerror=")
    assert notebook.dialogs == []
    assert notebook.abroad == []
    assert "taken" not in notebook.page.title()
