"""Recordings: the same answers without a server, and nothing secret in them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from memlab.errors import (
    FormatError,
    HindsightBankNotFound,
    HindsightFailed,
    HindsightRefused,
    InputError,
    NotRecorded,
)
from memlab.hindsight import Hindsight
from memlab.hindsight.recording import Recorder, Tape
from memlab.testing.hindsight import FakeHindsight
from tests.hindsight.conftest import Open

WHOLE = (
    '{"request": {"method": "GET", "path": "/x"}, '
    '"answer": {"status": 200, "seconds": 0.1, "headers": {}, "json": {}}}'
)
AT = {"query_timestamp": "2026-06-01T00:00:00Z"}


def table(rows: Any) -> str:
    return str(rows.frame().to_json(date_format="iso"))


def everything(bank: Hindsight) -> list[object]:
    """What a notebook might look at."""
    found = bank.recall("where does Alice live?", trace=True, **AT)
    return [
        found.frame().to_json(), found.text, found.block, found.seconds, found.size,
        found.trace.ranked.to_json(), table(bank.memories()),
        table(bank.documents()), table(bank.tags()), bank.stats().model_dump(),
        bank.version().model_dump(),
    ]  # fmt: skip


def test_a_replay_is_the_recording_to_the_last_digit(
    town: Hindsight, opened: Open, tmp_path: Path
) -> None:
    tape = tmp_path / "tape.jsonl"
    recorded = everything(opened("town", record=tape))
    played = Hindsight("town", replay=tape)
    assert everything(played)[:3] == recorded[:3]
    assert everything(played) == everything(Hindsight("town", replay=tape))
    assert repr(played) == "Hindsight('town' on a recording)"
    measured = recorded[3]
    assert everything(played)[3] == pytest.approx(measured, abs=0.05)


def test_the_order_in_the_file_is_that_of_the_requests(
    opened: Open, town: Hindsight, tmp_path: Path
) -> None:
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    words = ["Alice", "Bob", "garden"]
    for path, order in ((one, words), (other, words[::-1])):
        bank = opened("town", record=path)
        for word in order:
            bank.recall(word, **AT)
    requests = [
        [json.loads(line)["request"] for line in path.read_text("utf-8").splitlines()]
        for path in (one, other)
    ]
    assert requests[0] == requests[1]
    assert [request["body"]["query"] for request in requests[0]] == sorted(words)


def test_errors_are_played_too(opened: Open, town: Hindsight, tmp_path: Path) -> None:
    tape = tmp_path / "tape.jsonl"
    with pytest.raises(HindsightRefused) as first:
        opened("town", record=tape).recall("???")
    with pytest.raises(HindsightBankNotFound) as missing:
        opened("nowhere", record=tmp_path / "other.jsonl").recall("x")
    with pytest.raises(HindsightRefused) as second:
        Hindsight("town", replay=tape).recall("???")
    assert (str(first.value), first.value.details) == (str(second.value), second.value.details)
    with pytest.raises(HindsightBankNotFound) as again:
        Hindsight("nowhere", replay=tmp_path / "other.jsonl").recall("x")
    assert again.value.details == missing.value.details


def test_what_was_not_recorded_shows_what_comes_nearest(
    fake: FakeHindsight, tmp_path: Path
) -> None:
    fake.add("b", "A copper kettle.")
    tape = tmp_path / "tape.jsonl"
    bank = Hindsight("b", url="http://fake", transport=fake.transport, record=tape)
    bank.recall("copper kettle", budget="low")
    bank.recall("copper roof", budget="low")
    bank.tags()
    with pytest.raises(NotRecorded) as caught:
        Hindsight("b", replay=tape).recall("copper kettle", budget="high")
    said = str(caught.value)
    assert '"budget": "high"' in said.split("Nearest in it:", maxsplit=1)[0]
    assert '"query": "copper kettle"' in said.split("Nearest in it:")[1].splitlines()[1]
    assert caught.value.outcome == "unavailable"


def test_different_answers_to_one_request_come_in_their_order(
    fake: FakeHindsight, tmp_path: Path
) -> None:
    tape = tmp_path / "tape.jsonl"
    bank = Hindsight("b", url="http://fake", transport=fake.transport, record=tape, writable=True)
    fake.add("b", "One.")
    counts = [bank.stats().total_nodes]
    fake.add("b", "Two.")
    counts += [bank.stats().total_nodes, bank.stats().total_nodes]
    assert counts == [1, 2, 2]
    played = Hindsight("b", replay=tape)
    assert [played.stats().total_nodes for _ in range(4)] == [1, 2, 2, 2]
    assert len(tape.read_text("utf-8").splitlines()) == 2


def test_files_and_texts_of_all_kinds_survive(fake: FakeHindsight, tmp_path: Path) -> None:
    tape = tmp_path / "tape.jsonl"
    zipped = b"PK\x03\x04\xff\x00"
    rows = [{"id": "1", "text": "ein Kätzchen \U0001f63a \ud83d"}]

    def fault(request):  # type: ignore[no-untyped-def]
        if request.path.endswith("/recall"):
            return 200, {"results": rows}, {}
        if "download" in request.path:
            return 200, zipped, {"content-type": "application/zip"}
        return 200, {"operation_id": "4af5c830-0000-4000-8000-000000000000", "status": "completed",
                     "result_metadata": {"download_url": "/download/x"}}, {}  # fmt: skip

    fake.fault = fault
    bank = Hindsight("b", url="http://fake", transport=fake.transport, record=tape, writable=True)
    query = "Kätzchen \ud83d"
    text = "ein Kätzchen \U0001f63a \ufffd"  # what JavaScript makes of half a character
    assert bank.recall(query)[0].text == text
    assert bank.export_archive() == zipped
    bank.import_archive(zipped)
    played = Hindsight("b", replay=tape, writable=True)
    assert played.recall(query)[0].text == text
    assert played.export_archive() == zipped
    assert played.import_archive(zipped).status == "completed"
    assert "Kätzchen" in tape.read_text("utf-8")  # readable in a diff


def test_files_that_are_no_recording(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="cannot be read"):
        Hindsight("b", replay=tmp_path / "nothing.jsonl")
    bad = tmp_path / "bad.jsonl"
    bad.write_text(f"{WHOLE}\nnot json\n", "utf-8")
    with pytest.raises(FormatError, match="line 2"):
        Hindsight("b", replay=bad)


def test_a_recording_is_whole_after_each_answer(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "t.jsonl", [SecretStr('s3cret"quote')])
    recorder.add(
        {"method": "GET", "path": "/x", "query": [["q", 's3cret"quote']]},
        {"status": 200, "seconds": 0.1, "headers": {}, "json": {"said": 's3cret"quote'}},
    )
    text = (tmp_path / "t.jsonl").read_text("utf-8")
    assert "s3cret" not in text
    assert text.count("***") == 2


@pytest.mark.parametrize("secret", ["e", "status", "request", "world", '"', "\\", 'é"', "a b/c"])
def test_a_secret_of_any_kind_leaves_a_recording_that_can_be_played(
    fake: FakeHindsight, tmp_path: Path, secret: str
) -> None:
    """Only what others said is masked: a short token is a part of memlab's own words, too."""
    fake.add("b", f"Heard {secret} in the yard.")
    tape = tmp_path / "tape.jsonl"
    bank = Hindsight("b", url="http://fake", token=secret, transport=fake.transport, record=tape)
    bank.recall("yard Heard")
    (line,) = tape.read_text("utf-8").splitlines()
    exchange = json.loads(line)
    text = exchange["answer"]["json"]["results"][0]["text"]
    assert secret not in text
    assert "***" in text
    assert Tape(tape).answer(exchange["request"]) == exchange["answer"]


