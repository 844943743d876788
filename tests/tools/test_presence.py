from __future__ import annotations

import pytest

from memlab import Settings, tools

ALL = {"retain", "recall", "reflect", "learn", "memory_edit", "memory://"}
SHARED = {"retain", "recall", "reflect", "learn"}


def present(**groups: dict[str, str]) -> set[str]:
    frame = tools.available(Settings.load(**groups))
    assert set(frame["tool"]) == ALL
    return set(frame.loc[frame["exists"], "tool"])


@pytest.mark.parametrize(
    ("backend", "tools_there"),
    [
        ("off", set()),
        ("local", set()),
        ("sharpshooter", set()),
        ("mnemopi", ALL),
        ("hindsight", SHARED),
    ],
)
def test_tools_hang_on_the_backend(backend: str, tools_there: set[str]) -> None:
    assert present(memory={"backend": backend}) == tools_there


def test_hindsight_needs_an_address() -> None:
    settings = Settings.load(memory={"backend": "hindsight"}, hindsight={"api_url": " "})
    frame = tools.available(settings)
    assert not frame["exists"].any()
    assert "hindsight.apiUrl is empty" in frame.set_index("tool").loc["recall", "why"]


def test_by_default_there_are_none() -> None:
    frame = tools.available()
    assert not frame["exists"].any()
    assert frame["why"].str.startswith("memory.backend is off").all()
