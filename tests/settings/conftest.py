"""A working directory and an agent folder for the settings to be read from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def project(monkeypatch: pytest.MonkeyPatch, clean_environment: Path, tmp_path: Path) -> Path:
    """An empty folder as working directory, and no variable of memlab at all."""
    monkeypatch.delenv("MEMLAB_CACHE")
    folder = tmp_path / "work" / "heron"
    folder.mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def agent_file(clean_environment: Path) -> Callable[[str], Path]:
    """Write the agent's config.yml in the home folder; returns its path."""

    def write(content: str) -> Path:
        path = clean_environment / ".omp" / "agent" / "config.yml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
        return path

    return write
