"""What every test gets: a clean environment, a home of its own, a seed that is printed."""

from __future__ import annotations

import os
import random
import shutil
import signal
from pathlib import Path

import pytest
from hypothesis import settings as hypothesis_settings

from memlab.settings.places import cache_dir

AGENT_VARIABLES = ("HINDSIGHT_", "MEMLAB_", "MNEMOPI_", "OMP_", "PI_", "XDG_")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

# Taken before any test moves the home folder: the engine is installed here.
CACHE = Path(os.environ.get("MEMLAB_CACHE") or cache_dir()[0]).absolute()
SEED = int(os.environ.get("MEMLAB_SEED") or random.SystemRandom().randrange(2**31))

# A run in the background ignores Ctrl-C, and so would every program that a test interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Two busy cores make any single example slow now and then.
hypothesis_settings.register_profile("memlab", deadline=None, print_blob=True)
hypothesis_settings.load_profile("memlab")


def pytest_report_header() -> str:
    return f"seed: {SEED} (MEMLAB_SEED={SEED} repeats this run)"


@pytest.fixture(scope="session")
def seed() -> int:
    """The seed of this run's random tests: MEMLAB_SEED, else a fresh one."""
    return SEED


@pytest.fixture(autouse=True)
def clean_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """No setting of this machine reaches a test; returns the test's own home folder."""
    for name in list(os.environ):
        if name.startswith(AGENT_VARIABLES):
            monkeypatch.delenv(name)
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.setenv("MEMLAB_CACHE", str(CACHE))
    monkeypatch.setenv("MPLCONFIGDIR", str(CACHE / "matplotlib"))
    return home


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium or Chrome; without one the test skips, or fails in CI."""
    for name in BROWSERS:
        path = shutil.which(name)
        if path:
            return path
    message = f"no browser found (looked for {', '.join(BROWSERS)}); install Debian's chromium"
    if os.environ.get("CI") == "true":
        pytest.fail(message)
    pytest.skip(message)
