"""Values that no agent writes and that SQLite keeps all the same: other types, odd forms, odd texts.

spoil(rng, table, row) puts some of them into a row. Left out is only what has no determined
answer: dates that are no ISO forms, vectors that overflow, and words like "constructor" for a
veracity.
"""

from __future__ import annotations

from random import Random
from typing import Any

__all__ = ["spoil"]


def _bytes(value: bytes) -> dict[str, str]:
    return {"$hex": value.hex()}


_NUMBERS = (
    None, "", " .5 ", "0x10", "0b1", "1_0", "٣", "1e400", "-1e400", "Infinity", "NaN", "1e5", "high",
    "9" * 400, "0x" + "f" * 300, -1, 0, 2, 9, 1e6, 1e15, 1e21, 1e100, 1e308, -1e308, 1e-9, 5e-324,
    _bytes(b""), _bytes(b"\x00"), _bytes(b"\x05"), _bytes(b"\xff"), _bytes(b"5"), _bytes(b"\x01\x02"),
)  # fmt: skip
_TIMES = (
    None, "", " ", "soon", "today", "10:00", "2026", "2026-02", "2026-2-3", "2026-02-00", "2026-00-10",
    "2026-02-25T10:00", "2026-02-25T10:00Z", "2026-02-25T10Z", "2026-02-25t10:00:00z",
    "2026-02-25T10:00:00.1Z", "2026-02-25T10:00:00.123456789Z", "2026-02-24T24:00",
    "2026-02-24T24:00:01Z", "2026-02-24T23:59:60Z", "2026-02-25T10:00:00+23:59",
    "2026-02-25T10:00:00+24:00", "2026-02-25T10:00:00-00:00", "2026-02-25 10:00:00+01:00",
    "-000001-01-01T00:00:00Z", "+012026-02-25T10:00:00Z", "9999-12-31T23:59:59.999Z",
    "+275760-09-13T00:00:00.000Z", "+275760-09-13T00:00:00.001Z", "２０２６-02-25",
    "Feb 25 2026", "1772000000000", 1772000000000, _bytes(b"2026-02-25"), _bytes(b""),
)  # fmt: skip
_WORDS = (
    None, "", "stated", "STATED", "weird", " stated", "stated ", "contested", '"', "é", "a\x00b", 0, 1.5,
    _bytes(b"stated"),
)  # fmt: skip
_JSON = (
    None, "", "{}", "[]", "null", "not json", '{"a":NaN}', '{"a":', '{"tags":"x"}', '"x"', 5,
    '{"tags":[1,null,{"a":1}]}', _bytes(b"{}"),
)  # fmt: skip
_TEXTS = (
    "", " ", "a\x00b deploy", "deploy\x00", "cafe\u0301 deploy", "\u202edeploy\u202c server", "עברית deploy",
    "🚀 deploy 🚀", "👩‍💻" * 200, "数据库 データベース server", "deploy" * 400, "x" * 2000 + " deploy",
    '"deploy" OR NEAR(server)', "{deploy} : server*", "deploy server " * 100, 5, 3.5, "İ deploy server",
    "ΟΔΟΣ οδος deploy", "ﬁle deploy", "ǆ ß ẞ deploy", "deploy\u0085server", "\ufeffdeploy",
    "de\xadploy server", "a" * 498 + "🚀🚀 deploy", "deploy\u0345 server", "\u212a deploy ſerver",
    "1.5 deploy ½ Ⅷ ٣", "was old legacy deploy now", _bytes(b"deploy server"), _bytes(b"\xff\xfe"),
)  # fmt: skip
_ENDS = (
    None, "", "2026-03-01", "2026-03-01T12:00:00.001Z", "2026-03-01T13:00:00+02:00", "9", "never",
    "+012026-01-01", 0, 1772000000000, 9e99, _bytes(b""), _bytes(b"2027"),
)  # fmt: skip
_TIERS = (None, 0, 2, 2.5, -1, "2", " 2 ", "0x2", "x", _bytes(b"\x02"), _bytes(b""))
_COUNTS = (None, -3, 1.5, "7", "many", 1e300, _bytes(b"\x07"), _bytes(b""))
_SOURCES = (None, "", ",,,", 5, " gone ", "\u3000gone\u3000", _bytes(b""))
_VECTORS = (
    "", "{}", "null", "[]", "[null]", "[NaN]", "[1e999,1]", "[1e-200,1e-200]", "[[1],2]", "[[],1]",
    "[[1,2],1]", '[" 1 ",true]', '["",1]', "[1,2", " [1,2] ", "\ufeff[1,2]", "[1,2]x", '["0x10",1]',
    '[[["3"]],1]', '[{"a":1},1]', '["Infinity",1]', "[1,]", "[01,1]", "5", "[1e5, 1E-5]",
)  # fmt: skip
_OFTEN: dict[str, tuple[Any, ...]] = {
    "importance": _NUMBERS, "confidence": _NUMBERS, "timestamp": _TIMES, "event_date": _TIMES,
    "last_recalled": _TIMES, "veracity": _WORDS, "source": _WORDS, "memory_type": _WORDS,
    "channel_id": _WORDS, "author_id": _WORDS, "metadata_json": _JSON, "temporal_tags": _JSON,
    "subject": (*_TEXTS, *_WORDS[1:]), "predicate": (*_TEXTS, *_WORDS[1:]),
    "object": (*_TEXTS, *_WORDS[1:]), "summary_of": _SOURCES, "tier": _TIERS,
    "recall_count": _COUNTS, "embedding_json": _VECTORS,
}  # fmt: skip
_SELDOM: dict[str, tuple[Any, ...]] = {
    "content": _TEXTS,
    "embed_text": _TEXTS,
    "valid_until": _ENDS,
    "superseded_by": ("", 0, _bytes(b"")),
    "scope": (None, "", "GLOBAL", 0, _bytes(b"global")),
}


def spoil(rng: Random, table: tuple[str, tuple[str, ...]], row: list[Any]) -> list[Any]:
    """Return the row with some values replaced; ids and sessions stay."""
    spoilt = []
    for column, value in zip(table[1], row, strict=True):
        chance = rng.random()
        if column in _OFTEN and chance < 0.2:
            spoilt.append(rng.choice(_OFTEN[column]))
        elif column in _SELDOM and chance < 0.05:
            spoilt.append(rng.choice(_SELDOM[column]))
        else:
            spoilt.append(value)
    return spoilt
