"""Golden texts and look-ups: formatContext, recall blocks, get, getContext."""

from __future__ import annotations

from typing import Any

import pytest

from memlab.mnemopi.lookup import look_up, standing_context
from memlab.mnemopi.texts import context_text, recall_block
from tests.golden_data import GOLDEN, lines, snapshot

LINES = lines("misc.jsonl")


def _of(op: str) -> list[dict[str, Any]]:
    found = [line for line in LINES if (line.get("op") or line["request"]["op"]) == op]
    assert found
    return found


def _args(line: dict[str, Any]) -> dict[str, Any]:
    args: dict[str, Any] = line.get("args") or line["request"]["args"]
    return args


@pytest.mark.parametrize("line", _of("formatContext"), ids=lambda line: line["id"])
def test_context(line: dict[str, Any]) -> None:
    args = _args(line)
    assert context_text(args["results"], args.get("format", "bullet")) == line["result"]


@pytest.mark.parametrize("line", _of("formatRecallBlock"), ids=lambda line: line["id"])
def test_block(line: dict[str, Any]) -> None:
    assert recall_block(_args(line)["results"]) == line["result"]


@pytest.mark.parametrize("line", _of("get"), ids=lambda line: line["id"])
def test_get(line: dict[str, Any]) -> None:
    request = line["request"]
    bank = snapshot(GOLDEN / line["db"])
    session = request.get("session") or request["bank"]
    assert look_up(bank, request["args"]["memoryId"], session) == line["result"]


@pytest.mark.parametrize("line", _of("getContext"), ids=lambda line: line["id"])
def test_standing_context(line: dict[str, Any]) -> None:
    request = line["request"]
    bank = snapshot(GOLDEN / line["db"])
    session = request.get("session") or request["bank"]
    got = standing_context(bank, session, request["now"], request["args"]["limit"])
    assert got == line["result"]
