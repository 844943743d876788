"""The recall explorer: ask a backend, turn its knobs, see what the agent would have seen."""

from __future__ import annotations

from typing import Any

import ipywidgets as w

from ..backends import Backend
from ..errors import InputError
from ..models import Hit, Recall
from ..text.javascript import well_formed
from .answerview import AnswerView
from .asking import Answer, ask
from .panel import Panel
from .sheet import sheet_of
from .style import framed

__all__ = ["RecallExplorer"]

HINT = "Type a question and press Enter"


class RecallExplorer:
    """Widgets to ask a backend and see the answer change with every option.

    ``query``, a text or a composed query, and ``options`` are what it begins
    with. As the last value of a cell it draws itself; ``widget`` is its box, to
    build into something larger.

    Raises UnknownOption or InputError where the options cannot be used. What
    goes wrong later is shown inside the widget.
    """

    def __init__(self, backend: Backend, query: Any = "", **options: Any) -> None:
        query = getattr(query, "text", query)
        if not isinstance(query, str):
            raise InputError(f"A query is text, not {type(query).__name__}: {query!r:.80}.")
        sheet = sheet_of(backend)
        self.backend = backend
        self.answer: Answer | None = None
        self._panel = Panel(sheet, options)
        self._view = AnswerView(backend, sheet)
        self._query = _box(query)
        again, reset = w.Button(description="Ask"), w.Button(description="Reset options")
        again.tooltip, reset.tooltip = "ask again", "enter all defaults again"
        row = w.Box([self._query, again, reset])
        row.add_class("memlab-ask")
        self.widget = framed([row, self._panel.widget, self._view.widget])
        if query:
            self.ask()
        self._query.observe(lambda _: self.ask(), "value")
        self._panel.on_change(self.ask_again)
        again.on_click(lambda _: self.ask())
        reset.on_click(lambda _: self.reset())

    @property
    def query(self) -> str:
        """Return the question as it stands in the box."""
        return str(self._query.value)

    @query.setter
    def query(self, text: str) -> None:
        """Enter another question and ask it."""
        self._query.value = text

    @property
    def recall(self) -> Recall | None:
        """Return the last answer; None before the first and after a failure."""
        return self.answer.recall if self.answer else None

    @property
    def error(self) -> Exception | None:
        """Return what the last question failed with, for a closer look."""
        return self.answer.error if self.answer else None

    @property
    def hit(self) -> Hit | None:
        """Return the hit that is shown in full."""
        return self._view.hit

    @property
    def code(self) -> str:
        """Return the last question as a line of Python; empty before the first."""
        return self.answer.code if self.answer else ""

    def ask(self) -> None:
        """Ask what stands in the boxes, and show what comes of it."""
        try:
            options = self._panel.values()
        except InputError as error:
            self.answer = Answer(self.query, error=error)
        else:
            self._view.wait()
            self.answer = ask(self.backend, self.query, options)
        self._view.show(self.answer)

    def ask_again(self) -> None:
        """Ask once more, if something has been asked."""
        if self.answer is not None:
            self.ask()

    def reset(self) -> None:
        """Enter all defaults again, and ask once more."""
        self._panel.reset()
        self.ask_again()

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        """Draw the widget; where no widgets can be drawn, say what it shows."""
        bundle: dict[str, Any] = self.widget._repr_mimebundle_(**kwargs)
        return {**bundle, "text/plain": repr(self)}

    def __repr__(self) -> str:
        """Show what is explored, and the last answer as text."""
        lines = [f"Recall explorer of {self.backend.name}"]
        if self.answer is not None:
            failed = self.answer.failure
            lines.append(": ".join(failed) if failed else repr(self.recall))
        return well_formed("\n".join(lines))


def _box(query: str) -> w.Text | w.Textarea:
    """Return a box for a question: one of several lines would lose them in a line."""
    kind = w.Textarea if "\n" in query else w.Text
    return kind(query, placeholder=HINT, continuous_update=False)
