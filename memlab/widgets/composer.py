"""The composer explorer: turn the sliders, see which lines are asked and what they bring."""

from __future__ import annotations

from typing import Any

import ipywidgets as w

from ..autorecall import STRATEGIES, ComposedQuery, compose_query, salient_terms
from ..autorecall.checks import whole_number
from ..autorecall.points import points
from ..autorecall.salience import Corpus
from ..autorecall.strategies import SALIENT, Strategy, strategy_named
from ..autorecall.style import Style, agent_defaults, style_of
from ..backends import Backend
from ..errors import InputError
from ..models import Conversation, Recall
from ..settings import Settings
from ..text.terminal import printable
from .asking import Answer, ask, described
from .composercontrols import ComposerControls
from .door import explore
from .hitlist import HitList
from .markup import prose
from .message import answer_html, error_html
from .style import framed

__all__ = ["ComposerExplorer"]

_LINES = w.Layout(flex="1 1 340px", max_height="520px", overflow="auto")
_FOUND = w.Layout(flex="1 1 560px")
_ROWS = w.Layout(flex_flow="row wrap", width="100%")


class ComposerExplorer:
    """Sliders for turns and characters, the lines they keep and drop, and the hits beside them.

    ``turns`` and ``max_chars`` are by default the agent's own for the
    ``backend``; without one nothing is recalled, and they are those of Mnemopi.
    ``strategy`` is that of :func:`compose_query`, ``options`` are the
    backend's. The first slider chooses the prompt, at first the last one.

    Raises InputError for a conversation without a prompt and for what cannot be
    used. What goes wrong later is shown inside the widget.
    """

    def __init__(
        self,
        conversation: Conversation,
        backend: Backend | None = None,
        *,
        turns: int | None = None,
        max_chars: int | None = None,
        strategy: str | Strategy = "agent",
        corpus: Corpus | None = None,
        style: Style | None = None,
        settings: Settings | None = None,
        **options: Any,
    ) -> None:
        self.backend = backend
        self.query: ComposedQuery | None = None
        self.answer: Answer | None = None
        self.error: Exception | None = None
        self._points = [point for point in points(conversation, "user-turn") if not point.why]
        if not self._points:
            raise InputError(f"{conversation!r} has no prompt of a user to compose a query of.")
        way = "mnemopi" if backend is None and style is None else style_of(backend, style)
        usual = agent_defaults(way, Settings.load() if settings is None else settings)
        self._options = {**usual.options, **options}
        self._strategies = _strategies(strategy, corpus if corpus is not None else backend)
        self._controls = ComposerControls(
            len(self._points),
            whole_number("turns", usual.turns if turns is None else turns),
            whole_number("max_chars", usual.max_chars if max_chars is None else max_chars),
            self._strategies,
            live=way == "mnemopi",  # a server is asked when a slider is let go
        )
        self._lines, self._message, self._text, self._hits = w.HTML(), w.HTML(), w.HTML(), HitList()
        self.widget = self._drawn()
        self._controls.on_change(self.show)
        self._hits.on_choice(self._show_text)
        self.show()

    def _drawn(self) -> w.VBox:
        halves = [w.VBox([self._lines], layout=_LINES)]
        if self.backend is not None:
            found = [self._message, self._hits.widget, self._text]
            halves.append(w.VBox(found, layout=_FOUND))
        return framed([self._controls.widget, w.HBox(halves, layout=_ROWS)])

    @property
    def recall(self) -> Recall | None:
        """Return the last answer; None without a backend and after a failure."""
        return self.answer.recall if self.answer else None

    def set(self, **values: Any) -> None:
        """Move controls by name: prompt (from 1), turns, max_chars, strategy."""
        for name, value in values.items():
            self._controls[name] = value

    def show(self) -> None:
        """Compose the query as the controls say, ask it, and show both."""
        self.query = self.answer = self.error = None
        self._message.value = ""
        self._hits.show(())
        try:
            self.query = compose_query(
                self._points[self._controls["prompt"] - 1].talk,
                self._controls["turns"],
                self._controls["max_chars"],
                strategy=self._strategies[self._controls["strategy"]],
            )
            self._lines.value = self.query.report().html
            self._ask(self.query.text_utf16)
        except Exception as error:  # noqa: BLE001  a notebook would lose it; it is shown here
            self.error = error
            place = self._lines if self.query is None else self._message
            place.value = error_html(*described(error))

    def _ask(self, query: str) -> None:
        if self.backend is None:
            return
        self.answer = answer = ask(self.backend, query, self._options)
        self.error = answer.error
        self._message.value = answer_html(answer)
        if answer.recall is not None and answer.failure is None:
            self._hits.show(answer.recall.hits)

    def _show_text(self) -> None:
        """Show the chosen hit in full; the table shows the beginning."""
        hits = self.recall.hits if self.recall is not None else ()
        chosen = [hit for place, hit in enumerate(hits) if place == self._hits.index]
        self._text.value = prose(chosen[0].text) if chosen else ""

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        """Draw the widget; where no widgets can be drawn, say what it shows."""
        bundle: dict[str, Any] = self.widget._repr_mimebundle_(**kwargs)
        return {**bundle, "text/plain": repr(self)}

    def __repr__(self) -> str:
        """Show what is asked and what it brought."""
        parts = ["Composer explorer"]
        if self.query is not None:
            parts.append(self.query.report().head)
        if self.error is not None:
            parts.append(f"{type(self.error).__name__}: {self.error}")
        elif self.recall is not None:
            parts.append(repr(self.recall))
        return printable("\n".join(parts))


def _strategies(chosen: str | Strategy, corpus: Corpus | None) -> dict[str, Strategy]:
    """Return the strategies to choose from, the chosen one first."""
    name, function = strategy_named(chosen, corpus)
    more = {} if corpus is None else {SALIENT: salient_terms(corpus)}
    return {name: function, **STRATEGIES, **more}


@explore.register
def _explore(
    conversation: Conversation, backend: Backend | None = None, **options: Any
) -> ComposerExplorer:
    return ComposerExplorer(conversation, backend, **options)
