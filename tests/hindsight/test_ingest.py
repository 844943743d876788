"""Filling a bank: batches, duplicates, what exists already, failures, going on."""

from __future__ import annotations

import pytest

import memlab as ml
from memlab.errors import FormatError, HindsightBusy, InputError
from memlab.hindsight import Hindsight, make_archive, read_archive
from memlab.hindsight import ingest as ingest_module
from memlab.testing.hindsight import FakeHindsight
from tests.hindsight.conftest import Open


def items(*numbers: int) -> list[dict[str, object]]:
    return [
        {"key": f"k{n}", "text": f"Note number {n} about kettles.", "time": f"2026-01-{n + 1:02}"}
        for n in numbers
    ]


def test_ingest_on_the_real_server(opened: Open) -> None:
    bank = opened()
    bank.create_bank(enable_observations=False)
    first = bank.ingest([*items(*range(7)), items(3)[0]], batch=3, progress=False, tags=["set"])
    assert first.counts == {"stored": 7, "duplicate": 1}
    assert first.failed == ()
    memories = {one.source: one for one in bank.memories()}
    assert set(memories) == {f"k{n}" for n in range(7)}
    assert memories["k2"].metadata is not None
    assert memories["k2"].metadata["source_key"] == "k2"
    assert memories["k2"].tags == ("set",)
    assert str(memories["k2"].time) == "2026-01-03 00:00:00+00:00"
    again = bank.ingest(items(5, 6, 7), progress=False)
    assert again.frame()[["key", "status"]].to_numpy().tolist() == [
        ["k5", "exists"], ["k6", "exists"], ["k7", "stored"],
    ]  # fmt: skip
    assert len(bank.memories()) == 8


def test_labelled_cases_find_what_was_ingested(opened: Open) -> None:
    """The keys of the cases are the keys of the items: sources, and documents."""
    bank = opened()
    bank.create_bank(enable_observations=False)
    bank.ingest(items(*range(5)), progress=False)
    for kind in ("source", "document"):
        case = ml.Case(id="c", query="note number 4 kettles", relevant={"k4": 1}, keys=kind)
        found = ml.evaluate(bank, [case], [ml.R @ 5], progress=False)
        assert found.means()["mean"].tolist() == [1.0]


def test_an_interruption_is_gone_on_with(fake: FakeHindsight) -> None:
    bank = Hindsight("b", url="http://fake", transport=fake.transport, writable=True)
    calls = []

    def fault(request):  # type: ignore[no-untyped-def]
        if request.method == "POST":
            calls.append(1)
            if len(calls) == 2:
                return 503, {"detail": "Server is at capacity"}, {}
        return None

    fake.fault = fault
    report = bank.ingest(items(*range(6)), batch=2, progress=False)
    assert report.counts == {"stored": 4, "failed": 2}
    assert report.failed == ("k2", "k3")
    assert "at capacity" in report.frame()["error"].iloc[2]
    fake.fault = None
    assert bank.ingest(items(*range(6)), batch=2, progress=False).counts == {
        "exists": 4,
        "stored": 2,
    }
    assert len(fake.banks["b"].memories) == 6


def test_operations_that_fail_are_named(fake: FakeHindsight) -> None:
    def fault(request):  # type: ignore[no-untyped-def]
        if "/operations/" in request.path:
            return 200, {"operation_id": "x", "status": "failed", "error_message": "no model"}, {}
        return None

    fake.fault = fault
    bank = Hindsight("b", url="http://fake", transport=fake.transport, writable=True)
    report = bank.ingest(items(1), progress=False)
    assert report.frame()[["status", "error"]].to_numpy().tolist() == [["failed", "no model"]]
    assert repr(report) == "IngestReport(1 failed)"


@pytest.mark.parametrize(
    "bad", [{"key": "k", "text": " "}, {"text": "no key"}, {"key": "..", "text": "x"}, {"key": "k"}]
)
def test_nothing_is_sent_where_an_item_is_none(fake: FakeHindsight, bad: dict) -> None:  # type: ignore[type-arg]
    bank = Hindsight("b", url="http://fake", transport=fake.transport, writable=True)
    with pytest.raises(InputError):
        bank.ingest([*items(1), bad], progress=False)
    assert fake.requests == []


