"""What hurt people with session logs, each as a test of its kind.

The numbers are those of the collection of public reports that this project keeps.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memlab.sessions import Session, SessionIndex, SessionLogs

SAMPLES = Path(__file__).parent / "samples"
LINES = (SAMPLES / "claude-i5117.jsonl").read_text().splitlines()


def put(path: Path, rows: list[Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows)
    )
    return path


class Test64TextThatNobodyTyped:
    """Meta lines, compaction summaries and hooks counted as what the user said."""

    def test_the_five_lines_give_exactly_two_turns(self) -> None:
        session = Session(SAMPLES / "claude-i5117.jsonl")
        assert [(turn.role, turn.kind, turn.text) for turn in session.turns] == [
            ("user", "prompt", "What did we decide about the importer?"),
            ("assistant", "reply", "It reads one file at a time."),
        ]
        assert session.summary().loc[0, ["turns", "prompts", "replies"]].tolist() == [2, 1, 1]
        assert len(session.conversation.turns()) == 1

    @pytest.mark.parametrize(
        "field", ["uuid", "parentUuid", "sessionId", "timestamp", "cwd", "version"]
    )
    def test_so_they_do_without_any_one_of_their_fields(self, tmp_path: Path, field: str) -> None:
        rows = [json.loads(line) for line in LINES]
        for row in rows:
            del row[field]
        assert len(Session(put(tmp_path / "s.jsonl", rows)).turns) == 2

    def test_so_they_do_as_a_plain_list(self, tmp_path: Path) -> None:
        keys = ("type", "isMeta", "isCompactSummary", "origin", "message")
        rows = [{key: row[key] for key in keys if key in row} for row in map(json.loads, LINES)]
        assert len(Session(put(tmp_path / "s.jsonl", rows), agent="claude").turns) == 2
        roots = [{**row, "parentUuid": None, "uuid": f"u{n}"} for n, row in enumerate(rows)]
        assert len(Session(put(tmp_path / "s.jsonl", roots)).turns) == 2

    def test_the_memory_layer_s_view_has_the_same_two(self) -> None:
        said = Session(SAMPLES / "claude-i5117.jsonl").conversation_as_agent_reads_it
        assert [message.kind for message in said.messages] == ["prompt", "reply"]

    def test_the_extension_s_view_has_all_five_and_the_difference_can_be_shown(self) -> None:
        index = SessionIndex.build(SAMPLES / "claude-i5117.jsonl")
        assert index.report.documents == 5
        lines = {hit.line_no: hit.field for hit in index.search("the hook summary context", 25)}
        assert 3 in lines
        told = index.search("hook feedback", ranking="bm25")
        assert [(hit.line_no, hit.field) for hit in told] == [(3, "meta")]
        assert not index.search("hook feedback", ranking="bm25", fields="text")


class Test65HitsInToolResultsThatLookLikeTheUsers:
    """A hit in a tool result was shown as the user's, and opening the session showed nothing."""

    def test_the_fields_are_apart_and_a_hit_says_which(self, tmp_path: Path) -> None:
        result = [{"type": "tool_result", "tool_use_id": "t", "content": "merged PR #48213"}]
        row = {"type": "user", "uuid": "a", "parentUuid": None, "sessionId": "s"}
        put(tmp_path / "s.jsonl", [{**row, "message": {"role": "user", "content": result}}])
        index = SessionIndex.build(tmp_path)
        assert index.report.documents == 0
        assert not index.search("48213", ranking="bm25")
        assert not index.search("48213", ranking="pify")
        hits = index.search("48213", ranking="bm25", fields="tool_result")
        assert [(hit.field, hit.snippet, hit.line_no) for hit in hits] == [
            ("tool_result", "merged PR #48213", 1)
        ]


