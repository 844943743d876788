from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memlab import Mnemopi, MnemopiScope, Scope, tools
from memlab.errors import BankReadOnly, InputError
from tests.tools.toys import ToyBank, ToyServer

BANKS = Path(__file__).parents[2] / "data" / "banks"
BANK = BANKS / "banks" / "team-dispatch-26o84yz56cokc" / "mnemopi.db"


def banks() -> list[ToyBank]:
    return [
        ToyBank("dispatch", a="working", s="episodic", f="fact", both="episodic"),
        ToyBank("team", t="working", both="working"),
    ]


@pytest.mark.parametrize(
    ("op", "key", "text", "details"),
    [
        ("update", "a", "Memory a updated in bank dispatch (working).", ("updated", "dispatch", "working")),
        ("forget", "a", "Memory a deleted in bank dispatch (working).", ("deleted", "dispatch", "working")),
        ("invalidate", "s", "Memory s invalidated in bank dispatch (episodic).", ("invalidated", "dispatch", "episodic")),
        ("forget", "t", "Memory t deleted in bank team (working).", ("deleted", "team", "working")),
        ("forget", "both", "Memory both deleted in bank team (working).", ("deleted", "team", "working")),
        ("update", "s", "Memory s was not found in bank dispatch (episodic).", ("not_found", "dispatch", "episodic")),
        ("forget", "f", "Memory f is a read-only fact in bank dispatch (fact); it cannot be edited. Read it with memory://f.", ("not_editable", "dispatch", "fact")),
        ("forget", "zz", "Memory zz was not found.", ("not_found",)),
    ],
)  # fmt: skip
def test_texts_and_details(op: Any, key: str, text: str, details: tuple[str, ...]) -> None:
    content = "new" if op == "update" else None
    answer = tools.memory_edit(banks(), op, key, content=content)
    assert answer.text == text
    assert tuple(answer.details.values()) == details
    assert not answer.useless


def test_importance_is_cut_and_a_replacement_is_passed_on() -> None:
    bank = ToyBank("dispatch", a="working")
    tools.memory_edit(bank, "update", "a", importance=7)
    tools.memory_edit(bank, "update", "a", importance=-1, content="x")
    tools.memory_edit(bank, "invalidate", "a", replacement_id="b")
    assert bank.calls == [
        ("update", "a", None, 1.0),
        ("update", "a", "x", 0.0),
        ("invalidate", "a", "b"),
    ]


def test_secrets_in_a_new_text_are_replaced() -> None:
    bank = ToyBank("dispatch", a="working")
    tools.memory_edit(bank, "update", "a", content="The robot has token-abcdefghijklmnop now.")
    assert bank.calls == [("update", "a", "The robot has [REDACTED] now.", None)]


def test_the_first_bank_that_can_is_the_last_that_is_asked() -> None:
    first, second = banks()
    tools.memory_edit([first, second], "forget", "a")
    assert second.calls == []


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: tools.memory_edit(ToyBank("x"), "update", "a"), "^memory_edit update requires content or importance.$"),
        (lambda: tools.memory_edit(ToyBank("x"), "delete", "a"), 'op is "update"'),
        (lambda: tools.memory_edit([], "forget", "a"), "no bank to edit"),
        (lambda: tools.memory_edit(ToyServer(), "forget", "a"), "Hindsight has no such tool"),
        (lambda: tools.memory_edit(ToyBank("x"), "forget", 5), "key is text, not int: 5"),
        (lambda: tools.memory_edit(ToyBank("x"), "update", "a", content=5), "content is text, not int: 5"),
        (lambda: tools.memory_edit(ToyBank("x"), "update", "a", importance="1"), "importance is a number from 0 to 1, not '1'"),
        (lambda: tools.memory_edit(ToyBank("x"), "update", "a", importance=float("nan")), "importance is a number from 0 to 1, not nan"),
    ],
)  # fmt: skip
def test_what_cannot_be_edited_is_refused(call: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        call()


def test_a_scope_is_for_reading() -> None:
    scope = Scope.mnemopi("/home/mira/work/dispatch", bank="team", path=BANKS / "mnemopi.db")
    with MnemopiScope(scope) as opened, pytest.raises(InputError, match=r"cannot edit.*bank\.copy"):
        tools.memory_edit(opened, "forget", "dis-010")


def test_a_real_copy_is_edited_and_the_original_is_not(tmp_path: Path) -> None:
    before = BANK.read_bytes()
    with Mnemopi(BANK) as bank:
        with pytest.raises(BankReadOnly):
            tools.memory_edit(bank, "forget", "dis-010")
        with bank.copy(tmp_path / "copy.db") as copy:
            name = copy.bank
            edited = tools.memory_edit(copy, "update", "dis-010", content="At most 20 parcels.")
            assert edited.text == f"Memory dis-010 updated in bank {name} (working)."
            assert copy.get("dis-010").text == "At most 20 parcels."
            gone = tools.memory_edit([copy], "forget", "dis-010")
            assert gone.details == {"status": "deleted", "bank": name, "store": "working"}
            fact = copy.facts()[0].id
            assert "read-only fact" in tools.memory_edit(copy, "invalidate", fact).text
            assert (
                tools.memory_edit(copy, "forget", "dis-010").text == "Memory dis-010 was not found."
            )
    assert BANK.read_bytes() == before
