"""Cases: what they hold, how they are read with all problems at once, divided and drawn."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab import Case, Cases, Mnemopi
from memlab.errors import FormatError, InputError
from memlab.models import Conversation

GOOD = {"id": "a", "query": "which queue?", "relevant": {"m1": 3, "m2": 1, "m3": 0}}


def write(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_kinds() -> None:
    assert Case("a", "q", {"m": 1}).kind == "labelled"
    assert Case("a", "q", {}).kind == "null"
    assert Case("a", "q", {"m": 0}).kind == "null"
    assert Case("a", "q", None).kind == "unlabelled"


def test_the_best_grades_are_wanted_first() -> None:
    assert Case("a", "q", {"x": 1, "y": 3, "z": 0, "w": 3}).wanted == ("y", "w", "x")


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"id": ""}, "the id is not text"),
        ({"query": " \n"}, "neither a query nor a conversation"),
        ({"relevant": {"m": -1}}, "a grade is 0, 1, 2"),
        ({"relevant": {"m": True}}, "a grade is 0, 1, 2"),
        ({"relevant": {"m": 1.5}}, "a grade is 0, 1, 2"),
        # trec_eval takes a grade beyond its integers for none at all.
        ({"relevant": {"m": 2**31}}, "a grade is 0, 1, 2, … 1000"),
        ({"relevant": {"": 1}}, "the key '' is not text"),
        ({"relevant": ["m"]}, "relevant is no mapping"),
        ({"keys": "row"}, "keys='row' is none of id, source, document, content"),
    ],
)
def test_a_case_that_cannot_be_scored_is_refused(fields: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        Case(**{"id": "a", "query": "q", "relevant": {}, **fields})  # type: ignore[arg-type]


def test_the_sample_world(world_cases: Cases) -> None:
    assert len(world_cases) == 50
    assert world_cases.counts("kind").to_dict() == {"labelled": 45, "null": 5}
    assert world_cases.frame()["id"].is_unique
    assert world_cases["rare-2"].wanted == ("sol-013", "sol-012")
    assert repr(world_cases).startswith("50 cases (45 labelled, 5 null): cross-project 7,")


def test_saved_and_read_again(tmp_path: Path, world_cases: Cases) -> None:
    talk = Conversation.of([{"role": "user", "text": "deploy now?"}])
    odd = Case("t", relevant=None, conversation=talk, level="turn", keys="metadata.turn")
    cases = world_cases + Cases([odd, Case("half", "emoji \U0001f680 \u2028 line", {})])
    assert Cases.load(cases.save(tmp_path / "c.jsonl")) == cases


def test_all_problems_at_once(tmp_path: Path) -> None:
    path = write(
        tmp_path / "c.jsonl",
        GOOD,
        {"id": "b", "query": "q"},
        {"id": "a", "query": "again", "relevant": {}},
        {"id": "c", "query": "q", "relevant": {}, "grade": 1},
        ["no", "object"],
    )
    path.write_bytes(path.read_bytes() + b'{"id": "cut", "que\n\xff\n')
    with pytest.raises(FormatError) as error:
        Cases.load(path)
    said = str(error.value)
    for line in ("line 2 (b): no field 'relevant'", "line 3 (a): the id is that of line 1",
                 "line 4 (c): unknown fields grade", "line 5: not an object",
                 "line 6: not JSON", "line 7: not JSON", "strict=False"):  # fmt: skip
        assert line in said
    lenient = Cases.load(path, strict=False)
    assert lenient.ids == ("a",)
    assert lenient.problems["line"].tolist() == [2, 3, 4, 5, 6, 7]
    assert "6 lines could not be read" in repr(lenient)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no cases file at .*nowhere\.jsonl"):
        Cases.load(tmp_path / "nowhere.jsonl")


def test_ids_are_unique() -> None:
    with pytest.raises(InputError, match="1 ids occur more than once, such as 'a'"):
        Cases([Case("a", "q", {}), Case("a", "r", {})])


def test_filter(world_cases: Cases) -> None:
    chosen = world_cases.filter(kind="labelled", category=["update", "temporal"])
    assert chosen.counts().to_dict() == {"temporal": 6, "update": 6}
    assert len(world_cases.filter(lambda case: "Mira" in case.query)) == 2
    with pytest.raises(InputError, match="no field 'colour'"):
        world_cases.filter(colour="red")


def test_look_up(world_cases: Cases) -> None:
    assert world_cases["null-1"] is world_cases[45]
    assert world_cases[-1].id == "null-5"
    assert world_cases[:2].ids == ("rare-1", "rare-2")
    assert "null-1" in world_cases
    with pytest.raises(InputError, match="no case 'nothing'"):
        world_cases["nothing"]


def test_what_is_doubtful(world_cases: Cases, world_banks: dict[str, Mnemopi]) -> None:
    assert world_cases.check().empty
    for bank in world_banks.values():
        assert world_cases.check(bank).empty
    team = world_banks["team"]
    odd = Cases(
        [
            Case("a", "When do backups run?", {"team-009": 1, "gone": 2}),
            Case("b", "when do  backups run?", {"team-009": 1}),
            Case("c", "who?", {"team-009": 0}),
            Case("d", "where?", {"dis-001": 1}, bank="elsewhere"),
        ]
    )
    assert odd.check(team)[["case", "problem", "key"]].values.tolist() == [
        ["b", "asks the same as 'a', with other labels", ""],
        ["c", "all its labels are 0, so it is a null case", ""],
        ["a", "no memory answers to this label", "gone"],
    ]


def test_other_keys_for_the_same_things() -> None:
    cases = Cases(
        [Case("a", "q", {"m1": 2, "m2": 3, "m3": 0}), Case("b", "q", {"m9": 1}), Case("c", "q", {})]
    )
    found = cases.mapped({"m1": ["l1", "l2"], "m2": ["l2"], "m3": ["l3"]}, "metadata.line")
    assert [case.relevant for case in found] == [{"l1": 2, "l2": 3, "l3": 0}, None, {}]
    assert {case.keys for case in found} == {"metadata.line"}


def test_folds_are_disjoint_complete_and_alike(world_cases: Cases) -> None:
    folds = world_cases.split(5, seed=3)
    assert [len(fold) for fold in folds] == [10] * 5
    assert sorted(name for fold in folds for name in fold.ids) == sorted(world_cases.ids)
    for fold in folds:
        assert all(0 <= n <= 2 for n in fold.counts().to_dict().values())
    assert [f.ids for f in world_cases.split(5, seed=3)] == [f.ids for f in folds]
    assert [f.ids for f in world_cases.split(5, seed=4)] != [f.ids for f in folds]
    with pytest.raises(InputError, match="50 cases cannot be divided into 51 folds"):
        world_cases.split(51)


def test_a_sample_keeps_the_order(world_cases: Cases) -> None:
    drawn = world_cases.sample(10, seed=1)
    places = [world_cases.ids.index(name) for name in drawn.ids]
    assert places == sorted(places)
    assert drawn == world_cases.sample(10, seed=1)
    with pytest.raises(InputError, match="51 cases cannot be drawn from 50"):
        world_cases.sample(51)


def test_tables(tmp_path: Path, world_cases: Cases) -> None:
    cases = world_cases + Cases([Case("open", "q", None), Case("00", '=1+1 "x",\ny', {"7": 1})])
    assert Cases.from_frame(cases.labels()) == cases
    for name in ("c.csv", "c.tsv"):
        assert Cases.load(cases.save(tmp_path / name)) == cases
    grades = cases.labels().set_index("id")["grade"]
    assert grades["null-1"] == 0
    assert pd.isna(grades["open"])


@given(
    st.dictionaries(
        st.text(st.characters(codec="utf-8", exclude_characters="\r\0"), min_size=1).filter(
            str.strip
        ),
        st.one_of(st.none(), st.dictionaries(st.text("ab1.,\"' é", min_size=1), st.integers(0, 5))),
        max_size=5,
    )
)
def test_any_case_survives_a_table(labels: dict[str, dict[str, int] | None]) -> None:
    cases = Cases(Case(name, name, relevant) for name, relevant in labels.items())
    assert Cases.from_frame(cases.labels()) == cases


def test_problems_of_a_table(tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    path.write_text(
        "id,query,key,grade\na,q,m1,1\na,other,m2,1\na,q,m1,2\nb,q,m1,high\nc,q,m1,\n,q,m,1\n"
        "d,,m,1\ne,q,,2\n"
    )
    with pytest.raises(FormatError) as error:
        Cases.load(path)
    for line in ("line 3 (a): the query differs from that of line 2", "line 4 (a): the key 'm1'",
                 "line 5 (b): the grade is 'high'", "line 6 (c): the key 'm1' has no grade",
                 "line 7: there is no id", "line 8 (d)", "line 9 (e): grade 2 has no key"):  # fmt: skip
        assert line in str(error.value)
    with pytest.raises(InputError, match="no column 'grade'; it has 'id'"):
        Cases.from_frame(pd.DataFrame({"id": [], "query": [], "key": []}))


def test_a_conversation_fits_no_table() -> None:
    talk = Cases([Case("a", relevant={}, conversation=Conversation.of(["hi"]))])
    with pytest.raises(InputError, match="'a' holds a conversation, which no table can hold"):
        talk.labels()


def test_trec(tmp_path: Path, world_cases: Cases) -> None:
    folder = world_cases.to_trec(tmp_path / "trec")
    back = Cases.from_trec(folder / "qrels.txt", folder / "queries.tsv", category="all")
    assert back.qrels() == world_cases.qrels()
    assert back["null-1"].kind == "unlabelled"  # qrels have no word for "nothing answers it"
    assert back.counts().to_dict() == {"all": 50}
    (folder / "queries.tsv").write_text("rare-1\tx\n")
    with pytest.raises(FormatError, match="judges 44 queries, such as 'cross-1'"):
        Cases.from_trec(folder / "qrels.txt", folder / "queries.tsv")
    with pytest.raises(InputError, match="ids there have no blanks"):
        Cases([Case("a b", "q", {"m": 1})]).to_trec(folder)


def test_qrels_of_other_tools(tmp_path: Path) -> None:
    path = tmp_path / "qrels"
    path.write_text("query-id\tcorpus-id\tscore\nq1\td 1\t2\nq1\td2\t0\n")
    path2 = tmp_path / "trec"
    path2.write_text("q1 0 d1 -2\r\nq1 0 d2 1\r\n")
    queries = tmp_path / "queries"
    queries.write_text("q1\tone\n")
    assert Cases.from_trec(path, queries)["q1"].relevant == {"d 1": 2, "d2": 0}
    assert Cases.from_trec(path2, queries)["q1"].relevant == {"d1": 0, "d2": 1}
    path2.write_text("q1 0 d1 1\nq1 d2\n")
    with pytest.raises(FormatError, match="line 2: expected query, 0, key, grade"):
        Cases.from_trec(path2, queries)
