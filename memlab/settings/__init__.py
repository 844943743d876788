"""Settings: arguments, environment, memlab.toml, the agent's own settings, defaults."""

from __future__ import annotations

from memlab.settings.groups import HindsightSettings, MemorySettings, MnemopiSettings
from memlab.settings.model import Settings, mnemopi_path, mnemopi_places

__all__ = [
    "HindsightSettings",
    "MemorySettings",
    "MnemopiSettings",
    "Settings",
    "mnemopi_path",
    "mnemopi_places",
]
