"""Bring a local server up and down, and tell how it is."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from ...errors import HindsightError, InputError, ServerError
from ...locks import exclusive
from ..client import Client
from .configuration import check_llm, configuration
from .install import Progress, install, to_stderr
from .pins import VERSION
from .places import Environment, Place, environment, make, place
from .ports import Claim, claim, free_port
from .postgres import Postgres
from .process import GRACE, end, launch, lives, start_time, tail
from .state import State, read_state, write_state

__all__ = ["Server", "down", "logs", "status", "up"]

PORT = 18888
_PATIENCE = 180.0
_LAST_LINES = 25
_SECRET = re.compile(r"_(KEY|TOKEN|SECRET|PASSWORD)\b")
_SHORTEST = 6  # what is shorter is a placeholder, and part of ordinary words


@dataclass(frozen=True)
class Server:
    """A local server: its address, whether it answers, and where its files are.

    ``llm`` is its language model: none, mock or an address. ``running`` tells
    that its process lives, ``healthy`` that it and its database answer.
    """

    name: str
    url: str
    running: bool
    healthy: bool
    llm: str
    version: str
    pid: int
    folder: Path
    fresh: bool = False

    def __str__(self) -> str:
        """Say it in one line."""
        how = (
            "up" if self.healthy else "running, but it does not answer" if self.running else "down"
        )
        about = f", process {self.pid}, language model {self.llm}" if self.running else ""
        return f"Hindsight {self.version} ({self.name}) is {how} at {self.url}{about}"


def up(
    name: str = "main",
    *,
    llm: str = "mock",
    model: str = "",
    port: int | None = None,
    env: Mapping[str, str] | None = None,
    cache: Path | None = None,
    on_progress: Progress = to_stderr,
) -> Server:
    """Install Hindsight where it is missing, start it on loopback, and wait until it answers.

    Does nothing where it is up already. ``llm`` is none, mock (a built-in
    stand-in: memories are the chunks of what is retained) or the address of an
    OpenAI-compatible service, with ``model`` its model; the key is
    OPENAI_API_KEY. ``port`` is 18888 or the one used before, else any free
    one. ``env`` are further HINDSIGHT_API_* variables. As root, PostgreSQL
    runs as the user nobody.

    Raises ServerError with the last lines of the log, or where ``port`` is taken,
    and InputError where the server is up already with another language model.
    """
    check_llm(llm)
    if bad := [key for key in env or {} if not key.startswith("HINDSIGHT_API_")]:
        raise InputError(f"env may hold HINDSIGHT_API_* variables only, not {bad[0]!r}.")
    where = place(name, cache)
    installed = install(cache, on_progress=on_progress)
    make(where)
    with exclusive(where.lock, lambda: on_progress("Another process is at it; waiting")):
        known = read_state(where.state)
        if known is not None and lives(known.pid, known.started):
            _check_same(where, known, llm, port)
            # The database may have been stopped under it; the server finds it again.
            Postgres(installed, where).start(known.database_port, known.password)
            _wait(installed, where, known)
            return _describe(where, known)
        taken = claim(port or (known.port if known else PORT), only=port is not None)
        try:
            plan = _plan(known, llm, taken.port)
            on_progress(f"Starting PostgreSQL and Hindsight {VERSION} on {plan.url}")
            return _start(installed, where, plan, model, env or {}, taken=taken)
        except OSError as error:
            raise ServerError(
                f"The server {where.name!r} cannot be started in {where.folder}: {error}."
            ) from error
        finally:
            taken.close()


def _check_same(where: Place, known: State, llm: str, port: int | None) -> None:
    for what, asked, has in (("llm", llm, known.llm), ("port", port or known.port, known.port)):
        if asked != has:
            raise InputError(
                f"The server {where.name!r} is up already with {what}={has}, not {asked}. "
                "Take it down first (`memlab hindsight down`), or give this one another name."
            )


def _plan(known: State | None, llm: str, port: int) -> State:
    """Return the state to be: the former database port and password where there were any."""
    if known is None:
        password = secrets.token_urlsafe(24)
        return State(port, free_port(avoid=port), llm, VERSION, password=password)
    return replace(known, port=port, llm=llm, version=VERSION, pid=0, started="")


def _start(
    installed: Environment,
    where: Place,
    plan: State,
    model: str,
    env: Mapping[str, str],
    *,
    taken: Claim,
) -> Server:
    database = Postgres(installed, where)
    if not database.running():
        plan = replace(plan, database_port=free_port(plan.database_port, avoid=plan.port))
    write_state(where.state, plan)
    database.start(plan.database_port, plan.password)
    variables = configuration(installed, plan, model=model, extra=env)
    pid = launch(installed, where.folder, where.log, variables, taken.handles)
    state = replace(plan, pid=pid, started=start_time(pid))
    write_state(where.state, state)
    try:
        _wait(installed, where, state, variables)
    except BaseException:
        end(state.pid, state.started)
        raise
    return replace(_describe(where, state), fresh=True)


def _wait(
    installed: Environment, where: Place, state: State, variables: Mapping[str, str] | None = None
) -> None:
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        if _healthy(state):
            return
        if not lives(state.pid, state.started):
            how = "ended while it started"
            raise ServerError(_farewell(installed, where, state, variables or {}, how))
        time.sleep(0.2)
    how = f"did not answer within {_PATIENCE:g} s"
    raise ServerError(_farewell(installed, where, state, variables or {}, how))


def _farewell(
    installed: Environment, where: Place, state: State, variables: Mapping[str, str], how: str
) -> str:
    said = tail(where.log, _LAST_LINES)
    hint = ""
    if "ModuleNotFoundError" in said:
        hint = f" Its installation is damaged: remove {installed.folder}, and start it again."
    return (
        f"Hindsight {how}.{hint} The last lines of {where.log}:\n{_masked(said, state, variables)}"
    )


def _masked(text: str, state: State | None, variables: Mapping[str, str]) -> str:
    """Mask the database's password, and whatever was given to the server as a key."""
    named = [value for name, value in variables.items() if _SECRET.search(name)]
    for secret in (state.password if state else "", os.environ.get("OPENAI_API_KEY", ""), *named):
        if len(secret) >= _SHORTEST:
            text = text.replace(secret, "***")
    return text


