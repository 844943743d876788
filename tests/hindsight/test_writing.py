"""Everything that changes a bank, on the real server; and that it needs permission."""

from __future__ import annotations

import inspect
import logging
import uuid
from datetime import UTC, datetime

import pytest

from memlab.errors import (
    BankReadOnly,
    HindsightBankNotFound,
    HindsightFailed,
    HindsightNotFound,
    HindsightRefused,
    HindsightTimeout,
    InputError,
)
from memlab.hindsight import Hindsight
from memlab.hindsight import retaining as retaining_module
from memlab.hindsight.retaining import Retaining, bank_order
from memlab.hindsight.transfer import Transfer
from memlab.hindsight.writing import Writing
from memlab.settings import Settings
from memlab.testing.hindsight import FakeHindsight
from tests.hindsight.conftest import Open

KEY = "4af5c830-0000-4000-8000-000000000000"
ARGUMENTS = {
    "key": KEY, "operation": KEY, "name": "n", "source_query": "q", "content": "c", "tags": ["t"],
    "items": "text", "template": {}, "data": b"", "documents": [],
}  # fmt: skip


def writers() -> list[str]:
    """The methods that change a bank: those whose code asks for permission."""
    found = []
    for cls in (Writing, Retaining, Transfer):
        for name, method in vars(cls).items():
            if inspect.isfunction(method) and not name.startswith("_"):
                source = inspect.getsource(method)
                if any(word in source for word in ("_write(", "_patch(", "_delete(", "_allow(")):
                    found.append(name)
    return sorted(found)


def test_the_list_of_writers_is_whole() -> None:
    assert len(writers()) >= 20
    assert {"delete_bank", "edit", "retain", "import_archive", "ensure_bank"} <= set(writers())


@pytest.mark.parametrize("name", writers())
def test_nothing_is_written_without_permission(fake: FakeHindsight, name: str) -> None:
    fake.add("b", "Something worth keeping.")
    bank = Hindsight("b", url="http://fake", transport=fake.transport)
    method = getattr(bank, name)
    given = {}
    for key, parameter in inspect.signature(method).parameters.items():
        if parameter.default is inspect.Parameter.empty and parameter.kind.name != "VAR_KEYWORD":
            given[key] = ARGUMENTS.get(key)
        if key == "query":
            given["query"] = "x"
    if name == "edit":
        given["text"] = "other"
    if name == "reflect":
        given["create"] = True
    if name == "ingest":
        given["items"] = []
    with pytest.raises(BankReadOnly, match="writable=True"):
        method(**given)
    assert {request.method for request in fake.requests} <= {"GET"}


def test_a_bank_from_its_making_to_its_end(opened: Open) -> None:
    bank = opened()
    bank.create_bank(reflect_mission="Be brief.", enable_observations=False)
    assert bank.config().overrides["enable_observations"] is False
    assert bank.set_config(retain_chunk_size=500).config["retain_chunk_size"] == 500
    with pytest.raises(HindsightRefused) as caught:
        bank.set_config(no_such_setting=1)
    assert caught.value.status == 400
    bank.retain("The kettle is copper.", asynchronous=False)
    assert bank.delete_bank() >= 1
    with pytest.raises(HindsightBankNotFound):
        bank.stats()


def test_the_silent_creations_of_the_server_are_not_ours(opened: Open) -> None:
    """The server creates a bank for a config, a reflect, a retain, and says yes to any delete."""
    bank = opened()
    for act in (
        lambda: bank.set_config(retain_chunk_size=500),
        bank.delete_bank,
        lambda: bank.reflect("who?"),
        lambda: bank.retain("x", create=False),
    ):
        with pytest.raises(HindsightBankNotFound):
            act()
    assert bank.bank not in [one.bank_id for one in bank.banks()]


def test_edit_invalidate_revive(fresh: Hindsight) -> None:
    fresh.retain({"content": "The kettle is copper.", "document_id": "k"}, asynchronous=False)
    (one,) = fresh.memories()
    assert fresh.edit(one.id, text="The kettle is brass.").text == "The kettle is brass."
    assert fresh.recall("kettle brass")[0].text == "The kettle is brass."
    gone = fresh.invalidate(one.id, "wrong metal")
    assert (gone.state, gone.reason) == ("invalidated", "wrong metal")
    assert len(fresh.memories()) == 0
    assert fresh.recall("kettle brass").outcome == "empty"
    assert [found.id for found in fresh.memories(state="invalidated")] == [one.id]
    assert fresh.get(one.id).state == "invalidated"
    assert fresh.revive(one.id).state == "live"
    assert len(fresh.recall("kettle brass")) == 1
    with pytest.raises(InputError, match="nothing to change"):
        fresh.edit(one.id)


