"""Which tools an agent has under which settings."""

from __future__ import annotations

import pandas as pd

from ..frames import Column, to_frame
from ..settings import Settings

__all__ = ["available"]

_COLUMNS = (Column("tool"), Column("exists", "bool"), Column("why"))
_BOTH = ("hindsight", "mnemopi")
_TOOLS = {
    "retain": _BOTH,
    "recall": _BOTH,
    "reflect": _BOTH,
    "learn": _BOTH,
    "memory_edit": ("mnemopi",),
    "memory://": ("mnemopi",),
}


def available(settings: Settings | None = None) -> pd.DataFrame:
    """Tell which memory tools the agent has under these settings, by default this machine's.

    One row per tool: tool, exists, why. All hang on ``memory.backend``, which is
    off unless it is set; Hindsight needs an address of its server too.
    """
    known = Settings.load() if settings is None else settings
    backend, url = known.memory.backend, known.hindsight.api_url.strip()
    missing = backend == "hindsight" and not url
    rows = []
    for tool, backends in _TOOLS.items():
        why = f"memory.backend is {backend}"
        if backend not in backends:
            why += f"; it needs {' or '.join(backends)}"
        elif missing:
            why += ", and hindsight.apiUrl is empty"
        rows.append({"tool": tool, "exists": backend in backends and not missing, "why": why})
    return to_frame(rows, _COLUMNS)
