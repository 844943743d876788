"""The box, the list or the tick of one option."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ipywidgets as w

from ..errors import InputError
from .knob import Knob, same
from .markup import escaped, tag

__all__ = ["Control"]

YES_NO = {True: "yes", False: "no"}
UNSET = object()  # None in a list of choices: to a Dropdown, None means that nothing is chosen


class Control:
    """One option as a widget: shows the default, says what it is for, reads what was entered."""

    def __init__(self, knob: Knob) -> None:
        self.knob = knob
        self.widget = _widget(knob)
        self.widget.add_class("memlab-knob")
        if knob.kind in {"list", "json"} or (knob.kind == "text" and knob.optional):
            self.widget.add_class("memlab-wide")
        self.widget.observe(self._mark, "value")

    @property
    def value(self) -> Any:
        """Return what is entered; raises InputError where it cannot be read."""
        raw = self.widget.value
        if isinstance(self.widget, w.Text):
            return self.knob.read(raw)
        return None if raw is UNSET else raw

    @property
    def changed(self) -> bool:
        """Tell whether what is entered differs from the default, or cannot be read."""
        try:
            return not same(self.value, self.knob.default)
        except InputError:
            return True

    def enter(self, value: Any) -> None:
        """Enter a value, such as the default."""
        boxed = isinstance(self.widget, w.Text)
        self.widget.value = self.knob.shown(value) if boxed else _chosen(value)

    def on_change(self, call: Callable[[], None]) -> None:
        """Call when something else has been entered."""
        self.widget.observe(lambda _: call(), "value")

    def _mark(self, _: object) -> None:
        """Keep the default in sight while something else is entered."""
        changed = self.changed
        aside = f" (default: {_default(self.knob)})" if changed else ""
        self.widget.description = _label(self.knob, aside)
        (self.widget.add_class if changed else self.widget.remove_class)("memlab-changed")


def _label(knob: Knob, aside: str = "") -> str:
    """Return the name as HTML that carries the tooltip: boxes with a name show no other."""
    return tag("span", escaped(knob.name + aside), title=knob.tooltip)


def _default(knob: Knob) -> str:
    if knob.default is None:
        return knob.unset
    return YES_NO[knob.default] if knob.kind == "switch" else knob.shown(knob.default)


def _chosen(value: Any) -> Any:
    return UNSET if value is None else value


def _widget(knob: Knob) -> w.ValueWidget:
    named = {"description": _label(knob), "description_allow_html": True}
    if knob.kind == "switch" and not knob.optional:
        return w.Checkbox(value=knob.default, indent=False, **named)
    if knob.kind in {"switch", "choice"}:
        choices = knob.choices or tuple(YES_NO)
        options = [(YES_NO[c] if isinstance(c, bool) else str(c), c) for c in choices]
        if knob.optional:
            options.insert(0, (f"default: {knob.unset}", UNSET))
        return w.Dropdown(options=options, value=_chosen(knob.default), **named)
    return w.Text(
        value=knob.shown(knob.default),
        placeholder=knob.unset if knob.optional else knob.shown(knob.default),
        continuous_update=False,
        **named,
    )
