"""The extension's requests, asked of memlab: what the golden answers are compared with."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from memlab.sessions import SessionIndex
from memlab.sessions.finding import Found, find_logs
from memlab.sessions.index.extract import read_docs
from memlab.sessions.index.location import MEMORY, connect
from memlab.sessions.index.opening import Opened
from memlab.sessions.index.options import SearchOptions
from memlab.sessions.index.schema import create
from memlab.sessions.index.sync import Caps, SyncReport, sync
from memlab.sessions.lines import read_lines

Json = dict[str, Any]


def entries_of(args: Mapping[str, Any], logs: Path) -> list[Any]:
    """The entries a request is about: given, or the lines of a log, or its branch."""
    if "log" not in args:
        return list(args.get("entries", ()))
    values = [value for _, value in read_lines(logs / args["log"], [])]
    if args.get("take") != "branch":
        return values
    from memlab.sessions import Session

    session = Session(logs / args["log"], agent="pi")
    return [session.entries[place].raw for place in session.tree.path]


class Asked:
    """An index that is asked as the extension's own functions are, paths named from a root."""

    def __init__(self, root: Path) -> None:
        self.root = root
        connection = connect(MEMORY)
        create(connection)
        self.index = SessionIndex(Opened(connection, MEMORY, None, SyncReport(0, 0, 0, 0, 0.0)))

    def shown(self, path: str) -> str:
        if not Path(path).is_absolute():
            return path
        return f"logs/{Path(path).relative_to(self.root).as_posix()}"

    def sync(
        self,
        files: list[Found],
        args: Mapping[str, Any],
        *,
        skip: str | None = None,
        read: Any = read_docs,
    ) -> Json:
        caps = Caps(args.get("maxDocs", 20_000), args.get("maxDocChars", 2_000))
        with self.index._asking() as connection:
            report = sync(connection, [(file, "pi") for file in files], caps, live=skip, read=read)
            self.index._arrays = None
        return {"changed": report.changed, **self.state()}

    def state(self) -> Json:
        with self.index._asking() as connection:
            held = connection.execute(
                "SELECT f.path, d.number FROM files f LEFT JOIN docs d "
                "ON d.file = f.id AND d.number IS NOT NULL WHERE f.is_held ORDER BY d.number"
            ).fetchall()
            (docs,) = connection.execute("SELECT count(number) FROM docs").fetchone()
        ids: dict[str, list[int]] = {}
        for path, number in held:
            ids.setdefault(self.shown(path), []).extend([number] if number else [])
        return {"docs": docs, "files": len(ids), "ids": dict(sorted(ids.items()))}

    def search(self, args: Mapping[str, Any], exclude: str | None = None) -> list[Json]:
        options = SearchOptions(live=exclude)
        if "snippetChars" in args:
            options = options.model_copy(update={"snippet": args["snippetChars"]})
        found = self.index.ranked(args["query"], options, args.get("limit", 10))
        return [self.hit(hit) for hit in found]

    def hit(self, hit: Any) -> Json:
        row = {
            "session": hit.session,
            "title": hit.title,
            "path": self.shown(hit.path),
            "ts": hit.time,
            "role": hit.role,
            "snippet": hit.snippet,
            "matched": hit.matched,
        }
        return {name: value for name, value in row.items() if value is not None}


def listed(folder: Path) -> list[Found]:
    return list(find_logs(folder))
