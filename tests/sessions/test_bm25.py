"""The ranking "bm25": fields, filters, languages, substrings, and that any text is a safe query."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.errors import InputError, InvalidTime, UnknownOption
from memlab.sessions import SearchOptions, SessionIndex
from memlab.sessions.index import rank_words
from memlab.sessions.index.shaping import phrase, shape

SAMPLES = Path(__file__).parent / "samples"


def build(folder: Path, *texts: str) -> SessionIndex:
    rows = ({"role": "user", "content": text, "timestamp": n} for n, text in enumerate(texts, 1))
    (folder / "s.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return SessionIndex.build(folder)


@pytest.fixture(scope="module")
def samples() -> SessionIndex:
    return SessionIndex.build(SAMPLES)


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> SessionIndex:
    return build(
        tmp_path_factory.mktemp("logs"),
        "数据库连接池超时了",
        "नमस्ते पंप सिंचाई",
        "cafe\u0301 über Straße",
        "ปั๊มน้ำเสีย",
        "펌프가 고장났다",
        "RateLimiterMiddleware fails with ETIMEDOUT",
        "ring_buffer.py don't C++",
        'a "quoted phrase" here',
        "\ud83c lone half",
        "연결 pump数据库 mixed",
        "the pump the pump the pump",
        "phrase without the quoted word between",
    )


def lines(index: SessionIndex, query: str, **options: Any) -> list[int]:
    found = index.search(query, ranking="bm25", **{"fields": "text", **options})
    return [hit.line_no for hit in found]


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("数据", {1, 10}),
        ("据", {1, 10}),
        ("库连接", {1}),
        ('"数据库连接池超时了"', {1}),
        ('"池数据"', set()),
        ("पंप", {2}),
        ("CAFÉ", {3}),
        ("uber", {3}),
        ("น้ำ", {4}),
        ("펌프", {5}),
        ('"pump数据"', {10}),
        ("ratelimiter", {6}),  # inside a word
        ("etimed", {6}),
        ("ring buffer", {7}),
        ("ring_buffer.py", {7}),
        ("don't", {7}),
        ("C++", {7}),
        ('"quoted phrase"', {8}),
        ("half", {9}),
    ],
)
def test_words_of_all_languages_and_parts_of_words_are_found(
    texts: SessionIndex, query: str, wanted: set[int]
) -> None:
    assert set(lines(texts, query)) == wanted


def test_words_made_of_several_count_as_a_whole_and_by_their_parts(texts: SessionIndex) -> None:
    assert lines(texts, "数据库连接池超时了") == [1, 10]
    assert lines(texts, "ring_buffers.py") == [7]  # its parts, though not the whole
    assert lines(texts, '"ring_buffers.py"') == []
    hits = texts.search("the ring_buffer.py", ranking="bm25", fields="text")
    assert hits[0].line_no == 7


def test_rare_words_count_more_than_common_ones(tmp_path: Path) -> None:
    many = [f"tide of day {number}" for number in range(20)]
    index = build(tmp_path, *many, "a kelp forest", "a day without tide")
    hits = index.search("tide day kelp", ranking="bm25", fields="text")
    assert hits[0].line_no == 21
    assert index.search("tide day kelp").frame().loc[0, "line_no"] == 22  # two words beat one
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)


def test_of_very_many_equals_the_newest_are_found(tmp_path: Path) -> None:
    """Whatever their order in the file, in the index, or its history."""
    many = rank_words.TIES * 2
    rows = [{"role": "user", "content": "kelp", "timestamp": n % 7 * 1000 + n} for n in range(many)]
    newest = sorted(range(1, many + 1), key=lambda line: -rows[line - 1]["timestamp"])[:5]  # type: ignore[operator]
    (tmp_path / "s.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    index = SessionIndex.build(tmp_path)
    assert lines(index, "kelp", limit=5) == newest
    assert lines(index, "kelp", limit=5, agent="pi") == newest
    part = [hit.line_no for hit in index.search("elp", 5, ranking="bm25")]
    assert part == newest


def test_of_very_many_texts_with_a_part_the_newest_and_those_with_all_parts_are_found(
    tmp_path: Path,
) -> None:
    many = rank_words.CANDIDATES + 50
    both = "the wavebreaker and the stonecutter"
    texts = [both, *[f"a wavebreaker, day {number}" for number in range(many)]]
    newest_first = build(tmp_path, *texts)  # ids rise with time: the last line is the newest
    assert lines(newest_first, "avebreak", limit=3) == [many + 1, many, many - 1]
    assert lines(newest_first, "avebreak tonecut", limit=3) == [1, many + 1, many]
    oldest_first = build(tmp_path, *texts[::-1])
    assert lines(oldest_first, "avebreak", limit=3) == [many + 1, many, many - 1]


def test_words_too_common_are_left_out_where_there_are_rarer_ones_and_named(
    texts: SessionIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rank_words, "COMMON", 1)
    found = texts.search("the quoted ETIMEDOUT pump", ranking="bm25", fields="text")
    assert found.left_out == ("the", "quoted", "pump")
    assert [hit.line_no for hit in found] == [6]
    assert len(texts.search("the pump", ranking="bm25", fields="text")) == 3


@given(st.text(st.characters(exclude_categories=[]), max_size=40))
def test_any_text_is_a_safe_query(texts: SessionIndex, query: str) -> None:
    for ranking in ("bm25", "pify"):
        hits = texts.search(query, ranking=ranking)
        assert len(hits) <= 10
        assert "<" not in hits._repr_html_().replace("<p>", "").split("<table>")[0].replace(
            "</p>", ""
        ).replace("<b>", "").replace("</b>", "")


@pytest.mark.parametrize(
    "query",
    ["", " ", '"', '""', "*", "^", "()", "AND", "OR NOT", "NEAR(a b, 2)", "text: pump", "-", "a*",
     "\0", "{text} : x", "'; DROP TABLE docs; --", "\ud83c", "%", "_", '"unclosed', "a\0b"],
)  # fmt: skip
def test_the_language_of_the_full_text_search_is_text_like_any_other(
    texts: SessionIndex, query: str
) -> None:
    texts.search(query, ranking="bm25")
    assert texts.search("pump").indexed == 12


@given(st.text(st.characters(exclude_categories=[]), max_size=30))
def test_a_text_matches_its_own_phrase(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    index = build(tmp_path_factory.mktemp("own"), f"x {text} y")
    wanted = phrase(text)
    if wanted is None:
        return
    with index._asking() as connection:
        (count,) = connection.execute(
            "SELECT count(*) FROM words WHERE words MATCH ?", (f"text : ({wanted})",)
        ).fetchone()
    # Letters that SQLite's tables do not know yet are no words to it.
    assert count == 1 or not text.isascii()


def test_dense_scripts_are_indexed_in_pairs() -> None:
    assert shape("plain text") == "plain text"
    assert shape("a数据库b").split() == ["a", "数据", "据库", "库", "b"]
    assert phrase("数据库") == '" 数据 据库"'
    assert phrase("数") == '" 数" *'
    assert phrase("...") is None


def test_fields_are_searched_apart_and_tool_results_only_when_asked(samples: SessionIndex) -> None:
    def fields(query: str, **options: Any) -> set[str]:
        return {hit.field for hit in samples.search(query, ranking="bm25", **options)}

    assert fields("POOL") == {"text", "thinking", "meta"}
    assert fields("POOL", fields="tool_result") == {"tool_result"}
    assert fields("db.py", fields="tool_input") == {"tool_input"}
    assert fields("chart", fields=["text", "thinking"]) == {"text"}
    assert fields("chart", fields="thinking") == {"thinking"}
    assert fields("staging") == {"meta"}
    with pytest.raises(InputError, match="a field is one of text, thinking"):
        samples.search("x", fields="subject")


def test_a_title_is_found_as_the_session_itself(samples: SessionIndex) -> None:
    hits = samples.search("once and for all", ranking="bm25", fields="meta")
    assert (hits[0].role, hits[0].id) == ("session", "claude#0")


def test_filters(samples: SessionIndex) -> None:
    def sessions(**options: Any) -> set[str]:
        results = []
        for ranking in ("bm25", "pify"):
            hits = samples.search("the", 100, ranking=ranking, fields="text", **options)
            results.append({(hit.session, hit.line_no) for hit in hits})
        assert results[0] <= results[1] | {("claude", 16)}  # steering, which "pify" does not see
        return {session for session, _ in results[1]}

    assert sessions(agent="pi") == {"pi-v1", "pi-v2", "pi-v3", "pi-bare"}
    assert sessions(agent="claude", role="user") == {"claude", "claude-i5117"}
    assert sessions(project="shop", role="assistant") == {"pi-v1", "pi-v3"}
    assert sessions(project="/home/ana/brain") == {"claude-i5117"}
    assert sessions(project="nowhere") == set()
    assert "pi-bare" not in sessions(since="2026-01-05T09:00:03Z")
    assert sessions(until=datetime(2026, 1, 5, 9, 0, 3, tzinfo=UTC), agent="pi") == {"pi-bare"}
    assert sessions(since=date(2026, 1, 6)) == set()
    active = samples.search("proxy", ranking="bm25", active_only=True)
    assert [hit.on_active_path for hit in active] == []
    assert len(samples.search("proxy", ranking="pify", active_only=True)) == 0
    assert [hit.on_active_path for hit in samples.search("proxy")] == [False, False]


def test_a_time_that_is_none_is_refused(samples: SessionIndex) -> None:
    with pytest.raises(InvalidTime, match="since='soon' is no time"):
        samples.search("x", since="soon")


def test_options_are_checked_and_explained(samples: SessionIndex) -> None:
    with pytest.raises(UnknownOption, match="no option 'rankin'. Did you mean 'ranking'"):
        samples.search("x", rankin="bm25")
    with pytest.raises(UnknownOption, match="SearchOptions"):
        samples.search("x", zzz=1)
    with pytest.raises(InputError, match="Option limit=0 cannot be used"):
        samples.search("x", 0)
    with pytest.raises(InputError, match="Option ranking='bm26'"):
        samples.search("x", ranking="bm26")
    with pytest.raises(InputError, match="A query is text, not int"):
        samples.search(5)  # type: ignore[arg-type]
    assert SearchOptions().ranking == "pify"


def test_hits_as_a_frame_as_text_and_as_html(samples: SessionIndex) -> None:
    hits = samples.search("login bug", ranking="bm25")
    frame = hits.frame()
    assert frame.loc[0, "id"] == "claude#3"
    assert frame.loc[0, "matched"] == 2
    assert frame.loc[0, "path"].endswith("samples/claude.jsonl")
    assert hits.text.startswith(f'{len(hits)} matches for "login bug", most relevant first:')
    assert repr(hits).startswith(f"{len(hits)} hits for 'login bug' (bm25")
    assert hits[:1][0] is hits[0]
    assert samples.search("zzzz").frame().dtypes.equals(frame.dtypes)


def test_hostile_texts_are_shown_as_text(tmp_path: Path) -> None:
    index = build(tmp_path, "kelp <script>alert(1)</script> & co")
    html = index.search('kelp <img src="x">', ranking="bm25")._repr_html_()
    assert "<script>" not in html
    assert "<img" not in html
    assert "&lt;script&gt;" in html
