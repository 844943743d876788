"""Files of cases, runs and baselines in which anything may stand: a sentence, never a traceback."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from memlab import Case, Cases, Evaluation, MemlabError, R, evaluate
from memlab.datasets import Dataset, Item, load_own
from memlab.errors import InputError
from memlab.evaluation.context import cases_digest
from memlab.models import Conversation, Message
from tests.evaluation.fakes import Fixed, memory

ODD: list[Any] = [
    None, 5, -1, 1.5, True, "", "x", [], {}, [1], [[]], {"a": 1}, {"a": None}, 2**40,
]  # fmt: skip
GONE = object()
CASES = Cases([Case("1", "q", {"m1": 1}, "c"), Case("2", "r", {})])


def places(value: Any, start: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield start
    items = value.items() if isinstance(value, dict) else ()
    for key, part in enumerate(value) if isinstance(value, list) else items:
        yield from places(part, (*start, key))


def changed(value: Any, place: tuple[Any, ...], other: Any) -> Any:
    if not place:
        return other
    copy = json.loads(json.dumps(value))
    inner = copy
    for key in place[:-1]:
        inner = inner[key]
    if other is GONE:
        del inner[place[-1]]
    else:
        inner[place[-1]] = other
    return copy


def spoilt(value: Any, odd: Sequence[Any] = ODD) -> Iterator[Any]:
    for place in places(value):
        for other in [*odd, *([GONE] if place else [])]:
            yield changed(value, place, other)


def read_all(path: Path) -> None:
    run = Evaluation.load(path)
    assert run.context is not None
    for look in (run.frame, run.hits, run.relevant, run.misses, run.context.frame):
        assert len(look()) >= 0
    assert repr(run)
    run.by(failed="skip")
    run.save(path.with_name("again.jsonl"))


def survive(read: Callable[[], object]) -> bool:
    try:
        read()
    except MemlabError:
        return False
    return True


@pytest.fixture
def run() -> Evaluation:
    told = Fixed({"q": ["m1", "x"]}, [memory("m1")])
    return evaluate(told, CASES, [R @ 8, "Leaked"], allowed=["m1"], why=True)


def test_cases(tmp_path: Path) -> None:
    row = {
        "id": "a", "query": "q", "relevant": {"k": 1}, "category": "c", "notes": "n",
        "bank": "b", "cwd": "/", "level": "turn", "keys": "source",
        "conversation": [{"role": "user", "text": "q", "kind": "prompt"}],
    }  # fmt: skip
    path, read = tmp_path / "c.jsonl", 0
    for other in spoilt(row):
        path.write_text(json.dumps(other) + "\n")
        read += survive(lambda: Cases.load(path).frame())
        assert survive(lambda: Cases.load(path, strict=False).frame())
    assert read > 10


def test_runs(tmp_path: Path, run: Evaluation) -> None:
    path, read = run.save(tmp_path / "r.jsonl"), 0
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for number, line in enumerate(lines):
        for other in spoilt(line, ODD[::3]):
            some = [*lines[:number], other, *lines[number + 1 :]]
            path.write_text("".join(json.dumps(one) + "\n" for one in some))
            read += survive(lambda: read_all(path))
    assert read > 10


def test_baselines(tmp_path: Path, run: Evaluation) -> None:
    path, read = tmp_path / "b.json", 0
    run.gate(path, update=True)
    for other in spoilt(json.loads(path.read_text())):
        path.write_text(json.dumps(other))
        read += survive(lambda: run.gate(path))
    assert read > 10


def test_what_was_no_plain_text_stays_so(tmp_path: Path) -> None:
    """An agent leaves thinking and tools out of its query: saved cases must ask the same."""
    kinds = ("prompt", "thinking", "tool_call", "reply", "prompt")
    roles = ("user", "assistant", "assistant", "assistant", "user")
    talk = [
        Message(r, f"text {n}", kind=k) for n, (r, k) in enumerate(zip(roles, kinds, strict=True))
    ]
    cases = Cases([Case("a", relevant={}, conversation=Conversation(tuple(talk)))])
    loaded = Cases.load(cases.save(tmp_path / "c.jsonl"))
    assert loaded == cases
    asked = [
        evaluate(Fixed({}, name="mnemopi:told"), some, turns=3).frame()["query"][0]
        for some in (cases, loaded)
    ]
    assert asked[0] == asked[1]
    assert "text 1" not in asked[0]
    plain = [Message(one.role, one.text) for one in talk]
    other = Cases([Case("a", relevant={}, conversation=Conversation(tuple(plain)))])
    assert cases_digest(other) != cases_digest(cases)


ODD_TEXTS = Cases(
    [
        Case(
            "a\u2028b",
            "x\r\ny\tz \u2029 'q\" ,;",
            {'k,"1': 1, "k\n2": 2, " k": 1, "r\r": 1},
            "=c()",
        ),
        Case("NA", "null", {}, "nan", "ends in a return\r"),
        Case("1.0", "True", None),
    ]
)
HALF = Cases([Case("a", "half \ud83d emoji", {"\ud83d": 1})])


@pytest.mark.parametrize("ending", ["jsonl", "csv", "tsv"])
def test_any_text_comes_back(tmp_path: Path, ending: str) -> None:
    path = ODD_TEXTS.save(tmp_path / f"c.{ending}")
    assert Cases.load(path) == ODD_TEXTS
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())  # as some editors save it
    assert Cases.load(path) == ODD_TEXTS


def test_half_an_emoji(tmp_path: Path) -> None:
    assert Cases.load(HALF.save(tmp_path / "c.jsonl")) == HALF
    for save in (lambda: HALF.save(tmp_path / "c.csv"), lambda: HALF.to_trec(tmp_path / "trec")):
        with pytest.raises(InputError, match="cannot hold half an emoji"):
            save()
    data = Dataset("set", (Item("\ud83d", "half \ud83d", "b"),), Cases([]))
    assert load_own(data.save(tmp_path / "set")).items == data.items


def test_trec_with_a_mark_at_the_beginning(tmp_path: Path) -> None:
    for name, text in {"q": "a\tquery\n", "l": "a 0 k 1\n"}.items():
        (tmp_path / name).write_bytes(b"\xef\xbb\xbf" + text.encode())
    cases = Cases.from_trec(tmp_path / "l", tmp_path / "q")
    assert cases == Cases([Case("a", "query", {"k": 1})])
