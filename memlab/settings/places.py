"""Where the agent and memlab keep their files.

The agent's rules: ``~/.omp/agent``, with PI_CONFIG_DIR for ``.omp``; a named
profile (OMP_PROFILE, else PI_PROFILE) moves it to ``~/.omp/profiles/NAME/agent``,
else PI_CODING_AGENT_DIR replaces it. Memories of a default folder move to
``$XDG_STATE_HOME/omp`` once that folder exists (a profile's to ``profiles/NAME``
in it).
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import NamedTuple

from memlab.errors import SettingsError
from memlab.files import expanded

__all__ = ["AgentHome", "agent_home", "cache_dir", "memories_dir"]

DEFAULT = "default"
_PROFILE = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")


class AgentHome(NamedTuple):
    """The agent's folder, what chose it, and the profile it belongs to."""

    path: Path
    source: str
    profile: str | None
    is_default: bool


def _profile() -> tuple[str | None, str]:
    name = "OMP_PROFILE" if "OMP_PROFILE" in os.environ else "PI_PROFILE"
    value = os.environ.get(name, "").strip()
    if value in ("", "default"):
        return None, name
    if not _PROFILE.fullmatch(value) or value.endswith("."):
        raise SettingsError(
            f"{name}={value!r} is not a profile of the agent: a profile is 1 to 64 of "
            "a-z 0-9 . _ -, starts with a letter or digit and does not end with a dot."
        )
    return value, name


def agent_home() -> AgentHome:
    """Find the agent's folder by the agent's own rules; it need not exist."""
    config = os.environ.get("PI_CONFIG_DIR") or ".omp"
    root = Path.home() / config.lstrip("/")
    profile, variable = _profile()
    if profile:
        return AgentHome(root / "profiles" / profile / "agent", variable, profile, True)
    default = root / "agent"
    override = os.environ.get("PI_CODING_AGENT_DIR")
    if override:
        path = expanded(override).absolute()
        return AgentHome(path, "PI_CODING_AGENT_DIR", None, path == default)
    source = "PI_CONFIG_DIR" if os.environ.get("PI_CONFIG_DIR") else DEFAULT
    return AgentHome(default, source, None, True)


def memories_dir(home: AgentHome) -> tuple[Path, str]:
    """Return the folder of the agent's memories, and what chose it."""
    state = os.environ.get("XDG_STATE_HOME")
    if state and home.is_default and sys.platform in ("linux", "darwin"):
        root = Path(state) / "omp"
        if home.profile:
            root = root / "profiles" / home.profile
        if root.exists():
            return root / "memories", "XDG_STATE_HOME"
    return home.path / "memories", home.source


def cache_dir() -> tuple[Path, str]:
    """Return memlab's own cache folder, and what chose it."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if Path(base).is_absolute():  # the XDG rules ignore a relative one
        return Path(base) / "memlab", "XDG_CACHE_HOME"
    return Path.home() / ".cache" / "memlab", DEFAULT
