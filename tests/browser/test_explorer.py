"""The recall explorer in a real JupyterLab, used as a person would."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.lab import BANK
from tests.browser.page import APART, CONTRAST, SIZE, WIDER, Explorer, Notebook

pytestmark = pytest.mark.browser

QUESTION = "which message queue do assignments go through?"
CELLS = (
    f"""
    import memlab as ml
    bank = ml.Mnemopi("{BANK}")
    explorer = ml.explore(bank, now="2026-11-02T09:00:00Z")
    explorer
    """,
    """
    from tests.widgets.toys import HOSTILE, Toy
    ml.explore(Toy(*HOSTILE), HOSTILE[1])
    """,
)
THEMES = ("JupyterLab Light", "JupyterLab Dark")
READABLE = 4.5  # the ratio that WCAG asks of text


@pytest.fixture
def explorer(notebook: Notebook) -> Explorer:
    """The explorer of the sample bank, with all options at their defaults but the clock."""
    one = notebook.explorer()
    one.root.get_by_role("button", name="Reset options").click()
    expect(one.box("now")).to_have_value("")
    one.enter("now", "2026-11-02T09:00:00Z")
    if one.question.input_value():
        one.answered("now='2026-11-02T09:00:00Z'")
    return one


def test_a_question_brings_hits(explorer: Explorer) -> None:
    explorer.ask("RabbitMQ")
    expect(explorer.hits).to_have_count(2)
    expect(explorer.hits.first).to_contain_text("dis-015")
    expect(explorer.detail).to_contain_text(
        "Found 2 relevant memories (as of 2026-11-02 09:00 UTC)"
    )
    expect(explorer.code).to_have_text("bank.recall('RabbitMQ', now='2026-11-02T09:00:00Z')")


def test_another_option_brings_other_hits(explorer: Explorer) -> None:
    explorer.ask(QUESTION)
    expect(explorer.hits).to_have_count(6)
    explorer.enter("limit", "2")
    expect(explorer.hits).to_have_count(2)
    explorer.box("mode").select_option("facts")
    expect(explorer.hits).to_have_count(0)
    expect(explorer.root).to_contain_text("No memories found")


def test_a_row_is_chosen_by_a_click_anywhere_on_it(explorer: Explorer) -> None:
    explorer.ask(QUESTION)
    place = explorer.hits.nth(1).locator(".memlab-line").bounding_box()
    assert place is not None
    explorer.root.page.mouse.click(place["x"] + 5, place["y"] + 5)
    expect(explorer.detail.locator(".memlab-title")).to_have_text("2. dis-015")
    explorer.detail.get_by_role("tab", name="auto-recall block").click()
    expect(explorer.detail.locator(".memlab-exact:visible")).to_contain_text("<memories>")


def test_the_buttons_lie_exactly_on_the_rows(explorer: Explorer) -> None:
    explorer.ask(QUESTION)
    expect(explorer.hits).to_have_count(6)
    expect(explorer.rows).to_have_count(6)
    assert explorer.root.evaluate(APART) == [0] * 6


def test_an_error_is_shown_inside_and_goes_away(explorer: Explorer) -> None:
    explorer.ask("RabbitMQ")
    explorer.enter("now", "noon")
    expect(explorer.error).to_contain_text("now='noon' is not a time. Write it like")
    expect(explorer.hits).to_have_count(0)
    expect(explorer.root.page.locator(".jp-OutputArea-output", has_text="Traceback")).to_have_count(
        0
    )
    explorer.enter("now", "")
    expect(explorer.error).to_have_count(0)
    expect(explorer.hits).to_have_count(2)


def test_every_option_explains_itself(explorer: Explorer) -> None:
    explorer.root.get_by_text("the engine's constants").click()
    expect(explorer.box("vec_weight")).to_be_visible()
    label = explorer.root.get_by_title("limit: how many hits at most")
    expect(label).to_be_visible()
    expect(label).to_have_text("limit")
    explorer.root.get_by_text("the engine's constants").click()


def test_hostile_memories_stay_text(notebook: Notebook) -> None:
    hostile = notebook.explorer(1)
    expect(hostile.hits).to_have_count(6)
    for number in range(6):
        hostile.rows.nth(number).click()
        expect(hostile.detail.locator(".memlab-title")).to_have_text(f"{number + 1}. m{number + 1}")
    expect(hostile.hits.nth(1)).to_contain_text(
        "</textarea><script>document.title='taken'</script>"
    )
    expect(hostile.hits.nth(3)).to_contain_text("&lt;b&gt; $\\alpha$")
    assert hostile.root.locator("img, script, svg, textarea, a").count() == 0
    assert "taken" not in notebook.page.title()
    assert notebook.dialogs == []


@pytest.mark.parametrize("theme", THEMES)
def test_it_can_be_read_in_either_theme(notebook: Notebook, explorer: Explorer, theme: str) -> None:
    notebook.theme(theme)
    explorer.ask(QUESTION)
    expect(explorer.hits).to_have_count(6)
    for part in (".memlab-line", ".memlab-head > div", ".memlab-text", ".memlab-note", "summary"):
        shown = explorer.root.locator(f"{part}:visible").first
        assert shown.evaluate(CONTRAST) >= READABLE, part


def test_a_narrow_page_needs_no_scrolling_sideways(notebook: Notebook, explorer: Explorer) -> None:
    notebook.page.set_viewport_size({"width": 900, "height": 900})
    explorer.ask(QUESTION)
    expect(explorer.hits).to_have_count(6)
    assert notebook.page.evaluate("document.documentElement.scrollWidth") <= 900
    for root in (explorer.root, notebook.explorer(1).root):
        assert root.evaluate(WIDER) == []


def test_beside_another_notebook_the_texts_can_be_read(
    notebook: Notebook, explorer: Explorer
) -> None:
    notebook.page.set_viewport_size({"width": 560, "height": 900})
    explorer.ask(QUESTION)
    expect(explorer.hits).to_have_count(6)
    shown = explorer.hits.first.locator(".memlab-line").bounding_box()
    assert shown is not None
    assert shown["width"] > 200
    assert max(explorer.root.evaluate(APART)) < 1
    notebook.page.set_viewport_size(SIZE)


def test_nothing_is_fetched_from_elsewhere(notebook: Notebook) -> None:
    assert notebook.abroad == []
