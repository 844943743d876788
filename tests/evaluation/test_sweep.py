"""Sweeps: every setting asked once, kept by content, gone on with, on several processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import ParameterGrid

from memlab import Bm25, Case, Cases, Mnemopi, R, Recall, evaluate, nDCG, sweep
from memlab.errors import InputError, RecallRefused, RecallTimeout, UnknownOption
from memlab.evaluation import Sweep
from memlab.evaluation.fingerprint import fingerprint
from memlab.models import Conversation
from tests.evaluation.fakes import Fixed, memory

KEYS = [f"m{n}" for n in range(6)]
STORED = [memory(key) for key in KEYS]
CASES = Cases([Case("a", "one", {"m3": 1}), Case("b", "two", {"m1": 1}), Case("n", "none", {})])
TOLD = {"one": KEYS, "two": KEYS[:1]}


def fresh() -> Fixed:
    return Fixed(TOLD, STORED)


def test_every_combination(tmp_path: Path) -> None:
    grid = sweep(fresh(), CASES, [R @ 8], cache=tmp_path, limit=[1, 4, 6])
    wanted = pd.DataFrame({"limit": [1, 4, 6], "R@8": [0.0, 0.5, 0.5], "failed": [0, 0, 0]})
    pd.testing.assert_frame_equal(
        grid.frame(), wanted.astype({"limit": "Int64", "failed": "Int64"})
    )
    for setting, run in zip(grid.settings, grid.runs, strict=True):
        alone = evaluate(fresh(), CASES, [R @ 8], limit=setting["limit"])
        pd.testing.assert_frame_equal(run.frame(), alone.frame())
    assert (grid.asked, len(grid), grid.varied) == (9, 3, ("limit",))
    assert repr(grid).startswith("3 settings x 3 cases: limit (3); 9 recalls asked")
    assert grid[1].name == "limit=4"


def test_the_second_time_nothing_is_asked(tmp_path: Path) -> None:
    first = sweep(fresh(), CASES, [R @ 8], cache=tmp_path, limit=[1, 4])
    backend = fresh()
    again = sweep(backend, CASES, [R @ 8], cache=tmp_path, limit=[1, 4])
    assert (backend.asked, again.asked) == ([], 0)
    pd.testing.assert_frame_equal(again.frame(), first.frame())
    larger = sweep(backend, CASES, [R @ 8], cache=tmp_path, limit=[1, 4, 6])
    assert (backend.asked, larger.asked) == (["one", "two", "none"], 3)
    more = Cases([*CASES, Case("c", "three", {"m0": 1})])
    sweep(backend, more, [R @ 8], cache=tmp_path, limit=[1])
    assert backend.asked[3:] == ["three"]


def test_other_labels_are_not_asked_again(tmp_path: Path) -> None:
    sweep(fresh(), CASES, cache=tmp_path, limit=[1, 4])
    renamed = Cases([Case("x", "one", {"m0": 1}, "other")])
    backend = fresh()
    grid = sweep(backend, renamed, [R @ 8], cache=tmp_path, limit=[1, 4])
    assert backend.asked == []
    assert grid.frame()["R@8"].tolist() == [1.0, 1.0]


def test_what_changes_an_answer_is_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sweep(fresh(), CASES, cache=tmp_path, limit=[1])
    other_bank = Fixed(TOLD, [memory("m0", "another text")])
    assert sweep(other_bank, CASES, cache=tmp_path, limit=[1]).asked == 3
    other_keys = Cases(Case(c.id, c.query, c.relevant, keys="content") for c in CASES)
    assert sweep(fresh(), other_keys, cache=tmp_path, limit=[1]).asked == 3
    monkeypatch.setenv("MNEMOPI_ENHANCED_RECALL", "0")
    assert sweep(fresh(), CASES, cache=tmp_path, limit=[1]).asked == 3
    monkeypatch.delenv("MNEMOPI_ENHANCED_RECALL")
    from memlab.evaluation.sweeping import store

    monkeypatch.setattr(store, "code_digest", lambda: "another memlab")
    assert sweep(fresh(), CASES, cache=tmp_path, limit=[1]).asked == 3


def test_failures_are_not_kept(tmp_path: Path) -> None:
    broken = Fixed(TOLD | {"one": RecallTimeout("slow")}, STORED)  # type: ignore[dict-item]
    first = sweep(broken, CASES, [R @ 8], cache=tmp_path, limit=[4, 6])
    assert first.frame()["failed"].tolist() == [1, 1]
    with pytest.raises(InputError, match="2 settings have failed cases"):
        first.best()
    half = Sweep(first.settings, (first[0], evaluate(fresh(), CASES, [R @ 8], limit=6)))
    with pytest.raises(InputError, match="1 cases, such as 'a', failed with some settings"):
        half.choose(folds=2)
    mended = fresh()
    again = sweep(mended, CASES, [R @ 8], cache=tmp_path, limit=[4, 6])
    assert mended.asked == ["one", "one"]
    assert again.frame()["failed"].tolist() == [0, 0]


def test_a_damaged_cache_is_asked_anew(tmp_path: Path) -> None:
    first = sweep(fresh(), CASES, cache=tmp_path, limit=[1])
    (path,) = tmp_path.glob("*.jsonl")
    assert path.stat().st_mode & 0o077 == 0  # memories are nobody else's
    lines = path.read_bytes().strip().splitlines()
    path.write_bytes(b"nonsense\n" + lines[0] + b"\n" + lines[-1][:40])
    again = sweep(fresh(), CASES, cache=tmp_path, limit=[1])
    assert again.asked == 2
    pd.testing.assert_frame_equal(again.frame(), first.frame())
    assert sweep(fresh(), CASES, cache=tmp_path, limit=[1]).asked == 0


def test_the_usual_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMLAB_CACHE", str(tmp_path / "cache"))
    sweep(fresh(), CASES, limit=[1])
    assert len(list((tmp_path / "cache" / "sweeps").glob("*.jsonl"))) == 1
    sweep(fresh(), CASES, limit=[2], cache=None)
    assert len(list((tmp_path / "cache" / "sweeps").glob("*.jsonl"))) == 1


def test_grids(tmp_path: Path) -> None:
    from sklearn.model_selection import ParameterGrid

    grid = sweep(fresh(), CASES, grid=ParameterGrid({"limit": [1, 2]}), cache=None)
    assert [dict(setting) for setting in grid.settings] == [{"limit": 1}, {"limit": 2}]
    several = sweep(fresh(), CASES, grid=[{"limit": [1, 2]}, {}, {"limit": 2}], cache=None)
    assert [dict(setting) for setting in several.settings] == [{"limit": 1}, {"limit": 2}, {}]
    assert several.varied == ("limit",)
    with pytest.raises(InputError, match=r"limit=\[\] leaves nothing to try"):
        sweep(fresh(), CASES, limit=[])
    with pytest.raises(UnknownOption, match="no option 'colour'"):
        sweep(fresh(), CASES, cache=None, colour=["red", "blue"])


def test_numbers_of_numpy_are_numbers() -> None:
    """Ranges and arrays are lists of values, also as scikit-learn's grids hand them on."""
    told = Fixed({"q": ["x", "m1"]}, [memory("m1")])
    cases = [Case("1", "q", {"m1": 1})]
    wanted = sweep(told, cases, [R @ 8], cache=None, limit=[1, 2]).frame()
    for limit in (range(1, 3), np.arange(1, 3), list(np.arange(1, 3))):
        assert sweep(told, cases, [R @ 8], cache=None, limit=limit).frame().equals(wanted)
    grid = ParameterGrid({"limit": np.arange(1, 3)})
    assert sweep(told, cases, [R @ 8], cache=None, grid=grid).frame().equals(wanted)


