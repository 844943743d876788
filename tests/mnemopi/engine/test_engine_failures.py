"""A crash, a hang, half a line: each is a clear error, and nothing stays behind."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from memlab.errors import EngineError, EngineMissing
from memlab.mnemopi.engine import Engine

pytestmark = pytest.mark.engine

FakeEngine = Callable[[str], Engine]


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def wait_until_gone(pid: int) -> bool:
    end = time.monotonic() + 10
    while is_running(pid) and time.monotonic() < end:
        time.sleep(0.05)
    return not is_running(pid)


def test_a_missing_engine_says_how_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(EngineMissing, match="memlab engine install"):
        Engine.start(tmp_path)


def test_a_crash_is_told_and_survived(engine: Engine) -> None:
    with Engine.start() as mine:
        assert mine.pid is not None
        os.kill(mine.pid, signal.SIGKILL)
        with pytest.raises(EngineError, match="was ended by signal 9 before it answered tokenize"):
            mine.call("tokenize", text="deploy")
        assert mine.call("tokenize", text="deploy") == ["deploy"]


def test_a_hang_ends_at_the_time_limit(engine: Engine) -> None:
    with Engine.start(timeout=30) as mine:
        pid = mine.pid
        assert pid is not None
        mine._timeout = 0.5
        os.kill(pid, signal.SIGSTOP)
        with pytest.raises(EngineError, match=r"did not answer tokenize within 0\.5 s"):
            mine.call("tokenize", text="deploy " * 100_000)
        assert wait_until_gone(pid)


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ('read line; printf \'{"id": 1, "ok"\'', "sent half a line"),
        ("read line; echo panic; exec cat", "a line that is not an answer: b'panic"),
        ("read line; echo '[1]'; exec cat", "a line that is not an answer"),
        ('read line; echo \'{"id": 77, "ok": true}\'; exec cat', "something nobody asked"),
        ("echo no such library >&2; exit 3", r"(?s)exit code 3 before.*no such library"),
    ],
)
def test_a_broken_bun_is_a_clear_error(fake_engine: FakeEngine, script: str, message: str) -> None:
    with fake_engine(script) as broken, pytest.raises(EngineError, match=message):
        broken.call("tokenize", text="deploy")


def test_another_version_is_refused(fake_engine: FakeEngine) -> None:
    other = '{"id": 1, "ok": true, "result": {"mnemopi": "19.0.0", "bun": "1.4.5"}}'
    fake = fake_engine(f"read line; echo '{other}'; exec cat")
    with pytest.raises(EngineError, match=r"19\.0\.0.*memlab needs.*18\.2\.3"):
        fake._check_versions()
    with pytest.raises(EngineError, match="was closed"):
        fake.call("version")


def test_a_bun_that_cannot_start(fake_engine: FakeEngine, tmp_path: Path) -> None:
    fake = fake_engine("")
    (tmp_path / "fake-bun").chmod(0o644)
    with pytest.raises(EngineError, match="Bun could not be started"):
        fake.call("version")


def test_a_closed_engine_stays_closed(engine: Engine) -> None:
    mine = Engine.start()
    pid = mine.pid
    assert pid is not None
    mine.close()
    mine.close()
    assert wait_until_gone(pid)
    with pytest.raises(EngineError, match="was closed"):
        mine.call("version")


def test_a_forgotten_engine_goes(engine: Engine) -> None:
    mine = Engine.start()
    pid, home = mine.pid, mine._conversation().home
    assert pid is not None
    del mine
    gc.collect()
    assert wait_until_gone(pid)
    assert not home.exists()


CHILD = """
import sys
from memlab.mnemopi.engine import Engine
engine = Engine.start()
print(engine.pid, engine._conversation().home, flush=True)
while True:
    engine.call("mmrRerank", items=[{"content": f"a b {n}", "score": n} for n in range(400)], topK=400)
"""


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGKILL])
def test_nothing_outlives_its_python(engine: Engine, sign: signal.Signals) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert child.stdout is not None
    number, home = child.stdout.readline().split()
    pid = int(number)
    time.sleep(0.3)
    assert is_running(pid)
    child.send_signal(sign)
    child.communicate(timeout=30)
    assert wait_until_gone(pid)
    assert not Path(home).exists()
