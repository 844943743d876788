"""The golden answers, and how a request to the engine is put to memlab."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from memlab.mnemopi.options import RecallOptions
from memlab.mnemopi.pipeline import prepare, run_recall
from memlab.mnemopi.snapshot import Snapshot

GOLDEN = Path(__file__).parent / "golden"

# Options that every call of the engine honours, under both of their spellings.
_OPTIONS = {
    "authorId": "author_id",
    "authorType": "author_type",
    "channelId": "channel",
    "contentPreviewChars": "preview_chars",
    "fromDate": "from_date",
    "ftsWeight": "fts_weight",
    "importanceWeight": "importance_weight",
    "includeFacts": "include_facts",
    "includeWorking": "include_working",
    "queryEmbedding": "query_vector",
    "queryTime": "query_time",
    "temporalHalflife": "temporal_halflife",
    "temporalWeight": "temporal_weight",
    "toDate": "to_date",
    "vecWeight": "vec_weight",
}
_SAME = ("source", "topic")
# Options that the engine's outer calls drop without a word.
_INNER = {
    "currentSensitive": "current_sensitive",
    "ignoreSessionScope": "any_session",
    "memoryType": "memory_type",
    "mmrLambda": "mmr_lambda",
    "useIntent": "intent",
    "useMmr": "mmr",
    "useSynonyms": "synonyms",
    "veracity": "veracity",
}
_MODES = {"recall": "plain", "beamRecall": "plain", "factRecall": "facts"}
_LIMITS = {"recall": 5, "recallEnhanced": 5, "factRecall": 30}


def lines(name: str) -> list[dict[str, Any]]:
    """The lines of a golden file. Split at newlines only: texts hold other separators."""
    text = (GOLDEN / name).read_text("utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


@cache
def snapshot(path: Path) -> Snapshot:
    return Snapshot(path)


def options_of(request: dict[str, Any]) -> RecallOptions:
    """Translate a request to the engine into memlab's options."""
    op, args = request["op"], request["args"]
    known = {**_OPTIONS, **{snake: snake for snake in _OPTIONS.values()}}
    known |= {name: name for name in _SAME}
    if op.startswith("beam"):
        known |= _INNER
    # To the engine null is "not set"; memlab's channel would be the session then.
    asked = {k: v for k, v in (args.get("options") or {}).items() if v is not None}
    given = {known[k]: v for k, v in asked.items() if k in known}
    mode = _MODES.get(op, "enhanced")
    base: dict[str, Any] = {
        "mode": mode,
        "limit": args.get("topK", _LIMITS.get(op, 40)),
        "now": request["now"],
        "session": request.get("session") or request["bank"],
        "channel": "",
    }
    if mode == "enhanced":
        base["include_facts"] = False
    return RecallOptions.of({**base, **given})


def answer(request: dict[str, Any], bank: Snapshot) -> list[dict[str, Any]]:
    """What memlab answers to a request of the engine, as the engine's records."""
    query = prepare(request["args"]["query"], options_of(request), request["bank"])
    return [record.fields for record in run_recall(bank, query).final]
