"""The comparison with the real engine: it agrees, and it says where something does not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from click.testing import CliRunner

import memlab.mnemopi.scoring
from memlab import Mnemopi, build_bank
from memlab.cli import cli
from memlab.errors import EngineMissing, InputError
from memlab.mnemopi.verifying import own_queries, verify
from tests.golden_data import GOLDEN
from tests.parity.engine import engine

NOW = "2026-03-01T12:00:00.000Z"
pytestmark = pytest.mark.engine
WORLD = Path(__file__).parents[3] / "data"


@pytest.mark.parametrize("name", ["heron", "marsh", "polyglot"])
def test_the_golden_banks_agree(name: str, seed: int) -> None:
    found = verify(
        Mnemopi(GOLDEN / f"{name}.db", bank=name), 120, seed=seed, engine=engine(), now=NOW
    )
    assert found.ok, str(found)
    assert (found.asked, found.equal) == (120, 120)
    assert found.hits > 60
    assert len(found.frame()) == 0
    assert "mnemopi 18." in str(found)


def test_a_difference_is_named_with_both_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """A recall that rounds otherwise is caught: query, hit, field, both values."""
    monkeypatch.setattr(memlab.mnemopi.scoring, "round4", lambda value: round(value, 3))
    found = verify(Mnemopi(GOLDEN / "heron.db"), ["deploy the server"], engine=engine(), now=NOW)
    assert not found.ok
    assert found.equal == 0
    frame = found.frame()
    assert set(frame["field"]) <= {"score", "id"}
    assert (frame["memlab"] != frame["engine"]).all()
    assert "'deploy the server' hit 1 score: memlab 0.499, engine 0.4991" in str(found)


def test_a_lost_hit_is_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    from memlab.mnemopi.verifying import asking

    real: Callable[..., Any] = asking.run_recall

    def shorter(*args: Any) -> Any:
        run = real(*args)
        return type(run)(run.query, final=run.final[1:])

    monkeypatch.setattr(asking, "run_recall", shorter)
    found = verify(Mnemopi(GOLDEN / "heron.db"), ["deploy"], engine=engine(), now=NOW)
    assert found.differences[0].field == "hits"
    assert (found.differences[0].memlab, found.differences[0].engine) == (7, 8)


def test_what_both_refuse_is_no_difference() -> None:
    bank = Mnemopi(GOLDEN / "heron.db")
    found = verify(bank, ["deploy"], engine=engine(), now=NOW, query_time="teatime")
    assert found.ok


def test_queries_of_its_own(tmp_path: Path) -> None:
    bank = Mnemopi(GOLDEN / "polyglot.db")
    queries = own_queries(bank.memories(), 50, seed=3)
    assert queries == own_queries(bank.memories(), 50, seed=3)
    assert queries != own_queries(bank.memories(), 50, seed=4)
    assert len(queries) == 50
    empty = build_bank([], tmp_path / "empty.db")
    assert verify(empty, 5, engine=engine()).ok


class TestTheCommand:
    def test_agreement(self) -> None:
        args = ["verify", str(GOLDEN / "heron.db"), "--queries", "20", "--now", NOW]
        result = CliRunner().invoke(cli, args)
        assert result.exit_code == 0, result.output
        assert "20 of 20 queries equal" in result.stdout

    def test_cases(self) -> None:
        bank = next((WORLD / "banks" / "banks").glob("*dispatch*/mnemopi.db"))
        args = ["verify", str(bank), "--cases", str(WORLD / "cases" / "world.jsonl")]
        result = CliRunner().invoke(cli, args)
        assert result.exit_code == 0, result.output
        assert "50 of 50 queries equal" in result.stdout

    def test_a_difference_ends_with_1(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(memlab.mnemopi.scoring, "round4", lambda value: round(value, 2))
        args = ["verify", str(GOLDEN / "heron.db"), "--queries", "10", "--now", NOW]
        result = CliRunner().invoke(cli, args)
        assert result.exit_code == 1
        assert "differences in" in result.stdout

    def test_status(self, tmp_path: Path) -> None:
        there = CliRunner().invoke(cli, ["engine", "status"])
        assert there.stdout.startswith("engine  installed\n")
        away = CliRunner().invoke(cli, ["engine", "status", "--cache", str(tmp_path)])
        assert away.stdout.startswith("engine  not installed\n")
        assert "memlab engine install" in away.stdout

    def test_install_where_it_is_there(self) -> None:
        result = CliRunner().invoke(cli, ["engine", "install"])
        assert result.exit_code == 0
        assert "The engine is in " in result.stdout

    def test_without_npm_the_way_out_is_said(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PATH", str(tmp_path))
        result = CliRunner().invoke(cli, ["engine", "install", "--cache", str(tmp_path)])
        assert isinstance(result.exception, EngineMissing)
        assert "Node" in str(result.exception)
        status = CliRunner().invoke(cli, ["engine", "status", "--cache", str(tmp_path)])
        assert "install Node.js" in status.stdout


def test_one_text_is_one_query_and_what_both_refuse_agrees() -> None:
    bank = Mnemopi(GOLDEN / "heron.db")
    one = verify(bank, "deploy", engine=engine(), now=NOW)
    assert (one.asked, one.ok) == (1, True)
    odd = verify(bank, ["x" * 60_000, "", "\ud83d"], engine=engine(), now=NOW)
    assert (odd.asked, odd.equal, odd.ok) == (3, 3, True)
    assert repr(odd) == str(odd)
    for queries in (pd.DataFrame({"query": ["deploy"]}), [5]):
        with pytest.raises(InputError):
            verify(bank, queries, engine=engine(), now=NOW)  # type: ignore[list-item]
