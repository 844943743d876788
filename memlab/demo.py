"""The first look: a bank, three recalls, an evaluation, and a picture of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path
from typing import Any

from .errors import InputError
from .evaluation import Cases, Evaluation, R, Success, evaluate, nDCG
from .evaluation.selflabel import self_labelled
from .files import check_target, write_bytes
from .mnemopi import BankInfo, Mnemopi, MnemopiRecall, MnemopiScope, ScopedRecall
from .plots import plot
from .sample import sample_world
from .text.terminal import one_line, printable

__all__ = ["show_bank", "show_world"]

QUESTIONS = (
    "which message queue do assignments go through?",
    "may we deploy in the week before Christmas?",
    "who is on call today?",
)
_SHOWN = 8
_PICTURES = (".png", ".svg", ".pdf")
_WIDTH = 84
MEASURES = (Success @ _SHOWN, R @ _SHOWN, nDCG @ _SHOWN)
_SEEN = "What the agent would be shown (each memory cut to one line here)"
_STATES = {
    "live": "current",
    "consolidated": "also summarised",
    "expired": "expired, never recalled",
    "superseded": "replaced, never recalled",
}
_TIERS = {"working": "as they were written", "episodic": "summaries of several"}
_MEANING = {
    "Success@8": "questions with at least one right memory among the 8 shown",
    "R@8": "share of all right memories that were among the 8 shown",
    "nDCG@8": "the same, counting more for right memories near the top (1 is perfect)",
}


def show_world(picture: Path) -> Iterator[str]:
    """Show the sample world line by line, and write the picture.

    Raises InputError, before anything is shown, for a picture of no known kind.
    """
    _check_picture(picture)
    world = sample_world()
    with ExitStack() as opened:
        scopes = {
            cwd: opened.enter_context(
                MnemopiScope(cwd=cwd, mode=world.mode, bank=world.base, path=world.database)
            )
            for cwd in world.projects
        }
        agent = scopes[world.projects[0]]
        bank = opened.enter_context(Mnemopi(world.bank(agent.scope.bank)))
        yield from _bank_lines(bank.info(now=world.now))
        yield from _title(_SEEN)
        yield f"It works in {world.projects[0]} and recalls from {len(agent.scope.banks)} banks:"
        yield f"{', '.join(agent.scope.banks)}."
        for question in QUESTIONS:
            yield from _recall_lines(agent.recall(question, now=world.now))
        cases = Cases.load(world.cases)
        yield from _title("Is it the right thing?")
        yield (
            f"{len(cases)} questions were asked whose answers are known:"
            f" {sum(bool(case.relevant) for case in cases)} have right memories, the others none."
        )
        run = evaluate(
            lambda case: scopes[case.cwd or world.projects[0]],
            cases, MEASURES, label="sample world", now=world.now,
        )  # fmt: skip
        yield from _evaluation_lines(run, picture)


def show_bank(path: Path, picture: Path) -> Iterator[str]:
    """Show somebody's own bank line by line, and write the picture.

    Raises InputError, before anything is shown, for a picture of no known kind.
    """
    _check_picture(picture)
    with Mnemopi(path) as bank:
        yield from _bank_lines(bank.info())
        cases = self_labelled(bank, ["rare-tokens", "dropped-words", "null-strange"])
        asked = [case for case in cases if case.category == "rare-tokens"][: len(QUESTIONS)]
        if not asked:
            yield "There is no memory here that could be asked for."
            return
        yield from _title(_SEEN)
        yield "The questions are the three rarest words of a memory each."
        for case in asked:
            yield from _recall_lines(bank.recall(case.query))
        yield from _title("Does it find its own memories?")
        yield f"{len(cases)} questions were made from the memories themselves: rare-tokens asks with the"
        yield "three rarest words, dropped-words with half of a passage, null-strange with invented words."
        yield from _evaluation_lines(evaluate(bank, cases, MEASURES, label=bank.bank), picture)


def _check_picture(picture: Path) -> None:
    if picture.suffix.lower() not in _PICTURES:
        raise InputError(
            f"picture={str(picture)!r}: give it a name that ends in {' or '.join(_PICTURES)}."
        )
    check_target(picture)


def _title(text: str) -> Iterator[str]:
    yield f"\n{text}\n{'-' * len(text)}"


def _bank_lines(info: BankInfo) -> Iterator[str]:
    yield from _title("What is in the bank")
    yield f"{info.path} ({info.bytes / 1024:,.0f} KiB), opened read-only."
    yield f"{info.memories} memories and {info.facts} facts taken from them:"
    for (tier, state), count in sorted(info.counts.items()):
        yield f"  {count:>3}  {_TIERS.get(tier, tier)} ({_STATES.get(state, state)})"
    if not info.vectors:
        yield "No embeddings are stored, so recall goes by words and their synonyms."


def _recall_lines(recall: MnemopiRecall | ScopedRecall) -> Iterator[str]:
    yield f"\n> {printable(recall.query)}"
    yield recall.text.partition("\n")[0]
    for hit in recall:
        yield f"- {one_line(hit.text, _WIDTH)} (id: {printable(hit.id)})"


def _evaluation_lines(run: Evaluation, picture: Path) -> Iterator[str]:
    for row in run.means().itertuples():
        yield f"  {row.mean:5.2f}  {row.measure:<10} {_MEANING[str(row.measure)]}"
    nulls = [case for case in run.cases if not case.relevant]
    noisy = sum(bool(run.answers[case.id].hits) for case in nulls)
    yield f"Of {len(nulls)} questions without an answer, {noisy} recalled something all the same."
    yield from _category_lines(run)
    axes: Any = plot(run, f"Success@{_SHOWN}")
    drawn = BytesIO()
    kind = picture.suffix.lower().removeprefix(".")
    axes.figure.savefig(drawn, format=kind, dpi=120, bbox_inches="tight")
    write_bytes(picture, drawn.getvalue())
    yield f"\nThe picture is in {picture}."


def _category_lines(run: Evaluation) -> Iterator[str]:
    table = run.by("category")
    rated = table[table[f"Success@{_SHOWN}"].notna()].sort_values(f"Success@{_SHOWN}")
    yield "By kind of question, the hardest first:"
    for name, row in rated.iterrows():
        yield f"  {row[f'Success@{_SHOWN}']:5.0%}  {name} ({int(row['cases'])} questions)"
