"""Real sets from one command each: every system, every evidence id, the table in a report."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from memlab.cli import cli

SHARED = Path(__file__).parents[3] / "shared" / "data"


@pytest.mark.parametrize(("name", "banks"), [("beam-100k", 2), ("locomo", 1)])
def test_a_set_from_one_command(name: str, banks: int, tmp_path: Path) -> None:
    """Some of the set here; without --first it is the whole, in about half a minute each."""
    if not SHARED.is_dir():
        pytest.skip("the real data sets are not beside the project")
    report = tmp_path / "report.md"
    done = CliRunner().invoke(
        cli,
        ["eval", "--dataset", str(SHARED / name), "--first", str(banks), "--option", "limit=10",
         "--measure", "R@10", "--measure", "nDCG@10", "--measure", "Injected",
         "--folder", str(tmp_path / "banks"), "--report", str(report)],
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    text = report.read_text(encoding="utf-8")
    rows = {
        row.split("|")[1].strip().split(" ")[0]: [cell.strip() for cell in row.split("|")[2:-1]]
        for row in re.findall(r"^\| (?:mnemopi|bm25|lsa) .*\|$", text, re.M)
    }
    assert set(rows) == {"mnemopi", "bm25", "lsa"}
    for cells in rows.values():
        assert cells[1] == "0"  # no case failed
        assert 0.1 < float(cells[2]) < 0.9
    assert "What was wrong in the files" in text
    assert text.count("with 95 % bootstrap intervals") == 3