def test_what_has_no_effect_is_refused(world_banks: dict[str, Mnemopi]) -> None:
    with pytest.raises(InputError, match="turns has no effect here: no case holds a conversation"):
        sweep(world_banks["team"], CASES, turns=[1, 3])


def test_all_refused() -> None:
    refused = Fixed(dict.fromkeys(["one", "two", "none"], RecallRefused("no")))
    with pytest.raises(RecallRefused, match="All 6 recalls were refused"):
        sweep(refused, CASES, cache=None, limit=[1, 2])


def test_an_own_strategy_cannot_be_kept(world_banks: dict[str, Mnemopi], now: str) -> None:
    cases = [Case("a", "backups at night", {"team-009": 1})]
    own = {"strategy": [lambda draft: draft.latest, "head"], "now": now}
    with pytest.raises(InputError, match="is no plain value|is a function of yours"):
        sweep(world_banks["team"], cases, cache=Path("unused"), **own)  # type: ignore[arg-type]


def test_composer_and_rendering_limits(
    world_banks: dict[str, Mnemopi], now: str, tmp_path: Path
) -> None:
    talk = Conversation.of(
        [{"role": "user", "text": "ERR_ZONE_4127"}, {"role": "assistant", "text": "Looking."},
         {"role": "user", "text": "what does it mean?"}]
    )  # fmt: skip
    cases = [Case("talk", relevant={"dis-004": 1}, conversation=talk)]
    bank = world_banks["team-dispatch-26o84yz56cokc"]
    grid = sweep(
        bank, cases, ["Success@8", "Tokens"], cache=tmp_path, now=now,
        turns=[1, 2], token_limit=[40, 0], strategy=["agent", "tail"],
    )  # fmt: skip
    assert len(grid) == 8
    found = grid.frame().groupby(["turns", "token_limit"])["Tokens"].max()
    assert found[2, 40] < 60 < found[2, 0]  # 40 tokens of the agent's, four units each
    for run in grid.runs:
        asked = run.answers["talk"].query
        assert asked.startswith("Prior context") == (run.options["turns"] == 2)
    again = sweep(
        bank, cases, ["Success@8", "Tokens"], cache=tmp_path, now=now,
        turns=[1, 2], token_limit=[40, 0], strategy=["agent", "tail"],
    )  # fmt: skip
    assert again.asked == 0
    pd.testing.assert_frame_equal(again.frame(), grid.frame())


