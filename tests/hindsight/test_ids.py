"""What may become part of an address."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.errors import InputError
from memlab.hindsight import Hindsight
from memlab.hindsight.ids import bank_id, document_id, path, uuid
from memlab.testing.hindsight import FakeHindsight


@pytest.mark.parametrize(
    "bad", ["", ".", "..", "a/b", "_system", "a\x00b", "a\nb", "a\x7f", "\ud83d", "x" * 193, "é" * 97,
            None, 7, b"bytes"]
)  # fmt: skip
def test_banks_that_cannot_be_asked_for(bad: object) -> None:
    with pytest.raises(InputError):
        bank_id(bad)


@pytest.mark.parametrize(
    "good", ["omp", "my-group", "vt.firmware", "a b", "Größe", "日本", "q?#%:+&", "...", "x" * 192]
)
def test_banks_that_can(good: str) -> None:
    assert bank_id(good) == good


@pytest.mark.parametrize(
    "bad",
    [
        "",
        ".",
        "..",
        "a/../b",
        "a/./b",
        "a//b",
        "/a",
        "a/",
        "a/chunks",
        "a/history",
        "\x01",
        "x" * 3001,
    ],
)
def test_documents_that_cannot_be_asked_for(bad: str) -> None:
    with pytest.raises(InputError):
        document_id(bad)


def test_ids_of_the_server() -> None:
    assert uuid("memory", "4AF5C830-0000-4000-8000-000000000000").startswith("4af5c830")
    for bad in ("", "..", "4af5c830", "4af5c830-0000-4000-8000-000000000000/x", None):
        with pytest.raises(InputError):
            uuid("memory", bad)


@given(st.text(min_size=1, max_size=40), st.text(min_size=1, max_size=40))
def test_an_address_never_leaves_its_bank_and_route(bank: str, document: str) -> None:
    """Whatever is let through arrives as exactly these parts, after httpx has had its way."""
    try:
        target = path(bank_id(bank), "documents", document_id(document))
    except InputError:
        return
    sent = httpx.Request("DELETE", f"http://127.0.0.1{target}").url.raw_path.decode()
    parts = sent.split("/")
    assert parts[:4] == ["", "v1", "default", "banks"]
    assert unquote(parts[4]) == bank
    assert parts[5] == "documents"
    assert len(parts) == 7
    assert unquote(parts[6]) == document


@pytest.mark.parametrize("bad", [".", "..", "a/..", "chunks/../.."])
def test_a_delete_of_dots_never_leaves_the_house(fake: FakeHindsight, bad: str) -> None:
    """httpx would resolve the dots, and the server would delete the whole bank."""
    fake.add("docs", "Something worth keeping.")
    bank = Hindsight("docs", url="http://fake", transport=fake.transport, writable=True)
    with pytest.raises(InputError):
        bank.delete_document(bad)
    assert fake.requests == []
    assert len(fake.banks["docs"].memories) == 1


TAGGED: list[Callable[[Hindsight, Any], object]] = [
    lambda b, tags: b.recall("x", tags=tags),
    lambda b, tags: b.memories(tags=tags),
    lambda b, tags: b.documents(tags=tags),
    lambda b, tags: b.entities(tags=tags),
    lambda b, tags: b.graph(tags=tags),
    lambda b, tags: b.reflect("x", tags=tags),
    lambda b, tags: b.retain("x", tags=tags),
    lambda b, tags: b.retain({"content": "x", "tags": tags}),
    lambda b, tags: b.ingest([{"key": "k", "text": "x"}], tags=tags, progress=False),
    lambda b, tags: b.ingest([{"key": "k", "text": "x", "tags": tags}], progress=False),
    lambda b, tags: b.update_document("d", tags=tags),
    lambda b, tags: b.create_mental_model("n", "q", tags=tags),
]


@pytest.mark.parametrize("tags", ["team", ["team", 5]], ids=str)
@pytest.mark.parametrize("number", range(len(TAGGED)))
def test_a_text_is_no_list_of_tags(number: int, tags: object) -> None:
    """It would be taken letter by letter: a document tagged t, e, a, m, and none found."""
    fake = FakeHindsight()
    fake.add("b", "x")
    bank = Hindsight("b", url="http://fake", transport=fake.transport, writable=True)
    with pytest.raises(InputError, match="tags"):
        TAGGED[number](bank, tags)
    assert {request.method for request in fake.requests} <= {"GET"}
    assert all(not request.query.get("tags") for request in fake.requests)
