"""One notebook for each module of tests, in a JupyterLab and a browser of its own."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from tests.browser.lab import BANK, ROOT, running, write_notebook
from tests.browser.page import Notebook, opened


@pytest.fixture(scope="module")
def notebook(
    request: pytest.FixtureRequest, chromium: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Notebook]:
    """A notebook of the module's ``CELLS``, all run; its tests follow each other in it."""
    home, folder = tmp_path_factory.mktemp("lab"), tmp_path_factory.mktemp("work")
    target = folder / BANK
    target.parent.mkdir(parents=True)
    shutil.copy(ROOT / "data" / "banks" / BANK, target)
    write_notebook(folder / "lesson.ipynb", *request.module.CELLS)
    with (
        running(home, folder) as lab,
        opened(chromium, home, lab, "lesson.ipynb") as shown,
    ):
        yield shown
