"""Many session logs: found in their usual places, read one by one, never written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from ..errors import FormatError, InputError
from ..files import expanded
from ..frames import to_frame
from .dialects import AGENTS, Agent
from .finding import Found, find_logs
from .frames import ENTRY_COLUMNS, SESSION_COLUMNS, entry_rows, session_row
from .places import blame, log_folders, looks_like_subagent
from .problems import Problem, Problems
from .progress import counted
from .session import Session

__all__ = ["Root", "SessionLogs"]

DEPTH = 8
"""Folders looked into; sub-agents of sub-agents lie deep."""


class Root(NamedTuple):
    """A folder of logs or a single log, and whose they are if that is given."""

    path: Path
    agent: Agent | None = None


def _roots(source: Source, agent: Agent | None) -> Iterator[Root]:
    if isinstance(source, SessionLogs):
        yield from source.roots
        return
    if isinstance(source, str) and source in AGENTS:
        folders = log_folders(source)
        if not any(folder.is_dir() for folder in folders):
            raise InputError(
                f"{source} has no logs at {folders[0]}. Name the folder, or check what moves "
                f"it: {blame(source)}."
            )
        yield from (Root(folder, agent or source) for folder in folders)
        return
    path = expanded(source)
    if not path.exists():
        raise InputError(
            f"There is nothing at {path}. Give a folder of logs, one log, or one of: "
            f"{', '.join(AGENTS)}."
        )
    yield Root(path, agent)


def _found(root: Root) -> Iterator[Found]:
    if root.path.is_dir():
        yield from find_logs(root.path, depth=DEPTH, max_bytes=float("inf"), above=frozenset())
    else:
        stat = root.path.stat()
        yield Found(str(root.path), stat.st_size, stat.st_mtime_ns)


class SessionLogs:
    """Session logs of pi, oh-my-pi and Claude Code, read lazily and never written.

    Iterating gives a ``Session`` per file, in the order of the folders. ``len()`` counts
    files without reading them.
    """

    def __init__(
        self,
        source: Source | Iterable[Source],
        *,
        agent: Agent | None = None,
        sub_agents: bool = True,
        strict: bool = False,
    ) -> None:
        """Take ``"pi"``, ``"omp"``, ``"claude"``, a folder, a file, other logs, or several of these.

        The agents' own variables and settings say where their logs are. ``agent`` forces a
        dialect, which is told from each file otherwise. ``sub_agents=False`` leaves out the
        logs that agents wrote for agents. ``strict=True`` makes any problem of a log raise
        FormatError when it is read. Raises InputError where there is nothing.
        """
        if agent is not None and agent not in AGENTS:
            raise InputError(f"agent={agent!r} is none of {', '.join(AGENTS)}.")
        sources = [source] if isinstance(source, (str, Path, SessionLogs)) else list(source)
        if not sources:
            raise InputError("No logs were named. Give a folder, or one of: pi, omp, claude.")
        self.roots = tuple(root for item in sources for root in _roots(item, agent))
        self.sub_agents = sub_agents
        self._strict = strict

    def _files(self) -> Iterator[tuple[Found, Root]]:
        seen = set()
        for root in self.roots:
            for found in _found(root):
                if found.path in seen:
                    continue
                seen.add(found.path)
                if self.sub_agents or not looks_like_subagent(Path(found.path)):
                    yield found, root

    def _session(self, found: Found, root: Root) -> Session:
        return Session(found.path, agent=root.agent, strict=self._strict)

    def __iter__(self) -> Iterator[Session]:
        """Iterate over the sessions; each is read when it is looked at."""
        for found, root in self._files():
            session = self._session(found, root)
            # Of one that cannot be read nobody knows; whoever looks at it is told why.
            if self.sub_agents or _unreadable(session) or not session.is_subagent:
                yield session

    def __len__(self) -> int:
        """Return the number of files, without reading them."""
        return sum(1 for _ in self._files())

    def latest(self) -> Session:
        """Return the session that was written to last. Raises InputError if there is none."""
        files = max(self._files(), key=lambda pair: pair[0].mtime_ns, default=None)
        if files is None:
            raise InputError(f"There is no log at {', '.join(str(r.path) for r in self.roots)}.")
        return self._session(*files)

    def get(self, name: str) -> Session:
        """Return the session of an id, of a file name, or of a part of one that only it has.

        Raises InputError where none or several fit.
        """
        pairs = list(self._files())
        fits = [pair for pair in pairs if name in Path(pair[0].path).name]
        exact = [pair for pair in pairs if name in (Path(pair[0].path).stem, pair[0].path)]
        sessions = [self._session(*pair) for pair in exact or fits]
        sessions = sessions or [s for s in self if not _unreadable(s) and s.id.startswith(name)]
        if len(sessions) == 1:
            return sessions[0]
        if not sessions:
            raise InputError(f"None of {len(pairs)} logs is called {name!r}.")
        shown = ", ".join(str(session.path) for session in sessions[:5])
        raise InputError(f"{len(sessions)} logs are called {name!r}: {shown}. Say more of it.")

    @property
    def problems(self) -> Problems:
        """Return what is wrong with the logs. Reads them all."""
        return Problems(problem for session in self for problem in _problems(session))

    def frame(self, *, progress: bool | None = False) -> pd.DataFrame:
        """Return one row per session: sizes, turns, models, tokens, problems. Reads them all.

        Columns: session_id, agent, version, path, cwd, project, title, parent_session,
        is_subagent, started and ended (UTC), bytes, lines, entries, turns (prompts and
        replies of the active path), tool_calls, branches, compactions, resets, models,
        tokens_* and cost of all replies in the file, malformed, unknown_types, duplicates,
        missing_parents, problems. ``progress=True`` shows a bar, None only on a terminal.
        """
        return to_frame((session_row(s) for s in self._counted(progress)), SESSION_COLUMNS)

    def entries(self, *, progress: bool | None = False) -> pd.DataFrame:
        """Return one row per piece of text of all sessions, as ``Session.frame`` has them."""
        rows = (row for session in self._counted(progress) for row in entry_rows(session))
        return to_frame(rows, ENTRY_COLUMNS)

    def _counted(self, progress: bool | None) -> Iterable[Session]:
        if self._strict:
            return counted(self, total=len(self), label="reading", shown=progress)
        readable = (session for session in self if not _unreadable(session))
        return counted(readable, total=len(self), label="reading", shown=progress)

    def __repr__(self) -> str:
        return f"SessionLogs({', '.join(str(root.path) for root in self.roots)}: {len(self)} files)"


def _unreadable(session: Session) -> str | None:
    try:
        _ = session.report
    except FormatError as error:
        return str(error)
    return None


def _problems(session: Session) -> Iterable[Problem]:
    why = _unreadable(session)
    return [Problem(str(session.path), 0, why)] if why else session.problems


Source = str | Path | SessionLogs
