"""What outside the call can change a recall: versions, and the variables that agents read."""

from __future__ import annotations

import os
import platform
import re
from importlib.metadata import PackageNotFoundError, version

from ..settings.groups import masked

__all__ = ["recall_variables", "versions"]

PREFIXES = ("HINDSIGHT_", "MEMLAB_", "MNEMOPI_", "OMP_", "PI_")
# They change where things lie, not what is recalled.
IRRELEVANT = ("MEMLAB_CACHE", "MEMLAB_SEED")
_SECRET = re.compile(r"TOKEN|KEY|SECRET|PASSW|CREDENTIAL|AUTH", re.IGNORECASE)
PACKAGES = ("ir-measures", "numpy", "pandas", "pytrec-eval-terrier", "scikit-learn", "scipy")


def recall_variables() -> dict[str, str]:
    """Return the environment variables that can change a recall, secrets as "(set)", no password in an address."""
    return {
        name: "(set)" if _SECRET.search(name) else str(masked(value))
        for name, value in sorted(os.environ.items())
        if name.startswith(PREFIXES) and name not in IRRELEVANT
    }


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that figures depend on."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
