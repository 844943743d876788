"""What explain and funnel say about the golden recalls is what these recalls did."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from memlab.mnemopi.explaining import explain, funnel
from memlab.mnemopi.options import RecallOptions
from memlab.mnemopi.pipeline import Run, prepare, run_recall
from tests.golden_data import GOLDEN, lines, options_of, snapshot

LINES = [
    line for line in lines("recall.jsonl") if line["ok"] and line["request"]["op"] != "factRecall"
]
CHOSEN = ("outranked", "cut by the limit", "replaced by MMR", "beaten by facts")
ASKED = 8


def _run(line: dict[str, Any], **changes: Any) -> Run:
    request = line["request"]
    options = options_of(request)
    if changes:
        options = RecallOptions.of({**options.model_dump(exclude_unset=True), **changes})
    query = prepare(request["args"]["query"], options, request["bank"])
    return run_recall(snapshot(GOLDEN / line["db"]), query)


def _visible(run: Run, line: dict[str, Any]) -> set[str]:
    bank = snapshot(GOLDEN / line["db"])
    where = run.query.where
    found: set[str] = set()
    for table in ("working_memory", "episodic_memory"):
        if table == "working_memory" and not run.query.options.include_working:
            continue
        rows = bank.rows(f"SELECT id FROM {table} WHERE {where.sql}", where.params)
        found |= {row["id"] for row in rows}
    return found


def _check(run: Run, line: dict[str, Any], key: str, seen: set[str]) -> str:
    answer = explain(run, snapshot(GOLDEN / line["db"]), key)
    passed = {s.candidate.key[1]: s.passed for s in run.scored}
    unhidden = {record.key[1] for record in run.unhidden}
    final = [record.key[1] for record in run.final]
    stage = answer.stage
    if run.query.options.limit <= 0:
        assert stage == "cut by the limit"
        return stage
    assert (stage == "returned") == (key in final)
    assert (stage == "not visible") == (key not in seen)
    assert (stage == "not matched") == (key in seen and key not in passed)
    assert (stage == "below the threshold") == (key in passed and not passed[key])
    assert (stage == "hidden by its sources") == (bool(passed.get(key)) and key not in unhidden)
    if answer.found:
        assert answer.rank == final.index(key) + 1
    if stage == "beaten by facts":
        assert key in {record.key[1] for record in _run(line, include_facts=False).final}
    if stage == "not matched" and line["db"] == "heron.db":
        _check_words(answer.details, run, line, key)
    return stage


def _check_words(details: Any, run: Run, line: dict[str, Any], key: str) -> None:
    """The words that the text is said to lack are not in it, told by another tokenizer."""
    bank = snapshot(GOLDEN / line["db"])
    rows = bank.rows("SELECT content, embed_text FROM working_memory WHERE id = ?", (key,)) or (
        bank.rows("SELECT content, NULL AS embed_text FROM episodic_memory WHERE id = ?", (key,))
    )
    text = rows[0]["embed_text"] or rows[0]["content"]
    words = set(re.findall(r"[a-z0-9]+", text.lower()))
    plain = [term for term in details["asked"] if re.fullmatch(r"[a-z0-9]+", term)]
    assert [term for term in plain if term in words] == [t for t in details["holds"] if t in plain]


@pytest.mark.parametrize("line", LINES, ids=lambda line: line["id"])
def test_every_answer_is_what_happened(line: dict[str, Any], seed: int) -> None:
    run = _run(line)
    bank = snapshot(GOLDEN / line["db"])
    ids = [str(row["id"]) for _, rows in bank.tiers() for row in rows]
    relevant = [record.key[1] for record in run.ranked]
    rng = Random(f"{seed} {line['id']}")
    chosen = [r.key[1] for r in run.final if r.key[0] != "fact"]
    asked = dict.fromkeys(
        [*chosen[:2], *rng.sample(relevant, min(ASKED, len(relevant))), *rng.sample(ids, 4)]
    )
    seen = _visible(run, line)
    for key in asked:
        _check(run, line, key, seen)
    frame = funnel(run, bank)
    if run.query.options.limit > 0 and run.query.options.mode != "facts":
        assert list(frame["total"][-1:]) == [len(run.final)]
        counted = frame.set_index("stage")
        memories = counted["working"] + counted["episodic"]
        assert memories["visible"] == len(seen)
        assert memories["matched"] == len(run.scored)
        assert memories["relevant"] == len(relevant)
        assert memories.is_monotonic_decreasing


def test_the_golden_recalls_show_every_stage() -> None:
    """Over all lines and memories of one bank each stage occurs, so that the test above tests it."""
    stages: set[str] = set()
    for line in LINES:
        run = _run(line)
        seen = _visible(run, line)
        for record in run.ranked[:40]:
            stages.add(_check(run, line, record.key[1], seen))
        if len(stages) >= 6:
            break
    assert {"returned", "hidden by its sources", "replaced by MMR"} <= stages
    assert stages & {"outranked", "beaten by facts"}