class Test66SubAgentsCountedAsSessions:
    """78 % of the indexed sessions were transcripts of sub-agents."""

    def test_they_are_flagged_and_can_be_left_out(self, tmp_path: Path) -> None:
        for name in ("s1.jsonl", "s1/subagents/agent-1.jsonl", "agent-2.jsonl"):
            put(tmp_path / name, LINES)
        frame = SessionLogs(tmp_path).frame()
        assert frame["is_subagent"].tolist() == [True, True, False]
        assert len(SessionLogs(tmp_path, sub_agents=False).frame()) == 1
        index = SessionIndex.build(tmp_path)
        for ranking in ("pify", "bm25"):
            hits = index.search("importer", ranking=ranking)
            assert sorted(hit.is_subagent for hit in hits) == [False, True, True]
            alone = index.search("importer", ranking=ranking, sub_agents=False)
            assert [hit.session for hit in alone] == ["s1"]
        assert len(index.memories()) == 15
        assert {memory.session for memory in index.memories(sub_agents=False)} == {"s9"}


class Test68OneBadLine:
    """One bad line cut the rest off, a separator split lines, a bad header was written over."""

    def test_it_is_skipped_and_counted_and_nothing_is_written(self, tmp_path: Path) -> None:
        first = {"role": "user", "content": "one\u2028still one"}
        rows = [
            "{broken header",
            json.dumps(first, ensure_ascii=False),
            '{"role":"us',
            '{"role":"user","content":"two"}',
        ]
        path = put(tmp_path / "s.jsonl", rows)
        before = path.read_bytes()
        session = Session(path)
        assert [turn.text for turn in session.turns] == ["one\u2028still one", "two"]
        assert session.report.malformed == 2
        assert SessionIndex.build(path).report.documents == 2
        assert path.read_bytes() == before


class Test70AFileIsATree:
    """Read line by line, abandoned branches mix into the talk."""

    def test_the_active_path_is_the_talk_and_branches_have_numbers(self) -> None:
        session = Session(SAMPLES / "pi-v3.jsonl")
        active = [turn.text for turn in session.turns]
        everything = [turn.text for turn in session.messages(active=False)]
        assert "Raise the limit of the proxy instead." not in active
        assert "Raise the limit of the proxy instead." in everything
        frame = session.frame()
        left = frame[frame["branch"] > 0]
        assert left["entry_id"].tolist() == ["b2000001", "b2000002"]
        assert not left["on_active_path"].any()
        summaries = frame[frame["kind"] == "summary"]["text"].tolist()
        assert summaries == ["Tried raising the limit.", "Pool exhaustion found."]

    def test_search_can_leave_abandoned_branches_out(self) -> None:
        index = SessionIndex.build(SAMPLES / "pi-v3.jsonl")
        assert len(index.search("proxy")) == 2  # as the extension: branches count
        assert not index.search("proxy", active_only=True)
        assert not index.search("proxy", ranking="bm25", active_only=True)


class Test72ConceptsThatExactSearchDoesNotFind:
    """Nine of ten real concept queries found nothing with exact search."""

    QUERIES = (
        ("nix infrastructure simplify", 1),
        ("flaky tests in the upload service", 2),
        ("why did we choose the message queue", 3),
    )

    def test_ranked_words_find_what_the_exact_text_does_not(self, tmp_path: Path) -> None:
        texts = [
            "We simplified the nix setup: one flake for the whole infrastructure.",
            "The upload service has a test that fails once in ten runs; it is flaky.",
            "Decision: NATS as message queue, because it needs no cluster.",
            "Lunch is at noon.",
        ]
        rows = [
            {"role": "user", "content": text, "timestamp": n} for n, text in enumerate(texts, 1)
        ]
        index = SessionIndex.build(put(tmp_path / "s.jsonl", rows))
        for query, line in self.QUERIES:
            exact = [text for text in texts if query.lower() in text.lower()]
            assert exact == []
            assert index.search(query, ranking="bm25")[0].line_no == line


class Test73AStaleIndex:
    """A search over archived sessions that used a stale index."""

    def test_size_and_time_bring_it_up_to_date(self, tmp_path: Path) -> None:
        path = put(tmp_path / "logs" / "s.jsonl", [{"role": "user", "content": "kelp"}])
        index = SessionIndex.build(tmp_path / "logs", tmp_path / "logs.index")
        with path.open("a") as file:
            file.write('{"role":"user","content":"kelp too"}\n')
        assert len(index.search("kelp")) == 1
        assert index.sync().read == 1
        assert len(index.search("kelp")) == 2
        path.unlink()
        assert index.sync().vanished == 1
        assert not index.search("kelp")