def test_answers_are_shared_where_only_the_block_differs(
    world_banks: dict[str, Mnemopi], now: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    real = Mnemopi.recall

    def counted(self: Mnemopi, query: str, **options: Any) -> Any:
        calls.append(query)
        return real(self, query, **options)

    monkeypatch.setattr(Mnemopi, "recall", counted)
    cases = [Case(q, q, {"team-009": 1}) for q in ("backups", "commit messages")]
    sweep(world_banks["team"], cases, cache=None, now=now, limit=[4, 8], token_limit=[50, 100, 200])
    assert sorted(calls) == sorted(["backups", "commit messages"] * 2)


def test_a_kept_clock(world_banks: dict[str, Mnemopi], tmp_path: Path) -> None:
    """Without now, a second sweep is asked at the moment of the first, so that both compare."""
    cases = [Case("a", "backups", {"team-009": 1})]
    first = sweep(world_banks["team"], cases, cache=tmp_path, limit=[4, 8])
    time.sleep(0.01)
    larger = sweep(world_banks["team"], cases, cache=tmp_path, limit=[4, 8, 16])
    assert {setting["now"] for setting in larger.settings} == {first.settings[0]["now"]}
    assert larger.asked == 1


def test_threads() -> None:
    """Two recalls that wait for each other end only if both are asked at once."""
    gate = threading.Barrier(2, timeout=20)

    class Meeting(Fixed):
        def recall(self, query: str, **options: Any) -> Recall:
            gate.wait()
            return Fixed.recall(self, query, **options)

    grid = sweep(Meeting(TOLD, STORED), CASES[:1], [R @ 8], cache=None, jobs=2, limit=[1, 4])
    assert grid.frame()["R@8"].tolist() == [0.0, 1.0]


def small(banks: dict[str, Mnemopi], cases: Cases, **more: Any) -> pd.DataFrame:
    chosen = cases.filter(kind="labelled").sample(12, seed=2)
    grid = sweep(banks, chosen, [R @ 8, nDCG @ 8], cache=None, limit=[4, 8], **more)
    return grid.frame()


def test_processes(world_banks: dict[str, Mnemopi], world_cases: Cases, now: str) -> None:
    here = small(world_banks, world_cases, now=now)
    there = small(world_banks, world_cases, now=now, jobs=2, prefer="processes")
    pd.testing.assert_frame_equal(here, there)


def test_what_cannot_be_sent(world_banks: dict[str, Mnemopi], tmp_path: Path) -> None:
    class Held(Fixed):
        def __init__(self) -> None:
            super().__init__(TOLD, STORED)
            self.lock = threading.Lock()

    with pytest.raises(InputError, match="cannot be sent to another process .* prefer='threads'"):
        sweep(Held(), CASES, cache=None, limit=[1, 2], jobs=2, prefer="processes")
    copy = world_banks["team"].copy(tmp_path / "copy.db")
    with Mnemopi(tmp_path / "copy.db") as bank:
        copy.retain(["A new memory."])
        with pytest.raises(InputError, match=r"has changed since it was opened.*bank.refresh\(\)"):
            sweep(bank, CASES, cache=None, limit=[1, 2], jobs=2, prefer="processes")
    copy.close()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[None]:
    """Two workers on this machine, and joblib told to use them."""
    distributed = pytest.importorskip("distributed")
    import joblib

    local = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0",
        local_directory=str(tmp_path), host="127.0.0.1",
    )  # fmt: skip
    with local, distributed.Client(local), joblib.parallel_config(backend="dask"):
        yield


