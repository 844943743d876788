"""``memlab sessions``: what the agents' logs hold, and full-text search over them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from ..errors import FormatError, InputError
from ..sessions import SearchHits, Session, SessionIndex, SessionLogs, SyncReport, session_history
from ..sessions.dialects import AGENTS
from ..sessions.places import log_folders
from ..sessions.progress import counted
from ..settings import Settings
from ..text.terminal import one_line, printable
from .group import Group

__all__ = ["command"]

Command = TypeVar("Command", bound=Callable[..., Any])


@click.group("sessions", cls=Group)
def command() -> None:
    """Look into the session logs of pi, oh-my-pi and Claude Code, and search them.

    SOURCE is pi, omp, claude, a folder or a log; without one, all logs at their usual
    places. Logs are only read.
    """


def _sources(sources: Sequence[str]) -> SessionLogs:
    if sources:
        return SessionLogs(sources)
    found = [agent for agent in AGENTS if any(folder.is_dir() for folder in log_folders(agent))]
    if not found:
        places = ", ".join(str(folder) for agent in AGENTS for folder in log_folders(agent))
        raise InputError(f"No session logs at {places}. Name a folder or a log as SOURCE.")
    return SessionLogs(found)


def _when(session: Session) -> str:
    times = [entry.at for entry in session.entries if entry.at]
    last = max(times, default=session.started)
    return f"{last:%Y-%m-%d %H:%M}" if last else ""


@command.command("ls")
@click.argument("source", nargs=-1)
@click.option("--project", help="Only sessions of this working directory (its name or path).")
@click.option("--no-sub-agents", is_flag=True, help="Leave out logs that agents wrote for agents.")
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=50,
    show_default=True,
    help="How many, newest first; 0: all.",
)
def list_sessions(
    source: tuple[str, ...], project: str | None, no_sub_agents: bool, limit: int
) -> None:
    """List sessions: last time, agent, project, turns, title, id; newest first."""
    logs = SessionLogs(_sources(source), sub_agents=not no_sub_agents)
    rows: list[tuple[str, Session]] = []
    problems = 0
    for session in counted(logs, total=len(logs), label="reading", shown=None):
        try:
            places = (session.project, session.cwd)
        except FormatError as error:  # gone, or not allowed to be read: the others are listed
            click.echo(printable(f"! {error}"), err=True)
            problems += 1
            continue
        if project is None or project in places:
            rows.append((_when(session), session))
            problems += len(session.problems)
    rows.sort(key=lambda row: row[0], reverse=True)
    for when, session in rows[: limit or None]:
        mark = "  (sub-agent)" if session.is_subagent else ""
        click.echo(
            f"{when:16}  {session.agent:6}  {one_line(session.project or '', 16):16}  "
            f"{len(session.turns):>5}  {one_line(session.label, 50):50}  {printable(session.path.stem)}{mark}"
        )
    shown = min(len(rows), limit or len(rows))
    click.echo(f"{shown} of {len(rows)} sessions; {problems} problems in them.")


@command.command("show")
@click.argument("name")
@click.argument("source", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Abandoned branches too, in file order.")
@click.option("--tools", is_flag=True, help="Tool calls and results too.")
def show(name: str, source: tuple[str, ...], everything: bool, tools: bool) -> None:
    """Show the conversation of one session; NAME is its id or a part of its file's name."""
    session = _session(name, source)
    kinds = ["prompt", "reply", "summary"]
    if tools:
        kinds += ["tool_call", "tool_result", "bash"]
    click.echo(printable(f"{session.label}\n{session.path}\n{session.cwd or ''}"))
    for message in session.messages(kinds, active=not everything):  # type: ignore[arg-type]
        when = f"{message.time:%Y-%m-%d %H:%M}" if message.time else ""
        tool = f" {message.tool}" if message.tool else ""
        click.echo(printable(f"\n[{message.role} · {message.kind}{tool} · {when}]\n{message.text}"))
    for problem in session.problems:
        click.echo(printable(f"\n! {problem}"), err=True)


def _session(name: str, source: tuple[str, ...]) -> Session:
    if not source and Path(name).is_file():
        return Session(name)
    return _sources(source).get(name)