def test_documents(fresh: Hindsight) -> None:
    fresh.retain({"content": "One.", "document_id": "a/b ä"}, asynchronous=False)
    fresh.update_document("a/b ä", tags=["x"])
    assert fresh.memories()[0].tags == ("x",)
    assert fresh.delete_document("a/b ä") is True
    assert fresh.delete_document("a/b ä") is False
    assert len(fresh.memories()) == 0


def test_clearing_one_type_and_all(fresh: Hindsight) -> None:
    fresh.import_facts([{"id": "d", "facts": [{"text": "w"}, {"text": "e", "type": "experience"}]}])
    assert fresh.clear_memories("experience") == 1
    assert fresh.clear_memories() == 1
    assert len(fresh.documents()) == 0
    with pytest.raises(InputError, match="none of world"):
        fresh.clear_memories("bogus")  # type: ignore[arg-type]


def test_retain_now_and_later(fresh: Hindsight) -> None:
    done = fresh.retain(["First.", {"content": "Second.", "tags": ["t"], "metadata": {"n": "1"}}],
                        asynchronous=False, tags=["usual"])  # fmt: skip
    assert done.items_count == 2
    assert done.operations == ()
    assert {one.tags for one in fresh.memories()} == {("usual",), ("t",)}
    later = fresh.retain("Third, later.")
    (operation,) = later.operations
    assert fresh.wait(operation, timeout=60).status == "completed"
    assert len(fresh.memories()) == 3
    with pytest.raises(HindsightRefused) as caught:
        fresh.cancel(operation)
    assert caught.value.status == 409


@pytest.mark.parametrize(
    ("item", "said"),
    [
        ("  ", "not blank"),
        ({"content": ""}, "not blank"),
        ({"content": "x", "metadata": {"n": 1}}, "maps text to text"),
        ({"content": "x", "doc": "d"}, "An item has no doc"),
        ({"content": "x", "document_id": ".."}, "cannot be a document id"),
    ],
)
def test_items_that_are_none(fake: FakeHindsight, item: object, said: str) -> None:
    bank = Hindsight("b", url="http://fake", transport=fake.transport, writable=True)
    with pytest.raises(InputError, match=said):
        bank.retain(item)  # type: ignore[arg-type]
    assert fake.requests == []


def test_what_is_not_given_is_not_sent_and_a_moment_is_written_out(fake: FakeHindsight) -> None:
    bank = Hindsight("b", url="http://fake", transport=fake.transport, writable=True)
    moment = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
    bank.retain([{"content": "x", "timestamp": moment}, {"content": "y", "tags": []}], create=True)
    assert fake.requests[-1].json["items"] == [
        {"content": "x", "timestamp": "2026-01-02T03:04:00+00:00"},
        {"content": "y", "tags": []},
    ]


def test_mental_models_and_their_history(opened: Open) -> None:
    bank = opened()
    bank.create_bank()
    bank.retain("The kettle is copper.", asynchronous=False, tags=["t"])
    operation = bank.create_mental_model("Kitchen", "What is in the kitchen?", id="kitchen",
                                         tags=["t"], max_tokens=500)  # fmt: skip
    assert operation is not None
    assert bank.wait(operation, timeout=60).status == "completed"
    (model,) = bank.mental_models()
    assert (model.id, model.name, model.tags) == ("kitchen", "Kitchen", ("t",))
    assert model.content
    assert bank.mental_model("kitchen") is not None
    refreshed = bank.refresh_mental_model("kitchen")
    assert refreshed is not None
    bank.wait(refreshed, timeout=60)
    assert list(bank.mental_model_history("kitchen").frame().columns) == [
        "changed_at",
        "previous_content",
    ]
    assert bank.delete_mental_model("kitchen") is True
    assert bank.delete_mental_model("kitchen") is False


