"""What happened in one automatic recall, step by step."""

from __future__ import annotations

from html import escape
from typing import NamedTuple

import pandas as pd

from ..frames import Column, to_frame
from ..text.terminal import printable

__all__ = ["Step", "Trace"]

STEP_COLUMNS = (Column("step"), Column("what"), Column("chars", "int"))


class Step(NamedTuple):
    """One step: its name, a sentence, and the size of what it made in UTF-16 units."""

    step: str
    what: str
    chars: int | None = None


class Trace(tuple[Step, ...]):
    """The steps in order; printing shows one line each, ``.frame()`` gives a table."""

    __slots__ = ()

    def frame(self) -> pd.DataFrame:
        """Return one row per step: step, what, chars."""
        return to_frame((step._asdict() for step in self), STEP_COLUMNS)

    def __repr__(self) -> str:
        """Show one line per step."""
        size = {step: "" if step.chars is None else f"{step.chars:,}" for step in self}
        lines = (f"{step.step:<9} {size[step]:>7}  {step.what}" for step in self)
        return printable("\n".join(lines))

    def _repr_html_(self) -> str:
        """Show the steps as a table."""
        rows = "".join(
            f"<tr><td>{escape(step.step)}</td>"
            f"<td>{'' if step.chars is None else f'{step.chars:,}'}</td>"
            f'<td style="text-align:left">{escape(step.what)}</td></tr>'
            for step in self
        )
        return f"<table><tr><th>step</th><th>chars</th><th>what</th></tr>{rows}</table>"
