from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from memlab import Mnemopi, Settings, tools
from memlab.errors import BackendUnavailable, InputError, InvalidTime, RecallTimeout, UnknownOption
from tests.autorecall.toys import Toy
from tests.mnemopi.scoped.test_golden_scoped import RECALLS, backend, limit_of
from tests.tools.toys import ToyServer

BANK = Path(__file__).parents[2] / "data/banks/banks/team-dispatch-26o84yz56cokc/mnemopi.db"
NOW = "2026-11-02T09:00:00.000Z"
TEXTS = [line for line in RECALLS if line["ok"] and line["op"] == "scopedRecallText"]


@pytest.mark.parametrize("line", TEXTS, ids=lambda line: str(line["id"]))
def test_golden_answers_of_the_agent(line: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    scope, result = backend(line, monkeypatch), line["result"]
    given = {"now": line["now"], "limit": limit_of(line)}
    answer = tools.recall(scope, line["args"]["query"], **given)
    count = len(result["results"])
    head = f"Found {count} relevant {'memory' if count == 1 else 'memories'} (as of 2026-03-01 12:00 UTC):"
    expected = f"{head}\n\n{result['withIds']}" if count else "No relevant memories found."
    assert (answer.text, answer.useless, dict(answer.details)) == (expected, not count, {})
    thought = tools.reflect(scope, line["args"]["query"], **given)
    nothing = "No relevant information found to reflect on."
    assert thought.text == (
        f"Based on recalled memories:\n\n{result['context']}" if count else nothing
    )
    assert not thought.useless


def test_the_query_goes_through_unchanged() -> None:
    toy = Toy("the queue")
    tools.recall(toy, "  the queue?\n", limit=3)
    assert toy.asked == [("  the queue?\n", {"limit": 3})]


def test_the_clock_is_a_parameter() -> None:
    with Mnemopi(BANK) as bank:
        moment = datetime(2026, 11, 2, 9, tzinfo=UTC)
        assert tools.recall(bank, "RabbitMQ", now=moment) == tools.recall(bank, "RabbitMQ", now=NOW)
        assert "(as of 2026-11-02 09:00 UTC)" in tools.recall(bank, "RabbitMQ", now=NOW).text
        assert "(as of 2026-12-24 " in tools.recall(bank, "RabbitMQ", now="2026-12-24").text
        with pytest.raises(InvalidTime):
            tools.recall(bank, "RabbitMQ", now="noon")


def test_hindsight_entries_have_type_and_time() -> None:
    server = ToyServer("the queue is Redis", type="world", mentioned_at="2026-01-02T00:00:00Z")
    answer = tools.recall(server, "queue", now=NOW)
    assert answer.text == (
        "Found 1 relevant memory (as of 2026-11-02 09:00 UTC):\n\n"
        "- the queue is Redis [world] (2026-01-02T00:00:00Z)"
    )
    assert server.asked == [
        ("queue", {"budget": "mid", "max_tokens": 1024, "types": ("world", "experience")})
    ]
    nothing = tools.recall(server, "zebra", now=NOW)
    assert (nothing.text, nothing.useless) == ("No relevant memories found.", True)
    with pytest.raises(InvalidTime, match="noon"):
        tools.recall(server, "queue", now="noon")


def test_hindsight_reflects_on_the_server() -> None:
    server = ToyServer(answer=SimpleNamespace(text="  It is Redis.\n"))
    settings = Settings.load(hindsight={"recall_budget": "high"})
    assert (
        tools.reflect(server, "queue?", "for the runbook", settings=settings).text == "It is Redis."
    )
    assert server.reflected == [("queue?", "for the runbook", {"budget": "high"})]
    assert server.asked == []
    for empty in ("", " \n", SimpleNamespace(text=None)):
        server.answer = empty
        assert tools.reflect(server, "x").text == "No relevant information found to reflect on."


def test_mnemopi_reflect_only_recalls() -> None:
    toy = Toy()
    tools.reflect(toy, " the queue? ", " for the runbook\n")
    tools.reflect(toy, " the queue? ", " \n")
    assert [query for query, _ in toy.asked] == [
        "the queue?\n\nAdditional context:\nfor the runbook",
        " the queue? ",
    ]


def test_without_a_backend_the_agent_says_so() -> None:
    for call in (tools.recall, tools.reflect):
        with pytest.raises(
            BackendUnavailable, match=r"^Mnemopi backend is not initialised for this session\.$"
        ):
            call(None, "x", style="mnemopi")
        known = Settings.load(memory={"backend": "hindsight"})
        with pytest.raises(BackendUnavailable, match=r"^Hindsight backend is not initialised"):
            call(None, "x", settings=known)
    with pytest.raises(InputError, match="no backend 'off' to ask: memory.backend is off"):
        tools.recall(None, "x")


def test_a_failure_is_raised_and_no_empty_list() -> None:
    with pytest.raises(RecallTimeout):
        tools.recall(Toy(error=RecallTimeout("late")), "x")
    with pytest.raises(RecallTimeout):
        tools.reflect(Toy(error=RecallTimeout("late")), "x")
    with Mnemopi(BANK) as bank, pytest.raises(UnknownOption):
        tools.recall(bank, "x", bogus=1)


@pytest.mark.parametrize("call", [tools.recall, tools.reflect])
def test_a_failed_call_is_logged_with_its_bank(
    call: Callable[..., Any], caplog: pytest.LogCaptureFixture
) -> None:
    backends = [Toy(error=RecallTimeout("late")), ToyServer(error=RecallTimeout("late"))]
    for one in backends:
        with pytest.raises(RecallTimeout):
            call(one, "x")
    said = [(entry.name, entry.levelname, entry.message) for entry in caplog.records]
    name = call.__name__
    assert said == [
        ("memlab.tools", "WARNING", f"{name} failed: bank mnemopi:toy: late"),
        ("memlab.tools", "WARNING", f"{name} failed: bank omp: late"),
    ]
    caplog.clear()
    with Mnemopi(BANK) as bank:
        call(bank, "x")
        with pytest.raises(UnknownOption):
            call(bank, "x", bogus=1)
    assert caplog.records == [], "nothing was asked, so nothing failed"


def test_a_question_is_text() -> None:
    for given in ((3,), ("x", 3)):
        with pytest.raises(InputError, match="is text, not int"):
            tools.reflect(ToyServer(), *given)  # type: ignore[arg-type]


def test_the_limit_is_that_of_the_settings() -> None:
    toy = Toy()
    tools.recall(toy, "x", settings=Settings.load(mnemopi={"recall_limit": 3}))
    assert toy.asked == [("x", {"limit": 3})]


def test_a_result_prints_as_its_text() -> None:
    result = tools.recall(Toy(), "x")
    assert str(result) == result.text
