"""An answer drawn: how it ended, the hits, one in full beside the agent's texts, the code."""

from __future__ import annotations

import ipywidgets as w

from ..backends import Backend
from ..models import Hit, Recall
from .agentview import AgentView
from .asking import Answer, described
from .hitlist import HitList
from .hitview import hit_html, stored_text
from .markup import escaped, note, tag
from .message import answer_html, error_html
from .sheet import Sheet

__all__ = ["AnswerView"]


class AnswerView:
    """The lower half of a recall explorer."""

    def __init__(self, backend: Backend, sheet: Sheet) -> None:
        self._backend, self._parts = backend, sheet.parts
        self._recall: Recall | None = None
        self._query: str | None = None
        self._message, self._hit, self._code = w.HTML(), w.HTML(), w.HTML()
        self._list, self._agent = HitList(), AgentView()
        self._detail = w.Box([self._hit, self._agent.widget])
        self._detail.add_class("memlab-detail")
        self.widget = w.VBox([self._message, self._list.widget, self._detail, self._code])
        self.widget.add_class("memlab-answer")
        self._clear()
        self._list.on_choice(self._show_hit)

    @property
    def hit(self) -> Hit | None:
        """Return the hit that is shown in full."""
        index = self._list.index
        return None if self._recall is None or index is None else self._recall[index]

    def wait(self) -> None:
        """Say that a question is under way; a server may take its time."""
        self._message.value = note(["asking …"])

    def show(self, answer: Answer) -> None:
        """Show an answer; what cannot be drawn is said in its place.

        To the same question, the hit in view stays in view where it is found again.
        """
        before = self.hit if answer.query == self._query else None
        self._query = answer.query
        said = answer_html(answer)
        try:
            self._draw(answer, before)
        except Exception as error:  # noqa: BLE001  lost in a notebook, shown here
            self._clear()
            said = error_html(*described(error))
        self._message.value = said
        self._code.value = _code(answer)

    def _draw(self, answer: Answer, before: Hit | None) -> None:
        if answer.recall is None or answer.failure is not None:
            self._clear()
            return
        self._agent.show(answer.recall)
        self._recall = answer.recall
        self._list.show(answer.recall.hits, _place(before, answer.recall))
        self._show_hit()
        self._detail.layout.display = None

    def _show_hit(self) -> None:
        hit = self.hit
        if hit is None:
            self._hit.value = ""
            return
        try:
            stored = stored_text(self._backend, hit)
            self._hit.value = hit_html(hit, self._parts, stored)
        except Exception as error:  # noqa: BLE001  lost in a notebook, shown here
            self._hit.value = error_html(*described(error))

    def _clear(self) -> None:
        """Take the former answer away: it is none to the new question."""
        self._recall = None
        self._list.show(())
        self._agent.clear()
        self._hit.value = ""
        self._detail.layout.display = "none"


def _place(hit: Hit | None, recall: Recall) -> int:
    """Return where a hit is among others, by tier and id; else the first place."""
    keys = [(other.tier, other.id) for other in recall]
    key = (hit.tier, hit.id) if hit else None
    return keys.index(key) if key in keys else 0


def _code(answer: Answer) -> str:
    if not answer.code:
        return ""
    line = tag("code", escaped(answer.code))
    return tag("div", tag("span", "the same in Python") + line, class_="memlab-code")
