"""The block that the agent itself makes of a recall over its banks."""

from __future__ import annotations

from typing import Any

import pytest

from memlab import AutoRecall
from tests.golden_data import lines
from tests.mnemopi.scoped.test_golden_scoped import opened, scope_of

GOLDEN = [line for line in lines("scoped.jsonl") if line["op"] == "scopedContext"]


@pytest.mark.parametrize("line", GOLDEN, ids=lambda line: str(line["id"]))
def test_golden(line: dict[str, Any]) -> None:
    backend = opened(scope_of(line["args"]["config"]))
    limit = line["args"]["config"].get("recallLimit", 8)
    auto = AutoRecall(backend, token_limit=0, now=line["now"], limit=limit)
    answer = auto([line["args"]["query"]])
    assert answer.block == (line["result"] or "")
    assert auto.snippet == answer.block