def test_a_listing_that_fails_is_no_empty_bank(fake: FakeHindsight) -> None:
    fake.add("b", "x")
    fake.fault = lambda request: (503, {"detail": "later"}, {"retry-after": "0"})
    bank = Hindsight("b", url="http://fake", transport=fake.transport, writable=True)
    with pytest.raises(HindsightBusy):
        bank.ingest(items(1), progress=False)


def test_memories_of_another_bank_can_be_ingested(fake: FakeHindsight) -> None:
    memory = ml.Memory(id="m-1", text="From elsewhere.", tier="working", state="live", tags=("t",))
    bank = Hindsight("b", url="http://fake", transport=fake.transport, writable=True)
    assert bank.ingest([memory], progress=False).counts == {"stored": 1}
    (one,) = fake.banks["b"].memories.values()
    assert (one["document_id"], one["tags"]) == ("m-1", ["t"])


def test_archives_of_all_three_types_go_in_and_come_out(opened: Open) -> None:
    bank = opened()
    bank.create_bank(enable_observations=False)
    documents = [{"id": "d/1", "text": "All of it.", "tags": ["t"], "facts": [
        {"text": "World fact.", "metadata": {"source_key": "w"}, "entities": ["Ada"],
         "occurred_start": "2026-01-01T00:00:00Z"},
        {"text": "Own deed.", "type": "experience"}]}]  # fmt: skip
    seen = [{"text": "Seen.", "tags": ["t"], "sources": [("d/1", 0)]}]
    done = bank.import_facts(documents, seen)
    assert done.result_metadata["facts_imported"] == 2
    assert done.result_metadata["observations_imported"] == 1
    assert bank.import_facts(documents).result_metadata["documents_skipped"] == 1
    with pytest.raises(InputError, match="no single document"):
        bank.export_archive(["d/1"], observations=True)
    assert read_archive(bank.export_archive(["d/1"]))["observations"] == []
    content = read_archive(bank.export_archive())
    (document,) = content["documents"]
    assert document["original_text"] == "All of it."
    assert {one["text"] for one in document["facts"]} == {"World fact.", "Own deed."}
    assert [one["text"] for one in content["observations"]] == ["Seen."]
    other = opened()
    other.import_archive(bank.export_archive())
    assert {(one.tier, one.text) for one in other.memories()} == {
        (one.tier, one.text) for one in bank.memories()
    }


def test_archives_are_the_same_bytes_every_time() -> None:
    documents = [{"id": "d", "facts": [{"text": "Fact."}]}]
    assert make_archive(documents) == make_archive(documents)
    assert read_archive(make_archive(documents))["manifest"]["fact_count"] == 1


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({"id": "d", "facts": [{"text": "x", "type": "observation"}]}, "given apart"),
        ({"id": "d", "facts": [{"text": ""}]}, "not blank"),
        ({"id": "d", "facts": [{"text": "x", "when": "now"}]}, "has no when"),
        ({"id": "d", "facts": [{"text": "x", "metadata": {"a": 1}}]}, "not text"),
        ({"id": "..", "facts": []}, "cannot be a document id"),
    ],
)
def test_archives_that_cannot_be_made(document: dict, said: str) -> None:  # type: ignore[type-arg]
    with pytest.raises(InputError, match=said):
        make_archive([document])
    with pytest.raises(FormatError, match="no archive"):
        read_archive(b"not a zip")


def test_the_bar_counts_what_is_sent(
    fake: FakeHindsight, capsys: pytest.CaptureFixture[str]
) -> None:
    bank = Hindsight("b", url="http://fake", transport=fake.transport, writable=True)
    bank.ingest(items(1, 2), progress=True)
    assert "ingest" in capsys.readouterr().err
    assert ingest_module.IngestReport(()).counts == {}
