"""One session log, read when it is first looked at."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cached_property
from pathlib import Path

import pandas as pd

from ..errors import FormatError
from ..files import expanded
from ..frames import to_frame
from ..models import Conversation, Message
from .conversations import SPEECH, as_agent_reads, messages, spoken
from .dialects import Agent
from .entry import Entry, Kind, moment
from .frames import ENTRY_COLUMNS, SESSION_COLUMNS, entry_rows, project_of, session_row
from .pify.history import HistoryHit, search_history
from .pify.titles import title_of
from .places import looks_like_subagent
from .problems import Problems
from .reading import Log, Report, read_log
from .tree import Tree

__all__ = ["Session"]


class Session:
    """One session: its entries, their tree, the conversation, and what was wrong with the file.

    The file is read once, when it is first needed, and never written. With
    ``strict=True`` any problem raises FormatError; else the problems stand beside
    the data. A file that cannot be opened raises FormatError in both cases.
    """

    def __init__(
        self, path: str | Path, *, agent: Agent | None = None, strict: bool = False
    ) -> None:
        """Point at a file; ``agent`` forces a dialect, which is told from the lines otherwise."""
        self.path = expanded(path)
        self._agent = agent
        self._strict = strict

    @cached_property
    def _log(self) -> Log:
        log = read_log(self.path, self._agent)
        if self._strict:
            log.problems.check()
        return log

    @property
    def agent(self) -> Agent:
        """Return whose log it is: pi, omp or claude."""
        return self._log.agent

    @property
    def id(self) -> str:
        """Return the session's id; without one in the log, the name of the file."""
        return self._log.header.id or self.path.stem

    @property
    def cwd(self) -> str | None:
        """Return the working directory, or None where the log has none."""
        return self._log.header.cwd

    @property
    def project(self) -> str | None:
        """Return the last part of the working directory."""
        return project_of(self.cwd)

    @property
    def title(self) -> str | None:
        """Return the title that the log holds, or None."""
        return self._log.header.title

    @property
    def label(self) -> str:
        """Return something to call it by: the title, else one made of the first prompt, else the id."""
        prompt = next((turn.text for turn in self.turns if turn.kind == "prompt"), "")
        return self.title or title_of(prompt) or self.id

    @property
    def parent_session(self) -> str | None:
        """Return the session it was forked from or started by, as the log names it."""
        return self._log.header.parent

    @property
    def is_subagent(self) -> bool:
        """Tell whether an agent, and no person, held this conversation."""
        return self._log.header.is_subagent or looks_like_subagent(self.path)

    @property
    def started(self) -> datetime | None:
        """Return the time in the header, in UTC."""
        return moment(self._log.header.time)

    @property
    def bytes(self) -> int:
        """Return the size of the file now."""
        try:
            return self.path.stat().st_size
        except OSError as error:
            raise FormatError(f"{self.path} cannot be read: {error.strerror}.") from error

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Return the entries in file order; the header is none."""
        return self._log.entries

    @property
    def tree(self) -> Tree:
        """Return the tree: active path, branches, what is in the model's context."""
        return self._log.tree

    @property
    def labels(self) -> dict[str, str]:
        """Return the labels by the id of the entry they mark; a cleared one is left out."""
        marks: dict[str, str] = {}
        for entry in self.entries:
            if entry.type == "label":
                marks[str(entry.raw.get("targetId"))] = entry.text("meta")
        return {target: label for target, label in marks.items() if label}

    @property
    def report(self) -> Report:
        """Return counts: lines, malformed, unknown types, duplicates, missing parents, version."""
        return self._log.report

    @property
    def problems(self) -> Problems:
        """Return what was wrong with the file."""
        return self._log.problems

    def messages(self, kinds: Sequence[Kind] = SPEECH, *, active: bool = True) -> list[Message]:
        """Return the messages of these kinds, of the active path or of the whole file."""
        return list(messages(spoken(self.entries, self.tree, active=active), kinds))

    @property
    def turns(self) -> list[Message]:
        """Return the turns of the talk: what a person typed and what was replied, one each."""
        return self.messages()

    def _conversation(self, said: Sequence[Message]) -> Conversation:
        return Conversation(tuple(said), self.id, self.title, self.cwd, self.agent)

    @property
    def conversation(self) -> Conversation:
        """Return prompts and replies of the active path, in the order of the talk."""
        return self._conversation(self.turns)

    @property
    def conversation_as_agent_reads_it(self) -> Conversation:
        """Return what the memory layer reads: file order, abandoned branches included."""
        return self._conversation(list(as_agent_reads(self.entries, self.agent)))

    def history(self, query: str, *, limit: int = 8, context: int = 220) -> list[HistoryHit]:
        """Search the whole branch of the session, as the tool ``session_history`` does.

        ``context`` is the length of the snippets in UTF-16 units.
        """
        branch = [self.entries[place].raw for place in self.tree.path]
        return search_history(branch, query, limit, context)

    def frame(self) -> pd.DataFrame:
        """Return one row per piece of text, in file order; columns as in the common frame.

        Columns: session_id, agent, path, cwd, project, title, parent_session, is_subagent,
        entry_id, parent_id, line_no, type, ts (UTC), role, kind (prompt, reply, thinking,
        tool_call, tool_result, bash, summary, injected, meta), tool, text, chars (UTF-16
        units), model, branch (0: the active one), on_active_path, in_context, is_error, and
        usage_* (tokens, on the first row of an entry only).
        """
        return to_frame(entry_rows(self), ENTRY_COLUMNS)

    def summary(self) -> pd.DataFrame:
        """Return the session as one row of the corpus frame."""
        return to_frame([session_row(self)], SESSION_COLUMNS)

    def __repr__(self) -> str:
        return f"Session({self.path.name!r})"