@command.command("history")
@click.argument("name")
@click.argument("query")
@click.argument("source", nargs=-1)
@click.option("--limit", default=8, show_default=True)
@click.option("--context", default=220, show_default=True, help="Length of a snippet.")
def history(name: str, query: str, source: tuple[str, ...], limit: int, context: int) -> None:
    """Search the whole branch of one session, as the agent's session_history does."""
    session = _session(name, source)
    branch = [session.entries[place].raw for place in session.tree.path]
    answer = session_history(branch, query, limit, context)
    if answer.is_error:
        raise InputError(answer.text)
    click.echo(printable(answer.text))


def _index_options(function: Command) -> Command:
    for option in (
        click.option("--source", multiple=True, help="Logs to index; may be given several times."),
        click.option(
            "--index", "path", type=click.Path(path_type=Path), help="The file of the index."
        ),
        click.option("--all-messages", is_flag=True, help="No limit of 20,000 messages."),
    ):
        function = option(function)
    return function


def _place(logs: SessionLogs, path: Path | None, all_messages: bool) -> Path:
    """Return the file of an index: one per choice of logs, in memlab's cache."""
    if path is not None:
        return path
    key = repr((sorted(str(root.path.absolute()) for root in logs.roots), all_messages))
    name = hashlib.sha256(key.encode("utf-8", "backslashreplace")).hexdigest()[:12]
    return Settings.load().cache_dir / "sessions" / f"{name}.index"


def _open(options: dict[str, Any], *, anew: bool = False) -> SessionIndex:
    """Take the options of an index off the others, and open it or make it."""
    logs, all_messages = _sources(options.pop("source")), options.pop("all_messages")
    place = _place(logs, options.pop("path"), all_messages)
    docs = float("inf") if all_messages else None
    if anew or not place.exists():
        return SessionIndex.build(logs, place, max_docs=docs or 20_000, progress=None)
    index = SessionIndex.open(place, logs, max_docs=docs, progress=None)
    if index.report.rebuilt:
        click.echo(f"The index was made anew: {index.report.rebuilt}.", err=True)
    else:
        index.sync(progress=None)
    return index


def _tell(index: SessionIndex, report: SyncReport) -> None:
    click.echo(
        f"{report.documents} messages of {report.files} sessions; {report.read} read, "
        f"{report.vanished} gone, {len(report.problems)} problems, {report.seconds:.1f} s."
    )
    click.echo(f"Index: {index.path}")
    for problem in report.problems[:10]:
        click.echo(printable(f"! {problem}"), err=True)


@command.command("index")
@_index_options
def index(**options: Any) -> None:
    """Make the index, or bring it up to date."""
    with _open(options) as found:
        _tell(found, found.report)


@command.command("reindex")
@_index_options
def reindex(**options: Any) -> None:
    """Make the index from nothing."""
    with _open(options, anew=True) as found:
        _tell(found, found.report)


@command.command("search")
@click.argument("query")
@_index_options
@click.option("--ranking", type=click.Choice(["pify", "bm25"]), default="bm25", show_default=True)
@click.option("--limit", default=10, show_default=True)
@click.option("--field", multiple=True, help="bm25: text, thinking, tool_input, tool_result, meta.")
@click.option("--role", help="user, assistant, toolResult, ...")
@click.option("--project", help="Name or path of a working directory.")
@click.option("--agent", type=click.Choice(AGENTS))
@click.option("--since", help="Not older than this: 2026-01-31.")
@click.option("--until", help="Older than this.")
@click.option("--no-sub-agents", is_flag=True)
@click.option("--active-only", is_flag=True, help="No abandoned branches.")
def search(query: str, no_sub_agents: bool, field: tuple[str, ...], **options: Any) -> None:
    """Search the logs; the index is brought up to date first.

    bm25 is full text, pify what the agent's own tool would answer.
    """
    if not query.strip():
        raise InputError("Empty query.")
    if field:
        options["fields"] = field
    with _open(options) as found:
        hits = found.search(query, sub_agents=not no_sub_agents, **options)
    _show(hits)


def _show(hits: SearchHits) -> None:
    click.echo(printable(hits.text))
    for hit in hits:
        click.echo(printable(f"{hit.rank:>3}  {hit.field:10}  {hit.path}:{hit.line_no}"))
    if hits.left_out:
        click.echo(f"Too common to be asked: {', '.join(map(printable, hits.left_out))}", err=True)
