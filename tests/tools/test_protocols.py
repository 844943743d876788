"""The real backends fit what the tools ask of them."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import pytest

from memlab import Mnemopi
from memlab.hindsight import Hindsight
from memlab.tools.protocols import Editable, Readable, Reflecting, Retaining

BANK = Path(__file__).parents[2] / "data" / "banks" / "mnemopi.db"
METHODS = [
    (cls, protocol, name)
    for cls, protocols in {Mnemopi: (Editable, Readable, Retaining), Hindsight: (Reflecting, Retaining)}.items()
    for protocol in protocols
    for name in vars(protocol)
    if not name.startswith("_")
]  # fmt: skip


def parameters(function: Any) -> dict[str, inspect.Parameter]:
    return dict(inspect.signature(function).parameters)


@pytest.mark.parametrize(("cls", "protocol", "name"), METHODS)
def test_each_call_of_a_tool_is_understood(cls: type, protocol: type, name: str) -> None:
    ours, theirs = parameters(getattr(protocol, name)), parameters(getattr(cls, name))
    for parameter in ours.values():
        assert parameter.name in theirs
        assert theirs[parameter.name].kind == parameter.kind
    more = [p for key, p in theirs.items() if key not in ours]
    open_ended = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    assert all(p.default is not p.empty or p.kind in open_ended for p in more)


def test_a_bank_is_all_three() -> None:
    with Mnemopi(BANK) as bank:
        assert all(isinstance(bank, kind) for kind in (Editable, Readable, Retaining))
        assert not isinstance(bank, Reflecting)
