"""Asking the engine: clocks, batches, errors, texts."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from memlab.errors import BankNotFound, EngineFailed, InputError, InvalidTime
from memlab.mnemopi.engine import Engine
from memlab.mnemopi.engine.pins import pins

from .conftest import NOW

pytestmark = pytest.mark.engine


def test_it_is_the_pinned_engine(engine: Engine) -> None:
    version = engine.version()
    assert {name: version[name] for name in pins().versions()} == pins().versions()
    assert version["timezone"] == "UTC"
    assert pins().versions() == {"mnemopi": "18.2.3", "agent": "18.3.4", "bun": "1.4.5"}


def written_at(engine: Engine, path: Path, now: str | datetime | None) -> str:
    engine.call("beamRemember", db=path, now=now, content=f"at {now}", options={"memoryId": "x"})
    row = engine.call("get", db=path, memoryId="x")
    assert row is not None
    return str(row["timestamp"])


@pytest.mark.parametrize(
    "now",
    [
        "2024-02-29T23:59:59.999Z",
        datetime(2024, 2, 29, 23, 59, 59, 999000, UTC),
        datetime(2024, 3, 1, 1, 59, 59, 999400, timezone(timedelta(hours=2))),
    ],
)
def test_the_clock_stands_where_it_is_put(
    engine: Engine, tmp_path: Path, now: str | datetime
) -> None:
    assert written_at(engine, tmp_path / "x.db", now) == "2024-02-29T23:59:59.999Z"


def test_the_clock_runs_again_afterwards(engine: Engine, tmp_path: Path) -> None:
    written_at(engine, tmp_path / "a.db", NOW)
    written = datetime.fromisoformat(written_at(engine, tmp_path / "b.db", None))
    assert abs(datetime.now(UTC) - written) < timedelta(seconds=30)


def test_a_time_without_a_zone_is_refused(engine: Engine) -> None:
    with pytest.raises(InvalidTime, match="no time zone"):
        engine.call("version", now=datetime(2026, 3, 1))  # noqa: DTZ001


def test_the_engines_own_error_keeps_its_name(engine: Engine, bank: Path) -> None:
    options = {"queryTime": "soon"}
    with pytest.raises(EngineFailed, match="Invalid ISO datetime: soon") as caught:
        engine.call("recall", db=bank, isolate=True, query="deploy", options=options)
    assert caught.value.name == "RangeError"
    assert caught.value.errors == ()
    with pytest.raises(EngineFailed, match="no operation fly"):
        engine.call("fly")


def test_a_recall_of_nothing_is_an_error_not_an_empty_bank(engine: Engine, tmp_path: Path) -> None:
    missing = tmp_path / "none.db"
    with pytest.raises(BankNotFound, match="There is no bank at"):
        engine.call("recall", db=missing, query="deploy")
    assert not missing.exists()


@pytest.mark.parametrize(
    "request_",
    [
        {"op": "tokenize", "arguments": {}},
        {"args": {}},
        {"op": "clip", "args": {"limit": float("nan")}},
    ],
)
def test_a_request_that_cannot_be_sent(engine: Engine, request_: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        list(engine.ask([request_]))


@pytest.mark.parametrize(
    "text", ["\ud83d alone", "\udc00", "🚀", "\u2028\u0085\x00", "é\ufeff", "\r\n"]
)
def test_any_text_travels_both_ways(engine: Engine, text: str) -> None:
    assert engine.call("clip", content=text)["content"] == text


def test_long_lines_travel_both_ways(engine: Engine) -> None:
    text = "deploy " * 400_000
    assert engine.call("clip", content=text, limit=0)["content"] == text


def test_a_batch_is_answered_in_order_with_its_own_ids(engine: Engine) -> None:
    texts = [f"word{n}" for n in range(500)]
    batch = ({"op": "tokenize", "id": text, "args": {"text": text}} for text in texts)
    answers = list(engine.ask(batch))
    assert [answer["id"] for answer in answers] == texts
    assert [answer["result"] for answer in answers] == [[text] for text in texts]


def test_a_failure_in_a_batch_is_an_answer(engine: Engine) -> None:
    bad, good = engine.ask([{"op": "fly"}, {"op": "tokenize", "args": {"text": "deploy"}}])
    assert bad["ok"] is False
    assert bad["error"]["name"] == "UnknownOperation"
    assert good["result"] == ["deploy"]


def test_a_batch_may_be_endless_and_left(engine: Engine) -> None:
    def endless() -> Iterator[dict[str, Any]]:
        while True:
            yield {"op": "tokenize", "args": {"text": "deploy"}}

    for number, answer in enumerate(engine.ask(endless())):
        assert answer["result"] == ["deploy"]
        assert engine.call("tokenize", text=f"other {number}") == ["other", str(number)]
        if number == 3:
            break
    assert engine.call("tokenize", text="after") == ["after"]


def test_threads_get_their_own_answers(engine: Engine) -> None:
    def ask(number: int) -> Any:
        return engine.call("tokenize", text=f"word{number}")

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, range(200))) == [[f"word{n}"] for n in range(200)]


def test_the_callers_settings_do_not_reach_the_engine(
    bank: Path, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = engine.recall(bank, "deploy", now=NOW)
    for name, value in {
        "MNEMOPI_IMPORTANCE_WEIGHT": "50",
        "MNEMOPI_TEMPORAL_HALFLIFE_HOURS": "0.001",
        "TZ": "Asia/Tokyo",
        "LANG": "sv_SE.UTF-8",
    }.items():
        monkeypatch.setenv(name, value)
    with Engine.start() as fresh:
        assert fresh.recall(bank, "deploy", now=NOW) == expected
        assert fresh.version()["timezone"] == "UTC"


def test_the_engine_fetches_and_keeps_nothing_by_itself(tmp_path: Path) -> None:
    with Engine.start() as engine:
        engine.call("beamRemember", db=tmp_path / "x.db", content="a text to embed")
        engine.call("beamRecall", db=tmp_path / "x.db", query="text")
        home = engine._conversation().home
        files = {path.name for path in home.rglob("*") if path.is_file()}
        assert files <= {"stderr.log"}
    assert not home.exists()
