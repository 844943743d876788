"""All options of a backend, arranged: the first in sight, the rest folded away."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import ipywidgets as w

from .control import Control
from .sheet import Sheet

__all__ = ["Panel"]


class Panel:
    """The controls of a sheet; ``values()`` gives what differs from the defaults.

    Raises UnknownOption or InputError where ``options`` cannot be entered.
    """

    def __init__(self, sheet: Sheet, options: Mapping[str, Any]) -> None:
        checked = sheet.checked(options)
        self.controls = {name: Control(knob) for name, knob in sheet.knobs.items()}
        for name, value in checked.items():
            self.controls[name].enter(value)
        self._quiet = False
        self._groups = _folded(sheet, self.controls)
        self.widget = w.VBox([_grid(sheet.first, self.controls), *self._groups])
        self.widget.add_class("memlab-panel")

    def values(self) -> dict[str, Any]:
        """Return the options that differ from their defaults, in the backend's order.

        Raises InputError where what is entered cannot be read.
        """
        return {name: one.value for name, one in self.controls.items() if one.changed}

    def reset(self) -> None:
        """Enter all defaults; whoever listens hears of it once at most."""
        with self.quiet():
            for control in self.controls.values():
                control.enter(control.knob.default)

    def on_change(self, call: Callable[[], None]) -> None:
        """Call when an option has been changed by hand."""

        def tell() -> None:
            if not self._quiet:
                call()

        for control in self.controls.values():
            control.on_change(tell)

    @contextmanager
    def quiet(self) -> Iterator[None]:
        """Change many options without a call for each."""
        self._quiet = True
        try:
            yield
        finally:
            self._quiet = False


def _grid(names: tuple[str, ...], controls: Mapping[str, Control]) -> w.Box:
    box = w.Box([controls[name].widget for name in names])
    box.add_class("memlab-grid")
    return box


def _folded(sheet: Sheet, controls: Mapping[str, Control]) -> list[w.Accordion]:
    if not sheet.groups:
        return []
    grids = [_grid(names, controls) for names in sheet.groups.values()]
    folded = w.Accordion(children=grids, titles=tuple(sheet.groups), selected_index=None)
    folded.add_class("memlab-more")
    return [folded]
