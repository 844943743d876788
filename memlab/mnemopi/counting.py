"""The one thing that the engine's recall writes: how often a memory came back."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from .pipeline import Run
from .visibility import visible
from .writing.opening import connect_to_write, write_errors

__all__ = ["write_counts"]


def write_counts(path: Path, run: Run, wait: float) -> int:
    """Count the memories of a finished recall in the bank's file; return the rows written.

    As the engine does: visible rows only, facts never, one transaction.
    """
    query = run.query
    options = query.options
    channel = query.session if options.channel is None else options.channel
    where = visible(options, query.session, channel, query.timing.now)
    written = 0
    with (
        write_errors(path),
        closing(connect_to_write(path, wait)) as connection,
        connection,
    ):
        connection.execute("BEGIN")
        for tier, table in (("working", "working_memory"), ("episodic", "episodic_memory")):
            ids = [record.fields["id"] for record in run.final if record.fields["tier"] == tier]
            if not ids:
                continue
            marks = ", ".join("?" * len(ids))
            written += connection.execute(
                f"UPDATE {table} SET recall_count = COALESCE(recall_count, 0) + 1,"
                f" last_recalled = ? WHERE id IN ({marks}) AND {where.sql}",
                (query.timing.now, *ids, *where.params),
            ).rowcount
    return written
