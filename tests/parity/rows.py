"""Random rows of a bank: mostly what an agent writes, some of what only an import could."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from tests.parity.words import FEW, MANY, SCRIPTS, long_text, text

__all__ = [
    "EMBEDDING",
    "EPISODIC",
    "FACT",
    "NOW",
    "WORKING",
    "Shape",
    "embedding",
    "episodic",
    "fact",
    "insert",
    "working",
]

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
OTHERS = ("other", "side")
SOURCES = ("user", "tool", "coding-agent-retain", "conversation")
AUTHORS = ("ada", "bo")

_SHARED = (
    "id", "content", "source", "timestamp", "session_id", "importance", "metadata_json", "veracity",
    "memory_type", "recall_count", "last_recalled", "valid_until", "superseded_by", "scope",
    "author_id", "author_type", "channel_id", "event_date", "event_date_precision", "temporal_tags",
)  # fmt: skip
WORKING = ("working_memory", (*_SHARED, "embed_text"))
EPISODIC = ("episodic_memory", (*_SHARED, "summary_of", "tier"))
FACT = (
    "facts",
    (
        "fact_id",
        "session_id",
        "subject",
        "predicate",
        "object",
        "timestamp",
        "source_msg_id",
        "confidence",
    ),
)
EMBEDDING = ("memory_embeddings", ("memory_id", "embedding_json", "model"))


def insert(table: tuple[str, tuple[str, ...]]) -> str:
    """The statement that writes one row."""
    name, columns = table
    return f"INSERT INTO {name}({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"


@dataclass(frozen=True)
class Shape:
    """What a kind of bank is made of: rows per table, width of its vectors, how odd, how equal.

    ``strange``: some values are of types and forms that nothing of an agent writes.
    """

    working: int
    episodic: int
    facts: int
    width: int = 0
    odd: float = 0.05
    words: tuple[str, ...] = MANY
    ties: bool = False
    strange: bool = False


def _moment(rng: Random, shape: Shape) -> str | None:
    if shape.ties:
        return rng.choice(["2026-02-28T00:00:00.000Z", "2026-02-20T00:00:00.000Z", None])
    if rng.random() < shape.odd:
        return rng.choice(
            [None, "", "2026-02-27", "2026-02-26 09:30:00", "2026-02-25T10:00:00+02:00",
             "2026-02-25T10:00:00+0530", "2026-02-30", "2026-02-24T24:00:00Z", "2026-13-01", "2026-02",
             "2026-02-23T10:00:00.123456Z", "soon", "2026-03-02T08:00:00.000Z", "2031-01-01T00:00:00.000Z"]
        )  # fmt: skip
    days = rng.choice([1, 3, 20, 400]) * rng.random()
    return _iso(NOW - timedelta(days=days))


def _iso(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _content(rng: Random, shape: Shape) -> str:
    chance = rng.random()
    if shape.ties:
        return text(rng, shape.words, 1, 3)
    if chance < 0.05:
        return long_text(rng, shape.words)
    if chance < 0.05 + shape.odd / 4:
        return rng.choice(
            ["", " ", "?!", "deploy " * 6, "a\x00b deploy", "<b>deploy</b>", "\ufeffserver"]
        )
    return text(rng, shape.words, 1, 18)


def _importance(rng: Random, shape: Shape) -> float | str | None:
    if rng.random() < shape.odd:
        return rng.choice([None, 0, 1, -0.5, 3, "0.75", "high", 1e-9])
    return rng.choice([0.5, 0.5, 0.6]) if shape.ties else round(rng.random(), 2)


def _veracity(rng: Random, shape: Shape) -> str | None:
    if rng.random() < shape.odd:
        return rng.choice([None, "", "certain", "STATED", " stated", "likely_true", "contested"])
    return rng.choice(
        ["stated", "unknown", "tool", "tool", "inferred", "imported", "false", "true"]
    )


def _until(rng: Random) -> str | None:
    if rng.random() < 0.88:
        return None
    return rng.choice(
        ["2026-02-01T00:00:00.000Z", "2026-03-01T12:00:00.000Z", "2026-03-05T00:00:00.000Z",
         "2026-03-01", "2026-03-01 23:00:00", "", "2026-03-31T00:00:00.000Z"]
    )  # fmt: skip


def _shared(rng: Random, shape: Shape, bank: str, name: str) -> dict[str, Any]:
    recalled = rng.random() < 0.1
    return {
        "id": name,
        "content": _content(rng, shape),
        "source": rng.choice([*SOURCES, *SOURCES, None, ""]),
        "timestamp": _moment(rng, shape),
        "session_id": bank if rng.random() < 0.8 else rng.choice([*OTHERS, None, ""]),
        "importance": _importance(rng, shape),
        "metadata_json": rng.choice(
            [None, "{}", '{"cwd": "/home/ada/heron", "tags": ["a"]}', "not json"]
        ),
        "veracity": _veracity(rng, shape),
        "memory_type": rng.choice(["fact", "unknown", "episode", None]),
        "recall_count": rng.choice([1, 7, None]) if recalled else 0,
        "last_recalled": "2026-02-27T08:00:00.000Z" if recalled else None,
        "valid_until": _until(rng),
        "superseded_by": rng.choice(["elsewhere", ""]) if rng.random() < 0.06 else None,
        "scope": rng.choice(["bank", "bank", "session", "global", "GLOBAL", None]),
        "author_id": rng.choice([None, None, *AUTHORS]),
        "author_type": rng.choice([None, "agent"]),
        "channel_id": rng.choice([bank, "chan", None, ""]),
        "event_date": rng.choice(["2026-02-21", "2026-02-28", "soon"])
        if rng.random() < 0.1
        else None,
        "event_date_precision": rng.choice(["unknown", "day", None]),
        "temporal_tags": rng.choice(["[]", '["march"]', None]),
    }


def working(rng: Random, shape: Shape, bank: str, number: int) -> list[Any]:
    """One row of working memory; its id is random, so that id order is not row order."""
    row = _shared(rng, shape, bank, f"w{rng.randrange(16**6):06x}-{number}")
    own = text(rng, shape.words, 1, 6) if rng.random() < 0.1 else None
    row["embed_text"] = "" if rng.random() < shape.odd / 4 else own
    return [row[column] for column in WORKING[1]]


def episodic(rng: Random, shape: Shape, bank: str, number: int, sources: list[str]) -> list[Any]:
    """One row of episodic memory, perhaps a summary of working rows."""
    row = _shared(rng, shape, bank, f"e{rng.randrange(16**6):06x}-{number}")
    chosen = rng.choices(sources, k=rng.randint(1, 3)) if sources else ["gone"]
    row["summary_of"] = rng.choice(["", "", ",".join(chosen), f" {chosen[0]} ,, gone"])
    row["tier"] = (
        rng.choice([1, 1, 1, 2, 3])
        if rng.random() > shape.odd
        else rng.choice([None, 0, 4, "2", "x"])
    )
    return [row[column] for column in EPISODIC[1]]


def fact(rng: Random, shape: Shape, bank: str, number: int, sources: list[str]) -> list[Any]:
    """One fact about the words of the bank."""
    word = rng.choice(shape.words)
    confidence: Any = rng.choice([0.5, 0.55, 0.6, 0.7])
    if rng.random() < shape.odd:
        confidence = rng.choice([None, 0, 2, "0.9", "sure"])
    return [
        f"k{rng.randrange(16**4):04x}-{number}",
        bank if rng.random() < 0.85 else rng.choice(OTHERS),
        rng.choice(["fact", word, text(rng, shape.words, 1, 3), "", "Entity "]),
        rng.choice(["entity", "is", "metric", "version", "uses", "fact", ""]),
        rng.choice(["", " "]) if rng.random() < shape.odd else text(rng, shape.words, 1, 6),
        _moment(rng, shape),
        rng.choice(sources) if sources else None,
        confidence,
    ]


def embedding(rng: Random, shape: Shape, name: str) -> list[Any]:
    """One stored vector; some of them are of no use."""
    vector: list[Any] = [round(rng.uniform(-1, 1), 4) for _ in range(shape.width)]
    stored = json.dumps(vector)
    if rng.random() < shape.odd:
        broken: list[list[Any]] = [
            vector[:-2],
            [*vector, 0.5],
            [0] * shape.width,
            [],
            [None, *vector[1:]],
        ]
        texts = [["0.5", *vector[1:]], [True, *vector[1:]], ["x", *vector[1:]], [1e30, *vector[1:]]]
        stored = rng.choice(
            [*(json.dumps(choice) for choice in broken + texts), "", "{}", "no json"]
        )
    return [name, stored, rng.choice(["lab", "lab", "old-model", None])]


SCRIPT_WORDS = SCRIPTS + tuple(MANY[:40])
SHAPES = {
    "common": Shape(80, 30, 30),
    "ties": Shape(120, 40, 30, words=FEW, ties=True),
    "vectors": Shape(120, 60, 30, width=6),
    "odd": Shape(60, 40, 30, width=4, odd=0.4),
    "strange": Shape(70, 40, 40, width=4, strange=True),
    "polyglot": Shape(70, 30, 20, words=SCRIPT_WORDS),
    "wide": Shape(700, 60, 120),
    "deep": Shape(90, 620, 60, width=5),
    "tiny": Shape(6, 2, 3, words=FEW + MANY[:20]),
    "many-ties": Shape(700, 560, 120, width=3, words=FEW, ties=True),
}
