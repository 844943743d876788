"""Calls npm, the ordinary client of the registry the engine is published on."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from pathlib import Path

from ...errors import EngineMissing

__all__ = ["npm"]

_QUIET = ("--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error")
_LAST_LINES = 8


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
        last = "\n".join(output.strip().splitlines()[-_LAST_LINES:])
        raise EngineMissing(
            f"npm could not fetch the real engine (exit code {code}). Its last lines:\n{last}\n"
            "Look at the network and at npm's registry setting (`npm config get registry`), "
            "then run `memlab engine install` again."
        )


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
