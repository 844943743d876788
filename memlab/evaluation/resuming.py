"""Going on with a run that was interrupted, or asking its failed cases again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..files import expanded
from .answer import Answer
from .cases import Cases
from .context import Context
from .measures import Measure
from .runfile import Stored, append, read_run, write_run

__all__ = ["Progress", "begin"]


@dataclass
class Progress:
    """The answers so far, and the file that they are written to."""

    path: Path | None
    cases: Cases
    answers: dict[str, Answer] = field(default_factory=dict)
    earlier: Stored | None = None

    @property
    def clock(self) -> dict[str, Any]:
        """Return the clock of the run that goes on, if it had one."""
        options = self.earlier.context.options if self.earlier else {}
        return {"now": options["now"]} if "now" in options else {}

    def open(
        self, backend: str, label: str | None, measures: Sequence[Measure], context: Context
    ) -> None:
        """Begin the file, or check that the run in it is this one."""
        if self.path is None:
            return
        if self.earlier is None:
            names = [str(measure) for measure in measures]
            write_run(self.path, Stored(backend, label, names, context, list(self.cases)))
            return
        changed = self.earlier.context.differences(context)
        if changed:
            raise InputError(
                f"{self.path} holds another run (there / now): {'; '.join(changed[:5])}. "
                "Give another path, or delete it to start anew."
            )

    def keep(self, answer: Answer) -> None:
        """Take an answer, and write it down."""
        self.answers[answer.case] = answer
        if self.path is not None:
            append(self.path, [answer])


def begin(run: str | Path | None, cases: Cases, *, only_failed: bool) -> Progress:
    """Read the run file, if there is one, and say what is answered already."""
    path = None if run is None else expanded(run)
    if path is None or not path.exists():
        if only_failed:
            raise InputError("only_failed=True needs run=, the file of a run that had failures.")
        return Progress(path, cases)
    earlier = read_run(path)
    ids = {case.id for case in cases}
    known = {name: answer for name, answer in earlier.answers.items() if name in ids}
    if only_failed:
        known = {name: answer for name, answer in known.items() if answer.outcome.answered}
    return Progress(path, cases, known, earlier)
