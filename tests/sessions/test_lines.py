"""Bytes to lines: what is a line, what is JSON, and what is said of the rest."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.sessions import lines
from memlab.sessions.lines import BLANK, MalformedLine, parse_line, read_lines
from memlab.sessions.problems import Problem

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=[]), max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)


def read(path: Path, data: bytes) -> tuple[list[Any], list[Problem]]:
    path.write_bytes(data)
    problems: list[Problem] = []
    return [value for _, value in read_lines(path, problems)], problems


def whys(problems: list[Problem]) -> list[tuple[int, str]]:
    return [(problem.line, problem.why) for problem in problems]


def test_lines_end_at_newlines_alone(tmp_path: Path) -> None:
    text = '{"a":"one\u2028two\u2029three\u0085four"}\r\n{"a":"x\\ry"}\n\n  \n{"a":1}'
    values, problems = read(tmp_path / "s.jsonl", text.encode())
    assert [value["a"] for value in values] == ["one\u2028two\u2029three\u0085four", "x\ry", 1]
    assert problems == []


def test_a_byte_order_mark_and_blanks_around_are_trimmed(tmp_path: Path) -> None:
    values, problems = read(tmp_path / "s.jsonl", b'\xef\xbb\xbf{"a":1}\n\xc2\xa0{"a":2} \n')
    assert values == [{"a": 1}, {"a": 2}]
    assert problems == []


def test_half_a_last_line_is_the_agent_s_doing(tmp_path: Path) -> None:
    values, problems = read(tmp_path / "s.jsonl", b'{"a":1}\n{"a":"hal')
    assert values == [{"a": 1}]
    assert whys(problems)[0][0] == 2
    assert "the last line is unfinished" in problems[0].why


def test_a_whole_last_line_needs_no_newline(tmp_path: Path) -> None:
    assert read(tmp_path / "s.jsonl", b'{"a":1}\n{"a":2}')[0] == [{"a": 1}, {"a": 2}]


def test_zero_bytes_are_named_and_the_rest_is_read(tmp_path: Path) -> None:
    values, problems = read(tmp_path / "s.jsonl", b'{"a":1}\n\0\0\0\0\n\0{"a":2}\n{"a":3}\n')
    assert values == [{"a": 1}, {"a": 3}]
    assert whys(problems) == [
        (2, "zero bytes instead of a line"),
        (3, "zero bytes instead of a line"),
    ]


def test_bad_bytes_become_replacement_characters_and_are_named(tmp_path: Path) -> None:
    values, problems = read(tmp_path / "s.jsonl", b'{"a":"x\xff\xfey"}\n')
    assert values == [{"a": "x��y"}]
    assert whys(problems) == [(1, "bytes that are no UTF-8 became U+FFFD")]


@pytest.mark.parametrize(
    "line",
    [
        b'{"a":NaN}',
        b'{"a":-Infinity}',
        b'{"a":1} {"b":2}',
        b"{'a':1}",
        b'{"a":"tab\tinside"}',
        b'{"a":1,}',
        b"{broken header",
        b"//",
        b'{"a":01}',
    ],
)
def test_only_strict_json_is_json(line: bytes) -> None:
    with pytest.raises(MalformedLine):
        parse_line(line)


def test_what_javascript_reads_is_read() -> None:
    assert parse_line(b'{"a":1,"a":2}') == {"a": 2}
    assert parse_line(b'"\\ud83d"') == "\ud83d"
    assert parse_line(b"null") is None
    assert parse_line(b"  \t ") is BLANK
    assert parse_line(b"1" * 5000) == float("inf")
    assert parse_line(b'{"a":1e999}')["a"] == float("inf")


def test_what_is_nested_too_deeply_is_malformed() -> None:
    with pytest.raises(MalformedLine, match="nested too deeply"):
        parse_line(b"[" * 200_000 + b"]" * 200_000)


def test_thirty_megabytes_on_one_line_are_read(tmp_path: Path) -> None:
    line = b'{"a":"' + b"x" * 30_000_000 + b'"}\n'
    values, problems = read(tmp_path / "s.jsonl", b'{"a":1}\n' + line + b'{"a":2}\n')
    assert [len(str(value["a"])) for value in values] == [1, 30_000_000, 1]
    assert problems == []


@given(st.lists(JSON, max_size=5), st.booleans())
def test_what_was_written_is_read(
    tmp_path_factory: Any, values: list[Any], ascii_only: bool
) -> None:
    path = tmp_path_factory.getbasetemp() / "written.jsonl"
    lines = (json.dumps(value, ensure_ascii=ascii_only) for value in values)
    data = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")
    found, problems = read(path, data)
    if ascii_only:
        assert (found, problems) == (values, [])
    else:
        assert len(found) == len(values)


@given(JSON, st.binary(max_size=3), st.booleans())
def test_the_quick_reader_and_the_patient_one_agree(
    value: Any, extra: bytes, ascii_only: bool
) -> None:
    raw = json.dumps(value, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass") + extra
    answers = []
    for reader in (parse_line, lines._patiently):
        try:
            answers.append(repr(reader(raw)))
        except MalformedLine:
            answers.append("malformed")
    assert answers[0] == answers[1]


@given(st.binary(max_size=200))
def test_any_bytes_are_lines_or_problems(tmp_path_factory: Any, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.jsonl"
    found, problems = read(path, data)
    broken = {problem.line for problem in problems if "U+FFFD" not in problem.why}
    assert len(found) + len(broken) <= data.count(b"\n") + 1
    assert all(1 <= problem.line <= data.count(b"\n") + 1 for problem in problems)
