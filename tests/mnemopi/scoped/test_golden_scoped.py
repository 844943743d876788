"""The agent's own answers over several banks: every field, every text, every failure."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from memlab import MnemopiScope, Scope
from memlab.errors import AllBanksFailed, MemlabError, RecallError
from memlab.mnemopi import find_legacy_banks
from memlab.mnemopi.texts import tool_entries
from tests.golden_data import GOLDEN, lines

PATH = GOLDEN / "scoped" / "mnemopi.db"
LINES = lines("scoped.jsonl")
RECALLS = [line for line in LINES if line["op"].startswith("scopedRecall")]


def scope_of(config: dict[str, Any]) -> Scope:
    """The scope that the agent's configuration stands for."""
    shared, banks = config["globalBank"], tuple(config["recallBanks"])
    files = {
        name: PATH if name == shared else PATH.parent / "banks" / name / PATH.name for name in banks
    }
    tagged = config["scoping"] == "per-project-tagged"
    return Scope(
        "mnemopi", config["scoping"], "/work/otter-api", config["retainBank"], banks,
        shared if tagged else None, files=files,
    )  # fmt: skip


@cache
def opened(scope: Scope) -> MnemopiScope:
    return MnemopiScope(scope)


def backend(line: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> MnemopiScope:
    """The backend of a golden line; the banks that the line breaks are broken."""
    found = opened(scope_of(line["args"]["config"]))

    def broken(name: str) -> Any:
        def recall(query: str, **options: Any) -> None:
            raise RecallError(f"broken {name}")

        return recall

    for name in line["args"].get("breakBanks", []):
        monkeypatch.setattr(found.opened[name], "recall", broken(name))
    return found


def limit_of(line: dict[str, Any]) -> int:
    return int(line["args"]["config"].get("recallLimit", 8))


@pytest.mark.parametrize(
    "line", [line for line in RECALLS if line["ok"]], ids=lambda line: str(line["id"])
)
def test_recall(line: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    asked = backend(line, monkeypatch)
    recall = asked.recall(line["args"]["query"], now=line["now"], limit=limit_of(line))
    result = line["result"]
    if line["op"] == "scopedRecall":
        assert recall.records == result
        assert list(recall.failures) == line["args"]["breakBanks"]
        return
    assert recall.records == result["results"]
    assert tool_entries(recall.records) == result["withIds"]
    assert recall.context() == result.get("context", "")
    assert recall.context("json") == result.get("json", "")
    shown = recall.text.partition(":\n\n")[2]
    assert shown == result["withIds"]


def test_all_lines_are_asked() -> None:
    assert len(LINES) == 69
    assert len(RECALLS) == 61


@pytest.mark.parametrize(
    "line", [line for line in RECALLS if not line["ok"]], ids=lambda line: str(line["id"])
)
def test_failure_of_all(line: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """One failure is raised as it is, several as one error that carries them."""
    asked = backend(line, monkeypatch)
    with pytest.raises(MemlabError) as caught:
        asked.recall(line["args"]["query"], now=line["now"])
    parts = line["error"].get("errors")
    if parts is None:
        assert str(caught.value) == line["error"]["message"]
    else:
        assert isinstance(caught.value, AllBanksFailed)
        assert [str(e) for e in caught.value.failures.values()] == [p["message"] for p in parts]
        said = line["error"]["message"].partition("(")[2].rstrip(")")
        assert said in str(caught.value)


@pytest.mark.parametrize("line", [line for line in LINES if line["op"] == "scopedContext"])
def test_block(line: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    recall = backend(line, monkeypatch).recall(line["args"]["query"], now=line["now"])
    assert recall.block == (line["result"] or "")


@pytest.mark.parametrize("line", [line for line in LINES if line["op"] == "scopedGet"])
def test_lookup(line: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    assert backend(line, monkeypatch).lookup(line["args"]["memoryId"]) == line["result"]


@pytest.mark.parametrize("line", [line for line in LINES if line["op"] == "legacyBanks"])
def test_legacy_banks(line: dict[str, Any]) -> None:
    args = line["args"]
    path = Path(args["dbPath"].replace("$DIR", str(PATH.parent)))
    found = find_legacy_banks(path, args["cwd"], args["resolved"])
    assert [*args["resolved"], *(bank.name for bank in found if bank.taken)] == line["result"]
