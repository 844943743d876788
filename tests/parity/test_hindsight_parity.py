"""Requests and errors are those of the agent's own client, compared on a loopback double."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import unquote

import pytest

from memlab.errors import HindsightError
from memlab.hindsight import Hindsight, retaining
from memlab.hindsight.retaining import bank_order
from memlab.mnemopi.engine import Engine
from memlab.settings import Settings
from memlab.testing.hindsight import FakeHindsight, Reply
from tests.parity.engine import engine as real_engine

pytestmark = pytest.mark.engine

TOKEN = "tok-1"
KEY = "4af5c830-0000-4000-8000-000000000000"
BANK = "größe & b+c%?'(1)!*~"
DOCUMENT = "notes/2026 ä#1"
HALF = "cut \ud83d here"


@pytest.fixture(scope="module")
def agent() -> Engine:
    return real_engine()


class Double:
    """Answers as told, and keeps what came in."""

    def __init__(self) -> None:
        self.reply: Reply = (200, {}, {})
        self.fake = FakeHindsight(fault=lambda request: self.reply)

    def taken(self) -> list[tuple[Any, ...]]:
        """What was asked since the last time: as both clients are to have asked it."""
        found = [
            (r.method, unquote(r.path), sorted((k, tuple(v)) for k, v in r.query.items()), r.json,
             r.headers.get("authorization"), r.headers.get("content-type"))
            for r in self.fake.requests
        ]  # fmt: skip
        self.fake.requests.clear()
        return found


@pytest.fixture(scope="module")
def double() -> Iterator[tuple[Double, str]]:
    made = Double()
    with made.fake.serve() as url:
        yield made, url


def bank(url: str, **options: Any) -> Hindsight:
    given = {
        "token": TOKEN,
        "timeout": 20,
        "settings": Settings.load(),
        "writable": True,
        **options,
    }
    return Hindsight(BANK, url=url, **given)


RECALL_REPLY = {"results": [{"id": "1", "text": "hit"}]}
MODEL = {"id": "m", "name": "n"}
DOC = {"id": DOCUMENT, "bank_id": BANK, "original_text": "t"}
Call = tuple[str, list[Any], Callable[[Hindsight], Any], Any]
OPEN: dict[str, Any] = {"types": (), "max_tokens": 10}

CALLS: dict[str, Call] = {
    "recall, plain": (
        "recall", ["what?", {"budget": "mid", "maxTokens": 1024, "types": ["world", "experience"]}],
        lambda b: b.recall("what?"), RECALL_REPLY,
    ),
    "recall, everything": (
        "recall",
        [HALF, {"types": ["observation"], "maxTokens": 7, "budget": "high", "tags": ["a", "ä b"],
                "tagsMatch": "all_strict"}],
        lambda b: b.recall(HALF, types=["observation"], max_tokens=7, budget="high",
                           tags=["a", "ä b"], tags_match="all_strict"), RECALL_REPLY,
    ),
    "recall, no types": (
        "recall", ["日本", {"maxTokens": 10}], lambda b: b.recall("日本", **OPEN), RECALL_REPLY,
    ),
    "reflect": (
        "reflect", ["why?", {"context": "c", "budget": "high", "tags": ["t"], "tagsMatch": "any"}],
        lambda b: b.reflect("why?", context="c", budget="high", tags=["t"], tags_match="any"),
        {"text": "because"},
    ),
    "retain": (
        "retain",
        ["text \U0001f600", {"context": "omp", "metadata": {"session_id": "s"}, "documentId": "d",
                             "tags": ["t"], "async": True, "timestamp": "2026-01-02T03:04:05Z",
                             "updateMode": "append"}],
        lambda b: b.retain({"content": "text \U0001f600", "context": "omp", "document_id": "d",
                            "metadata": {"session_id": "s"}, "tags": ["t"],
                            "timestamp": "2026-01-02T03:04:05Z", "update_mode": "append"}),
        {"success": True},
    ),
    "retain, now": (
        "retain", ["plain"], lambda b: b.retain("plain", asynchronous=False), {"success": True},
    ),
    "batch": (
        "retainBatch",
        [[{"content": "one", "tags": ["t"]},
          {"content": "two", "documentId": "d2", "observationScopes": [["a"]], "strategy": "s"}],
         {"async": True}],
        lambda b: b.retain([{"content": "one", "tags": ["t"]},
                            {"content": "two", "document_id": "d2", "observation_scopes": [["a"]],
                             "strategy": "s"}]),
        {"success": True},
    ),
    "bank": (
        "createBank", [{"reflectMission": "r", "retainMission": "m"}],
        lambda b: b.create_bank(reflect_mission="r", retain_mission="m"), {},
    ),
    "bank without missions": ("createBank", [{}], lambda b: b.create_bank(), {}),
    "document": ("getDocument", [DOCUMENT], lambda b: b.document(DOCUMENT), DOC),
    "document, tags": (
        "updateDocument", [DOCUMENT, {"tags": ["x", "y"]}],
        lambda b: b.update_document(DOCUMENT, tags=["x", "y"]), {},
    ),
    "document, gone": ("deleteDocument", [DOCUMENT], lambda b: b.delete_document(DOCUMENT), {}),
    "model": ("getMentalModel", ["m ä"], lambda b: b.mental_model("m ä"), MODEL),
    "model, made": (
        "createMentalModel",
        ["n", "q", {"id": "m", "tags": ["t"], "maxTokens": 99, "trigger": {"mode": "delta"}}],
        lambda b: b.create_mental_model("n", "q", id="m", tags=["t"], max_tokens=99,
                                        trigger={"mode": "delta"}), {},
    ),
    "model, anew": ("refreshMentalModel", ["m"], lambda b: b.refresh_mental_model("m"), {}),
    "model, gone": ("deleteMentalModel", ["m"], lambda b: b.delete_mental_model("m"), {}),
    "model, history": (
        "getMentalModelHistory", ["m"], lambda b: b.mental_model_history("m"), [],
    ),
}  # fmt: skip


def call(agent: Engine, url: str, method: str, arguments: list[Any], **more: Any) -> dict[str, Any]:
    answer: dict[str, Any] = agent.call(
        "hindsightCall",
        baseUrl=f"{url}/",
        apiKey=TOKEN,
        method=method,
        args=[BANK, *arguments],
        **more,
    )
    return answer


def prepared(name: str, asked: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Leave out what memlab asks besides: it ensures the bank, or looks whether it is there."""
    looks = {"retain", "retain, now", "batch", "reflect"}
    beside = ("PUT", "GET") if name in looks else ()
    return [one for one in asked if one[0] not in beside]


