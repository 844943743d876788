"""Constants of the engine that its environment moves, as the settings have them."""

from __future__ import annotations

from typing import Any

from ..settings import MnemopiSettings
from .options import RecallOptions

__all__ = ["configured"]

_OPTIONS = {
    "vec_weight": "vec_weight",
    "fts_weight": "fts_weight",
    "importance_weight": "importance_weight",
    "temporal_halflife": "temporal_halflife_hours",
}


def configured(settings: MnemopiSettings) -> dict[str, Any]:
    """Return the recall options that the settings move away from the engine's own constants.

    They are the variables MNEMOPI_VEC_WEIGHT, MNEMOPI_FTS_WEIGHT,
    MNEMOPI_IMPORTANCE_WEIGHT and MNEMOPI_TEMPORAL_HALFLIFE_HOURS. An option
    given to a recall goes before them, as in the engine.
    """
    moved = {option: getattr(settings, name) for option, name in _OPTIONS.items()}
    fields = RecallOptions.model_fields
    return {name: value for name, value in moved.items() if value != fields[name].default}
