"""The real engine for tests: installed if it is missing, started once per run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from memlab.mnemopi.engine import Engine, install
from tests.parity.banks import BankInfo
from tests.parity.queries import Request

__all__ = ["answers", "engine"]


@cache
def engine() -> Engine:
    """The engine; a test that needs it fails where it can be neither found nor installed."""
    install()
    return Engine.start()


def answers(
    real: Engine, info: BankInfo, requests: Iterable[Request]
) -> Iterator[tuple[Request, dict[str, Any]]]:
    """Each request with the engine's raw answer; every request sees the same bank.

    An answer is {ok, result, after} or {ok: False, error: {name, message, errors}}; ``after``
    holds the counters the recall left, by "tier:id". Each recall is undone when it is answered.
    """
    asked = list(requests)
    wires = (request.wire(info) for request in asked)
    yield from zip(asked, real.ask(wires), strict=True)
