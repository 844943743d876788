"""The committed sample world is what its story makes, and its labels hold."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from memlab.mnemopi.engine import Engine, installed

DATA = Path(__file__).resolve().parents[2] / "data"
sys.path.insert(0, str(DATA))

from making.asking import Places  # noqa: E402
from making.building import build  # noqa: E402
from making.hits import Asked, measure, read_cases, report  # noqa: E402
from making.story import read_world  # noqa: E402
from making.tables import damage, differences, read_tables  # noqa: E402

WORLD = read_world(DATA / "world")
CASES = read_cases()
README = (DATA / "README.md").read_text("utf-8")
FILES = sorted((DATA / "banks").rglob("mnemopi.db"))
BANKS = {("team" if file.parent == DATA / "banks" else file.parent.name): file for file in FILES}
TABLES = {name: read_tables(file) for name, file in BANKS.items()}
GONE = {"dis-009", "kol-013"}  # forgotten on request; deleted by the engine

needs_engine = pytest.mark.engine


def rows(bank: str, table: str) -> dict[str, dict[str, Any]]:
    """The rows of one table by id."""
    with closing(sqlite3.connect(f"{BANKS[bank].as_uri()}?mode=ro", uri=True)) as db:
        db.row_factory = sqlite3.Row
        found = [dict(row) for row in db.execute(f"SELECT * FROM {table}")]
    key = "fact_id" if table == "facts" else "id"
    return {row[key]: row for row in found}


WORKING = {name: rows(name, "working_memory") for name in BANKS}
EPISODIC = {name: rows(name, "episodic_memory") for name in BANKS}
FACTS = {name: rows(name, "facts") for name in BANKS}
MEMORIES = {
    key: row for tier in (WORKING, EPISODIC) for bank in tier.values() for key, row in bank.items()
}


@pytest.fixture(scope="module")
def have_engine() -> None:
    if not installed():
        if os.environ.get("CI") == "true":
            pytest.fail("the engine is not installed")
        pytest.skip("the engine is not installed (`memlab engine install`)")


@pytest.fixture(scope="module")
def rebuilt(have_engine: None, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("world")
    return {bank.name: bank.file for bank in build(WORLD, folder)}


@pytest.fixture(scope="module")
def asked(have_engine: None) -> list[Asked]:
    with Engine.start() as engine:
        return measure(engine.call, WORLD, DATA / "banks")


def scratch(file: Path, folder: Path) -> Path:
    return Path(shutil.copy(file, folder / "copy.db"))


# ---------------------------------------------------------------- the files


@needs_engine
def test_the_story_makes_exactly_the_committed_banks(rebuilt: dict[str, Path]) -> None:
    assert rebuilt.keys() == BANKS.keys()
    assert {name: differences(BANKS[name], file) for name, file in rebuilt.items()} == {
        name: [] for name in BANKS
    }


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE working_memory SET content = content || '.' WHERE id = 'kol-001'",
        "UPDATE facts SET confidence = 0.1 WHERE rowid = 1",
        "DELETE FROM graph_edges WHERE id = 1",
        "INSERT INTO fts_working(id, content) VALUES ('x', 'x')",
        "CREATE TABLE extra(a)",
    ],
)
def test_the_comparison_sees_any_change(change: str, tmp_path: Path) -> None:
    original = BANKS["team-kolofon-32mgihctop54x"]
    copy = scratch(original, tmp_path)
    assert differences(original, copy) == []
    with closing(sqlite3.connect(copy)) as db:
        db.execute(change)
        db.commit()
    assert differences(original, copy)


@pytest.mark.parametrize("name", BANKS)
def test_a_bank_is_sound_small_and_alone(name: str, tmp_path: Path) -> None:
    file = BANKS[name]
    assert file.read_bytes()[18:20] == b"\x01\x01"  # not in write-ahead mode
    assert file.stat().st_size < 600_000
    assert [path.name for path in file.parent.glob("mnemopi.db*")] == ["mnemopi.db"]
    assert damage(scratch(file, tmp_path)) == []


def test_the_check_of_soundness_sees_a_lost_index_entry(tmp_path: Path) -> None:
    copy = scratch(BANKS["team"], tmp_path)
    with closing(sqlite3.connect(copy)) as db:
        db.execute("DROP TRIGGER em_au")
        db.execute("UPDATE episodic_memory SET content = 'other words'")
        db.commit()
    assert any("fts_episodes" in line for line in damage(copy))


@needs_engine
def test_banks_have_the_names_that_the_agent_gives_them(have_engine: None) -> None:
    with Engine.start() as engine:
        places = Places(DATA / "banks", WORLD.base, WORLD.scoping, WORLD.prefixes)
        found = {bank.name: bank.file for bank in places.every(engine.call)}
        legacy = places.scope(engine.call, "/home/mira/work/dispatch")["recallBanks"]
    assert found == BANKS
    assert legacy == ["team-dispatch-26o84yz56cokc", "team", "team-work-23i4qqpocmc4x"]


# ---------------------------------------------------------------- the rows


def test_ids_are_unique_and_begin_with_the_letters_of_their_bank() -> None:
    ids = [key for tier in (WORKING, EPISODIC) for bank in tier.values() for key in bank]
    assert len(ids) == len(set(ids)) == len(MEMORIES)
    for name, bank in WORKING.items():
        prefixes = {key.split("-")[0] for key in [*bank, *EPISODIC[name]]}
        assert len(prefixes) == 1
        assert f"| `{name}` |" in README
        assert f"`{prefixes.pop()}-` |" in README


def test_everything_told_is_in_a_bank_but_for_what_was_deleted() -> None:
    told = {event["id"] for event in WORLD.events if event.op not in {"start", "recall"}}
    assert told - MEMORIES.keys() == GONE
    summaries = {key for bank in EPISODIC.values() for key in bank}
    assert MEMORIES.keys() - told - summaries == set()


def test_no_time_is_later_than_now_and_none_is_of_the_real_clock() -> None:
    now = WORLD.now
    for name, tables in TABLES.items():
        for table in (
            "working_memory",
            "episodic_memory",
            "facts",
            "annotations",
            "gists",
            "triples",
        ):
            for row in tables.get(table, []):
                stamps = [
                    v
                    for v in row
                    if isinstance(v, str) and re.match(r"\d{4}-\d\d-\d\d[T ]\d\d:", v)
                ]
                late = [stamp for stamp in stamps if stamp.replace(" ", "T") > now]
                assert late in ([], ["2027-01-06T00:00:00.000Z"]), (name, table, row)


def cells() -> Iterator[str]:
    for tables in TABLES.values():
        for table in tables.values():
            yield from (str(cell) for row in table for cell in row)
    for path in [*(DATA / "world").iterdir(), DATA / "cases" / "world.jsonl", DATA / "README.md"]:
        yield path.read_text("utf-8")


def test_nothing_tells_of_a_real_machine_or_holds_a_secret() -> None:
    strange = re.compile(
        r"/root\b|/tmp/|(?<!/home/mira)/work/|/Users/|/mnt/"
        r"|ghp_|github_pat_|AKIA|xox[abp]-|AIza|npm_[A-Za-z0-9]{30}|BEGIN [A-Z ]*PRIVATE KEY"
        r"|\bsk-[A-Za-z0-9]{16}"
    )
    found = [match.group() for cell in cells() for match in strange.finditer(cell)]
    assert found == []
    assert "[REDACTED]" in WORKING["team"]["team-004"]["content"]


def test_the_counts_in_the_readme() -> None:
    for name in BANKS:
        (line,) = re.findall(rf"^\| `{name}` \| (\d.*) \|$", README, flags=re.MULTILINE)
        wrote = [int(cell) for cell in line.split(" | ")]
        working, episodic = (
            Counter(state(row) for row in tier[name].values()) for tier in (WORKING, EPISODIC)
        )
        columns = [working[s] for s in ("live", "consolidated", "superseded", "expired")]
        assert episodic["superseded"] == 0
        expected = [sum(columns), *columns, episodic.total(), episodic["live"], episodic["expired"]]
        assert wrote == [*expected, len(FACTS[name])], name


def test_the_sources_and_tiers_in_the_readme() -> None:
    sources = Counter(row["source"] for bank in WORKING.values() for row in bank.values())
    for source, count in sources.items():
        assert f"| `{source}` | {count} |" in README
    tiers = Counter(row["tier"] for bank in EPISODIC.values() for row in bank.values())
    assert (
        f"Of the {tiers.total()} summaries {tiers[1]} are whole (tier 1), {tiers[2]} are cut to "
        f"800 characters (tier 2), {tiers[3]} to 300 (tier 3)." in README
    )


def state(row: dict[str, Any]) -> str:
    if row["superseded_by"] is not None:
        return "superseded"
    if row["valid_until"] is not None and row["valid_until"] <= WORLD.now:
        return "expired"
    return "consolidated" if row.get("consolidated_at") else "live"


# ---------------------------------------------------------------- what the readme points at


def test_what_was_forgotten_or_replaced_lives_on_in_summaries() -> None:
    assert "4417" in MEMORIES["dis-s05"]["content"]
    for summary, words in [
        ("old-s02", "MariaDB"),
        ("old-s03", "12 parcels"),
        ("dis-s02", "RabbitMQ"),
        ("sol-s02", "SHT31"),
        ("team-s02", "full explanation"),
    ]:
        assert words in MEMORIES[summary]["content"]
        assert state(MEMORIES[summary]) == "live"
        (covered,) = [
            row
            for key in MEMORIES[summary]["summary_of"].split(",")
            if words in (row := MEMORIES[key])["content"]
        ]
        assert state(covered) == "superseded"


def test_a_decision_taken_again_in_the_same_words_stays_hidden() -> None:
    again, other = MEMORIES["kol-004"], MEMORIES["kol-007"]
    assert again["timestamp"].startswith("2026-10-15")
    assert again["created_at"].startswith("2026-04-21")
    assert (again["superseded_by"], other["superseded_by"]) == ("kol-007", "kol-004")


def test_expiry_as_text() -> None:
    assert MEMORIES["dis-017"]["valid_until"] == WORLD.now[:10]
    assert state(MEMORIES["dis-017"]) == "expired"
    assert state(MEMORIES["dis-018"]) == "live"
    assert MEMORIES["team-s04"]["valid_until"] == MEMORIES["team-006"]["valid_until"]
    assert state(MEMORIES["team-005"]) == "consolidated"
    assert state(MEMORIES["kol-s02"]) == "expired"


def test_kinds_of_text() -> None:
    assert [
        len(MEMORIES[key]["content"]) > size
        for key, size in [("dis-008", 1500), ("kol-012", 1500), ("sol-007", 500)]
    ] == [True] * 3
    assert MEMORIES["team-007"]["content"] == MEMORIES["kol-010"]["content"]
    assert "<script>" in MEMORIES["dis-013"]["content"]
    assert "</memories>" in MEMORIES["dis-013"]["content"]
    for key, letters in [
        ("dis-006", "ą"),
        ("dis-012", "ر"),
        ("dis-020", "🚲"),
        ("sol-003", "ä"),
        ("sol-006", "ー"),
        ("sol-012", "阀"),
        ("kol-003", "Д"),
        ("kol-015", "ы"),
    ]:
        assert letters in MEMORIES[key]["content"], key


def test_rows_as_the_agent_writes_them() -> None:
    transcript = MEMORIES["dis-004"]
    metadata = json.loads(transcript["metadata_json"])
    assert transcript["content"].startswith("[role: user]\n")
    assert "[role:" not in transcript["embed_text"]
    assert metadata["cwd"] == "/home/mira/work/dispatch"
    assert (metadata["message_count"], metadata["retained_through_user_turn"]) == (4, 2)
    assert (transcript["importance"], transcript["veracity"], transcript["memory_type"]) == (
        0.65,
        "unknown",
        "episode",
    )
    assert {row["author_id"] for row in MEMORIES.values()} == {"coding-agent"}
    legacy = WORKING["team-work-23i4qqpocmc4x"].values()
    assert {json.loads(row["metadata_json"])["cwd"] for row in legacy} == {metadata["cwd"]}
    assert json.loads(MEMORIES["dis-002"]["metadata_json"])["source_key"] == "decisions/0003"
    assert (MEMORIES["dis-016"]["session_id"], MEMORIES["dis-016"]["scope"]) == (
        "default",
        "session",
    )
    assert sum(row["recall_count"] for row in MEMORIES.values()) > 0


# ---------------------------------------------------------------- the questions


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_question_is_well_formed_and_its_labels_exist(case: dict[str, Any]) -> None:
    assert list(case) == ["id", "query", "relevant", "category", "notes", "bank", "cwd"]
    assert case["query"].strip() == case["query"] != ""
    assert case["notes"].endswith(".")
    assert case["cwd"] in WORLD.prefixes
    known = (
        WORKING[case["bank"]].keys() | EPISODIC[case["bank"]].keys() | FACTS[case["bank"]].keys()
    )
    assert case["relevant"].keys() <= known
    assert set(case["relevant"].values()) <= {1, 2, 3}
    assert (case["relevant"] == {}) == (case["category"] == "null")
    assert not case["relevant"] or 3 in case["relevant"].values()


def test_categories_and_their_sizes() -> None:
    assert (
        len({case["id"] for case in CASES}) == len({case["query"] for case in CASES}) == len(CASES)
    )
    assert Counter(case["category"] for case in CASES) == {
        "rare-token": 5,
        "paraphrase": 6,
        "update": 6,
        "temporal": 6,
        "preference": 4,
        "cross-project": 7,
        "language": 6,
        "inflection": 5,
        "null": 5,
    }
    assert f"| {len(CASES)} labelled questions |" in README


def test_no_replaced_memory_counts_as_an_answer() -> None:
    labelled = {key for case in CASES for key in case["relevant"] if key in MEMORIES}
    hidden = {key for key in labelled if state(MEMORIES[key]) in {"superseded", "expired"}}
    assert hidden == {"kol-004", "dis-017"}  # the answer all the same: notes of update-6, time-1


def test_what_a_fact_answers_is_in_its_words() -> None:
    facts = {key: row for bank in FACTS.values() for key, row in bank.items()}
    labelled = [key for case in CASES for key in case["relevant"] if key in facts]
    assert {facts[key]["object"] for key in labelled} == {
        "6seconds",
        "Instruction: always want a failing test before a fix",
    }


@needs_engine
def test_the_questions_are_neither_trivial_nor_hopeless(asked: list[Asked]) -> None:
    answerable = [one for one in asked if one.case["relevant"]]
    for where in ("bank", "scope"):
        assert 0.55 <= sum(one.hit(where) for one in answerable) / len(answerable) <= 0.85
    assert report(asked) in README


@needs_engine
def test_the_legacy_bank_and_the_fallback_query_answer_over_the_scope(asked: list[Asked]) -> None:
    by_id = {one.case["id"]: one for one in asked}
    assert by_id["cross-5"].hit("scope")  # the legacy bank
    assert not by_id["cross-7"].hit("bank")
    assert by_id["cross-7"].hit("scope")  # the fallback query alone
    assert by_id["cross-2"].hit("bank")
    assert not by_id["cross-2"].hit("scope")  # another project's bank
    assert "dis-s05" in by_id["null-3"].scope  # forgotten, and still told
