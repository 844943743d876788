"""10,000 random paths and names against the agent's own functions, and its fallback queries."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from memlab import fallback_query
from memlab.models.scope.names import bank_names, clean_name, limit_name, project_segment
from memlab.models.scope.places import directory
from memlab.text.wyhash import hash36
from tests.parity.engine import engine
from tests.parity.words import HOSTILE, MANY, SCRIPTS

pytestmark = pytest.mark.engine
NAMES = 2000
QUERIES = 4000
MODES = ("global", "per-project", "per-project-tagged")
ALPHABETS = (
    "abcdefghijklmnopqrstuvwxyz0123456789-_",
    "AZaz09-_./ \t\u00a0\ufeff",
    "äÜñéßIİıſK日本語データ한국Ж🚀𝔡\u0301",
    "".join(map(chr, range(32, 127))),
)

GLUE = (" ", " ", "  ", "-", "_", "\u00a0", "\n", " ?", ", ", ". ", " and ", " or ", "!", "")
OTHERS = (*MANY, *HOSTILE, *SCRIPTS)

Args = dict[str, Any]


def _name(rng: random.Random) -> str:
    chance = rng.random()
    if chance < 0.3:
        return rng.choice(["-", " ", "_", "."]).join(
            rng.choices(MANY + SCRIPTS, k=rng.randint(1, 9))
        )
    if chance < 0.4:
        return rng.choice(HOSTILE)
    longest = rng.choice([3, 20, 70, 150])
    return "".join(rng.choices(rng.choice(ALPHABETS), k=rng.randint(0, longest)))


def _path(rng: random.Random) -> str:
    parts = [
        _name(rng).replace("/", "-").replace("\0", "") or "x" for _ in range(rng.randint(1, 5))
    ]
    return "/" + "/".join(parts) + rng.choice(["", "", "", "/", "//"])


def _scope(rng: random.Random) -> Args:
    base = rng.choice([None, "", " ", "team", _name(rng)])
    return {"configured": base, "cwd": _path(rng), "scoping": rng.choice(MODES)}


def _own_scope(args: Args) -> Args:
    names = bank_names(args["configured"], directory(args["cwd"]), args["scoping"])
    return {
        "baseBank": names.shared,
        "bank": names.retain,
        "globalBank": names.shared,
        "retainBank": names.retain,
        "recallBanks": list(names.recall),
    }


Case = tuple[Callable[[random.Random], Args], Callable[[Args], Any]]
CASES: dict[str, Case] = {
    "bunHash36": (lambda rng: {"text": _name(rng)}, lambda args: hash36(args["text"])),
    "sanitizeBankName": (lambda rng: {"name": _name(rng)}, lambda args: clean_name(args["name"])),
    "limitBankName": (lambda rng: {"name": _name(rng)}, lambda args: limit_name(args["name"])),
    "projectBankSegment": (
        lambda rng: {"root": _path(rng)},
        lambda args: project_segment(args["root"]),
    ),
    "bankScope": (_scope, _own_scope),
}


def different(op: str, asked: list[Args], own: Callable[[Args], Any]) -> Iterator[Any]:
    """Each question that the agent answers in another way."""
    answers = engine().ask({"op": op, "args": args} for args in asked)
    for args, answer in zip(asked, answers, strict=True):
        if own(args) != answer.get("result", answer):
            yield args, own(args), answer


@pytest.mark.parametrize("op", CASES)
def test_names(op: str, seed: int) -> None:
    make, own = CASES[op]
    rng = random.Random(f"names {op} {seed}")
    asked = [make(rng) for _ in range(NAMES)]
    assert list(different(op, asked, own))[:3] == []
    assert len({str(own(args)) for args in asked}) > NAMES // 2, "the names are too much alike"


def _question(rng: random.Random) -> Args:
    words = rng.choices(MANY + SCRIPTS, k=rng.randint(1, 3))
    project = rng.choice(["-", "_", "."]).join([*words, hash36(str(rng.random()))])
    project = rng.choice([project, project, clean_name(project) or "x", _name(rng)])
    shared = rng.choice(["team", "team", "default", None, "", project])
    pieces: list[str] = []
    for _ in range(rng.randint(1, 6)):
        named = rng.random() < 0.5
        pieces.append(rng.choice([*words, project] if named else [*OTHERS, "and", "or", "And"]))
        pieces.append(rng.choice(GLUE))
    query = "".join(pieces)
    query = rng.choice([query, query.upper(), query.title()])
    return {"query": query, "projectBank": project, "sharedBank": shared}


def test_fallback_queries(seed: int) -> None:
    rng = random.Random(f"fallback {seed}")
    asked = [_question(rng) for _ in range(QUERIES)]

    def own(args: Args) -> str | None:
        return fallback_query(args["query"], args["projectBank"], args["sharedBank"])

    assert list(different("fallbackQuery", asked, own))[:3] == []
    assert sum(own(args) is not None for args in asked) > QUERIES // 4
