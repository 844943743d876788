"""What users of other tools have reported, as tests of the evaluation: each would have shown it."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import stamina

from memlab import (
    Case,
    Cases,
    Hindsight,
    Hit,
    Mnemopi,
    Outcome,
    R,
    Recall,
    Settings,
    build_bank,
    compare,
    evaluate,
    nDCG,
    self_labelled,
    sweep,
)
from memlab.autorecall.token_errors import token_errors
from memlab.datasets import load_dataset
from memlab.errors import RecallTimeout, UnknownOption
from memlab.evaluation import Covered, Injected, Tokens
from memlab.testing.hindsight import FakeHindsight, Request
from tests.datasets.conftest import locomo  # noqa: F401  (a fixture)
from tests.evaluation.fakes import Fixed, Told, memory

NOW = "2026-06-01T00:00:00.000Z"


class Ranked(Fixed):
    """Ranks its texts by a score of their own, for one query after another."""

    def __init__(self, texts: dict[str, str], score: Any) -> None:
        super().__init__({}, [memory(key, text) for key, text in texts.items()])
        self.score = score

    def recall(self, query: str, *, limit: int = 8, **options: Any) -> Recall:
        texts = {one.id: one.text for one in self.stored}
        order = sorted(texts, key=lambda key: -self.score(query, texts[key], **options))
        hits = tuple(
            Hit(n, key, texts[key], None, "working") for n, key in enumerate(order[:limit], 1)
        )
        return Recall(query, hits, Outcome.OK, self.name)


def overlap(query: str, text: str) -> float:
    return len(set(query.split()) & set(text.split())) / len(query.split())


def test_a_boost_after_reranking_that_buries_direct_hits() -> None:
    """A strategy boost added to the score: the sweep shows it, and a paired test confirms it."""
    texts = {f"t{n}": f"topic{n} detail{n} {'boosted' if n % 4 == 0 else ''}" for n in range(60)}

    def score(query: str, text: str, boost: float = 0.0) -> float:
        return overlap(query, text) + boost * ("boosted" in text)

    cases = Cases(Case(f"c{n}", f"topic{n} about", {f"t{n}": 1}) for n in range(60))
    grid = sweep(Ranked(texts, score), cases, [R @ 8], cache=None, boost=[0.0, 0.2, 0.7])
    low, small, high = grid.frame()["R@8"]
    assert (low, small) == (1.0, 1.0)
    assert high < 0.5
    assert (
        compare(grid[0], grid[2], by=None).verdict(compare(grid[0], grid[2], by=None).rows[0])
        == "worse"
    )


def test_servers_without_scores() -> None:
    """Older servers return no scores: everything but the scores is still there."""
    backend = Ranked({"a": "one two", "b": "three"}, overlap)
    run = evaluate(backend, [Case("q", "two", {"a": 1})], [R @ 8, nDCG @ 8])
    assert run.hits()["score"].isna().all()
    assert run.means()["mean"].tolist() == [1, 1]
    assert compare(run, run).flips().empty


def test_questions_of_four_words_and_more_find_nothing() -> None:
    """A gate that wants half of all words: short queries pass, questions do not."""

    class Gated(Ranked):
        def recall(self, query: str, **options: Any) -> Recall:
            found = super().recall(query)
            kept = tuple(hit for hit in found.hits if overlap(query, hit.text) >= 0.5)
            return Recall(query, kept, Outcome.OK if kept else Outcome.EMPTY, self.name)

    texts = {f"t{n}": f"alpha{n} beta{n} gamma{n} delta{n}" for n in range(10)}
    cases = Cases(
        Case(
            f"{words}/{n}",
            " ".join([f"beta{n}", *["filler"] * (words - 1)]),
            {f"t{n}": 1},
            f"{words} words",
        )
        for words in (1, 2, 4, 8)
        for n in range(10)
    )
    table = evaluate(Gated(texts, overlap), cases, [R @ 8, Covered]).by()
    assert table["R@8"].tolist() == [1, 1, 0, 0]
    assert table["Covered"].tolist() == [1, 1, 0, 0]  # there was no candidate at all


def test_a_gain_that_is_a_loss_for_one_category() -> None:
    """Any word may match instead of all: more single hits, fewer of the questions with several."""
    single, multi = {"s": 1}, {"m1": 1, "m2": 1}
    cases = Cases(
        [Case(f"s{n}", f"s{n}", single, "single") for n in range(20)]
        + [Case(f"m{n}", f"m{n}", multi, "multi") for n in range(10)]
    )
    strict: dict[str, Told] = {f"m{n}": ["m1", "m2"] for n in range(10)}
    loose: dict[str, Told] = {f"s{n}": ["s"] for n in range(20)} | {
        f"m{n}": ["m1"] for n in range(10)
    }
    stored = [memory(key) for key in ("s", "m1", "m2")]
    runs = [
        evaluate(Fixed(told, stored), cases, [R @ 8], label=str(n))
        for n, told in enumerate((strict, loose))
    ]
    found = compare(*runs)
    rows = {row["group"]: found.verdict(row) for row in found.rows}
    assert rows == {"all": "better", "single": "better", "multi": "worse"}


WIDTH = 512


def vectors(texts: list[str]) -> np.ndarray:
    """Words into numbers, by what they mean in this test: typeface is font."""
    alike = {"typeface": "font", "newspaper": "gazette"}
    rows = np.zeros((len(texts), WIDTH))
    for row, text in zip(rows, texts, strict=True):
        for word in text.lower().split():
            known = alike.get(word, word).encode()
            row[int.from_bytes(hashlib.sha256(known).digest()[:4]) % WIDTH] += 1
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


def same_for_all(texts: list[str]) -> np.ndarray:
    return np.ones((len(texts), WIDTH)) / WIDTH**0.5


def test_one_vector_for_all_memories(tmp_path: Path) -> None:
    """Vectors that are all the same find by meaning whatever is newest: paraphrases are lost."""
    words = ["font", "gazette", "valve", "queue", "harbour", "parcel", "greenhouse", "feed"]
    items = [{"text": f"{word} {word} {word} {n}", "id": f"{word}{n}", "time": NOW}
             for word in words for n in range(3)]  # fmt: skip
    cases = Cases(
        [Case("typeface", "typeface", {f"font{n}": 1 for n in range(3)}),
         Case("newspaper", "newspaper", {f"gazette{n}": 1 for n in range(3)})]
    )  # fmt: skip
    found = {}
    for embedder in (vectors, same_for_all):
        place = tmp_path / f"{embedder.__name__}.db"
        with build_bank(items, place, embedder=embedder, now=NOW) as bank:
            found[embedder.__name__] = evaluate(bank, cases, [R @ 4], now=NOW, limit=4)
    assert found["vectors"].means()["mean"][0] == 1
    assert found["same_for_all"].means()["mean"][0] < 0.5


def test_what_matches_nothing_is_injected_all_the_same() -> None:
    texts = {f"t{n}": f"word{n}" for n in range(10)}
    case = Case("null", "PHRASE_THAT_DEFINITELY_DOES_NOT_APPEAR_ANYWHERE_QQQQ", {})
    always = evaluate(Ranked(texts, overlap), [case], [Injected, Tokens], limit=5)
    assert always.means()["mean"].tolist()[0] == 1
    assert always.frame()["hits"].tolist() == [5]


def test_words_joined_by_underscores_are_words_to_the_engine(
    world_banks: dict[str, Mnemopi], now: str
) -> None:
    """So that even this phrase recalls something; words that no memory has recall nothing."""
    shown = []
    for bank in world_banks.values():
        cases = [
            Case("phrase", "PHRASE_THAT_DEFINITELY_DOES_NOT_APPEAR_ANYWHERE_QQQQ", {}),
            Case("strange", "brulkomp drendaisk plozzeb", {}),
        ]
        run = evaluate(bank, cases, [Injected], now=now)
        shown.append(run.frame().set_index("id")["Injected"].to_dict())
    assert any(row["phrase"] for row in shown)
    assert not any(row["strange"] for row in shown)


def test_long_memories_that_cannot_be_reached() -> None:
    """A penalty on length: the quarter of the longest memories is never found."""
    texts = {f"t{n}": " ".join([f"key{n}", *["filler"] * (40 * n)]) for n in range(16)}

    def score(query: str, text: str) -> float:
        return (query in text.split()) / (1 + len(text) / 500) + (len(text) < 900) * 0.3

    cases = Cases(Case(f"c{n}", f"key{n}", {f"t{n}": 1}) for n in range(16))
    table = evaluate(Ranked(texts, score), cases, [R @ 3], limit=3).by("length")
    assert list(table.index) == ["shortest", "short", "long", "longest"]
    assert table.loc["shortest", "share"] == 1
    assert table.loc["longest", "share"] == 0


def test_a_budget_smaller_than_the_best_memory() -> None:
    """The best record is dropped whole, and a shorter one comes instead: the sweep names it."""
    texts = {"best": "kiln " * 300, "junk": "kiln"}

    class Budgeted(Ranked):
        def recall(self, query: str, *, max_tokens: int = 1000, **options: Any) -> Recall:
            whole = super().recall(query, **options)
            room, kept = max_tokens, []
            for hit in whole.hits:
                if len(hit.text.split()) <= room:
                    kept.append(hit)
                    room -= len(hit.text.split())
            hits = tuple(Hit(n, h.id, h.text, None, "") for n, h in enumerate(kept, 1))
            return Recall(query, hits, Outcome.OK if hits else Outcome.EMPTY, self.name)

    backend = Budgeted(texts, lambda query, text: len(text))
    cases = [Case("q", "kiln", {"best": 1})]
    grid = sweep(backend, cases, [R @ 8], cache=None, max_tokens=[5, 100, 299, 300, 8192])
    assert grid.frame()["R@8"].tolist() == [0, 0, 0, 1, 1]
    assert grid.losses("max_tokens").empty
    assert grid[0].misses()["recalled"].tolist() == [["junk"]]


def test_a_limit_is_not_a_budget() -> None:
    """An option under a wrong name is refused, never ignored."""
    with pytest.raises(UnknownOption):
        evaluate(Fixed({}), [Case("q", "q", {"m": 1})], max_results=5)


def test_a_quarter_of_the_letters_is_no_token_count_for_chinese() -> None:
    """Tokens are counted by the server's vocabulary, since the agent's estimate is far off."""
    texts = {
        "zh": "用户参加了二〇二六年杭州开源峰会并且非常喜欢那里的气氛",
        "en": "The user went to the summit.",
    }
    cases = [Case(key, key, {key: 1}) for key in texts]
    answers: dict[str, Told] = {key: [key] for key in texts}
    run = evaluate(Fixed(answers, texts=texts), cases, [Tokens @ 1])
    tokens = run.frame().set_index("id")["Tokens@1"]
    assert tokens["zh"] > 2 * len(texts["zh"]) / 4
    assert tokens["en"] <= len(texts["en"]) / 3
    assert token_errors([texts["zh"]])["error"][0] < -0.4


def hindsight(reply: Any) -> Hindsight:
    server = FakeHindsight(fault=reply)
    server.add("omp", "The kiln fires at noon.")
    return Hindsight("omp", transport=server.transport, settings=Settings.load(), timeout=2)


def test_refused_slow_and_empty_are_three_things() -> None:
    """A query that is too long, a gateway that gives up, and a bank that has nothing to say."""

    def fault(request: Request) -> Any:
        if not request.path.endswith("/recall"):
            return None
        query = request.json["query"]
        if len(query) > 100:
            return 400, {"detail": "Query too long: 1848 tokens exceeds maximum of 500"}, {}
        return (504, {"detail": "upstream timed out"}, {}) if "slow" in query else None

    with hindsight(fault) as bank:
        cases = [
            Case("long", "word " * 300, {"k": 1}), Case("slow", "slow", {"k": 1}),
            Case("empty", "zzz", {"k": 1}), Case("ok", "kiln", {"k": 1}),
        ]  # fmt: skip
        run = evaluate(bank, cases, [R @ 8])
    assert dict(zip(run.frame()["id"], run.frame()["outcome"], strict=True)) == {
        "long": "refused", "slow": "timeout", "empty": "empty", "ok": "ok",
    }  # fmt: skip
    errors = run.failures().set_index("id")["error"]
    assert "1848 tokens exceeds maximum of 500" in errors["long"]


def test_a_server_that_is_away_is_recorded(tmp_path: Path) -> None:
    away = hindsight(lambda request: (503, {"detail": "starting"}, {}))
    with stamina.set_testing(True), away as bank:  # tried once, without waiting
        run = evaluate(bank, [Case("q", "kiln", {"k": 1}, keys="source")], [R @ 8])
        assert run.frame()["outcome"].tolist() == ["unavailable"]
        assert [label.state for label in run.labels] == ["unknown"]
        assert run.context is not None
        assert next(iter(run.context.data.values())).startswith("unknown (")
        grid = sweep(bank, run.cases, [R @ 8], cache=tmp_path, max_tokens=[512, 1024])
        assert grid.frame()["failed"].tolist() == [1, 1]
        assert list(tmp_path.glob("*.jsonl")) == []


def test_a_tenth_of_the_queries_fails() -> None:
    """Failures of a provider must not become plausible low scores."""
    told: dict[str, Told] = {str(n): ["m1"] for n in range(50)}
    told |= {str(n): RecallTimeout("too slow") for n in range(0, 50, 10)}
    cases = [Case(str(n), str(n), {"m1": 1}) for n in range(50)]
    run = evaluate(Fixed(told, [memory("m1")]), cases, [R @ 8])
    assert "5 cases FAILED (5 timeout)" in repr(run)
    assert run.means("skip")["mean"][0] == 1
    assert run.means("zero")["mean"][0] == 0.9
    assert run.means("skip")["failed"][0] == 5


def english_only(texts: list[str]) -> np.ndarray:
    """All words that are not of a to z look the same to it."""
    return vectors([" ".join(w if w.isascii() else "?" for w in text.split()) for text in texts])


def test_an_embedder_for_english_only(tmp_path: Path) -> None:
    russian = {"порт": "гавань", "клапан": "насос", "лента": "новости", "очередь": "сервер"}
    english = {"font": "page", "valve": "pump"}
    items = [{"text": f"{a} {b}", "id": a, "time": NOW} for a, b in {**russian, **english}.items()]
    cases = Cases(
        Case(key, f"{word} {key}", {key: 1}) for key, word in {**russian, **english}.items()
    )
    shares = {}
    for embedder in (vectors, english_only):
        with build_bank(
            items, tmp_path / f"{embedder.__name__}.db", embedder=embedder, now=NOW
        ) as bank:
            vectors_only = {"fts_weight": 0.0, "working_keyword_share": 0.0, "keyword_square": 0.0,
                            "working_dense_share": 1.0, "dense_floor": 0.0}  # fmt: skip
            run = evaluate(bank, cases, [R @ 1], now=NOW, limit=1, **vectors_only)
            shares[embedder.__name__] = run.by("script")["share"].to_dict()
    assert shares["vectors"] == {"Cyrillic": 1.0, "Latin": 1.0}
    assert shares["english_only"]["Latin"] == 1.0
    assert shares["english_only"]["Cyrillic"] <= 0.5


def test_wrong_labels_and_corrected_ones(locomo: Path) -> None:  # noqa: F811
    """Both scores of the same answers: by the labels as published, and as audited."""
    original = load_dataset(locomo)
    audited = load_dataset(locomo, labels="audited")
    backend = Fixed({"one": ["D2:1"]}, [memory(item.key, item.text) for item in original.items])
    run = evaluate(backend, original.cases, [R @ 8])
    values = [
        run.rescore(cases=cases).frame().set_index("id").loc["conv-1/0", "R@8"]
        for cases in (original.cases, audited.cases)
    ]
    assert values == [0, 1]


def test_rare_words_of_a_memory_find_it_first() -> None:
    """A memory that holds the exact rare words of the query, ranked below unrelated ones."""
    texts = {
        "otter": "QuasarOtter owns SignalPineapple and RecallEngine-Seven",
        "stop": "user stop sequence",
    }
    cases = self_labelled([memory(key, text) for key, text in texts.items()], ["rare-tokens"])
    good = evaluate(Ranked(texts, overlap), cases, ["Success@1"])
    bad = evaluate(Ranked(texts, lambda query, text: -overlap(query, text)), cases, ["Success@1"])
    assert good.means()["mean"][0] == 1
    assert bad.means()["mean"][0] == 0
