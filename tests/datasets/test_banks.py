"""The same set on several backends: its labels find its items on each."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from memlab import Bm25, Case, Cases, Hindsight, R, Settings, evaluate
from memlab.datasets import Dataset, Item, build_banks, ingest_banks, on_each
from memlab.errors import InputError
from memlab.testing.hindsight import FakeHindsight

WHEN = datetime(2026, 5, 1, tzinfo=UTC)


@pytest.fixture
def data() -> Dataset:
    texts = ["The kiln fires at noon.", "Bees swarm in May.", "The hive moved.", "  "]
    items = [
        Item(f"t{n}", text, bank, WHEN, "user", f"s{n}")
        for bank in ("one", "two")
        for n, text in enumerate(texts)
    ]
    cases = [
        Case("kiln", "kiln fires", {"t0": 1}, bank="one"),
        Case("hive", "hive moved", {"t2": 1}, bank="two"),
        Case("both", "swarm hive", {"t1": 1, "t2": 1}, bank="two"),
    ]
    return Dataset("small", tuple(items), Cases(cases))


def test_on_every_backend(data: Dataset, tmp_path: Path) -> None:
    server = FakeHindsight()

    def make(name: str) -> Hindsight:
        return Hindsight(
            f"set-{name}", writable=True, transport=server.transport, settings=Settings.load()
        )

    mnemopi = build_banks(data, tmp_path)
    hindsight = ingest_banks(data, make)
    for systems, cases in (
        (mnemopi, data.cases),
        (mnemopi, data.keyed("source").cases),
        (on_each(data, Bm25), data.cases),
        (hindsight, data.keyed("document").cases),
        (hindsight, data.keyed("source").cases),
    ):
        run = evaluate(systems, cases, [R @ 8])
        assert run.frame()["R@8"].tolist() == [1, 1, 1], run.frame()
        assert set(run.relevant()["state"]) <= {"live"}
    assert [len(bank.memories()) for bank in hindsight.values()] == [3, 3]  # the blank is left out
    sent = len([one for one in server.requests if one.method == "POST"])
    ingest_banks(data, make)
    again = [one for one in server.requests if one.method == "POST"][sent:]
    assert not any(one.path.endswith("/memories") for one in again)
    by_session = data.by_session()
    assert by_session.keyed("document").cases == by_session.cases


def test_what_was_not_stored_is_named(data: Dataset) -> None:
    def fault(request: object) -> tuple[int, object, dict[str, str]] | None:
        path, method = request.path, request.method  # type: ignore[attr-defined]
        return (
            (400, {"detail": "no"}, {}) if method == "POST" and path.endswith("memories") else None
        )

    server = FakeHindsight(fault=fault)
    with pytest.raises(InputError, match="3 items of 'one', such as 't0', were not stored"):
        ingest_banks(
            data,
            lambda name: Hindsight(
                name, writable=True, transport=server.transport, settings=Settings.load()
            ),
        )
