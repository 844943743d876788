"""Reports: everything in one file, nothing from elsewhere, and no text becomes markup."""

from __future__ import annotations

import base64
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from memlab import Case, Cases, Evaluation, R, compare, evaluate, sweep
from memlab.datasets import Dataset, Item
from memlab.errors import InputError, RecallTimeout
from memlab.evaluation import Baseline
from memlab.evaluation.gating import check
from memlab.report import make_report
from tests.evaluation.fakes import Fixed, memory

HOSTILE = "<img src=x onerror=alert(1)>|[click](http://evil.example) ![x](https://evil.example/a.png) `$x$`"
CASES = Cases(
    [
        Case("good", "one", {"m1": 1}, "plain"),
        Case("bad", HOSTILE, {"m1": 1}, "<script>alert(2)</script>"),
        Case("slow", "three", {"m1": 1}, "plain"),
        *(Case(f"more{n}", "one", {"m1": 1}, "plain") for n in range(5)),
    ]
)


def run(label: str = HOSTILE, slow: bool = True) -> Evaluation:
    answers = {"one": ["m1"], HOSTILE: ["x"], "three": RecallTimeout("30 s") if slow else ["m1"]}
    backend = Fixed(answers, [memory("m1", HOSTILE)], texts={"x": HOSTILE})  # type: ignore[arg-type]
    return evaluate(backend, CASES, [R @ 8, "Tokens"], label=label)


def everything() -> list[object]:
    one, other = run("one", slow=False), run("other", slow=False)
    grid = sweep(
        Fixed({"one": ["x", "m1"]}, [memory("m1")]), CASES, [R @ 8], cache=None, limit=[1, 2]
    )
    data = Dataset("set", (Item("k", HOSTILE, "b"),), Cases([]), (("odd", 1, "kept", HOSTILE),))
    gate = check(other, Baseline.of(one))
    return [run(), one, compare(one, other), grid, gate, data]


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.sources: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        assert not any(name.startswith("on") for name, _ in attrs)
        self.sources += [value or "" for name, value in attrs if name in ("src", "href")]


def test_a_page_that_loads_nothing(tmp_path: Path) -> None:
    page = make_report(*everything(), title=HOSTILE).save(tmp_path / "r.html").read_text()
    found = Tags()
    found.feed(page)
    assert "script" not in found.tags
    assert "a" not in found.tags
    assert found.sources
    assert all(source.startswith("data:image/png;base64,") for source in found.sources)
    assert "default-src 'none'" in page
    assert "&lt;img src=x" in page


def test_markdown_in_which_no_text_is_markup(tmp_path: Path) -> None:
    text = make_report(*everything(), title=HOSTILE).save(tmp_path / "r.md").read_text()
    prose = "\n".join(line for line in text.split("\n") if not line.startswith("    "))
    links = re.findall(r"(?<!\\)\]\((.*?)\)", prose)
    assert links
    assert all(link.startswith("data:image/png;base64,") for link in links)
    assert "http://" not in prose
    assert "https://" not in prose
    assert not re.search(r"(?<!\\)<", prose)
    rows = [line for line in prose.split("\n") if line.startswith("|")]
    assert all(len(re.findall(r"(?<!\\)\|", row)) >= 2 for row in rows)


def test_pictures_are_pictures() -> None:
    page = make_report(run("x")).html
    for data in re.findall(r"base64,([^\"]+)", page):
        assert base64.b64decode(data).startswith(b"\x89PNG")


def test_failures_are_loud() -> None:
    page = make_report(run("x")).html
    assert '<p class="loud">1 of 8 cases failed: 1 timeout. The figures leave them out.</p>' in page
    assert "RecallTimeout: 30 s" in page
    assert "**1 of 8 cases failed: 1 timeout" in make_report(run("x")).markdown


def test_all_that_matters_is_in_it() -> None:
    text = make_report(run("first"), run("second")).markdown
    for wanted in ("## Overview", "| first | 8 | 1 |", "## first", "bootstrap intervals",
                   "by category", "where they lie", "no relevant memory was recalled",
                   "Circumstances of the run", "versions.python", "data.told"):  # fmt: skip
        assert wanted in text.replace("\\", ""), wanted


def test_the_same_results_give_the_same_file() -> None:
    fixed = run("x")
    assert make_report(fixed).html == make_report(fixed).html


def test_what_cannot_be_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="A report of nothing"):
        make_report()
    with pytest.raises(InputError, match="cannot show a int. It shows: Comparison, Dataset"):
        make_report(5)
    with pytest.raises(InputError, match=r"ends in neither \.html nor \.md"):
        make_report(run()).save(tmp_path / "r.pdf")


def test_stages_are_shown_only_where_they_are_known() -> None:
    """Without ``why`` nobody asked where a memory was lost: a table of "unknown" says nothing."""
    assert "<td>stage</td>" not in make_report(run()).html
    answers = {"one": ["m1"], HOSTILE: ["x"]}
    told = evaluate(Fixed(answers, [memory("m1")]), CASES, [R @ 8])
    lost = dict(told.answers) | {
        "bad": replace(told.answers["bad"], lost={"m1": ("not matched", "No word.")})
    }
    assert "<td>stage</td>" in make_report(replace(told, answers=lost)).html
