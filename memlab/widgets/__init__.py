"""Explorers for notebooks: widgets that ask, show and never lose an error."""

from . import hindsight as _hindsight  # noqa: F401  registers its sheet
from . import mnemopi as _mnemopi  # noqa: F401  registers its sheets
from .composer import ComposerExplorer
from .door import explore
from .recall import RecallExplorer

__all__ = ["ComposerExplorer", "RecallExplorer", "explore"]