def test_directives_and_templates(fresh: Hindsight) -> None:
    made = fresh.create_directive("Tone", "Answer in rhymes.", priority=3)
    assert [one.name for one in fresh.directives()] == ["Tone"]
    template = fresh.export_template()
    assert template["directives"][0]["content"] == "Answer in rhymes."
    assert fresh.delete_directive(made.id) is True
    assert len(fresh.directives()) == 0
    fresh.import_template(template, dry_run=True)
    assert len(fresh.directives()) == 0
    fresh.import_template(template)
    assert [one.name for one in fresh.directives()] == ["Tone"]


def test_consolidation_makes_observations(opened: Open) -> None:
    bank = opened()
    bank.create_bank()
    bank.retain("The kettle is copper.", asynchronous=False)
    operation = bank.consolidate()
    if operation:
        bank.wait(operation, timeout=60)
    for one in bank.operations(status="pending"):
        bank.wait(one.id, timeout=60)
    assert bank.stats().total_observations == 1
    assert [row.count for row in bank.observation_scopes()] == [1]


def test_reflect_answers_with_what_it_is_based_on(opened: Open) -> None:
    """Field report 36: what is asked for reaches the server."""
    bank = opened()
    bank.create_bank(enable_observations=False)
    bank.retain("The kettle is copper.", asynchronous=False)
    found = bank.reflect("What is the kettle made of?", context="kitchen", budget="low",
                         max_tokens=300, include={"facts": {}})  # fmt: skip
    assert found.text
    assert found.based_on is not None
    assert found.usage["total_tokens"] > 0


def test_reflect_passes_its_options_on(fake: FakeHindsight) -> None:
    """Field report 36, without a server: a recording double sees every parameter."""
    seen = {}

    def fault(request):  # type: ignore[no-untyped-def]
        if request.path.endswith("/reflect"):
            seen.update(request.json)
            return 200, {"text": " yes "}, {}
        return None

    fake.fault = fault
    fake.add("b", "x")
    bank = Hindsight("b", url="http://fake", transport=fake.transport)
    bank.reflect("q", max_tokens=77, fact_types=["world"], tags=["a"], tags_match="all")
    assert seen == {"query": "q", "budget": "mid", "max_tokens": 77, "fact_types": ["world"],
                    "tags": ["a"], "tags_match": "all"}  # fmt: skip


def test_ensure_bank_is_done_once_and_swallows_failures(
    fake: FakeHindsight, caplog: pytest.LogCaptureFixture
) -> None:
    settings = Settings.load(hindsight={"bank_mission": "  Serve. ", "retain_mission": " "})
    name = f"b-{uuid.uuid4().hex}"
    bank = Hindsight(
        name, url="http://fake", transport=fake.transport, writable=True, settings=settings
    )
    fake.fault = lambda request: (500, {"detail": "boom"}, {})
    with caplog.at_level(logging.DEBUG, "memlab.hindsight"):
        assert bank.ensure_bank() is False
    assert "boom" in caplog.text
    fake.fault = None
    assert bank.ensure_bank() is True
    assert bank.ensure_bank() is True
    assert [request.method for request in fake.requests] == ["PUT", "PUT"]
    assert fake.requests[1].json == {"reflect_mission": "Serve."}


def test_the_set_of_banks_is_capped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retaining_module, "MOST_BANKS", 10)
    done: set[str] = set()
    for number in range(11):
        bank_order(done, f"bank-{number:02}")
    assert done == {f"bank-{number:02}" for number in range(5, 11)}


def test_waiting_has_an_end(fake: FakeHindsight) -> None:
    fake.add("b", "x")
    fake.fault = lambda request: (200, {"operation_id": KEY, "status": "pending"}, {})
    bank = Hindsight("b", url="http://fake", transport=fake.transport)
    with pytest.raises(HindsightTimeout, match="is pending after 0.3 s"):
        bank.wait(KEY, timeout=0.3)


def test_an_unknown_memory_cannot_be_edited(fresh: Hindsight) -> None:
    with pytest.raises(HindsightNotFound):
        fresh.edit(KEY, text="x")


def test_a_failed_import_is_an_error(fresh: Hindsight) -> None:
    with pytest.raises((HindsightRefused, HindsightFailed)):
        fresh.import_archive(b"this is no archive")
