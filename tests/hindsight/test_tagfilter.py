"""Field report 2: people do not agree on what `any` means. The table, the server, memlab."""

from __future__ import annotations

import uuid
from typing import Any

import numpy as np
import pandas as pd
import pytest

import memlab as ml
from memlab.errors import InputError
from memlab.hindsight import Hindsight, matches_tags
from memlab.hindsight.tagfilter import _EXAMPLES, _REQUESTS, MODES
from memlab.hindsight.taggroups import matches_groups
from memlab.testing.hindsight import FakeHindsight
from tests.hindsight.conftest import Open

A, B, AT, NONE = "A", "B", "AT", "-"
# The four memories: Alice [user:alice], Bob [user:bob], the team [user:alice, team], no tags.
TABLE = {
    ("any", None): "A B AT -", ("any", ()): "A B AT -",
    ("any", ("user:alice",)): "A AT -", ("any", ("user:alice", "team")): "A AT -",
    ("all", None): "A B AT -", ("all", ()): "A B AT -",
    ("all", ("user:alice",)): "A AT -", ("all", ("user:alice", "team")): "AT -",
    ("any_strict", None): "A B AT -", ("any_strict", ()): "A B AT -",
    ("any_strict", ("user:alice",)): "A AT", ("any_strict", ("user:alice", "team")): "A AT",
    ("all_strict", None): "A B AT -", ("all_strict", ()): "A B AT -",
    ("all_strict", ("user:alice",)): "A AT", ("all_strict", ("user:alice", "team")): "AT",
    ("exact", None): "-", ("exact", ()): "-",
    ("exact", ("user:alice",)): "A", ("exact", ("user:alice", "team")): "AT",
}  # fmt: skip
SHORT = dict(zip([text for text, _ in _EXAMPLES], (A, B, AT, NONE), strict=True))


@pytest.fixture(scope="module")
def four(opened: Open) -> Hindsight:
    """The four memories of the server's documentation, each with one word in common."""
    bank = opened(f"four-{uuid.uuid4().hex[:8]}")
    bank.create_bank(enable_observations=False)
    bank.import_facts(
        [{"id": SHORT[text], "tags": list(tags), "facts": [{"text": f"{text}. Kestrel."}]}
         for text, tags in _EXAMPLES]
    )  # fmt: skip
    return bank


def test_the_table_has_twenty_cells() -> None:
    assert set(TABLE) == {(mode, request) for mode in MODES for request in _REQUESTS}
    assert len(TABLE) == 20


@pytest.mark.parametrize("cell", TABLE, ids=str)
def test_memlab_agrees_with_the_table(
    cell: tuple[ml.hindsight.HindsightOptions, tuple[str, ...]],
) -> None:
    mode, wanted = cell
    kept = [SHORT[text] for text, tags in _EXAMPLES if matches_tags(tags, wanted, mode)]  # type: ignore[arg-type]
    assert " ".join(kept) == TABLE[cell]  # type: ignore[index]


@pytest.mark.parametrize("cell", TABLE, ids=str)
def test_the_server_agrees_with_the_table(
    four: Hindsight, cell: tuple[str, tuple[str, ...]]
) -> None:
    mode, wanted = cell
    found = four.recall("kestrel", tags=wanted, tags_match=mode, types=(), max_tokens=5000)
    assert {hit.raw["document_id"] for hit in found} == set(TABLE[cell].split())
    listed = four.memories(tags=wanted, tags_match=mode)
    if wanted:  # a list without tags knows no exact: there is no empty list in an address
        assert {one.source for one in listed} == set(TABLE[cell].split())
    frame = ml.filter_by_tags(four.memories().frame(), wanted, mode)  # type: ignore[arg-type]
    assert set(frame["source"]) == set(TABLE[cell].split())
    assert ml.check_scope(found, tags=wanted or (), match=mode).empty  # type: ignore[arg-type]


GROUPS: list[list[dict[str, Any]]] = [
    [{"tags": ["user:alice"]}],
    [{"tags": ["user:alice"], "match": "any"}],
    [{"tags": ["user:alice", "team"], "match": "all"}],
    [{"tags": ["user:alice", "team"], "match": "all_strict"}],
    [{"tags": ["user:alice"], "match": "exact"}],
    *([{"tags": [], "match": mode}] for mode in MODES),
    [{"not": {"tags": ["user:alice"], "match": "any"}}],
    [{"not": {"tags": ["user:alice"]}}],
    [{"and": [{"tags": ["user:alice"]}, {"not": {"tags": ["team"]}}]}],
    [{"or": [{"tags": ["user:bob"]}, {"and": [{"tags": ["team"]}, {"tags": ["user:alice"]}]}]}],
    [{"tags": ["user:alice"]}, {"tags": ["team"]}],
    [],
]


@pytest.mark.parametrize("groups", GROUPS, ids=str)
def test_the_server_agrees_about_groups_of_tags(
    four: Hindsight, fake: FakeHindsight, groups: list[dict[str, Any]]
) -> None:
    found = four.recall("kestrel", tag_groups=groups, types=(), max_tokens=5000)
    ours = {SHORT[text] for text, tags in _EXAMPLES if matches_groups(tags, groups)}
    assert {hit.raw["document_id"] for hit in found} == ours
    assert ml.check_scope(found).empty
    for text, tags in _EXAMPLES:
        fake.add("b", f"{text}. Kestrel.", document=SHORT[text], tags=tags)
    double = Hindsight("b", url="http://fake", transport=fake.transport)
    played = double.recall("kestrel", tag_groups=groups, types=(), max_tokens=5000)
    assert {hit.raw["document_id"] for hit in played} == ours


