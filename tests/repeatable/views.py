"""Prints a digest of everything that memlab works out over the sample world, as JSON by name."""

from __future__ import annotations

import hashlib
import json
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

import memlab as ml
from memlab import R, nDCG
from memlab.sample import sample_world

WORLD = sample_world()
LOGS = WORLD.folder / "logs"
QUESTION = "which message queue do assignments go through?"
MOMENTS = re.compile(r'"(started|seconds)":("[^"]*"|[0-9.e-]+)')
"""When a run was made and how long it took; all else in its file must repeat."""

MEASURED = ("seconds", "latency_ms", "latency")
"""Columns that a clock fills."""


def text_of(value: object) -> str:
    """Return a value as text to the last digit."""
    if isinstance(value, pd.DataFrame):
        shown = value.drop(columns=[name for name in value.columns if name in MEASURED])
        return shown.reset_index().to_csv(index=False)
    return value if isinstance(value, str) else repr(value)


def banks() -> Iterator[tuple[str, object]]:
    """What single banks and their scope answer."""
    for name in WORLD.banks():
        with ml.Mnemopi(WORLD.bank(name)) as bank:
            recall = bank.recall(QUESTION, now=WORLD.now)
            yield f"{name}: memories", bank.memories().frame()
            yield f"{name}: facts", bank.facts().frame()
            yield f"{name}: recall", recall.frame()
            yield f"{name}: text", recall.text
            yield f"{name}: funnel", recall.funnel()
            ids = [memory.id for memory in bank.memories()][:5]
            yield f"{name}: explain", "\n".join(str(recall.explain(key)) for key in ids)
            yield f"{name}: polyphonic", ml.polyphonic_recall(bank, QUESTION, now=WORLD.now).frame()
            yield f"{name}: labelled", ml.self_labelled(bank).frame()
    with scope() as agent:
        cases = ml.Cases.load(WORLD.cases)
        yield "scope: recall", agent.recall(QUESTION, now=WORLD.now).frame()
        yield "scope: fallback", ml.fallback_report(agent, cases, now=WORLD.now).frame()
    yield "scopes", ml.scope_report(WORLD.projects, bank=WORLD.base, path=WORLD.database).frame()


def scope() -> ml.MnemopiScope:
    """The banks of the first project's agent."""
    return ml.MnemopiScope(
        cwd=WORLD.projects[0], mode=WORLD.mode, bank=WORLD.base, path=WORLD.database
    )


def conversations() -> Iterator[tuple[str, object]]:
    """What the logs give: entries, search, provenance, composed queries, replays."""
    logs = ml.SessionLogs(LOGS)
    yield "logs: entries", logs.entries()
    index = ml.SessionIndex.build(logs)
    for ranking in ("pify", "bm25"):
        yield f"logs: {ranking}", index.search(QUESTION, ranking=ranking).frame()
    with ml.Mnemopi(WORLD.bank(scope().scope.bank)) as bank:
        joined = ml.provenance(bank.memories(), logs)
        yield "logs: provenance", joined.frame()
        yield "logs: turns", joined.turns()
        talks = [talk for talk in logs if not talk.is_subagent][:3]
        for number, talk in enumerate(talks):
            salient = ml.salient_terms(bank)
            for strategy in ("agent", salient):
                asked = ml.compose_query(talk.conversation, 3, 200, strategy=strategy)
                yield f"talk {number}: {getattr(strategy, '__name__', strategy)}", asked.text
        yield "logs: replay", ml.replay(talks, bank, every="user-turn", as_of=True)
        yield "logs: feedback", ml.feedback_loop(talks[0].conversation, 3)
        yield "logs: tokens", ml.token_errors([memory.text for memory in bank.memories()])


def evaluations() -> Iterator[tuple[str, object]]:
    """What evaluation says of a scope and the controls."""
    measures = [nDCG @ 8, R @ 8]
    with scope() as agent, ml.Mnemopi(WORLD.bank(agent.scope.bank)) as bank:
        cases = ml.Cases.load(WORLD.cases).filter(bank=agent.scope.bank)
        before = ml.evaluate(agent, cases, measures, progress=False, now=WORLD.now, why=True)
        systems = [ml.Bm25(bank), ml.Lsa(bank), ml.Recent(bank), ml.Random(bank, seed=1)]
        runs = [ml.evaluate(system, cases, measures, progress=False) for system in systems]
        for run in [before, *runs]:
            yield f"run {run.label}: means", run.means()
            yield f"run {run.label}: cases", run.frame()
        found = ml.compare(before, runs[0])
        yield "comparison", found.frame()
        yield "comparison: cases", found.cases()
        yield "comparison: flips", found.flips()
        yield "queue", ml.label_queue(runs, depth=4).frame()
        grid = ml.sweep(bank, cases, measures, cache=None, progress=False, limit=[2, 8],
                        mmr_lambda=[0.5, 1.0], now=[WORLD.now])  # fmt: skip
        yield "sweep", grid.frame()
        yield "sweep: pareto", grid.pareto()
        yield "sweep: choice", grid.choose(folds=3).folds
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "run.jsonl"
            before.save(path)
            yield "run: saved", MOMENTS.sub("", path.read_text(encoding="utf-8"))


def main() -> None:
    """Print the digests."""
    digests = {
        name: hashlib.sha256(text_of(value).encode("utf-8", "surrogatepass")).hexdigest()
        for views in (banks, conversations, evaluations)
        for name, value in views()
    }
    sys.stdout.write(json.dumps(digests))


if __name__ == "__main__":
    main()
