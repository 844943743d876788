"""A Hindsight bank: the door to everything that can be asked of it."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from ..backends.closing import Closing
from ..errors import InputError
from ..models import Scope
from ..settings import Settings
from .client import Client
from .ids import bank_id
from .ingest import Ingesting
from .recalling import Recalling
from .transfer import Transfer

__all__ = ["Hindsight"]

_NOWHERE = "http://recording.invalid"


class Hindsight(Closing, Recalling, Ingesting, Transfer):
    """A memory bank on a Hindsight server, read without changing it.

    ``bank`` is by default the scope's, else the one of the agent's settings
    (``omp``). ``url`` and ``token`` default to the settings, too. With a
    ``scope``, recall and retain use its tags. Whatever writes needs
    ``writable=True``.

    ``record`` keeps every request and answer in a file; ``replay`` answers from
    such a file, without a server. ``timeout`` (seconds) replaces the time limits
    of the settings; at most ``parallel`` requests are under way at once. It may
    be shared by threads; close it, or use it in a with statement.

    Nothing is asked until the first question. Raises InputError for an address
    or a bank id that cannot be used.
    """

    def __init__(
        self,
        bank: str | None = None,
        *,
        url: str | None = None,
        token: str | None = None,
        scope: Scope | None = None,
        writable: bool = False,
        record: str | Path | None = None,
        replay: str | Path | None = None,
        timeout: float | None = None,
        parallel: int = 4,
        transport: Any = None,
        settings: Settings | None = None,
    ) -> None:
        self.settings = Settings.load() if settings is None else settings
        known = self.settings.hindsight
        if scope is None and bank is None:
            usual = Scope.hindsight(mode="global", settings=self.settings).bank
        else:
            usual = scope.bank if scope is not None else ""
        if scope is not None and scope.backend != "hindsight":
            raise InputError(f"The scope is one of {scope.backend}; make it with Scope.hindsight.")
        if timeout is not None and not (_is_number(timeout) and 0 < timeout < math.inf):
            raise InputError(f"timeout={timeout!r}: give seconds, more than 0.")
        if parallel < 1:
            raise InputError(f"parallel={parallel!r}: at least one request must be possible.")
        self.bank = bank_id(usual if bank is None else bank)
        self.scope = scope
        self.writable = writable
        self._timeout = timeout
        self._client = Client(
            _where(url, known.api_url, replayed=replay is not None),
            token=known.api_token if token is None else SecretStr(token),
            parallel=parallel,
            transport=transport,
            record=None if record is None else Path(record),
            replay=None if replay is None else Path(replay),
        )

    @property
    def name(self) -> str:
        """Return a short name, for tables and plots."""
        return f"hindsight:{self.bank}"

    @property
    def url(self) -> str:
        """Return the server's address, without any password in it."""
        return self._client.url

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def __repr__(self) -> str:
        """Show bank and address; never the token."""
        mode = ", writable" if self.writable else ""
        client = getattr(self, "_client", None)  # none while it is made: a traceback may show it
        where = getattr(client, "url", "no server")
        return f"Hindsight({self.bank!r} on {'a recording' if where == _NOWHERE else where}{mode})"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _where(url: str | None, usual: str, *, replayed: bool) -> str:
    if url is not None:
        return url
    return _NOWHERE if replayed else usual
