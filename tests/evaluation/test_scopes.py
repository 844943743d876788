"""Scopes under evaluation: sent to other processes with what they were opened with, or refused."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest

from memlab import Case, Cases, MnemopiScope, R, evaluate, sweep
from memlab.errors import InputError
from memlab.mnemopi.engine import Engine
from memlab.sample import sample_world
from tests.parity.engine import engine

QUEUE = Case("q", "which message queue do dispatch assignments go through?", {"dis-015": 1})
CASES = Cases([QUEUE, Case("l", "how many parcels may a courier carry?", {"dis-010": 1})])


def scope(**more: Any) -> MnemopiScope:
    world = sample_world()
    return MnemopiScope(
        cwd=world.projects[0], mode=world.mode, bank=world.base, path=world.database, **more
    )


@pytest.fixture
def plain() -> Iterator[MnemopiScope]:
    with scope() as opened:
        yield opened


def lengths(texts: list[str]) -> list[list[float]]:
    return [[1.0, float(len(text))] for text in texts]


def swept(backend: MnemopiScope, now: str, **options: Any) -> pd.DataFrame:
    return sweep(
        backend, CASES, [R @ 8], cache=None, progress=False, now=now, limit=[2, 8], **options
    ).frame()


def test_processes_answer_the_same(plain: MnemopiScope, now: str) -> None:
    there = swept(plain, now, jobs=2, prefer="processes")
    pd.testing.assert_frame_equal(swept(plain, now), there)


def test_embedder_and_engine_go_along(now: str) -> None:
    sent = pickle.loads(pickle.dumps(scope(embedder=lengths, engine="omp")))
    assert sent.embedder is lengths
    assert sent.engine == "omp"
    assert {bank.engine for bank in sent.opened.values()} == {"omp"}
    assert {bank.embedder for bank in sent.opened.values()} == {lengths}


@pytest.mark.engine
def test_the_engine_answers_there_too(plain: MnemopiScope, now: str) -> None:
    engine()
    with scope(engine="omp") as real:
        first = real.recall(QUEUE.query, now=now)  # its process is not sent
        sent = pickle.loads(pickle.dumps(real))
        there = sent.recall(QUEUE.query, now=now)
        for bank in sent.opened.values():  # others of this process share them
            bank._leave_engine()
    assert there.backend.endswith("(real engine)")
    assert there.records == first.records == plain.recall(QUEUE.query, now=now).records


@pytest.mark.engine
def test_what_cannot_be_sent_is_refused(plain: MnemopiScope, now: str) -> None:
    engine()
    how: dict[str, Any] = {"jobs": 2, "prefer": "processes"}
    past = plain.as_of("2026-06-01")
    with pytest.raises(InputError, match=r"turned back in this process.*prefer='threads'"):
        swept(past, now, **how)
    with (
        Engine.start() as running,
        scope(engine=running) as real,
        pytest.raises(InputError, match=r"engine.*prefer='threads'"),
    ):
        swept(real, now, **how)


def test_the_past_keeps_its_clock(plain: MnemopiScope) -> None:
    past = plain.as_of("2026-06-01")
    run = evaluate(past, CASES, [R @ 8], progress=False)
    assert "now" not in run.options
    answer = past.recall(QUEUE.query)
    assert answer.now == past.time
    assert [hit.id for hit in run.answers["q"].hits] == list(answer.ids)
    assert "dis-015" not in answer.ids
