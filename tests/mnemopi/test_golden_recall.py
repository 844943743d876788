"""Every golden recall: each field of each hit, the order, and the errors."""

from __future__ import annotations

from typing import Any

import pytest

from memlab.errors import InvalidTime
from tests.golden_data import GOLDEN, answer, lines, snapshot

LINES = lines("recall.jsonl")


def test_all_lines_are_there() -> None:
    assert len(LINES) == 499
    assert sum(bool(line.get("result")) for line in LINES) == 431


@pytest.mark.parametrize("line", LINES, ids=lambda line: line["id"])
def test_recall(line: dict[str, Any]) -> None:
    bank = snapshot(GOLDEN / line["db"])
    if line["ok"]:
        assert answer(line["request"], bank) == line["result"]
        return
    with pytest.raises(InvalidTime) as caught:
        answer(line["request"], bank)
    assert str(caught.value) == line["error"]["message"]
