"""Read the two settings files: memlab.toml and the agent's config.yml.

Error texts name the file, the line and the reason, and never quote the content:
a token may stand in the very line that is broken.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import yaml

from memlab.errors import SettingsError
from memlab.settings.yaml12 import parse_yaml

__all__ = ["find_toml", "read_agent_file", "read_toml"]

TOML_NAME = "memlab.toml"
AGENT_NAMES = ("config.yml", "config.yaml")


def find_toml(start: Path) -> Path | None:
    """Find the nearest memlab.toml in a folder or one above it."""
    for folder in (start, *start.parents):
        path = folder / TOML_NAME
        if path.exists():
            return path
    return None


def read_toml(path: Path) -> dict[str, Any]:
    """Read memlab.toml as nested tables."""
    content = _read(path)
    try:
        return tomllib.loads(content)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path} is not valid TOML: {error}. Mend that line.") from None
    except RecursionError:
        raise SettingsError(f"{path} is nested too deep to be a settings file.") from None


def read_agent_file(folder: Path) -> tuple[Path, dict[str, Any]]:
    """Read the agent's settings file in a folder; an empty table when it has none."""
    path = next(
        (p for p in map(folder.joinpath, AGENT_NAMES) if p.exists()), folder / AGENT_NAMES[0]
    )
    if not path.exists():
        return path, {}
    content = _read(path)
    try:
        data = parse_yaml(content)
    except yaml.YAMLError as error:
        raise SettingsError(
            f"{path} is not valid YAML{_place(error)}. Mend it, or let MEMLAB_AGENT_DIR "
            "name another agent folder."
        ) from None
    except RecursionError:
        raise SettingsError(f"{path} is nested too deep to be a settings file.") from None
    if data is None:
        return path, {}
    if not isinstance(data, dict):
        raise SettingsError(f"{path} must hold keys and values; it holds a {type(data).__name__}.")
    return path, {str(key): value for key, value in data.items()}


def _read(path: Path) -> str:
    if path.is_fifo():  # opening it would wait for a writer, for ever
        raise SettingsError(f"{path} is a pipe, not a settings file. Remove it.")
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise SettingsError(f"{path} is not UTF-8 text (byte {error.start}).") from None
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror or error}.") from None


def _place(error: yaml.YAMLError) -> str:
    """The line, and the reason where it cannot quote the file."""
    mark = getattr(error, "problem_mark", None)
    line = f" in line {mark.line + 1}" if mark is not None else ""
    quotes = not isinstance(error, yaml.scanner.ScannerError | yaml.parser.ParserError)
    reason = None if quotes else getattr(error, "problem", None)
    return f"{line}: {reason}" if reason else line
