"""Installing the engine: once, whole, by npm alone."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tarfile
import time
from pathlib import Path

import pytest

from memlab.errors import EngineError, EngineMissing
from memlab.mnemopi.engine import Engine, engine_dir, install, installed
from memlab.mnemopi.engine.layout import check_packages, lay_agent
from memlab.mnemopi.engine.pins import pins
from memlab.mnemopi.engine.places import READY, is_whole

pytestmark = pytest.mark.engine

# npm's own cache, found before a test moves the home folder: it saves the download.
NPM_CACHE = os.environ.get("npm_config_cache") or str(Path.home() / ".npm")  # noqa: SIM112
SCRIPT = "import sys; from pathlib import Path; from memlab.mnemopi.engine import install; {}"
INSTALL = SCRIPT.format("install(Path(sys.argv[1]))")


def start_install(cache: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", INSTALL, str(cache)],
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"npm_config_cache": NPM_CACHE},
    )


def test_two_processes_install_it_once(tmp_path: Path) -> None:
    target = engine_dir(tmp_path)
    target.mkdir()  # as if something had removed half of it
    (target / "package.json").write_text("{}")
    stale = tmp_path / f"{target.name}.new-dead"
    stale.mkdir()  # as if a process had been killed
    both = [start_install(tmp_path), start_install(tmp_path)]
    said = [process.communicate(timeout=300)[1] for process in both]
    assert [process.returncode for process in both] == [0, 0], said
    assert sum("Downloading the Mnemopi engine 18.2.3" in lines for lines in said) == 1
    assert sum("Another process is installing" in lines for lines in said) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == [target.name, f"{target.name}.lock"]
    assert installed(tmp_path)
    assert [path.name for path in target.glob("node_modules/@oh-my-pi/pi-natives-*/*.node")] == (
        [path.name for path in target.glob("node_modules/@oh-my-pi/pi-natives-*/*-baseline.node")]
    )
    size = sum(path.stat().st_size for path in target.rglob("*") if path.is_file())
    assert 200e6 < size < 350e6, f"{size / 1e6:.0f} MB: install() announces about 316"
    told: list[str] = []
    assert install(tmp_path, on_progress=told.append) == target
    assert told == []
    with Engine.start(tmp_path) as engine:
        assert pins().versions().items() <= engine.version().items()


def test_an_interrupted_installation_leaves_nothing(tmp_path: Path) -> None:
    process = start_install(tmp_path)
    assert process.stderr is not None
    assert "Downloading" in process.stderr.readline()
    time.sleep(0.7)
    children = children_of(process.pid)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode != 0
    assert [path.name for path in tmp_path.iterdir()] == [f"{engine_dir(tmp_path).name}.lock"]
    assert not installed(tmp_path)
    assert children, "npm was not running yet"
    assert not any(is_alive(child) for child in children)


def children_of(pid: int) -> list[int]:
    tasks = Path("/proc", str(pid), "task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def is_alive(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path("/proc", str(pid), "status").read_text()
    except FileNotFoundError:
        return False


def test_without_npm_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EngineMissing, match=r"Install Node\.js 20 or newer"):
        install(tmp_path / "cache", on_progress=lambda line: None)
    assert not list((tmp_path / "cache").glob("*.new-*"))


def test_a_failing_npm_is_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9/")
    monkeypatch.setenv("npm_config_fetch_retries", "0")
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "npm"))
    told: list[str] = []
    with pytest.raises(
        EngineMissing, match=r"(?s)exit code 1.*ECONNREFUSED.*memlab engine install"
    ):
        install(tmp_path / "cache", on_progress=told.append)
    assert "about 153 MB, 316 MB on disk" in told[0]
    assert not list((tmp_path / "cache").glob("*.new-*"))
    assert not installed(tmp_path / "cache")


def test_a_cache_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(EngineMissing, match="Point MEMLAB_CACHE at"):
        install(tmp_path / "file", on_progress=lambda line: None)


def lock_with(folder: Path, name: str, version: str, integrity: str) -> Path:
    record = folder / "node_modules" / ".package-lock.json"
    record.parent.mkdir()
    package = {"version": version, "integrity": integrity}
    record.write_text(json.dumps({"packages": {f"node_modules/{name}": package}}))
    return folder


def test_another_checksum_is_refused(tmp_path: Path) -> None:
    folder = lock_with(tmp_path, "@oh-my-pi/pi-mnemopi", pins().mnemopi, "sha512-evil")
    with pytest.raises(EngineError, match=r"pi-mnemopi@18\.2\.3 with the checksum sha512-evil"):
        check_packages(folder)


def test_a_package_nobody_asked_for_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"left-pad@1\.3\.0"):
        check_packages(lock_with(tmp_path, "left-pad", "1.3.0", "sha512-any"))


def test_another_agent_archive_is_refused(tmp_path: Path) -> None:
    archive = tmp_path / "agent.tgz"
    with tarfile.open(archive, "w:gz"):
        pass
    with pytest.raises(EngineError, match="has the checksum sha512-"):
        lay_agent(archive, tmp_path / "engine")
    assert not (tmp_path / "engine").exists()


def test_an_old_npm_is_told(tmp_path: Path) -> None:
    with pytest.raises(EngineMissing, match="older than version 7"):
        check_packages(tmp_path)


def test_half_an_installation_does_not_count(tmp_path: Path) -> None:
    (tmp_path / READY).write_text("{}")
    assert not is_whole(tmp_path)


def test_the_cache_is_where_the_settings_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMLAB_CACHE", str(tmp_path / "own"))
    assert engine_dir().parent == tmp_path / "own"
    monkeypatch.delenv("MEMLAB_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert engine_dir().parent == tmp_path / "xdg" / "memlab"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert engine_dir().parent == Path.home() / ".cache" / "memlab"
