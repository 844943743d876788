"""Where the agent, its memories and memlab's cache are looked for."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from memlab import Mnemopi
from memlab.errors import BankNotFound, SettingsError
from memlab.settings import Settings, mnemopi_path, mnemopi_places


@pytest.fixture
def home(clean_environment: Path) -> Path:
    return clean_environment


def agent(name: str) -> tuple[Path, str]:
    settings = Settings.load()
    return settings.get(name), settings.sources()[name]


def test_the_default_places(home: Path) -> None:
    assert agent("agent_dir") == (home / ".omp/agent", "default")
    assert agent("memories_dir") == (home / ".omp/agent/memories", "default")
    assert agent("cache_dir") == (home / ".cache/memlab", "default")


def test_variables_of_the_agent_move_it(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    monkeypatch.setenv("PI_CONFIG_DIR", ".pi")
    assert agent("agent_dir") == (home / ".pi/agent", "PI_CONFIG_DIR")
    monkeypatch.setenv("PI_CODING_AGENT_DIR", "~/elsewhere")
    assert agent("agent_dir") == (home / "elsewhere", "PI_CODING_AGENT_DIR")
    assert agent("memories_dir") == (home / "elsewhere/memories", "PI_CODING_AGENT_DIR")
    monkeypatch.setenv("PI_PROFILE", "work")  # a named profile ignores the folder
    assert agent("agent_dir") == (home / ".pi/profiles/work/agent", "PI_PROFILE")
    monkeypatch.setenv("OMP_PROFILE", "play")
    assert agent("agent_dir") == (home / ".pi/profiles/play/agent", "OMP_PROFILE")
    monkeypatch.setenv("OMP_PROFILE", "")  # set and empty: the default profile
    assert agent("agent_dir") == (home / "elsewhere", "PI_CODING_AGENT_DIR")
    monkeypatch.setenv("OMP_PROFILE", "default")
    assert agent("agent_dir") == (home / "elsewhere", "PI_CODING_AGENT_DIR")


@pytest.mark.parametrize("name", ["Work", "../up", "a/b", "a.", "-a", "x" * 65, "a b"])
def test_a_name_that_is_no_profile_is_refused(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("OMP_PROFILE", name)
    with pytest.raises(SettingsError, match="OMP_PROFILE=.* is not a profile"):
        Settings.load()


@pytest.mark.skipif(sys.platform not in ("linux", "darwin"), reason="the agent's rule there")
def test_memories_move_to_xdg_once_it_exists(
    monkeypatch: pytest.MonkeyPatch, home: Path, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert agent("memories_dir") == (home / ".omp/agent/memories", "default")
    (tmp_path / "omp").mkdir()
    assert agent("memories_dir") == (tmp_path / "omp/memories", "XDG_STATE_HOME")
    monkeypatch.setenv("OMP_PROFILE", "work")
    assert agent("memories_dir")[1] == "OMP_PROFILE"
    (tmp_path / "omp/profiles/work").mkdir(parents=True)
    assert agent("memories_dir")[0] == tmp_path / "omp/profiles/work/memories"
    monkeypatch.delenv("OMP_PROFILE")
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(tmp_path / "own"))
    assert agent("memories_dir") == (tmp_path / "own/memories", "PI_CODING_AGENT_DIR")


def test_memlabs_own_keys_move_all(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/config.yml").write_text("mnemopi: {bank: from-a}\n")
    monkeypatch.setenv("MEMLAB_AGENT_DIR", str(tmp_path / "a"))
    settings = Settings.load()
    assert settings.mnemopi.bank == "from-a"
    assert settings.memories_dir == tmp_path / "a/memories"
    assert settings.sources()["memories_dir"] == "MEMLAB_AGENT_DIR"
    monkeypatch.setenv("MEMLAB_CACHE", str(tmp_path / "c"))
    assert agent("cache_dir") == (tmp_path / "c", "MEMLAB_CACHE")
    assert Settings.load(memories_dir=tmp_path).memories_dir == tmp_path


def test_the_cache_follows_xdg(monkeypatch: pytest.MonkeyPatch, home: Path, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert agent("cache_dir") == (tmp_path / "memlab", "XDG_CACHE_HOME")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert agent("cache_dir") == (home / ".cache/memlab", "default")


def test_where_the_database_is_looked_for(
    monkeypatch: pytest.MonkeyPatch, home: Path, tmp_path: Path
) -> None:
    of_agent = home / ".omp/agent/memories/mnemopi/mnemopi.db"
    alone = home / ".hermes/mnemopi/data/mnemopi.db"
    assert mnemopi_places(Settings.load()) == (of_agent, alone)
    assert mnemopi_path(Settings.load()) == of_agent
    alone.parent.mkdir(parents=True)
    alone.touch()
    assert mnemopi_path(Settings.load()) == alone
    monkeypatch.setenv("MNEMOPI_DATA_DIR", str(tmp_path))
    assert mnemopi_places(Settings.load()) == (of_agent, tmp_path / "mnemopi.db")
    of_agent.parent.mkdir(parents=True)
    of_agent.touch()
    (tmp_path / "mnemopi.db").touch()
    assert mnemopi_path(Settings.load()) == of_agent


def test_a_path_in_the_settings_is_the_only_place(
    home: Path, agent_file: Callable[[str], Path]
) -> None:
    agent_file("mnemopi: {dbPath: ~/mine.db}\n")
    assert mnemopi_places(Settings.load()) == (home / "mine.db",)
    agent_file("mnemopi: {dbPath: '  '}\n")
    assert len(mnemopi_places(Settings.load())) == 2


def test_a_home_of_nobody_stays_as_it_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a shell: the path leads nowhere, and whoever opens it is told so."""
    monkeypatch.setenv("PI_CODING_AGENT_DIR", "~nobody-here/agent")
    monkeypatch.setenv("MEMLAB_MNEMOPI_DB_PATH", "~nobody-here/bank.db")
    settings = Settings.load()
    assert settings.agent_dir == Path("~nobody-here/agent").absolute()
    with pytest.raises(BankNotFound, match="folder ~nobody-here does not exist"):
        Mnemopi()
    with pytest.raises(BankNotFound, match="folder ~nobody-here does not exist"):
        Mnemopi("~nobody-here/bank.db")
