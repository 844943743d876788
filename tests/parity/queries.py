"""Random recalls about a random bank, from a seed.

make_queries(seed, n, info) gives Requests. ``op`` is recall or recallEnhanced
(the facade, as the agent calls it), beamRecall or beamRecallEnhanced (the level
below, every option) or factRecall (no options). Options are in the engine's
spelling, and only such as the operation honours.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.parity.banks import BankInfo
from tests.parity.rows import AUTHORS, SOURCES
from tests.parity.words import CURRENT, DATES, HOSTILE, INTENTS, SCRIPTS, text

__all__ = ["Request", "make_queries"]

OPS = ("recallEnhanced",) * 4 + ("recall",) * 2 + ("beamRecall", "beamRecallEnhanced", "factRecall")
NOWS = ("2026-03-01T12:00:00.000Z",) * 3 + ("2026-04-01T00:00:00.000Z", "2026-03-01T00:00:00.000Z")
TOP_K = (1, 2, 3, 4, 5, 8, 8, 8, 8, 8, 8, 10, 13, 20)


@dataclass(frozen=True)
class Request:
    """One recall to ask both sides."""

    op: str
    query: str
    topK: float  # noqa: N815  the engine's spelling
    options: dict[str, Any] = field(default_factory=dict)
    now: str = NOWS[0]
    session: str = ""
    channel: str = ""

    def wire(self, info: BankInfo) -> dict[str, Any]:
        """The request for Engine.ask: counted, and undone afterwards."""
        args: dict[str, Any] = {"query": self.query, "topK": self.topK}
        if self.op != "factRecall":
            args["options"] = self.options
        who = {"db": info.path, "bank": info.bank, "session": self.session, "channel": self.channel}
        return {"op": self.op, **who, "now": self.now, "undo": True, "after": True, "args": args}


def make_queries(seed: int, n: int, info: BankInfo) -> list[Request]:
    """Make n random recalls; the same seed and bank give the same ones."""
    rng = Random(f"queries {seed} {info.seed} {info.kind}")
    return [_request(rng, info) for _ in range(n)]


def _request(rng: Random, info: BankInfo) -> Request:
    op = rng.choice(OPS)
    session = info.bank if rng.random() < 0.9 else rng.choice(["other", "nobody"])
    return Request(
        op=op,
        query=_query(rng, info),
        topK=_top_k(rng, op),
        options={} if op == "factRecall" else _options(rng, op, info),
        now=rng.choice(NOWS),
        session=session,
        channel=session if rng.random() < 0.9 else "chan",
    )


def _top_k(rng: Random, op: str) -> float:
    chance = rng.random()
    if chance < 0.02:
        return rng.choice([0, -1])
    if chance < 0.03 and op != "factRecall":
        return rng.choice([2.5, 0.5])
    if chance < 0.05:
        # The engine needs seconds to rerank hundreds of long texts, so only plain recall is large.
        return 30 if op.endswith("Enhanced") else 120
    return rng.choice(TOP_K)


def _query(rng: Random, info: BankInfo) -> str:
    chance = rng.random()
    if chance < 0.03:
        return rng.choice(["", " ", "the", "what is the", "???", "\n", "\ufeff"])
    if chance < 0.08:
        return rng.choice(["qqzz", "xylophone zeppelin", "zzz 9981", "wwwqx yesterday"])
    if chance < 0.15:
        return _around(rng, rng.choice(HOSTILE), info)
    if chance < 0.21:
        return _around(rng, rng.choice(SCRIPTS), info)
    if chance < 0.27:
        return _piece(rng, info)
    if chance < 0.30:
        return _composed(rng, info)
    if chance < 0.305:
        return text(rng, info.words, 100, 300)
    return _plain(rng, info)


def _plain(rng: Random, info: BankInfo) -> str:
    words = rng.choices(info.words, k=rng.choice([1, 1, 2, 2, 3, 3, 4, 5, 8, 14]))
    for extra, chance in ((DATES, 0.15), (INTENTS, 0.12), (CURRENT, 0.08)):
        if rng.random() < chance:
            words.insert(rng.randint(0, len(words)), rng.choice(extra))
    asked = " ".join(words) + rng.choice(["", "", "", "?", "!", "."])
    return rng.choice([asked, asked, asked, asked.upper(), asked.title()])


def _around(rng: Random, word: str, info: BankInfo) -> str:
    """A special word, alone or among plain ones."""
    if rng.random() < 0.4:
        return word
    return " ".join([*rng.choices(info.words, k=rng.randint(0, 2)), word, rng.choice(info.words)])


def _piece(rng: Random, info: BankInfo) -> str:
    """A piece of a memory of the bank."""
    if not info.samples:
        return "deploy"
    sample = rng.choice(info.samples)
    start = rng.randint(0, max(0, len(sample) - 10))
    return sample[start : start + rng.randint(5, 80)]


def _composed(rng: Random, info: BankInfo) -> str:
    """What the agent asks in a resumed session."""
    lines = [
        f"{rng.choice(['user', 'assistant'])}: {text(rng, info.words, 3, 12)}" for _ in range(4)
    ]
    return "Prior context:\n\n" + "\n".join(lines) + "\n\n" + _plain(rng, info)


def _options(rng: Random, op: str, info: BankInfo) -> dict[str, Any]:
    beam = op.startswith("beam")
    chances: list[tuple[float, str, list[Any]]] = [
        (0.6, "channelId", [info.bank, info.bank, "chan", "", None]),
        (0.08, "source", [*SOURCES, ""]),
        (0.02, "topic", [*SOURCES]),
        (0.06, "authorId", [*AUTHORS, ""]),
        (0.04, "authorType", ["agent"]),
        (0.05, "fromDate", ["2026-02-15", "2026-02-28", ""]),
        (0.05, "toDate", ["2026-02-25", "2026-03-01", ""]),
        (0.04, "includeWorking", [False, True]),
        (0.06, "queryTime", ["2026-02-10", "2026-02-20T10:00:00Z", "2026-01-01T00:00:00", "2026-02-20T10:00:00+02:00"]),
        (0.01, "queryTime", ["soon", "2026-02-30T99:00:00Z", "2026-13-01"]),
        (0.06, "temporalWeight", [0, 0.2, 1, -1]),
        (0.04, "temporalHalflife", [1, 500, 0]),
        (0.05, "vecWeight", [0, 0.9, -1, rng.random()]),
        (0.05, "ftsWeight", [0, 0.1, rng.random()]),
        (0.05, "importanceWeight", [0, 1, rng.random()]),
        (0.05, "contentPreviewChars", [0, 1, 10, 40]),
        (0.5 if info.width else 0.03, "queryEmbedding", [_vector(rng, info)]),
    ]  # fmt: skip
    if op.endswith("Enhanced"):
        chances.append((0.75, "includeFacts", [True, True, True, False]))
    if beam:
        chances += _BEAM
    return {name: rng.choice(values) for chance, name, values in chances if rng.random() < chance}


# Options that the facade drops and the level below honours.
_BEAM: list[tuple[float, str, list[Any]]] = [
    (0.25, "useSynonyms", [False, True]),
    (0.3, "useIntent", [False, True]),
    (0.3, "useMmr", [False, True]),
    (0.25, "mmrLambda", [0, 0.3, 0.9, 1]),
    (0.1, "veracity", ["stated", "tool"]),
    (0.1, "memoryType", ["fact"]),
    (0.1, "ignoreSessionScope", [True]),
    (0.1, "currentSensitive", [True, False]),
    (0.1, "updateRecallCounts", [False]),
]


def _vector(rng: Random, info: BankInfo) -> list[float] | None:
    width = info.width or 4
    if rng.random() < 0.1:
        return rng.choice([None, [], [0.0] * width, [1.0] * (width + 2), [0.5]])
    return [round(rng.uniform(-1, 1), 4) for _ in range(width)]
