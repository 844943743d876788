"""A server of one's own for the length of a with block."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from .bank import Hindsight
from .server import down, up
from .server.install import Progress, to_stderr

__all__ = ["local"]


@contextmanager
def local(
    bank: str = "scratch",
    *,
    name: str = "main",
    llm: str = "mock",
    model: str = "",
    wipe: bool = False,
    env: Mapping[str, str] | None = None,
    cache: Path | None = None,
    on_progress: Progress = to_stderr,
) -> Iterator[Hindsight]:
    """Run a local server and give a bank on it, open for writing.

    The server is started where it is not up (see ``memlab hindsight up``), and
    stopped at the end where it was started here. ``wipe`` deletes its database
    then, too. Meant for notebooks and tests::

        with ml.hindsight.local() as hs:
            hs.retain("The deploy key lives in the blue folder.", asynchronous=False)
            hs.recall("where is the deploy key?")

    Raises ServerError where it cannot be run.
    """
    server = up(name, llm=llm, model=model, env=env, cache=cache, on_progress=on_progress)
    try:
        # A token of the settings is meant for another server.
        with Hindsight(bank, url=server.url, token="", writable=True) as found:
            yield found
    finally:
        if server.fresh:
            down(name, wipe=wipe, cache=cache)