def _healthy(state: State) -> bool:
    client = Client(state.url)
    try:
        return bool(client.call("health", "GET", "/health", timeout=5).data)
    except HindsightError:
        return False
    finally:
        client.close()


def _describe(where: Place, known: State) -> Server:
    running = lives(known.pid, known.started)
    return Server(
        name=where.name,
        url=known.url,
        running=running,
        healthy=running and _healthy(known),
        llm=known.llm,
        version=known.version,
        pid=known.pid if running else 0,
        folder=where.folder,
    )


def status(name: str = "main", *, cache: Path | None = None) -> Server | None:
    """Tell how a local server is; None where there has been none of that name."""
    where = place(name, cache)
    known = read_state(where.state)
    return None if known is None else _describe(where, known)


def down(name: str = "main", *, wipe: bool = False, cache: Path | None = None) -> bool:
    """Stop a local server and its PostgreSQL; tell whether there was one.

    ``wipe`` also deletes its database, with all banks in it, and its log. The
    installed environment stays.
    """
    where = place(name, cache)
    if not where.folder.exists():
        return False
    with exclusive(where.lock):
        known = read_state(where.state)
        if known is not None:
            # What is deleted anyway need not be put in order first.
            end(known.pid, known.started, grace=0.0 if wipe else GRACE)
            write_state(where.state, replace(known, pid=0, started=""))
        Postgres(environment(cache), where).stop()
        if wipe:
            shutil.rmtree(where.folder, ignore_errors=True)
            where.lock.unlink(missing_ok=True)
    return known is not None


def logs(name: str = "main", lines: int = 50, *, cache: Path | None = None) -> str:
    """Return the last lines of a local server's log, without its password."""
    where = place(name, cache)
    known = read_state(where.state)
    return _masked(tail(where.log, lines), known, {})
