"""Recall from a Hindsight bank."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, ClassVar

from ..errors import InputError
from ..models import Scope
from ..text.dates import iso_millis
from .base import Base
from .ids import path
from .options import HindsightOptions
from .replies import RecallReply, read
from .result import HindsightRecall, answer

__all__ = ["Recalling"]


class Recalling(Base):
    """Recall."""

    options_model: ClassVar[type[HindsightOptions]] = HindsightOptions

    def recall(self, query: str, *, scope: Scope | None = None, **options: Any) -> HindsightRecall:
        """Recall as the agent would: the server's answer, in its order, with all scores.

        ``options`` are those of :class:`HindsightOptions`; what is not given is
        as the settings and the scope say. ``scope`` asks another scope's bank
        and tags. An option that the server ignores is an error.

        Raises UnknownOption or InputError for what cannot be asked, and an error
        of the HindsightError family where the server does not answer.
        """
        text: object = getattr(query, "text", query)
        if not isinstance(text, str):
            raise InputError(f"A query is text, not {type(query).__name__}: {query!r:.80}.")
        chosen = self.scope if scope is None else scope
        if chosen is not None and chosen.backend != "hindsight":
            raise InputError(f"The scope is one of {chosen.backend}; make it with Scope.hindsight.")
        checked = HindsightOptions.of(options).in_force(self.settings.hindsight, chosen)
        where = self.bank if scope is None else scope.bank
        sent = checked.body(text)
        got = self._ask(
            "recall",
            path(where, "memories", "recall"),
            method="POST",
            body=sent,
            clock="recall",
        )
        return answer(
            query=text,
            reply=read("recall", RecallReply, got.data),
            raw=got.data,
            size=len(got.content),
            seconds=got.seconds,
            backend=f"hindsight:{where}",
            options=checked.model_dump(),
            clock=checked.query_timestamp or iso_millis(datetime.now(UTC)),
        )
