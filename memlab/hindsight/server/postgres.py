"""The local server's own PostgreSQL, from the pg0 package; never run as root."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...errors import ServerError
from .places import Environment, Place

__all__ = ["NAME", "Postgres"]

NAME = "hindsight"
"""The name of instance, user and database."""
_PATIENCE = 120


@dataclass(frozen=True)
class Postgres:
    """One PostgreSQL instance on loopback.

    Run as root, its programs run as the user ``nobody``, since PostgreSQL
    refuses root.
    """

    environment: Environment
    place: Place

    @property
    def program(self) -> Path:
        """Return the pg0 program, copied to where its user can run it."""
        return self.place.folder / ("pg0.exe" if os.name == "nt" else "pg0")

    def start(self, port: int, password: str) -> None:
        """Start it where it does not run yet. Raises ServerError with its last words."""
        self._prepare()
        if self.running():
            return
        names = ("--username", NAME, "--password", password, "--database", NAME)
        done = self._pg0("start", "--name", NAME, "--port", str(port), *names)
        if done.returncode:
            said = (done.stdout + done.stderr).replace(password, "***").strip()
            raise ServerError(f"PostgreSQL did not start in {self.place.database}:\n{said}")

    def running(self) -> bool:
        """Tell whether it runs."""
        return self.program.is_file() and bool(self.info().get("running"))

    def info(self) -> dict[str, Any]:
        """Return what pg0 tells about the instance; empty where there is none."""
        if not self.program.is_file():
            return {}
        done = self._pg0("info", "--name", NAME, "-o", "json")
        try:
            found = json.loads(done.stdout)
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}

    def stop(self) -> None:
        """Stop it; its data stay."""
        if self.program.is_file():
            self._pg0("stop", "--name", NAME)

    def _prepare(self) -> None:
        if not self.program.is_file():
            pattern = "**/pg0/bin/pg0*"
            packed = next((self.environment.folder / "venv").glob(pattern), None)
            if packed is None:
                raise ServerError(
                    f"{self.environment.folder} has no pg0 in it. Remove that folder and run "
                    "`memlab hindsight up` again."
                )
            fresh = self.program.with_suffix(".new")
            shutil.copy(packed, fresh)
            fresh.chmod(0o755)
            fresh.rename(self.program)
        if not self.place.database.exists():
            self.place.database.mkdir(mode=0o700)
            if _as_nobody():
                shutil.chown(self.place.database, "nobody")

    def _pg0(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run pg0 as an ordinary user, at home in its own folder."""
        try:
            return subprocess.run(
                [str(self.program), *arguments],
                cwd=self.place.database,
                env={**_plain_environment(), "HOME": str(self.place.database)},
                capture_output=True,
                text=True,
                check=False,
                timeout=_PATIENCE,
                stdin=subprocess.DEVNULL,
                **_as_nobody(),
            )
        except subprocess.TimeoutExpired as error:
            raise ServerError(
                f"PostgreSQL did not answer `pg0 {arguments[0]}` within {_PATIENCE} s."
            ) from error
        except OSError as error:
            raise ServerError(f"{self.program} cannot be run: {error}.") from error


def _as_nobody() -> dict[str, Any]:
    """Return what makes a child process an ordinary user; nothing where it is one already."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return {}
    import pwd

    user = pwd.getpwnam("nobody")
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def _plain_environment() -> dict[str, str]:
    kept = ("PATH", "LANG", "LC_ALL", "TZ", "TMPDIR", "SYSTEMROOT", "LD_LIBRARY_PATH")
    return {name: os.environ[name] for name in kept if name in os.environ}
