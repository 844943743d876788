"""Where logs are found, how many are taken together, and their tables."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pandas as pd
import pytest

from memlab.errors import FormatError, InputError
from memlab.sessions import SessionLogs, claude_folders
from memlab.sessions.places import log_folders, looks_like_subagent
from memlab.sessions.reading import Log, read_log

SAMPLES = Path(__file__).parent / "samples"


def put(path: Path, sample: str = "pi-v3") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes((SAMPLES / f"{sample}.jsonl").read_bytes())
    return path


def test_the_usual_places(clean_environment: Path) -> None:
    assert log_folders("pi") == [clean_environment / ".pi" / "agent" / "sessions"]
    assert log_folders("omp") == [clean_environment / ".omp" / "agent" / "sessions"]
    assert log_folders("claude") == [clean_environment / ".claude" / "projects"]


def test_pi_is_moved_by_variables_and_settings(
    clean_environment: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settings = clean_environment / ".pi" / "agent" / "settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps({"sessionDir": "elsewhere"}))
    assert log_folders("pi") == [settings.parent / "elsewhere"]
    project = tmp_path / ".pi" / "settings.json"
    project.parent.mkdir()
    project.write_text(json.dumps({"sessionDir": str(tmp_path / "mine")}))
    monkeypatch.chdir(tmp_path)
    assert log_folders("pi") == [tmp_path / "mine"]
    project.write_text("{broken")
    assert log_folders("pi") == [settings.parent / "elsewhere"]
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(tmp_path / "agent"))
    assert log_folders("pi") == [tmp_path / "agent" / "sessions"]
    monkeypatch.setenv("PI_CODING_AGENT_SESSION_DIR", "~/sessions")
    assert log_folders("pi") == [clean_environment / "sessions"]


def test_omp_is_moved_by_variables_profiles_and_xdg(
    clean_environment: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PI_CONFIG_DIR", ".other")
    assert log_folders("omp") == [clean_environment / ".other" / "agent" / "sessions"]
    monkeypatch.setenv("OMP_PROFILE", "work")
    profile = clean_environment / ".other" / "profiles" / "work" / "agent" / "sessions"
    assert log_folders("omp") == [profile]
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert log_folders("omp") == [profile]  # only once that folder is there
    moved = tmp_path / "omp" / "profiles" / "work" / "sessions"
    moved.mkdir(parents=True)
    assert log_folders("omp") == [moved]


def test_claude_is_moved_and_has_a_second_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
    (tmp_path / ".projects").mkdir()
    assert log_folders("claude") == [tmp_path / "projects", tmp_path / ".projects"]


def test_logs_of_an_agent_of_a_folder_of_a_file_and_of_several(
    clean_environment: Path, tmp_path: Path
) -> None:
    own = put(clean_environment / ".pi/agent/sessions/--home-ana--/a.jsonl")
    other = put(tmp_path / "x" / "y" / "b.jsonl", "claude")
    assert [session.path for session in SessionLogs("pi")] == [own]
    assert [session.path for session in SessionLogs(tmp_path)] == [other]
    assert [session.agent for session in SessionLogs(["pi", other])] == ["pi", "claude"]
    assert len(SessionLogs([tmp_path, str(tmp_path / "x"), other])) == 1
    both = SessionLogs([SessionLogs("pi", agent="omp"), SessionLogs(tmp_path)])
    assert [session.agent for session in both] == ["omp", "claude"]


def test_nothing_there_is_an_error_that_says_where_it_looked(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"omp has no logs at .*\.omp.*PI_CODING_AGENT_DIR"):
        SessionLogs("omp")
    with pytest.raises(InputError, match="There is nothing at"):
        SessionLogs(tmp_path / "no-such")
    with pytest.raises(InputError, match="No logs were named"):
        SessionLogs([])
    with pytest.raises(InputError, match="'cursor' is none of pi, omp, claude"):
        SessionLogs(tmp_path, agent="cursor")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="There is no log at"):
        SessionLogs(tmp_path).latest()


def test_iterating_reads_nothing_before_it_is_looked_at(tmp_path: Path) -> None:
    put(tmp_path / "a.jsonl")
    sessions = list(SessionLogs(tmp_path))
    (tmp_path / "a.jsonl").write_bytes((SAMPLES / "omp.jsonl").read_bytes())
    assert sessions[0].agent == "omp"


def test_the_latest_and_one_by_name(tmp_path: Path) -> None:
    first = put(tmp_path / "2026-01-05_v3-7c1f.jsonl")
    second = put(tmp_path / "2026-01-06_v1-9f20.jsonl", "pi-v1")
    os.utime(first, (2000, 2000))
    os.utime(second, (1000, 1000))
    logs = SessionLogs(tmp_path)
    assert logs.latest().path == first
    assert logs.get("2026-01-06_v1-9f20").path == second
    assert logs.get("7c1f").path == first
    assert logs.get(str(second)).path == second
    second.rename(tmp_path / "renamed.jsonl")
    assert logs.get("v1-9").path == tmp_path / "renamed.jsonl"
    with pytest.raises(InputError, match="None of 2 logs is called 'nobody'"):
        logs.get("nobody")
    put(tmp_path / "2026-01-05_other.jsonl")
    with pytest.raises(InputError, match="2 logs are called '2026-01-05'"):
        logs.get("2026-01-05")


def test_sub_agents_are_told_by_their_place(tmp_path: Path) -> None:
    put(tmp_path / "s1.jsonl", "claude")
    beside = put(tmp_path / "agent-7.jsonl", "claude")
    below = put(tmp_path / "s1" / "subagents" / "agent-8.jsonl", "claude")
    omp = put(tmp_path / "s1" / "scout-1.jsonl", "omp-agent")
    assert all(map(looks_like_subagent, (beside, below, omp)))
    assert not looks_like_subagent(tmp_path / "s1.jsonl")
    assert len(SessionLogs(tmp_path)) == 4
    assert [s.path.name for s in SessionLogs(tmp_path, sub_agents=False)] == ["s1.jsonl"]


def test_a_log_named_from_the_folder_it_is_in_has_a_place_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "s1.jsonl")
    put(tmp_path / "s1" / "scout.jsonl")
    monkeypatch.chdir(tmp_path)
    assert not SessionLogs("s1.jsonl").frame().loc[0, "is_subagent"]
    monkeypatch.chdir(tmp_path / "s1")
    assert SessionLogs("scout.jsonl").frame().loc[0, "is_subagent"]
    assert not looks_like_subagent(Path("/at-the-root.jsonl"))


def test_links_are_followed_but_not_in_circles(tmp_path: Path) -> None:
    put(tmp_path / "elsewhere" / "b.jsonl")
    put(tmp_path / "logs" / "a.jsonl")
    (tmp_path / "logs" / "self").symlink_to(".")
    (tmp_path / "logs" / "up").symlink_to("..")
    (tmp_path / "logs" / "more").symlink_to(tmp_path / "elsewhere")
    logs = SessionLogs(tmp_path / "logs")
    assert [s.path.name for s in logs if "up" not in s.path.parts] == ["a.jsonl", "b.jsonl"]
    assert len(logs) == 3  # by way of "up" there is "elsewhere", once more


def test_one_log_that_cannot_be_read_does_not_hide_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "a.jsonl")
    put(tmp_path / "b.jsonl", "claude")

    def refuse(path: Path, agent: object = None) -> Log:
        if path.name == "a.jsonl":
            raise FormatError(f"{path} cannot be read: Permission denied.")
        return read_log(path)

    monkeypatch.setattr("memlab.sessions.session.read_log", refuse)
    for sub_agents in (True, False):
        logs = SessionLogs(tmp_path, sub_agents=sub_agents)
        assert logs.frame()["session_id"].tolist() == ["s1"]
        assert [problem.why for problem in logs.problems if problem.line == 0] == [
            f"{tmp_path / 'a.jsonl'} cannot be read: Permission denied."
        ]
    assert SessionLogs(tmp_path).get("s1").path.name == "b.jsonl"


def test_claude_s_folders_of_a_directory_under_both_rules(clean_environment: Path) -> None:
    projects = clean_environment / ".claude" / "projects"
    own = projects / "-home-ana-my-app-v2"
    pify = projects / "-home-ana-my_app.v2"
    assert claude_folders("/home/ana/my_app.v2") == []
    for folder in (own, pify):
        folder.mkdir(parents=True)
    assert claude_folders("/home/ana/my_app.v2") == [own, pify]
    assert claude_folders("/home/ana/my/app/v2") == [own]  # another directory, the same name
    deep = "/home/" + "x" * 300
    hashed = projects / ("-home-" + "x" * 194 + "-1a2b3c")
    hashed.mkdir()
    assert claude_folders(deep) == [hashed]


def test_the_corpus_frame_has_a_row_per_session() -> None:
    frame = SessionLogs(SAMPLES).frame().set_index("session_id")
    assert len(frame) == len(list(SAMPLES.glob("*.jsonl")))
    claude = frame.loc["s1"]
    assert (claude["turns"], claude["prompts"], claude["replies"]) == (6, 3, 3)
    assert (claude["tool_calls"], claude["compactions"], claude["tokens_output"]) == (2, 1, 15)
    assert frame.loc["omp-01f0", "resets"] == 1
    assert frame.loc["v3-7c1f", "branches"] == 2
    assert frame.loc["v3-7c1f", "unknown_types"] == {"hologram": 1}
    assert frame.loc["v1-9f20", "cost"] == 0.25
    assert frame.loc["v1-9f20", "models"] == ("m",)
    assert frame.loc["pi-bare", "problems"] == 1
    assert frame["bytes"].min() > 0


def test_the_common_frame_has_its_columns_even_when_it_is_empty(tmp_path: Path) -> None:
    frame = SessionLogs(SAMPLES).entries()
    (tmp_path / "empty.jsonl").touch()
    empty = SessionLogs(tmp_path).entries()
    wanted = {
        "session_id", "agent", "path", "cwd", "project", "title", "parent_session", "is_subagent",
        "entry_id", "parent_id", "line_no", "ts", "role", "kind", "tool", "text", "chars", "model",
        "branch", "on_active_path", "in_context", "is_error",
    }  # fmt: skip
    assert wanted <= set(frame.columns)
    assert list(empty.columns) == list(frame.columns)
    assert (empty.dtypes.drop(["agent", "type", "role", "kind"]) == frame.dtypes.drop(
        ["agent", "type", "role", "kind"])).all()  # fmt: skip
    assert isinstance(frame["ts"].dtype, pd.DatetimeTZDtype)
    assert frame["usage_output"].sum() == 3 * 5 + 3 * 5 + 5
    assert set(frame["kind"]) == {
        "prompt", "reply", "thinking", "tool_call", "tool_result", "bash", "summary", "injected", "meta",
    }  # fmt: skip


def test_progress_is_shown_only_where_it_is_asked_for(capfd: pytest.CaptureFixture[str]) -> None:
    logs = SessionLogs(SAMPLES)
    logs.frame()
    assert capfd.readouterr().err == ""
    logs.frame(progress=True)
    assert "reading" in capfd.readouterr().err


def test_names_show_what_they_are() -> None:
    logs = SessionLogs(SAMPLES)
    assert repr(logs).endswith("samples: 10 files)")
    assert repr(logs.get("omp.jsonl")) == "Session('omp.jsonl')"
    assert repr(logs.get("pi-v3").conversation) == "Conversation('Checkout timeouts', 3 messages)"
