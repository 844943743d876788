"""Where the agents keep their logs, with the variables and settings that move them."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from ..files import expanded
from ..settings.places import agent_home
from ..text.javascript import length
from .dialects import Agent
from .pify.slugs import MAX_SLUG_UNITS, claude_slug, pify_slug
from .values import mapping, text_of

__all__ = ["blame", "claude_folders", "log_folders", "looks_like_subagent"]


def _variable(name: str) -> Path | None:
    value = os.environ.get(name, "").strip()
    return expanded(value) if value else None


def _setting(file: Path, name: str) -> Path | None:
    """Return a folder named in a settings file, relative to the home of the settings."""
    try:
        value = text_of(mapping(json.loads(file.read_text("utf-8"))).get(name))
    except (OSError, ValueError):
        return None
    return file.parent / expanded(value) if value else None


def _pi() -> list[Path]:
    """An explicit sessions folder wins, then the project's settings, then the global ones."""
    home = _variable("PI_CODING_AGENT_DIR") or Path.home() / ".pi" / "agent"
    return [
        _variable("PI_CODING_AGENT_SESSION_DIR")
        or _setting(Path.cwd() / ".pi" / "settings.json", "sessionDir")
        or _setting(home / "settings.json", "sessionDir")
        or home / "sessions"
    ]


def _omp() -> list[Path]:
    """The agent's own folder, and the one under XDG_DATA_HOME once it exists."""
    home = agent_home()
    data = _variable("XDG_DATA_HOME")
    if data and home.is_default and sys.platform == "linux":
        root = data / "omp"
        moved = root / "profiles" / home.profile / "sessions" if home.profile else root / "sessions"
        if moved.is_dir():
            return [moved]
    return [home.path / "sessions"]


def _claude() -> list[Path]:
    home = _variable("CLAUDE_CONFIG_DIR") or Path.home() / ".claude"
    hidden = home / ".projects"
    return [home / "projects", *([hidden] if hidden.is_dir() else [])]


_PLACES: Mapping[Agent, Callable[[], list[Path]]] = {"pi": _pi, "omp": _omp, "claude": _claude}
_MOVED_BY: Mapping[Agent, str] = {
    "pi": "PI_CODING_AGENT_SESSION_DIR, PI_CODING_AGENT_DIR, or sessionDir in settings.json",
    "omp": "PI_CODING_AGENT_DIR, PI_CONFIG_DIR, OMP_PROFILE, or XDG_DATA_HOME",
    "claude": "CLAUDE_CONFIG_DIR",
}


def log_folders(agent: Agent) -> list[Path]:
    """Return the folders of an agent's logs on this machine; they need not exist."""
    return _PLACES[agent]()


def claude_folders(cwd: str | Path) -> list[Path]:
    """Return the folders of Claude Code's logs of one working directory, those that are there.

    Under the name that Claude Code gives them, and under the one by which @pify/recall
    looks for them; the two differ where a path holds more than letters, digits, ``/`` and
    ``-``. Of long paths Claude Code hashes the rest: all that begin alike are returned, and
    other directories can share a name too. The ``cwd`` in the logs tells.
    """
    path = str(expanded(cwd).absolute())
    own = claude_slug(path)
    found = []
    for root in log_folders("claude"):
        names = [own, pify_slug(path)]
        if own.endswith("-") and length(own) > MAX_SLUG_UNITS and root.is_dir():
            names += sorted(item.name for item in root.iterdir() if item.name.startswith(own))
        # A name may be too long for the file system: isdir says no, is_dir would raise.
        found += [root / name for name in dict.fromkeys(names) if os.path.isdir(root / name)]  # noqa: PTH112
    return found


def blame(agent: Agent) -> str:
    """Return what could have moved an agent's logs elsewhere."""
    return _MOVED_BY[agent]


def looks_like_subagent(path: Path) -> bool:
    """Tell by its place whether a log is a sub-agent's.

    Claude Code calls them ``agent-*.jsonl``, in newer versions in a folder ``subagents``;
    oh-my-pi puts them into a folder beside the log of their parent, with its name.
    """
    folder = path.absolute().parent
    if path.name.startswith("agent-") or folder.name == "subagents":
        return True
    return bool(folder.name) and folder.with_name(f"{folder.name}.jsonl").is_file()
