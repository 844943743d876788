from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memlab import Mnemopi, tools
from memlab.errors import InputError, MemoryNotFound
from tests.autorecall.toys import Toy
from tests.golden_data import lines
from tests.mnemopi.scoped.test_golden_scoped import opened, scope_of
from tests.tools.toys import ToyServer

BANK = Path(__file__).parents[2] / "data/banks/banks/team-dispatch-26o84yz56cokc/mnemopi.db"
GOLDEN = [line for line in lines("scoped.jsonl") if line["op"] == "scopedGet"]


@pytest.mark.parametrize("line", GOLDEN, ids=lambda line: str(line["id"]))
def test_golden_memories_of_a_scope(line: dict[str, Any]) -> None:
    scope, key, found = (
        opened(scope_of(line["args"]["config"])),
        line["args"]["memoryId"],
        line["result"],
    )
    if found is None:
        with pytest.raises(
            MemoryNotFound,
            match=rf"^Mnemopi memory {key} not found in the calling session's scoped bank\. Use `recall` to list available ids\.$",
        ):
            tools.read_memory(scope, key)
        return
    answer = tools.read_memory(scope, f"memory://{key}")
    assert answer == tools.read_memory(scope, key)
    head, _, content = answer.text.removeprefix("---\n").partition("\n---\n\n")
    row = found["row"]
    assert content == row["content"]
    fields = dict(part.split(": ", 1) for part in head.split("\n"))
    told = {"id": key, "bank": found["bank"], "store": found["store"]}
    known = {
        name: str(value) for name, value in row.items() if value not in (None, "", row["content"])
    }
    known.pop("metadata", None)
    if row["metadata"] is not None:
        known["metadata"] = json.dumps(row["metadata"], ensure_ascii=False)
    assert fields == told | known
    assert answer.details == {"bank": found["bank"], "store": found["store"]}


def test_a_long_memory_is_shown_whole() -> None:
    """Field report 34: recall shows 500 units, and an update would overwrite the rest."""
    with Mnemopi(BANK) as bank:
        whole = bank.get("dis-008").text
        assert len(whole) > 1500
        assert whole not in tools.recall(bank, "runbook database host").text
        assert tools.read_memory(bank, "dis-008").text.endswith(f"---\n\n{whole}")


def test_facts_can_be_read() -> None:
    with Mnemopi(BANK) as bank:
        fact = bank.facts()[0]
        answer = tools.read_memory(bank, fact.id)
    assert answer.details["store"] == "fact"
    assert "store: fact\n" in answer.text


def test_the_fields_stand_in_the_agents_order() -> None:
    with Mnemopi(BANK) as bank:
        text = tools.read_memory(bank, "dis-010").text
    names = [line.split(":")[0] for line in text.split("\n---\n")[0].split("\n")[1:]]
    assert names == [
        "id", "bank", "store", "source", "timestamp", "created_at", "importance", "veracity",
        "session_id", "metadata",
    ]  # fmt: skip
    assert "importance: 0.75\n" in text


def test_what_has_no_addresses_says_so() -> None:
    with pytest.raises(InputError, match="no address"):
        tools.read_memory(ToyServer(), "x")
    with pytest.raises(InputError, match="no lookup"):
        tools.read_memory(Toy(), "x")
    with pytest.raises(InputError, match="key is text, not int: 5"):
        tools.read_memory(Toy(), 5)  # type: ignore[arg-type]
