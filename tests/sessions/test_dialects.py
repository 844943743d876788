"""Each dialect and version of logs, by a sample of it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from memlab.sessions import Session
from memlab.sessions.dialects.claude_messages import user_parts

SAMPLES = Path(__file__).parent / "samples"


def sample(name: str) -> Session:
    return Session(SAMPLES / f"{name}.jsonl")


def spoken(session: Session) -> list[tuple[str, str]]:
    return [(message.kind, message.text) for message in session.conversation.messages]


def kinds(session: Session) -> list[str]:
    return [part.kind for entry in session.entries for part in entry.parts]


def in_context(session: Session) -> list[str]:
    marks = zip(session.entries, session.tree.in_context, strict=True)
    return [entry.id for entry, seen in marks if seen]


@pytest.mark.parametrize(
    ("name", "agent", "version", "session_id", "cwd"),
    [
        ("pi-v1", "pi", "1", "v1-9f20", "/home/ana/src/shop"),
        ("pi-v2", "pi", "2", "v2-11aa", "/home/ana/src/shop"),
        ("pi-v3", "pi", "3", "v3-7c1f", "/home/ana/src/shop"),
        ("pi-mixed", "pi", "3", "mixed-1", None),
        ("pi-bare", "pi", None, "pi-bare", None),
        ("omp", "omp", "3", "omp-01f0", "/home/ana/src/shop"),
        ("omp-agent", "omp", "3", "omp-agent-1", "/home/ana/src/shop"),
        ("claude", "claude", "2.1.0", "s1", "/home/ana/my_app.v2"),
        ("claude-sidechain", "claude", "2.1.0", "s2", "/home/ana/my_app.v2"),
        ("claude-i5117", "claude", "2.1.0", "s9", "/home/ana/brain"),
    ],
)
def test_a_log_says_whose_it_is(
    name: str, agent: str, version: str | None, session_id: str, cwd: str | None
) -> None:
    session = sample(name)
    assert (session.agent, session.report.version) == (agent, version)
    assert (session.id, session.cwd) == (session_id, cwd)
    assert session.report.malformed == 0


def test_pi_1_is_a_list_whose_compaction_counts_lines() -> None:
    session = sample("pi-v1")
    assert [entry.id for entry in session.entries][:2] == ["line-2", "line-3"]
    assert session.tree.branches == 1
    assert session.parent_session == "/home/ana/.pi/agent/sessions/old.jsonl"
    # firstKeptEntryIndex 3 is line 4: the header is line 1 and counts as 0.
    assert in_context(session) == ["line-4", "line-5", "line-6", "line-7", "line-8"]
    usage = session.entries[1].usage
    assert usage is not None
    assert usage == (10, 5, 3, 2, 0.25)
    assert spoken(session) == [
        ("prompt", "Why does checkout time out?"),
        ("reply", "The pool of 5 is used up."),
        ("prompt", "Raise it to 20."),
    ]


def test_pi_2_knows_hooks_pictures_and_what_stays_out_of_context() -> None:
    session = sample("pi-v2")
    assert kinds(session) == ["meta", "injected", "prompt", "thinking", "reply", "bash"]
    assert session.entries[-1].text("bash") == "secret\nx"
    assert session.entries[-1].parts[0].is_error is True
    assert "00000006" not in in_context(session)
    assert session.parent_session == "/home/ana/.pi/agent/sessions/older.jsonl"


def test_pi_3_is_a_tree_with_labels_a_name_and_unknown_types_kept() -> None:
    session = sample("pi-v3")
    assert session.title == "Checkout timeouts"
    assert session.labels == {"a1000004": "root-cause"}
    assert session.tree.branches == 2
    assert session.report.unknown_types == {"hologram": 1}
    assert "hologram" in [entry.type for entry in session.entries]
    branch = dict(zip((e.id for e in session.entries), session.tree.branch, strict=True))
    assert [name for name, number in branch.items() if number] == ["b2000001", "b2000002"]
    assert in_context(session) == [
        "a1000004",
        "a1000005",
        "a1000006",
        "a100000c",
        "a100000d",
    ]


def test_pi_mixed_versions_are_read() -> None:
    session = sample("pi-mixed")
    assert session.entries[2].id == "line-4"
    assert in_context(session) == ["m2", "m4", "m5"]


def test_logs_from_before_the_versions_have_messages_without_a_wrapper() -> None:
    session = sample("pi-bare")
    assert spoken(session) == [
        ("prompt", "hello from long ago"),
        ("reply", "hello to the future"),
    ]
    assert [problem.why for problem in session.problems] == [
        "no header: pi takes such a file for no session"
    ]


def test_omp_has_a_title_slot_more_roles_and_a_reset() -> None:
    session = sample("omp")
    assert session.title == "Checkout timeouts"  # the slot wins over header and title_change
    assert session.entries[0].line_no == 3
    assert session.entries[0].text("meta") == "x/m"
    assert session.report.unknown_types == {}
    assert in_context(session) == ["55555551", "55555552", "55555553", "55555554", "55555558"]
    last = session.entries[-1].parts
    assert [(part.kind, part.text, part.is_error) for part in last] == [
        ("meta", "overloaded", True)
    ]
    assert [m.text for m in session.conversation_as_agent_reads_it.messages] == [
        "see picture",
        "A cat.",
        "And now the queue.",
    ]


def test_an_empty_title_slot_clears_the_title(tmp_path: Path) -> None:
    lines = (SAMPLES / "omp.jsonl").read_text().replace('"title":"Checkout timeouts"', '"title":""')
    path = tmp_path / "s.jsonl"
    path.write_text(lines)
    assert Session(path).title is None


def test_without_a_slot_the_header_and_later_titles_count(tmp_path: Path) -> None:
    lines = (SAMPLES / "omp.jsonl").read_text().splitlines(keepends=True)[1:]
    path = tmp_path / "s.jsonl"
    path.write_text("".join(lines))
    assert Session(path).title == "Queues"
    path.write_text("".join(line for line in lines if "title_change" not in line))
    assert Session(path).title == "Old title"


def test_a_sub_agent_of_omp_is_told_by_its_parent() -> None:
    session = sample("omp-agent")
    assert session.is_subagent
    assert kinds(session) == ["injected", "injected", "reply"]


def test_claude_joins_the_lines_of_a_reply_and_counts_its_tokens_once() -> None:
    session = sample("claude")
    usages = [entry.usage.output for entry in session.entries if entry.usage]
    assert usages == [5, 5, 5]
    replies = [message for message in session.turns if message.kind == "reply"]
    assert [message.id for message in replies] == ["u2", "u8", "u16"]
    everything = session.messages(("thinking", "reply", "tool_call", "tool_result"))
    assert [(message.kind, message.tool) for message in everything[:6]] == [
        ("thinking", None),
        ("reply", None),
        ("tool_call", "Read"),
        ("tool_call", "Read"),
        ("tool_result", "Read"),
        ("tool_result", "Read"),
    ]


def test_claude_keeps_parallel_tool_results_on_the_active_path() -> None:
    """The result of the first of two calls hangs beside the path, and is no other branch."""
    session = sample("claude")
    assert session.tree.branches == 1
    assert all(session.tree.active)
    order = [session.entries[place].id for place in session.tree.order]
    assert order.index("u4") < order.index("u5") < order.index("u6")


def test_claude_counts_as_prompts_only_what_a_person_typed() -> None:
    session = sample("claude")
    assert [text for kind, text in spoken(session) if kind == "prompt"] == [
        "Fix the login bug",
        "also the logout",
        "Now write a test.",
    ]
    assert kinds(session).count("injected") == 5
    assert kinds(session).count("summary") == 1


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("<system-reminder>be brief</system-reminder>Fix it", "Fix it"),
        ("Fix <bash-input>ls</bash-input> it", "Fix  it"),
        ("<command-name>/x</command-name> <command-message>x</command-message>", None),
        ("<command-name>/x</command-name><system-reminder>cut off here", None),
        ("<system-reminder a='1'>cut off here", None),
        ("What is <system-reminder> for? And <ide_selection>?", "What is <system-reminder> for? And <ide_selection>?"),
        ("Why <b>this</b>?", "Why <b>this</b>?"),
        ("<system-reminder " * 100_000, ("<system-reminder " * 100_000)),
        ("why " + "<system-reminder>" * 100_000, "why " + "<system-reminder>" * 100_000),
    ],
    ids=range(9),
)  # fmt: skip
def test_claude_parts_what_was_typed_from_what_the_harness_put_in(
    text: str, typed: str | None
) -> None:
    """The long ones do not end within hours where the work grows with the square of a text."""
    parts = list(user_parts({}, {"content": text}, {}))
    assert [part.text for part in parts if part.kind == "prompt"] == ([typed] if typed else [])


def test_claude_goes_on_over_a_compaction_and_knows_what_is_left_in_context() -> None:
    session = sample("claude")
    assert in_context(session) == ["u14", "u15", "u16"]
    assert session.entries[-1].id == "line-24"


def test_claude_titles_custom_before_ai_and_no_other_session_s_summary(tmp_path: Path) -> None:
    assert sample("claude").title == "Login, once and for all"
    lines = (SAMPLES / "claude.jsonl").read_text().splitlines(keepends=True)
    path = tmp_path / "s.jsonl"
    path.write_text("".join(line for line in lines if "custom-title" not in line))
    assert Session(path).title == "Login bug, later"
    path.write_text("".join(line for line in lines if "-title" not in line))
    assert Session(path).title is None
    path.write_text(
        "".join(line.replace("elsewhere", "u3") for line in lines if "-title" not in line)
    )
    assert Session(path).title == "A summary of another session"


def test_a_sub_agent_s_lines_in_the_session_s_own_file_are_aside() -> None:
    session = sample("claude-sidechain")
    assert not session.is_subagent
    assert [text for _, text in spoken(session)] == [
        "Where are adverts too wide?",
        "In two places.",
    ]
    frame = session.frame()
    assert frame[frame["is_subagent"]]["entry_id"].tolist() == ["x1", "x2"]
    assert len(session.conversation_as_agent_reads_it) == 2


def test_times_are_utc_from_iso_texts_and_from_milliseconds() -> None:
    assert sample("pi-v3").started == datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
    assert sample("pi-bare").entries[0].at == datetime(2026, 1, 5, 9, 0, 1, tzinfo=UTC)


def test_a_dialect_can_be_forced() -> None:
    session = Session(SAMPLES / "claude.jsonl", agent="pi")
    assert session.agent == "pi"
    assert session.report.unknown_types["user"] == 8
