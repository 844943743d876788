"""Gates in pytest: a plugin with one fixture, for tests of one's own agent.

Name it in ``conftest.py``::

    pytest_plugins = ["memlab.testing.gates"]

and hold a run against a baseline beside the test::

    def test_recall(memlab_gate):
        run = memlab.evaluate(bank, cases, [nDCG @ 8, R @ 8])
        memlab_gate(run, "heron", absolute=0.02)

``pytest --update-baselines`` writes the runs as the new baselines and shows what
changes. A baseline that is missing fails the test, and is never made unasked.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ..evaluation import Evaluation, GateReport
from ..evaluation.gating import judged

__all__ = ["memlab_gate", "pytest_addoption", "pytest_terminal_summary"]

FOLDER = "baselines"
UPDATED = pytest.StashKey[list[str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--update-baselines``."""
    parser.getgroup("memlab").addoption(
        "--update-baselines",
        action="store_true",
        help="write the runs held against baselines as the new baselines",
    )


@pytest.fixture
def memlab_gate(request: pytest.FixtureRequest) -> Callable[..., GateReport]:
    """Return a function that holds a run against ``baselines/NAME.json`` beside the test.

    It takes an evaluation, a name, and the tolerances of :func:`memlab.gate`,
    and raises GateFailed where the run is worse.
    """
    update = bool(request.config.getoption("--update-baselines"))
    folder = Path(request.path).parent / FOLDER

    def hold(run: Evaluation, name: str, **tolerances: Any) -> GateReport:
        path = folder / f"{name}.json"
        report = judged(run, path, update=update, **tolerances)
        if update:
            request.config.stash.setdefault(UPDATED, []).append(f"{path}\n{report}")
            return report
        return report.raise_if_failed()

    return hold


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say which baselines were written, and what that changes."""
    for text in config.stash.get(UPDATED, []):
        terminalreporter.section("new baseline")
        terminalreporter.write_line(text)
