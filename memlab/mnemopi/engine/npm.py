"""Calls npm, the ordinary client of the registry the engine is published on."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

from ...errors import EngineMissing

__all__ = ["npm"]

# Pinned versions never change, so npm may take them from its own cache.
_QUIET = (
    "--no-audit",
    "--no-fund",
    "--no-update-notifier",
    "--loglevel=error",
    "--prefer-offline",
)
_LAST_LINES = 10
_NOISE = re.compile(r"^npm (error|ERR!) (    at |  \w+: |\}|A complete log)")


def npm(arguments: list[str], folder: Path) -> None:
    """Run npm in a folder, with the user's own npm settings.

    Raises EngineMissing with a way out if npm is not there or fails.
    """
    program = shutil.which("npm")
    if program is None:
        raise EngineMissing(
            "npm is not installed, and the real engine comes by npm. Install Node.js 20 or "
            "newer (it brings npm), then run `memlab engine install` again."
        )
    code, output = _run([program, *arguments, *_QUIET], folder)
    if code != 0:
        last = "\n".join(_telling(output)[:_LAST_LINES])
        raise EngineMissing(
            f"npm could not fetch the real engine (exit code {code}). It says:\n{last}\n"
            "Look at the network and at npm's registry setting (`npm config get registry`), "
            "then run `memlab engine install` again."
        )


def _telling(output: str) -> list[str]:
    """The lines of npm's report without stack frames and fields of its error object."""
    lines = [line for line in output.splitlines() if not _NOISE.search(line)]
    return [line for line in lines if line.strip() not in {"npm error", "npm ERR!", ""}]


def _run(command: list[str], folder: Path) -> tuple[int, str]:
    """Run to the end; on Ctrl-C, or any other way out, nothing of it is left running."""
    process = subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf8",
        errors="replace",
        start_new_session=True,
    )
    try:
        output, _ = process.communicate()
    except BaseException:
        _stop(process)
        raise
    return process.returncode, output


def _stop(process: subprocess.Popen[str]) -> None:
    if hasattr(os, "killpg") and process.poll() is None:
        os.killpg(process.pid, signal.SIGTERM)
    process.kill()
    process.communicate()
