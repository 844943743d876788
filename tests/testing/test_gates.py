"""The pytest plugin, in a pytest of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONFTEST = 'pytest_plugins = ["memlab.testing.gates"]\n'
TEST = """
from memlab import Case, R, evaluate
from tests.evaluation.fakes import Fixed, memory
import os

def test_recall(memlab_gate):
    found = int(os.environ["FOUND"])
    cases = [Case(str(n), str(n), {"m1": 1}) for n in range(10)]
    backend = Fixed({str(n): ["m1"] for n in range(found)}, [memory("m1")])
    memlab_gate(evaluate(backend, cases, [R @ 8]), "mine", absolute=0.1)
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_recall.py").write_text(TEST)
    return tmp_path


def run(project: Path, found: int, *args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *args],
        check=False, cwd=project, capture_output=True, text=True,
        env={"FOUND": str(found), "PYTHONPATH": str(ROOT), "PATH": "", "HOME": str(project)},
    )  # fmt: skip


def test_a_gate_in_pytest(project: Path) -> None:
    missing = run(project, 8)
    assert missing.returncode == 1
    assert "There is no baseline at" in missing.stdout
    assert not (project / "baselines").exists()  # never made unasked
    made = run(project, 8, "--update-baselines")
    assert made.returncode == 0
    assert "new baseline" in made.stdout
    failed = run(project, 5)
    assert failed.returncode == 1
    assert "0.800 -> 0.500  -0.300  WORSE" in failed.stdout
    assert run(project, 7).returncode == 0
