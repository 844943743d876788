"""The agent's own layer answers too: names, queries, Hindsight."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from memlab.mnemopi.engine import Engine

pytestmark = pytest.mark.engine


def test_names_and_scopes(engine: Engine) -> None:
    assert engine.call("bunHash36", text="abc") == "1g45uqqks6lu"
    assert engine.call("projectBankSegment", root="/srv/データ-app") == "app-15gixttwcafv"
    assert engine.call("sanitizeBankName", name="日本") is None
    scope = engine.call(
        "bankScope", configured="team", cwd="/work/otter-api", scoping="per-project"
    )
    assert scope["bank"] == "team-otter-api-28k8yu3vl3sfg"
    assert engine.call("fallbackQuery", query="a b", projectBank="b", sharedBank=None) is None


def test_queries_and_transcripts(engine: Engine) -> None:
    messages = [{"role": "user", "content": "fix it"}, {"role": "user", "content": "deploy it"}]
    query = engine.call("composeRecallQuery", latest="deploy it", messages=messages, turns=3)
    assert query == "Prior context:\n\nuser: fix it\n\ndeploy it"
    cut = engine.call("truncateRecallQuery", query=query, latest="deploy it", maxChars=20)
    assert cut == "deploy it"
    stripped = engine.call("stripMemoryTags", content="a<memories>b</memories>c")
    assert stripped == "ac"
    prepared = engine.call("prepareTranscripts", messages=messages)
    assert "[role: user]" in prepared["transcript"]["transcript"]
    assert engine.call("truncateApproxTokens", text="word " * 9, tokenLimit=2) == "word wo…"
    assert engine.call("redactSecrets", text="a token_0123456789ab b") == "a [REDACTED] b"


def test_the_agent_writes_into_its_scope(engine: Engine, bank: Path) -> None:
    config = {
        "dbPath": bank.parents[2] / "mnemopi.db",
        "scoping": "per-project",
        "globalBank": "default",
        **dict.fromkeys(("bank", "retainBank"), "heron"),
        "recallBanks": ["heron"],
    }
    new = engine.call("scopedRemember", config=config, content="A new memory.", options={})
    assert (
        engine.call("scopedGet", config=config, memoryId=new)["row"]["content"] == "A new memory."
    )
    gone = engine.call("scopedEdit", config=config, edit="forget", memoryId=new)
    assert gone == {"status": "deleted", "bank": "heron", "store": "working"}
    assert engine.call("scopedGet", config=config, memoryId=new) is None
    engine.call("close", prefix=str(bank.parents[2]))


@pytest.fixture
def server() -> Iterator[tuple[str, list[str]]]:
    """A Hindsight on the loopback that has one memory and refuses the bank locked."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self._answer()

        def do_PUT(self) -> None:
            self._answer()

        def _answer(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            asked.append(f"{self.command} {self.path}")
            locked = "locked" in self.path
            body = json.dumps(
                {"detail": "no"} if locked else {"results": [{"id": "1", "text": "hi"}]}
            )
            self.send_response(403 if locked else 200)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as httpd:
        thread = threading.Thread(target=httpd.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{httpd.server_port}", asked
        httpd.shutdown()
        thread.join()


def test_the_agents_hindsight_client(engine: Engine, server: tuple[str, list[str]]) -> None:
    url, asked = server
    good = engine.call("hindsightCall", baseUrl=url, method="recall", args=["omp", "deploy", {}])
    assert good["ok"]["results"][0]["text"] == "hi"
    bad = engine.call("hindsightCall", baseUrl=url, method="recall", args=["locked", "deploy", {}])
    assert bad["error"]["name"] == "HindsightError"
    assert bad["error"]["statusCode"] == 403
    assert len(asked) == 2
    assert asked[0].startswith("POST ")


def test_banks_are_ensured_once(engine: Engine, server: tuple[str, list[str]]) -> None:
    url, asked = server
    config = {"bankMission": "remember", "retainMission": ""}
    done = engine.call("ensureBanks", baseUrl=url, config=config, banks=["a", "b", "a"])
    assert done == ["a", "b"]
    assert [line.split()[0] for line in asked] == ["PUT", "PUT"]


def test_hindsight_scope_and_mental_models(engine: Engine) -> None:
    config = {"bankId": "omp", "bankIdPrefix": "", "scoping": "global"}
    scope = engine.call("hindsightScope", config=config, directory="/srv/heron")
    assert scope["bankId"] == "omp"
    seeds = engine.call("mentalModelSeeds", scope=scope, scoping="global")
    assert seeds
    models = [{"id": "m", "bank_id": "omp", "name": "Style", "content": "Short notes."}]
    block = engine.call("mentalModelsBlock", models=models, budgetChars=16_000)
    assert "Short notes." in block
