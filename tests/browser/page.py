"""A notebook in a browser: what a person sees, types and clicks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Dialog, Locator, Page, Request, expect, sync_playwright

from tests.browser.lab import Lab

__all__ = ["APART", "CONTRAST", "SIZE", "WIDER", "Explorer", "Notebook", "opened"]

# Without these, Chromium looks for its makers' servers at every start.
ARGUMENTS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
SIZE = {"width": 1200, "height": 900}
PATIENCE = 180_000  # milliseconds; a busy machine is slow, and only what fails waits so long
RUN_ALL = """async () => {
    const app = window.jupyterapp, panel = app.shell.currentWidget;
    await panel.context.ready;
    await panel.sessionContext.ready;
    await app.commands.execute('notebook:run-all-cells');
}"""
# The ratio of WCAG between the colour of an element's text and what is behind it.
CONTRAST = """element => {
    const parts = colour => colour.match(/[\\d.]+/g).map(Number);
    const over = (top, under) => {
        const a = top.length > 3 ? top[3] : 1;
        return [0, 1, 2].map(i => top[i] * a + under[i] * (1 - a));
    };
    const light = colour => colour.map(v => v / 255)
        .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const chain = [];
    for (let one = element; one; one = one.parentElement) chain.unshift(one);
    const behind = chain.reduce(
        (under, one) => over(parts(getComputedStyle(one).backgroundColor), under), [255, 255, 255]);
    const text = over(parts(getComputedStyle(element).color), behind);
    const [high, low] = [light(text), light(behind)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
}"""

# Parts that are cut off at the right, or would have to be scrolled sideways.
WIDER = """root => {
    const edge = root.getBoundingClientRect().right + 1;
    return [...root.querySelectorAll('*')].filter(one =>
        one.getBoundingClientRect().right > edge
        || one.scrollWidth > one.clientWidth + 1
        && ['auto', 'scroll'].includes(getComputedStyle(one).overflowX)
    ).map(one => one.className);
}"""
# How far each row of the table is from the button that lies on it, all at one moment.
APART = """root => {
    const boxes = what => [...root.querySelectorAll(what)].map(one => one.getBoundingClientRect());
    const buttons = boxes('.memlab-rows button');
    return boxes('.memlab-row').map((row, i) => Math.max(...['top', 'bottom', 'left', 'right']
        .map(side => Math.abs(row[side] - buttons[i][side]))));
}"""


class Notebook:
    """An opened notebook, and what went on in the page since."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.dialogs: list[str] = []
        self.abroad: list[str] = []
        page.on("dialog", self._dialog)
        page.on("request", self._request)

    def _dialog(self, dialog: Dialog) -> None:
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    def _request(self, request: Request) -> None:
        place = urlsplit(request.url)
        if place.scheme in {"http", "https", "ws", "wss"} and place.hostname != "127.0.0.1":
            self.abroad.append(request.url)

    def open(self, address: str) -> None:
        """Open a notebook and run all its cells."""
        self.page.goto(address)
        self.page.wait_for_function("window.jupyterapp?.shell?.currentWidget?.sessionContext")
        self.page.evaluate(RUN_ALL)

    def explorer(self, number: int = 0) -> Explorer:
        """One of the explorers in the page, once it is drawn."""
        root = self.page.locator(".memlab").nth(number)
        root.wait_for()
        return Explorer(root)

    def theme(self, name: str) -> None:
        """Change the theme, and wait until it is there."""
        command = (
            "name => window.jupyterapp.commands.execute('apputils:change-theme', {theme: name})"
        )
        self.page.evaluate(command, name)
        self.page.locator(f"body[data-jp-theme-name='{name}']").wait_for(state="attached")


class Explorer:
    """A recall explorer as it is drawn."""

    def __init__(self, root: Locator) -> None:
        self.root = root
        self.question = root.locator(".memlab-ask input")
        self.error = root.get_by_role("alert")
        self.hits = root.locator(".memlab-row")
        self.rows = root.locator(".memlab-rows button")
        self.detail = root.locator(".memlab-detail")
        self.code = root.locator(".memlab-code code")

    def ask(self, question: str) -> None:
        """Type a question and press Enter."""
        self.question.fill(question)
        self.question.press("Enter")
        self.answered()

    def answered(self, then: str = "") -> None:
        """Wait for the answer to what stands in the box; the line of Python is drawn last."""
        question = self.question.input_value()
        expect(self.code).to_have_text(
            re.compile(rf"^bank\.recall\({re.escape(repr(question))}.*{then}")
        )

    def box(self, option: str) -> Locator:
        """The box of an option."""
        knob = self.root.locator(".memlab-knob").filter(has_text=option).first
        return knob.locator("input, select")

    def enter(self, option: str, value: str) -> None:
        """Type the value of an option and press Enter."""
        self.box(option).fill(value)
        self.box(option).press("Enter")


@contextmanager
def opened(chromium: str, home: Path, lab: Lab, name: str) -> Iterator[Notebook]:
    """Open a notebook in a fresh browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium,
            args=list(ARGUMENTS),
            env={"HOME": str(home)},
            timeout=PATIENCE,
        )
        page = browser.new_page(viewport=SIZE)
        page.set_default_timeout(PATIENCE)
        expect.set_options(timeout=PATIENCE)
        notebook = Notebook(page)
        notebook.open(lab.url(name))
        yield notebook
        browser.close()