def test_a_secret_in_an_address_or_a_page_of_text_is_masked(tmp_path: Path) -> None:
    """Such as the page of a proxy that says which login it refused."""
    secret, tape = "pa/ss w\u00f6rd", tmp_path / "tape.jsonl"
    fake = FakeHindsight(fault=lambda request: (502, f"<p>no {secret}</p>".encode(), {}))
    bank = Hindsight("b", url="http://fake", token=secret, transport=fake.transport, record=tape)
    with pytest.raises(HindsightFailed):
        bank.document(secret)
    said = tape.read_text("utf-8")
    assert "<p>no ***</p>" in said  # readable in a diff
    assert "/documents/***" in said
    for part in (secret, "pa%2Fss", "w\\u00f6rd"):
        assert part not in said


def test_a_recording_stays_until_there_is_another(fake: FakeHindsight, tmp_path: Path) -> None:
    tape = tmp_path / "tape.jsonl"
    fake.add("b", "words")
    given = {"url": "http://fake", "transport": fake.transport}
    Hindsight("b", record=tape, **given).recall("words")  # type: ignore[arg-type]
    before = tape.read_text("utf-8")
    again = Hindsight("b", record=tape, **given)  # type: ignore[arg-type]
    assert tape.read_text("utf-8") == before
    again.tags()
    assert "/tags" in tape.read_text("utf-8")
    assert "/recall" not in tape.read_text("utf-8")


def test_where_nothing_can_be_recorded(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    for place, why in (
        (tmp_path / "file" / "tape.jsonl", "cannot be written"),
        (tmp_path, "is a dir"),
    ):
        with pytest.raises(InputError, match=why):
            Hindsight("b", url="http://fake", record=place)


@pytest.mark.parametrize(
    "answer",
    [
        {}, {"status": 200}, {"status": "200", "seconds": 1, "headers": {}, "json": 1},
        {"status": 200, "seconds": None, "headers": {}, "json": 1},
        {"status": 200, "seconds": 1, "headers": [], "json": 1},
        {"status": 200, "seconds": 1, "headers": {}},
        {"status": 200, "seconds": 1, "headers": {}, "base64": "!"}, [], "x", None,
    ],
    ids=repr,
)  # fmt: skip
def test_an_answer_that_lacks_a_part_is_found_when_the_file_is_read(
    tmp_path: Path, answer: object
) -> None:
    tape = tmp_path / "tape.jsonl"
    line = json.dumps({"request": {"method": "GET", "path": "/x"}, "answer": answer})
    tape.write_text(f"{WHOLE}\n{line}\n", "utf-8")
    with pytest.raises(FormatError, match="line 2"):
        Hindsight("b", replay=tape)
