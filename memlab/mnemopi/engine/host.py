"""Which build of Bun this machine needs."""

from __future__ import annotations

import platform
from pathlib import Path

from ...errors import EngineMissing
from .pins import pins

__all__ = ["bun_package"]

_SYSTEMS = {"Linux": "linux", "Darwin": "darwin", "Windows": "win32"}
_MACHINES = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}


def bun_package(
    system: str | None = None, machine: str | None = None, *, cpuinfo: Path = Path("/proc/cpuinfo")
) -> str:
    """The npm package with the Bun for a machine; by default for this one.

    ``system`` and ``machine`` are names as the platform module gives them.
    Raises EngineMissing where no such build exists.
    """
    system = system or platform.system()
    machine = machine or platform.machine()
    key = f"{_SYSTEMS.get(system, system)}-{_MACHINES.get(machine.lower(), machine)}"
    if key == "linux-x64" and not _has_avx2(cpuinfo):
        key = "linux-x64-baseline"
    package = pins().bun_packages.get(key)
    if package is None:
        known = ", ".join(sorted(pins().bun_packages))
        raise EngineMissing(
            f"The real engine runs on Bun, and there is no Bun {pins().bun} for {system} on "
            f"{machine} (there are builds for {known}). memlab's own recall needs no engine."
        )
    return package


def _has_avx2(cpuinfo: Path) -> bool:
    """Whether the processor has AVX2, without which the usual Bun build does not start."""
    try:
        return "avx2" in cpuinfo.read_text("utf8", errors="replace")
    except OSError:
        return True