def test_a_cluster(
    cluster: None, world_banks: dict[str, Mnemopi], world_cases: Cases, now: str
) -> None:
    there = small(world_banks, world_cases, now=now)
    controls = {name: Bm25(bank.memories(now=now)) for name, bank in world_banks.items()}
    chosen = world_cases.filter(kind="labelled").sample(12, seed=2)
    sent = sweep(controls, chosen, [R @ 8], cache=None, limit=[2, 8]).frame()
    import joblib

    with joblib.parallel_config(backend="sequential"):
        pd.testing.assert_frame_equal(small(world_banks, world_cases, now=now), there)
        alone = sweep(controls, chosen, [R @ 8], cache=None, limit=[2, 8]).frame()
    pd.testing.assert_frame_equal(alone, sent)


KILLED = """
import sys
sys.path.insert(0, sys.argv[1])
import time
from memlab import Cases, Mnemopi, R, nDCG, sweep
from tests.evaluation.conftest import DATA, NOW, open_world

real = Mnemopi.recall
def slow(self, query, **options):
    time.sleep(0.02)
    return real(self, query, **options)
Mnemopi.recall = slow
cases = Cases.load(DATA / "cases" / "world.jsonl").filter(kind="labelled").sample(20, seed=1)
sweep(open_world(), cases, [R @ 8, nDCG @ 8], cache=sys.argv[2], now=NOW, limit=[2, 4, 8, 16])
"""


def test_a_killed_sweep_ends_with_the_same_frame(
    world_banks: dict[str, Mnemopi], world_cases: Cases, now: str, tmp_path: Path
) -> None:
    folder, root = tmp_path / "cache", str(Path(__file__).parents[2])
    process = subprocess.Popen([sys.executable, "-c", KILLED, root, str(folder)])

    def kept() -> int:
        return sum(path.read_bytes().count(b'{"key"') for path in folder.glob("*.jsonl"))

    end = time.monotonic() + 60
    while time.monotonic() < end and kept() < 25:
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait(30)
    done = kept()
    assert 25 <= done < 80
    cases = world_cases.filter(kind="labelled").sample(20, seed=1)
    options: dict[str, Any] = {"now": now, "limit": [2, 4, 8, 16]}
    resumed = sweep(world_banks, cases, [R @ 8, nDCG @ 8], cache=folder, **options)
    assert resumed.asked in (80 - done, 80 - done + 1)
    whole = sweep(world_banks, cases, [R @ 8, nDCG @ 8], cache=None, **options)
    pd.testing.assert_frame_equal(resumed.frame(), whole.frame())
    assert [run.answers for run in resumed.runs] == [run.answers for run in whole.runs]


@pytest.mark.parametrize(
    "change",
    [{"text": "other"}, {"tags": ("project:b",)}, {"type": "world"}, {"metadata": {"a": 1}},
     {"state": "expired"}, {"time": datetime(2026, 1, 2, tzinfo=UTC)}],
)  # fmt: skip
def test_what_a_recall_can_be_asked_for_is_content(change: dict[str, Any]) -> None:
    """Answers kept for a bank must not be given for one whose tags have changed since."""
    one = memory("m1")
    assert fingerprint(Fixed({}, [one])) == fingerprint(Fixed({"q": ["m1"]}, [one]))
    assert fingerprint(Fixed({}, [replace(one, **change)])) != fingerprint(Fixed({}, [one]))
