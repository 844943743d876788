"""The controls of the composer explorer: which prompt, how many turns, how many characters."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import ipywidgets as w

from ..autorecall.checks import whole_number
from ..errors import InputError

__all__ = ["ComposerControls"]

MOST_TURNS = 10
MOST_CHARS = 4000
STEP = 10
_WIDE = w.Layout(width="340px")
_ROWS = w.Layout(flex_flow="row wrap", width="100%")


class ComposerControls:
    """Three sliders and a list of strategies; ``live`` sliders tell of every step."""

    def __init__(
        self, prompts: int, turns: int, max_chars: int, strategies: Iterable[str], *, live: bool
    ) -> None:
        def slider(name: str, value: int, least: int, most: int, step: int = 1) -> w.IntSlider:
            return w.IntSlider(
                value, least, most, step, description=name, continuous_update=live, layout=_WIDE
            )

        names = list(strategies)
        self._by_name: dict[str, w.ValueWidget] = {
            "prompt": slider("prompt", prompts, 1, prompts),
            "turns": slider("turns", turns, min(turns, 1), max(turns, MOST_TURNS)),
            "max_chars": slider(
                "max_chars", max_chars, min(max_chars, 0), max(max_chars, MOST_CHARS), STEP
            ),
            "strategy": w.Dropdown(options=names, value=names[0], description="strategy"),
        }
        self.widget = w.HBox(list(self._by_name.values()), layout=_ROWS)

    def __getitem__(self, name: str) -> Any:
        """Return the value of a control by its name."""
        return self._control(name).value

    def __setitem__(self, name: str, value: Any) -> None:
        """Move a control; raises InputError for a name or a value that is not there."""
        control = self._control(name)
        if isinstance(control, w.IntSlider):  # it would cut the value to its ends, unsaid
            whole_number(name, value)
            if not control.min <= value <= control.max:
                raise InputError(
                    f"{name} cannot be {value}: its slider goes from {control.min} to {control.max}."
                )
        try:
            control.value = value
        except Exception as error:
            raise InputError(f"{name} cannot be {value!r}: {error}") from error

    def on_change(self, call: Callable[[], None]) -> None:
        """Call when a control has been moved."""
        for control in self._by_name.values():
            control.observe(lambda _: call(), "value")

    def _control(self, name: str) -> w.ValueWidget:
        if name not in self._by_name:
            raise InputError(f"There is no control {name!r}; there are {', '.join(self._by_name)}.")
        return self._by_name[name]
