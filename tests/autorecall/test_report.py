from __future__ import annotations

from memlab import compose_query
from memlab.models import Message
from tests.autorecall.toys import said

HOSTILE = "<script>alert(1)</script> & \"quotes\" <img src=x onerror='x'>"


def test_the_report_says_at_a_glance_what_is_asked() -> None:
    talk = said("first line\nsecond line\nthird line", "answer A\nanswer B", "now?")
    report = compose_query(talk, turns=3, max_chars=45).report()
    assert report.text == repr(report) == str(report)
    assert report.text.split("\n") == [
        "agent, turns=3, max_chars=45: 30 units, 8 tokens; 2 lines asked, 4 not; 60 units cut",
        "! The first kept line has lost its role: lines are dropped, not messages.",
        "- [0 user] user: first line  (over budget)",
        "- [0 user] second line  (over budget)",
        "- [0 user] third line  (over budget)",
        "- [1 assistant] assistant: answer A  (over budget)",
        "+ [1 assistant] answer B",
        "+ [prompt] now?",
    ]


def test_long_texts_keep_their_ends() -> None:
    prompt = "begin " + "x" * 1000 + " the end?"
    line = compose_query([prompt], turns=1, max_chars=0).report().text.split("\n")[-1]
    assert "begin" in line
    assert "the end?" in line
    assert "[… 715 more …]" in line


def test_every_text_is_escaped() -> None:
    talk = [
        Message("user", HOSTILE),
        Message("<b>role</b>", HOSTILE),
        Message("user", HOSTILE + "?"),
    ]
    query = compose_query(talk, turns=3, max_chars=0, history="given")
    for html in (query.report().html, query._repr_html_(), query.report()._repr_html_()):
        assert "<script" not in html
        assert "<img" not in html
        assert "<b>role" not in html
        assert "&lt;script&gt;" in html


def test_kept_and_dropped_lines_are_marked() -> None:
    html = compose_query(said("old", "yes", "x" * 20), turns=1, max_chars=9).report().html
    assert html.count("<s>") == 3
    assert "over budget" in html
    assert "only the prompt is asked" in html


def test_half_an_emoji_can_be_shown() -> None:
    report = compose_query(["🚀" * 9], turns=1, max_chars=5).report()
    assert "\ufffd" in report.text
    (report.text + report.html).encode("utf-8")
    assert "half of a character" in report.text


def test_the_middle_of_a_long_run_is_counted() -> None:
    """A person reads a report at a glance, whatever was pasted into the prompt."""
    talk = [Message("user", f"prompt {n:02}") for n in range(40)]
    prompt = "\n".join(f"line {n:03} of log" for n in range(900))
    query = compose_query([*talk, Message("user", prompt)], turns=1, max_chars=1600)
    lines = query.report().text.split("\n")[2:]
    assert lines[0] == "- [0 user] prompt 00  (only the prompt is asked)"
    folded = [line for line in lines if line[2] == "…"]
    assert folded == [
        "- … 28 more lines, 252 units (28 only the prompt is asked)",
        "+ … 40 more lines, 600 units",
        "- … 788 more lines, 11,820 units (788 over budget)",
    ]
    assert len(lines) - 3 + 28 + 40 + 788 == len(query.lines) == len(query.frame()), "none is lost"
    html = query.report().html
    assert all(line[2:] in html for line in folded)
    assert html.count("<div") < 120


def test_lines_of_windows_are_lines() -> None:
    text = compose_query(["one\r\ntwo\r\nthree", "now?"]).report().text
    assert "user: one\n" in text
    assert "\ufffd" not in text


def test_a_report_cannot_move_the_cursor() -> None:
    report = compose_query(["\x1b[2J\u202eevil", "now?"], turns=1, history="given").report()
    assert "\x1b" not in report.text
    assert "\u202e" not in report.text
