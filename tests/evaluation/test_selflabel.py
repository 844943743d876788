"""Cases that a bank labels itself, and what they show of the engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from memlab import Memory, Mnemopi, build_bank, evaluate, self_labelled
from memlab.errors import InputError
from memlab.evaluation.selflabel import KINDS
from memlab.evaluation.selflabel.forms import inflected
from memlab.evaluation.selflabel.lexicon import words_of

NOW = "2026-06-01T00:00:00.000Z"
QUERY_LENGTHS = tuple(f"length-{n}" for n in range(1, 9))


def memory(key: str, text: str, **more: object) -> Memory:
    return Memory(key, text, **{"tier": "working", "state": "live", **more})  # type: ignore[arg-type]


BANK = [
    memory("otter", "QuasarOtter owns SignalPineapple and uses RecallEngine-Seven for the user"),
    memory("user", "The user owns nothing and uses the shared engine of the office for tests"),
    memory("gone", "QuasarOtter owned everything", state="superseded"),
    memory("ja", "用户服务器部署在腾讯云国内节点", tier="episodic"),
    memory("ru", "Пользователь предпочитает тёмную тему интерфейса", tags=("тема", "ui")),
    memory("ui", "Buttons are round", tags=("ui",)),
]


def test_the_rarest_words_find_their_memory_first() -> None:
    case = self_labelled(BANK, ["rare-tokens"])["rare-tokens/otter"]
    assert set(case.query.split()) == {"QuasarOtter", "SignalPineapple", "RecallEngine-Seven"}
    assert case.relevant == {"otter": 2}


def test_a_part_of_a_run_is_looked_for_within_runs() -> None:
    """Without blanks a text is one long word: three letters out of it stand inside others."""
    texts = {
        "one": "用户参加了杭州开源峰会",
        "two": "我们去年参加了杭州开源峰会并演讲",
        "no": "部署在腾讯云国内节点",
    }
    cases = self_labelled([memory(*pair) for pair in texts.items()], ["part-of-run"])
    shared = 0
    for case in cases:
        holding = {key for key, text in texts.items() if case.query in text}
        assert set(case.relevant or {}) == holding
        shared += len(holding) > 1
    assert shared


def test_an_id_in_two_tiers_is_one_memory() -> None:
    again = memory("otter", "Other words of the same name in another tier", tier="episodic")
    assert self_labelled([*BANK, again]) == self_labelled(BANK)


def test_what_else_has_all_the_words_is_relevant_too() -> None:
    twice = [
        *BANK,
        memory("copy", "copy: QuasarOtter SignalPineapple RecallEngine-Seven quasarotter"),
    ]
    case = self_labelled(twice, ["rare-tokens"])["rare-tokens/otter"]
    assert case.relevant == {"otter": 2, "copy": 1}


def test_every_kind() -> None:
    cases = self_labelled(BANK)
    assert set(cases.counts().index) == set(KINDS)
    assert not any("gone" in case.id for case in cases)
    part = cases["part-of-run/ja"]
    assert len(part.query) == 3
    assert part.query in "用户服务器部署在腾讯云国内节点"
    assert cases["endings/ru"].query != " ".join(cases["rare-tokens/ru"].query)
    assert cases["without-marks/ru"].query == "темную"
    tagged = cases["tags/ui"]
    assert (tagged.query, dict(tagged.relevant or {})) == ("ui", {"ru": 1, "ui": 2})
    for number in range(1, 9):
        case = cases[f"length-{number}/otter"]
        assert len(case.query.split()) == number
        assert " ".join(words_of(case.query)) in " ".join(words_of(BANK[0].text))


def test_null_queries_name_nothing_that_is_there() -> None:
    words = {word.casefold() for one in BANK for word in words_of(one.text)}
    for case in self_labelled(BANK, ["null-strange"], per_kind=50):
        assert case.kind == "null"
        assert not words & set(case.query.split())
    mixed = self_labelled(BANK, ["null-mixed"], per_kind=20)
    assert all(len(words & set(case.query.split())) == 1 for case in mixed)


def test_the_same_seed_gives_the_same_cases() -> None:
    assert self_labelled(BANK, seed=3) == self_labelled(BANK, seed=3)
    assert self_labelled(BANK, seed=3) != self_labelled(BANK, seed=4)


def test_as_many_of_every_tier() -> None:
    many = [
        memory(f"{tier}{n}", f"alpha{n} beta{n} gamma{n} delta", tier=tier)
        for tier, count in (("working", 30), ("episodic", 5))
        for n in range(count)
    ]
    notes = [case.notes for case in self_labelled(many, ["rare-tokens"], per_kind=10)]
    assert sum("working" in note for note in notes) == 10
    assert sum("episodic" in note for note in notes) == 5


@pytest.mark.parametrize(
    ("word", "form"),
    [
        ("parcels", "parcel"), ("valve", "valves"), ("deploying", "deployed"), ("deployed", "deploying"),
        ("queries", "query"), ("herbatę", "herbata"), ("herbata", "herbatę"), ("тёмную", "тёмная"),
        ("тёмная", "тёмную"), ("город", "города"), ("NATS", "NATS"), ("x", "x"), ("b7e41fa", "b7e41fa"),
        ("glass", "glasses"),
    ],
)  # fmt: skip
def test_other_forms(word: str, form: str) -> None:
    assert inflected(word) == form


def test_an_unknown_kind() -> None:
    with pytest.raises(InputError, match="no kind 'colours'. Kinds: rare-tokens, dropped-words"):
        self_labelled(BANK, ["colours"])


def test_a_bank_without_memories(tmp_path: Path) -> None:
    with build_bank([], tmp_path / "b.db", now=NOW) as bank:
        assert {case.kind for case in self_labelled(bank)} == {"null"}


def test_the_sample_bank(world_banks: dict[str, Mnemopi], now: str) -> None:
    bank = world_banks["team-dispatch-26o84yz56cokc"]
    cases = self_labelled(bank.memories(now=now), bank=bank.bank)
    assert len(cases) > 250
    run = evaluate(bank, cases, ["Success@1", "R@8", "Injected"], now=now)
    table = run.by()
    assert table.loc["null-strange", "Injected"] == 0
    assert table.loc["null-mixed", "Injected"] > 0.3
    lengths = table.loc[list(QUERY_LENGTHS), "R@8"]
    assert (lengths > 0.3).all()  # longer questions must not find nothing at all
    assert table.loc["without-marks", "R@8"] == 0  # the engine's second look sees accents


def test_recall_per_tier_finds_a_tier_that_never_comes_back(
    world_banks: dict[str, Mnemopi], now: str
) -> None:
    bank = world_banks["team-dispatch-26o84yz56cokc"]
    cases = self_labelled(bank.memories(now=now), ["rare-tokens"], bank=bank.bank)
    seen = evaluate(bank, cases, now=now).by("tier")["share"]
    assert seen["working"] > 0.6
    blind = evaluate(bank, cases, now=now, include_working=False).by("tier")["share"]
    assert blind["working"] == 0
    assert blind["episodic"] > 0.9
