"""Asking one case, so that every ending becomes an outcome."""

from __future__ import annotations

import time
from typing import Any

from ..backends import Backend
from ..errors import MemlabError, UnknownOption
from ..models import Hit, Outcome
from ..text.tokens import count_tokens
from .answer import Answer, plain
from .case import Case
from .keys import KeyMap
from .losing import lost
from .targets import Target

__all__ = ["Asker"]

COUNTED = 20_000


class Asker:
    """Asks targets and keeps what they answer; remembers the keys of each backend's memories.

    With ``why``, every relevant memory that is missing gets an explanation.
    """

    def __init__(self, *, why: bool = False) -> None:
        self._why = why
        self._counted: dict[str, int] = {}
        self._maps: dict[int, tuple[Backend, KeyMap]] = {}

    def keys(self, backend: Backend) -> KeyMap:
        """Return the keys of a backend's memories."""
        place = id(backend)
        if place not in self._maps:
            # The backend is kept too, so that its id stays its own.
            self._maps[place] = (backend, KeyMap(backend))
        return self._maps[place][1]

    def ask(self, target: Target, case: Case) -> Answer:
        """Ask one case; an error of memlab's tree becomes an outcome.

        An option that the backend does not have is no failure of the backend
        but a mistake in the call, and is raised.
        """
        start = time.perf_counter()
        try:
            reply = target.ask(case)
            keys = self.keys(target.backend)
            found = tuple(keys.key(hit, case.keys) for hit in reply.hits)
            told = lost(target, reply, case, keys, found) if self._why else {}
        except UnknownOption:
            raise
        except MemlabError as error:
            seconds = time.perf_counter() - start
            said = f"{type(error).__name__}: {error}"
            query = case.query
            return Answer(case.id, Outcome(error.outcome), query, seconds=seconds, error=said)
        shown, *parts = self._tokens([reply.shown, *(hit.text for hit in reply.hits)])
        return Answer(
            case=case.id,
            outcome=reply.outcome,
            query=reply.query,
            hits=tuple(plain(hit) for hit in reply.hits),
            keys=found,
            hit_tokens=tuple(parts),
            tokens=shown,
            cut=reply.cut,
            seconds=reply.seconds,
            places=tuple(_places(hit, target.backend) for hit in reply.hits),
            lost=told,
        )

    def _tokens(self, texts: list[str]) -> list[int]:
        """Count tokens; a text that was counted before is not counted again."""
        new = [text for text in dict.fromkeys(texts) if text not in self._counted]
        if len(self._counted) > COUNTED:
            self._counted.clear()
            new = list(dict.fromkeys(texts))
        self._counted.update(zip(new, count_tokens(new), strict=True) if new else ())
        return [self._counted[text] for text in texts]


def _places(hit: Hit, backend: Backend) -> tuple[str, ...]:
    """Return the names that say where a hit is from: its bank, its tags."""
    bank = getattr(hit, "bank", None) or getattr(backend, "bank", None)
    tags: Any = hit.raw.get("tags")
    named = tags if isinstance(tags, list | tuple) else ()
    return tuple(str(name) for name in (*((bank,) if isinstance(bank, str) else ()), *named))
