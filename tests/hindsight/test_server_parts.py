"""The parts of a server of one's own: names, ports, processes, locks, its installation."""

from __future__ import annotations

import importlib
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from memlab.errors import InputError, ServerError
from memlab.hindsight import server as servers
from memlab.hindsight.server import install as install_module
from memlab.hindsight.server import places, ports, process
from memlab.hindsight.server.pins import DISK_MB, DOWNLOAD_MB
from memlab.hindsight.server.places import environment, place
from memlab.testing.hindsight import FakeHindsight
from tests.hindsight.conftest import until


def test_names_and_settings_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a local server's name"):
        place("../x")
    with pytest.raises(InputError, match="none, mock or the|none of: none"):
        servers.up("x", llm="gpt", cache=tmp_path)
    with pytest.raises(InputError, match="HINDSIGHT_API_"):
        servers.up("x", env={"PATH": "/"}, cache=tmp_path)


def test_it_says_how_large_the_download_is_before_it_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without an index to install from: the reason, pip's own words, and nothing half-made is used."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    monkeypatch.delenv("PIP_INDEX_URL", raising=False)
    said: list[str] = []
    with pytest.raises(ServerError, match="could not install Hindsight"):
        install_module(tmp_path, on_progress=said.append)
    assert f"{DOWNLOAD_MB} MB" in said[0]
    assert f"{DISK_MB:,} MB" in said[0]
    assert not environment(tmp_path).ready


def test_a_folder_of_somebody_else_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = places.Place("x", tmp_path / "home" / "x")
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    with pytest.raises(ServerError, match="belongs to somebody else"):
        places.make(where)


def test_a_port_is_free_and_not_the_one_to_avoid() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert ports.free_port(port) != port
    assert ports.free_port(port) == port
    assert ports.free_port(port, avoid=port) != port


def test_two_servers_that_start_at_once_do_not_choose_one_port() -> None:
    """A server listens long after its port was chosen; until then the port only looks free."""
    first = ports.claim(ports.free_port())
    assert ports.free_port(first.port) == first.port
    second = ports.claim(first.port)
    assert second.port != first.port
    with pytest.raises(ServerError, match=f"Port {first.port} is taken"):
        ports.claim(first.port, only=True)
    child = subprocess.Popen(
        [sys.executable, "-c", "input()"], stdin=subprocess.PIPE, pass_fds=first.handles
    )
    first.close()  # the server's process holds it still
    other = ports.claim(first.port)
    assert other.port != first.port
    child.communicate(b"\n", timeout=30)
    third = ports.claim(first.port)
    assert third.port == first.port
    for one in (second, third, other):
        one.close()


def test_a_port_that_somebody_has_is_not_taken_for_ones_own() -> None:
    """Such as the port of the user's own Hindsight, which would answer and be written to."""
    fake, name = FakeHindsight(), f"taken-{os.getpid()}"
    try:
        with fake.serve() as url:
            port = int(url.rpartition(":")[2])
            with pytest.raises(ServerError, match="is taken"):
                servers.up(name, port=port, on_progress=lambda line: None)
        assert fake.requests == []
        assert servers.status(name) is None
    finally:
        servers.down(name, wipe=True)


def test_a_process_is_told_by_its_start_whatever_the_zone_the_language_the_path(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A notebook and a shell differ in these, and a slim container has no ps."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        started = process.start_time(child.pid)
        assert started
        for zone, language in (("Asia/Kathmandu", "de_DE.UTF-8"), ("America/St_Johns", "C")):
            monkeypatch.setenv("TZ", zone)
            monkeypatch.setenv("LC_ALL", language)
            monkeypatch.setenv("PATH", "")
            assert process.start_time(child.pid) == started
            assert process.lives(child.pid, started)
        child.communicate(b"\n")
    assert process.start_time(child.pid) == ""


def test_a_process_that_ended_and_was_not_reaped_does_not_live() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        started = process.start_time(child.pid)
        assert child.stdin is not None
        child.stdin.close()
        until(lambda: not process.lives(child.pid, started))
        assert child.returncode is None  # nobody asked yet
        process.end(child.pid, started)


@pytest.mark.parametrize("gone", ["ready.json", "venv/bin/python", "model/model.onnx", "all"])
def test_half_an_installation_is_begun_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gone: str
) -> None:
    """Interrupted, tidied up by somebody, or made with a Python that is no longer there."""
    target = environment(tmp_path)
    for name in ("ready.json", "venv/bin/python", "model/model.onnx"):
        file = target.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if gone in (name, "all"):
            file.symlink_to(tmp_path / "gone")
        else:
            file.write_text("{}")
    assert not target.ready
    called = []

    def made(found: places.Environment, on_progress: object) -> None:
        called.append(found.folder)

    module = importlib.import_module("memlab.hindsight.server.install")
    monkeypatch.setattr(module, "_install", made)
    install_module(tmp_path, on_progress=lambda line: None)
    assert called == [target.folder]


def test_a_python_without_venv_says_what_it_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def create(*arguments: object, **named: object) -> None:
        raise subprocess.CalledProcessError(1, ["python", "-m", "ensurepip"])

    monkeypatch.setattr("venv.create", create)
    with pytest.raises(ServerError, match="python3-venv"):
        install_module(tmp_path, on_progress=lambda line: None)


def test_another_process_with_the_same_number_is_left_alone() -> None:
    other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(30)"])
    try:
        process.end(other.pid, "Thu Jan 1 00:00:00 1970", grace=1)
        assert other.poll() is None
        assert not process.lives(other.pid, "Thu Jan 1 00:00:00 1970")
    finally:
        other.kill()
        other.wait()