@pytest.mark.parametrize("name", CALLS)
def test_the_same_request(agent: Engine, double: tuple[Double, str], name: str) -> None:
    made, url = double
    method, arguments, ask, reply = CALLS[name]
    made.reply = (200, reply, {})
    made.taken()
    assert "ok" in call(agent, url, method, arguments)
    theirs = made.taken()
    ask(bank(url))
    ours = prepared(name, made.taken())
    assert len(theirs) == 1
    assert ours == theirs
    assert ours[0][4] == f"Bearer {TOKEN}"


def test_lists_ask_for_the_same_and_page_besides(agent: Engine, double: tuple[Double, str]) -> None:
    """The agent gets the server's first hundred; memlab asks the same address for all."""
    made, url = double
    made.reply = (200, {"items": [], "total": 0}, {})
    made.taken()
    call(agent, url, "listMentalModels", [])
    call(agent, url, "listDocuments", [{"limit": 1000, "offset": 0}])
    call(agent, url, "listMemories", [{"limit": 1000, "offset": 0, "type": "world", "q": "a%",
                                       "consolidationState": "done"}])  # fmt: skip
    theirs = made.taken()
    here = bank(url)
    here.mental_models()
    here.documents()
    here.memories(type="world", q="a%", consolidation="done")
    ours = made.taken()
    more = {("limit", ("1000",)), ("offset", ("0",))}
    assert [one[:2] for one in ours] == [one[:2] for one in theirs]
    assert set(ours[0][2]) == set(theirs[0][2]) | more
    assert ours[1:2] == theirs[1:2]
    assert set(ours[2][2]) == set(theirs[2][2]) | {("state", ("valid",))}


