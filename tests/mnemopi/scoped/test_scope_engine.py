"""``engine="omp"`` for a scope: the real engine recalls from every bank."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memlab import MnemopiScope
from memlab.errors import EngineMissing, InputError
from memlab.mnemopi.engine import Engine
from tests.mnemopi.scoped.places import CWD, NOW, digests, lay_out
from tests.parity.engine import engine


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    return lay_out(tmp_path / "agent")


def scope(shared: Path, **more: object) -> MnemopiScope:
    return MnemopiScope(
        cwd=CWD, mode="per-project-tagged", bank="team", path=shared, **more  # type: ignore[arg-type]
    )  # fmt: skip


@pytest.mark.engine
def test_it_answers_as_memlab_does(shared: Path) -> None:
    engine()
    before = digests(shared.parent)
    with scope(shared, engine="omp") as real, scope(shared) as ours:
        for query in ("deploy", "otter api commit messages", "who decides yesterday?", "zzzz"):
            for options in ({}, {"limit": 2}, {"mmr_lambda": 0.2, "include_facts": False}):
                got = real.recall(query, now=NOW, **options)
                wanted = ours.recall(query, now=NOW, **options)
                assert got.records == wanted.records, query
                assert (got.fallback, got.options) == (wanted.fallback, wanted.options)
                assert got.backend == f"{wanted.backend} (real engine)"
                assert [part.backend[-13:] for _, part in got.parts] == ["(real engine)"] * len(
                    wanted.parts
                )
        with pytest.raises(InputError, match="answered by the real engine"):
            real.recall("deploy", now=NOW).explain("s0005")
    assert digests(shared.parent) == before


@pytest.mark.engine
def test_one_process_answers_for_all_and_ends_with_the_scope(shared: Path) -> None:
    engine()
    backend = scope(shared, engine="omp")
    first = backend.recall("deploy", now=NOW)
    assert backend.recall("deploy", now=NOW).records == first.records  # nothing was counted
    reals = [bank._real for bank in backend.opened.values()]
    processes = {real._given.pid for real in reals if real and real._given}
    del reals
    (pid,) = processes
    assert pid is not None
    assert is_running(pid)
    backend.close()
    assert not is_running(pid)


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.engine
def test_the_past_and_a_running_engine(shared: Path) -> None:
    engine()
    with Engine.start() as running:
        past = scope(shared, engine=running).as_of("2026-02-01")
        ours = scope(shared).as_of("2026-02-01")
        got, wanted = past.recall("otter api deploy"), ours.recall("otter api deploy")
        assert got.records == wanted.records
        past.close()
        assert running.version()["mnemopi"]


@pytest.mark.engine
def test_what_it_cannot_do_is_refused(shared: Path) -> None:
    engine()
    with (
        scope(shared, engine="omp") as backend,
        pytest.raises(InputError, match="no option for recency_hours"),
    ):
        backend.recall("deploy", now=NOW, recency_hours=24.0)
    with pytest.raises(InputError, match="engine='fast'"):
        scope(shared, engine="fast")


def test_without_the_engine_the_way_to_it_is_said(
    shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is no failure of the banks, which would be noted beside an empty answer."""
    monkeypatch.setenv("MEMLAB_CACHE", str(tmp_path))
    with pytest.raises(EngineMissing, match="memlab engine install"):
        scope(shared, engine="omp").recall("deploy")
