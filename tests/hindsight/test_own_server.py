"""A server of one's own: up, down, in trouble. No language model, a token, little room."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import memlab as ml
from memlab.cli.hindsight import command
from memlab.errors import (
    HindsightBusy,
    HindsightError,
    HindsightRefused,
    HindsightUnauthorized,
    HindsightUnreachable,
    InputError,
)
from memlab.hindsight import Hindsight
from memlab.hindsight import server as servers
from memlab.hindsight.server.places import environment, place
from memlab.hindsight.server.postgres import Postgres
from memlab.hindsight.server.running import Server
from memlab.hindsight.server.state import read_state
from tests.hindsight.conftest import DOCUMENTS, Open, _sweep, until

NAME = f"trial-{os.getpid()}"
SECRET = "s3cret-token"
ENV = {
    "HINDSIGHT_API_TENANT_EXTENSION": "hindsight_api.extensions.builtin.tenant:ApiKeyTenantExtension",
    "HINDSIGHT_API_TENANT_API_KEY": SECRET,
    "HINDSIGHT_API_ADMISSION_RECALL_MAX_IN_FLIGHT": "2",
    "HINDSIGHT_API_ADMISSION_RECALL_MAX_WAIT_MS": "100",
}

Up = Callable[[], Server]


@pytest.fixture(scope="module")
def up() -> Iterator[Up]:
    _sweep("trial")

    def start() -> Server:
        return servers.up(NAME, llm="none", env=ENV)

    yield start
    servers.down(NAME, wipe=True)


@pytest.fixture(scope="module")
def trial(up: Up) -> Server:
    return up()


@pytest.fixture(scope="module")
def bank(trial: Server) -> Iterator[Hindsight]:
    with Hindsight("trial", url=trial.url, token=SECRET, writable=True) as found:
        found.create_bank()
        found.import_facts(DOCUMENTS)
        yield found


def test_it_is_up_on_loopback_only(trial: Server) -> None:
    assert trial.healthy
    assert trial.url.startswith("http://127.0.0.1:")
    port = int(trial.url.rpartition(":")[2])
    table = "".join(Path(f"/proc/net/{name}").read_text() for name in ("tcp", "tcp6"))
    listening = [line.split() for line in table.splitlines() if f":{port:04X} " in line]
    assert {line[1] for line in listening if line[3] == "0A"} == {f"0100007F:{port:04X}"}


def test_postgres_is_not_run_as_root(trial: Server) -> None:
    found = Postgres(environment(), place(NAME)).info()
    owner = Path(f"/proc/{found['pid']}").stat().st_uid
    assert owner != 0


def test_up_twice_is_one_server(trial: Server, up: Up) -> None:
    again = up()
    assert (again.pid, again.url, again.fresh) == (trial.pid, trial.url, False)
    with pytest.raises(InputError, match="up already with llm=none"):
        servers.up(NAME, llm="mock")


def test_the_state_is_for_its_owner_only(trial: Server) -> None:
    state = place(NAME).state
    assert state.stat().st_mode & 0o077 == 0
    known = read_state(state)
    assert known is not None
    assert known.password not in repr(known)
    assert known.password not in servers.logs(NAME, 1000)


def test_a_wrong_token_and_none(trial: Server) -> None:
    for token in ("wrong", ""):
        with pytest.raises(HindsightUnauthorized) as caught:
            Hindsight("trial", url=trial.url, token=token).recall("x")
        assert caught.value.status == 401
    assert Hindsight("trial", url=trial.url, token="").health()["status"] == "healthy"


def test_without_a_language_model_there_is_no_reflect(bank: Hindsight) -> None:
    with pytest.raises(HindsightRefused, match="requires an LLM provider") as caught:
        bank.reflect("who?")
    assert caught.value.status == 400


def test_retries_get_through_a_server_with_room_for_two(bank: Hindsight, trial: Server) -> None:
    """Many recalls at once where two fit: 503 for some however quick the machine is."""
    with (
        ThreadPoolExecutor(64) as pool,
        Hindsight("trial", url=trial.url, token=SECRET, parallel=64) as wide,
    ):
        plain = list(pool.map(lambda _: _once(wide), range(64)))
        assert any(isinstance(one, HindsightBusy) for one in plain)
        busy = next(one for one in plain if isinstance(one, HindsightBusy))
        assert (busy.status, busy.retry_after) == (503, 1.0)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: bank.recall("Alice"), range(12)))
    assert {one.outcome for one in found} == {"ok"}


def _once(bank: Hindsight) -> object:
    """One attempt, without another try."""
    try:
        return bank._send("recall", "POST", bank._path("memories", "recall"),
                          body={"query": "Alice garden Zurich", "trace": True}, clock="recall")  # fmt: skip
    except HindsightError as error:
        return error


@contextmanager
def _asking(bank: Hindsight) -> Iterator[list[str]]:
    """Recall again and again beside the block; gives the outcomes, of which the first is there."""
    outcomes: list[str] = []
    over = threading.Event()

    def ask() -> None:
        while not over.is_set():
            try:
                outcomes.append(str(bank.recall("Alice").outcome))
            except HindsightError as error:
                outcomes.append(f"{type(error).__name__}: {error.outcome}")

    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(ask)
        try:
            until(lambda: "ok" in outcomes)
            yield outcomes
        finally:
            over.set()
            running.result()


def test_a_database_killed_in_the_middle_is_never_an_empty_answer(bank: Hindsight, up: Up) -> None:
    database = Postgres(environment(), place(NAME))
    impatient = Hindsight("trial", url=bank.url, token=SECRET, timeout=8)
    with _asking(impatient) as outcomes:
        os.kill(int(database.info()["pid"]), signal.SIGKILL)
        until(lambda: any(one.startswith("Hindsight") for one in outcomes))
    assert "empty" not in outcomes
    again = up()
    assert not again.fresh  # only the database is started again,
    assert again.healthy  # and waited for
    until(lambda: _outcome(bank) == "ok")
    assert len(bank.memories()) == 5


def _outcome(bank: Hindsight) -> str:
    try:
        return str(bank.recall("Alice").outcome)
    except HindsightError as error:
        return error.outcome


def test_a_server_killed_in_the_middle(bank: Hindsight, up: Up) -> None:
    before = up()
    with _asking(bank) as outcomes:
        os.kill(before.pid, signal.SIGKILL)
        until(lambda: "HindsightUnreachable: unavailable" in outcomes)
    assert set(outcomes) == {"ok", "HindsightUnreachable: unavailable"}
    dead = servers.status(NAME)
    assert dead is not None
    assert not dead.running
    again = up()
    assert again.fresh
    assert again.url == before.url  # the port is kept
    assert len(bank.memories()) == 5


def test_the_command_line(trial: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    run = CliRunner().invoke
    shown = run(command, ["status", "--name", NAME])
    assert shown.exit_code == 0
    assert "is up at http://127.0.0.1:" in shown.output
    again = run(command, ["up", "--name", NAME, "--llm", "none"])
    assert again.exit_code == 0
    assert "memlab.Hindsight('my-bank'" in again.output
    known = read_state(place(NAME).state)
    assert known is not None
    with place(NAME).log.open("a") as log:
        log.write(f"one line with {known.password} in it\n")
    shown = run(command, ["logs", "--name", NAME, "-n", "200"]).output
    assert "one line with *** in it" in shown
    assert known.password not in shown
    stopped = run(command, ["down", "--name", NAME])
    assert stopped.output == f"Hindsight ({NAME}) is down\n"
    assert run(command, ["status", "--name", NAME]).exit_code == 1
    with pytest.raises(HindsightUnreachable):
        Hindsight("trial", url=trial.url, token=SECRET).recall("x")
    wiped = run(command, ["down", "--name", NAME, "--wipe"])
    assert "its data are deleted" in wiped.output
    assert not place(NAME).folder.exists()
    assert "There is no local" in run(command, ["down", "--name", NAME]).output
    assert "Start one" in run(command, ["status", "--name", NAME]).output


def test_a_service_of_ones_own_is_asked_and_local_cleans_up() -> None:
    """An OpenAI-compatible address: the server says hello to it when it starts."""
    from tests.hindsight.llm import serve

    _sweep("own")
    name = f"own-{os.getpid()}"
    said: list[str] = []
    with serve() as (address, requests):
        options = {"name": name, "llm": f"{address}/v1", "model": "tiny", "wipe": True}
        with ml.hindsight.local("mine", **options, on_progress=said.append) as bank:  # type: ignore[arg-type]
            assert bank.writable
            assert bank.retain("The kettle is copper.", asynchronous=False).success
            assert bank.recall("kettle")[0].text.startswith("The kettle is copper")
        assert {request["model"] for request in requests} == {"tiny"}
    assert any("Starting PostgreSQL" in line for line in said)
    assert servers.status(name) is None


def test_the_embeddings_are_those_of_the_model(opened: Open) -> None:
    """Cosines of the model card's sentences, by vectors that the server itself made."""
    bank = opened()
    bank.create_bank()
    texts = ["That is a happy person", "That is a happy dog", "That is a very happy person",
             "Today is a sunny day"]  # fmt: skip
    vectors = []
    for text in texts:
        trace = bank.recall(text, trace=True).trace
        vectors.append(np.array(trace.raw["query"]["query_embedding"]))
    cosines = [float(vectors[0] @ other) for other in vectors[1:]]
    assert cosines == pytest.approx([0.6946, 0.9429, 0.2569], abs=5e-4)