BODIES: list[Any] = [
    {"detail": "Bank is odd"}, {"detail": [{"loc": ["body", "query"], "msg": "no", "input": ""}]},
    {"detail": {"code": 7, "ratio": 1.5, "2": None, "1": [True, "é \"q\""]}}, {"message": "slow down"},
    {"detail": None, "message": "m"}, {"error": "other"}, [1, 2.0, 1e21, 1e-7], "text", 0, None, "",
    b"<html>502</html>", b"", b"not json {", b'"a string"', b"\xef\xbb\xbf{\"detail\": \"bom\"}",
]  # fmt: skip


@pytest.mark.parametrize("body", BODIES, ids=repr)
@pytest.mark.parametrize("status", [400, 401, 404, 409, 422, 500, 503, 504])
def test_the_same_error(agent: Engine, double: tuple[Double, str], status: int, body: Any) -> None:
    """Message, status and details, whatever the shape of the answer."""
    made, url = double
    made.reply = (status, body, {"retry-after": "0"})
    theirs = call(agent, url, "recall", ["what?", {"maxTokens": 10}])["error"]
    with pytest.raises(HindsightError) as caught:
        bank(url).recall("what?", **OPEN)
    assert caught.value.said == theirs["message"]
    assert caught.value.status == theirs["statusCode"] == status
    assert caught.value.details == theirs["details"]
    made.taken()


@pytest.mark.parametrize(
    ("name", "value"),
    [("document", None), ("document, gone", False), ("model", None), ("model, gone", False)],
)
def test_what_is_missing_is_no_error(
    agent: Engine, double: tuple[Double, str], name: str, value: object
) -> None:
    made, url = double
    method, arguments, ask, _ = CALLS[name]
    made.reply = (404, {"detail": "Document not found"}, {})
    assert call(agent, url, method, arguments)["ok"] in (value, None)
    assert ask(bank(url)) is value
    made.taken()


def test_the_same_words_for_a_timeout_and_for_nobody(agent: Engine) -> None:
    """The reason behind the colon is that of the network library, and differs."""
    slow = FakeHindsight()
    release = threading.Event()
    slow.fault = lambda request: (release.wait(3), (200, {}, {}))[1]
    with slow.serve() as url:
        theirs = call(agent, url, "recall", ["q", {}], timeouts={"recall": 600})["error"]
        with pytest.raises(HindsightError) as caught:
            bank(url, timeout=0.6).recall("q")
        release.set()
        assert caught.value.said == theirs["message"] == "recall request timed out after 1s"
        assert caught.value.status is theirs["statusCode"] is None
    theirs = call(agent, url, "recall", ["q", {}])["error"]
    with pytest.raises(HindsightError) as caught:
        bank(url).recall("q")
    begin = "recall request failed: "
    assert theirs["message"].startswith(begin)
    assert caught.value.said.startswith(begin)


def test_ensuring_banks(
    agent: Engine, double: tuple[Double, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made, url = double
    monkeypatch.setattr(retaining, "_done", {})
    made.reply = (200, {}, {})
    made.taken()
    missions = {"bankMission": "  Serve. ", "retainMission": " \n"}
    agent.call("ensureBanks", baseUrl=url, config=missions, banks=[BANK, BANK])
    theirs = made.taken()
    settings = Settings.load(hindsight={"bank_mission": "  Serve. ", "retain_mission": " \n"})
    here = bank(url, settings=settings, token="")
    here.ensure_bank()
    here.ensure_bank()
    assert made.taken() == theirs
    assert len(theirs) == 1


def test_the_cap_of_ensured_banks(agent: Engine, double: tuple[Double, str]) -> None:
    made, url = double
    made.reply = (200, {}, {})
    done = [f"b{number}" for number in range(10_000)]
    theirs = agent.call("ensureBanks", baseUrl=url, config={}, banks=["zz"], done=done)
    ours = set(done)
    bank_order(ours, "zz")
    assert ours == set(theirs)
    made.taken()