def test_check_scope_finds_what_answers_no_group(fake: FakeHindsight) -> None:
    """A server that overlooks the groups: what came back counts, not what was asked."""
    rows = [{"id": "1", "text": "in", "tags": ["a"]}, {"id": "2", "text": "out", "tags": ["b"]},
            {"id": "3", "text": "none", "tags": None}]  # fmt: skip
    fake.fault = lambda request: (200, {"results": rows}, {})
    bank = Hindsight("b", url="http://fake", transport=fake.transport)
    outside = ml.check_scope(bank.recall("x", tag_groups=[{"tags": ["a"]}]))
    assert outside["id"].tolist() == ["2", "3"]
    assert outside["why"].str.contains("tag_groups").all()
    similar = bank.recall("x", tag_groups=[{"not": {"tags": ["a"], "resolve": "fuzzy"}}])
    with pytest.raises(InputError, match="the server alone knows"):
        ml.check_scope(similar)
    assert ml.check_scope(similar, tags=["a"], match="any")["id"].tolist() == ["2"]


def test_the_filter_reads_tags_of_every_kind_of_frame() -> None:
    """Arrays come from Parquet files, lists from JSON; a text would be read letter by letter."""
    kinds = [np.array(["a"]), ["a"], ("a",), {"a"}, frozenset("a"), np.array([], dtype=object), [],
             None, float("nan"), pd.NA]  # fmt: skip
    frame = pd.DataFrame({"tags": kinds})
    assert ml.filter_by_tags(frame, ["a"], "any_strict").index.tolist() == [0, 1, 2, 3, 4]
    assert ml.filter_by_tags(frame, [], "exact").index.tolist() == [5, 6, 7, 8, 9]
    for text in ("('a',)", "a"):
        with pytest.raises(InputError, match="needs lists of tags"):
            ml.filter_by_tags(pd.DataFrame({"tags": [text]}), ["a"])


def test_the_printed_table_says_the_same() -> None:
    frame = ml.tag_table()
    assert len(frame) == 20
    for row in frame.to_dict("records"):
        wanted = None if row["tags"] is None else tuple(row["tags"])
        kept = [short for text, short in SHORT.items() if row[text]]
        assert " ".join(kept) == TABLE[row["mode"], wanted]
        assert row["kept"] == len(kept)


def test_tags_are_compared_letter_by_letter() -> None:
    assert not matches_tags(["User:Alice"], ["user:alice"], "any_strict")
    assert not matches_tags([" a"], ["a"], "any_strict")
    assert matches_tags(["b", "a", "a"], ["a", "b"], "exact")


def test_what_cannot_be_asked() -> None:
    with pytest.raises(InputError, match="is none of any, all"):
        matches_tags([], ["a"], "some")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="give a list"):
        matches_tags([], "abc", "any")
    with pytest.raises(InputError, match="no column tags"):
        ml.filter_by_tags(pd.DataFrame({"x": [1]}), ["a"])


def test_check_scope_finds_what_lies_outside(town: Hindsight) -> None:
    include = {"chunks": {}, "source_facts": {}}
    found = town.recall("Alice garden Zurich", types=(), include=include, max_tokens=5000)
    outside = ml.check_scope(found, tags=["team"], match="any_strict")
    assert set(outside["part"]) == {"result", "source fact", "chunk"}
    assert not outside["text"].str.contains("leads the team").any()
    bob = outside[outside["text"].str.contains("Bob paints") & (outside["part"] == "chunk")]
    assert bob["verdict"].tolist() == ["outside"]
    assert ml.check_scope(found).empty  # it asked for no tags, so all is in scope
    scope = ml.Scope.hindsight("/home/mira/work/dispatch", "per-project-tagged")
    visible = ml.check_scope(found, scope)
    assert "Nobody works on the garden on Fridays." not in set(visible["text"])  # any: no tags, in


def test_check_scope_says_where_it_cannot_know(town: Hindsight) -> None:
    found = town.recall(
        "Alice", types=(), include={"chunks": {}}, max_tokens=1, tags=["user:alice"]
    )
    assert found.reply is not None
    assert len(found) == 1 < len(found.reply.chunks)
    rows = ml.check_scope(found)
    assert set(rows["verdict"]) == {"unknown"}
    assert set(rows["part"]) == {"chunk"}


def test_a_scope_sets_bank_tags_and_match(town: Hindsight, opened: Open) -> None:
    scope = ml.Scope.hindsight("/x/bob", "per-project-tagged", bank="town")
    found = opened(scope=scope, bank="town").recall("garden blue Zurich", types=())
    assert found.options["tags"] == ("project:bob",)
    assert found.options["tags_match"] == "any"
    assert {hit.text for hit in found} == {"Nobody works on the garden on Fridays."}
    assert town.recall("garden", scope=scope).options["tags"] == ("project:bob",)
    with pytest.raises(InputError, match=r"make it with Scope\.hindsight"):
        town.recall("x", scope=ml.Scope.mnemopi("/x"))


def test_tags_that_look_like_one_project() -> None:
    counts = {
        "project:monorepo": 40, "project:Monorepo": 3, "project:monorepo-HOA-5574": 12,
        "project:mono": 1, "project:other": 5, "team": 9,
    }  # fmt: skip
    frame = ml.project_tags(counts)
    groups = frame.groupby("looks_like")["tag"].apply(set).to_dict()
    assert groups == {
        "project:monorepo": {"project:monorepo", "project:Monorepo", "project:monorepo-HOA-5574"},
        "project:mono": {"project:mono"},
        "project:other": {"project:other"},
    }
    assert frame.set_index("tag").loc["project:Monorepo", "why"] == "another spelling"
    assert frame.set_index("tag").loc["project:monorepo", "share"] == pytest.approx(40 / 55)
