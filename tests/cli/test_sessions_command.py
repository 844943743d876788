"""``memlab sessions``: each command, by what it prints and what it leaves behind."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from memlab.cli.sessions import command
from memlab.errors import FormatError, InputError, InvalidTime
from memlab.sessions import SessionIndex
from memlab.sessions.reading import Log, read_log

DATA = Path(__file__).parents[2] / "data" / "logs"
SAMPLES = Path(__file__).parents[1] / "sessions" / "samples"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MEMLAB_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def run(*args: object, error: type[Exception] | None = None) -> Result:
    result = CliRunner().invoke(command, [str(arg) for arg in args])
    if error is None:
        assert result.exception is None, result.output
    else:
        assert isinstance(result.exception, error), result.exception
    return result


def test_ls_lists_newest_first() -> None:
    lines = run("ls", DATA).output.splitlines()
    assert len(lines) == 24
    assert lines[0].startswith("2026-10-30 16:30  omp     solanum-frost")
    assert lines[-1] == "23 of 23 sessions; 0 problems in them."
    assert "Two lost tours" in run("ls", DATA, "--project", "dispatch", "--limit", 0).output
    assert run("ls", DATA, "--limit", 2).output.splitlines()[-1].startswith("2 of 23 sessions")
    assert "(sub-agent)" not in run("ls", DATA, "--no-sub-agents").output


def test_ls_of_a_log_in_this_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "s.jsonl").write_bytes((SAMPLES / "omp.jsonl").read_bytes())
    monkeypatch.chdir(tmp_path)
    assert "Checkout timeouts" in run("ls", "s.jsonl").output
    assert CliRunner().invoke(command, ["ls", "s.jsonl", "--limit", "-1"]).exit_code == 2


def test_ls_names_what_cannot_be_read_and_lists_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.jsonl").write_bytes((SAMPLES / "omp.jsonl").read_bytes())

    def refuse(path: Path, agent: object = None) -> Log:
        if path.name == "a.jsonl":
            raise FormatError(f"{path} cannot be read: Permission denied.")
        return read_log(path)

    monkeypatch.setattr("memlab.sessions.session.read_log", refuse)
    for options in ([], ["--no-sub-agents"]):
        result = run("ls", tmp_path, *options)
        assert "Checkout timeouts" in result.stdout
        assert result.stdout.splitlines()[-1] == "1 of 1 sessions; 1 problems in them."
        assert "a.jsonl cannot be read: Permission denied" in result.stderr


def test_ls_without_a_source_takes_the_usual_places(clean_environment: Path) -> None:
    error = run("ls", error=InputError).exception
    assert ".pi/agent/sessions" in str(error)
    place = clean_environment / ".omp" / "agent" / "sessions"
    place.mkdir(parents=True)
    (place / "s.jsonl").write_bytes((SAMPLES / "omp.jsonl").read_bytes())
    assert "Checkout timeouts" in run("ls").output


def test_show_prints_the_talk_and_the_problems() -> None:
    output = run("show", "019d6c08", DATA).output
    assert output.startswith("Two lost tours\n")
    assert "[user · prompt · 2026-04-08 08:16]\nFerrywheel says that two tours vanished" in output
    assert "thinking" not in output
    assert "tool_call retain" in run("show", "019cbd39", DATA, "--tools").output
    assert "proxy" not in run("show", SAMPLES / "pi-v3.jsonl").output
    assert "proxy" in run("show", SAMPLES / "pi-v3.jsonl", "--all").output
    assert "no header" in run("show", SAMPLES / "pi-bare.jsonl").stderr
    run("show", "nobody", DATA, error=InputError)


def test_search_index_and_reindex(cache: Path) -> None:
    output = run("search", '"ERR_ZONE_4127"', "--source", DATA, "--field", "text").output
    assert output.startswith('2 matches for ""ERR_ZONE_4127"", most relevant first:')
    assert ".jsonl:" in output
    (index,) = (cache / "sessions").glob("*.index")
    before = index.stat().st_mtime_ns
    output = run("index", "--source", DATA).output
    assert " of 23 sessions; 0 read, 0 gone, 0 problems" in output
    assert index.stat().st_mtime_ns == before
    assert "23 read" in run("reindex", "--source", DATA).output
    assert "23 read" in run("index", "--source", DATA, "--all-messages").output
    assert len(list((cache / "sessions").glob("*.index"))) == 2


def test_search_as_the_agent_would() -> None:
    output = run("search", "wind gauge", "--ranking", "pify", "--source", DATA, "--limit", 1).output
    assert "1 match for" in output
    assert run("search", "zzzqqq", "--source", DATA).output.startswith("No past sessions matched")


def test_search_filters_and_their_errors() -> None:
    output = run("search", "gauge", "--source", DATA, "--agent", "pi", "--role", "user").output
    assert "· user ·" in output
    assert "· assistant ·" not in output
    run("search", "x", "--source", DATA, "--since", "soon", error=InvalidTime)
    run("search", "x", "--source", DATA, "--field", "subject", error=InputError)
    run("search", "x", "--source", DATA / "none", error=InputError)
    run("search", "  ", "--source", DATA, error=InputError)


def test_an_index_that_is_somebody_else_s_is_left_alone(tmp_path: Path) -> None:
    bank = Path(__file__).parents[2] / "data" / "banks" / "mnemopi.db"
    copy = tmp_path / "bank.db"
    copy.write_bytes(bank.read_bytes())
    run("index", "--source", DATA, "--index", copy, error=FormatError)
    assert copy.read_bytes() == bank.read_bytes()


def test_an_index_that_was_made_anew_is_said_to_be(tmp_path: Path) -> None:
    place = tmp_path / "my.index"
    run("index", "--source", DATA, "--index", place)
    place.write_bytes(place.read_bytes()[:5000])
    assert "made anew: it is cut short" in run("index", "--source", DATA, "--index", place).stderr


def test_the_limit_of_messages_is_lifted_in_an_index_that_is_there(tmp_path: Path) -> None:
    place = tmp_path / "my.index"
    run("index", "--source", DATA, "--index", place)
    result = run("index", "--source", DATA, "--index", place, "--all-messages")
    assert "made anew: its limit was another one (20,000 messages)" in result.stderr
    with SessionIndex.open(place) as index:
        assert index.origin is not None
        assert index.origin.caps.max_docs == float("inf")
    assert "0 read" in run("index", "--source", DATA, "--index", place, "--all-messages").output
    assert "0 read" in run("index", "--source", DATA, "--index", place).output


def test_history_searches_one_session() -> None:
    output = run("history", "8d20b6f4", "zero", DATA, "--limit", 2, "--context", 60).output
    assert output.startswith("2 of this session's")
    run("history", "8d20b6f4", "  ", DATA, error=InputError)


def test_texts_of_logs_cannot_steer_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text('{"role":"user","content":"kelp \\u001b[31mred\\u0007 \\ud83d"}\n')
    for output in (
        run("show", path).output,
        run("ls", path).output,
        run("search", "kelp", "--source", path).output,
        run("history", path, "kelp").output,
    ):
        assert "\x1b" not in output
        assert "\x07" not in output
