"""The bank as its user sees it: frames, single memories, numbers, recall and its refusals."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from operator import eq
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from memlab import Backend, Mnemopi, Outcome, RecallOptions, compose_query
from memlab.errors import InputError, InvalidTime, MemoryNotFound, UnknownOption
from tests.golden_data import GOLDEN

NOW = "2026-03-01T12:00:00.000Z"


@pytest.fixture(scope="module")
def heron() -> Mnemopi:
    return Mnemopi(GOLDEN / "heron.db")


def test_it_is_a_backend(heron: Mnemopi) -> None:
    assert isinstance(heron, Backend)
    assert heron.name == "mnemopi:heron"


def test_memories(heron: Mnemopi) -> None:
    frame = heron.memories(now=NOW).frame()
    assert len(frame) == 51
    assert frame["id"].is_unique
    assert frame.groupby("tier").size().to_dict() == {"episodic": 19, "working": 32}
    states = frame.groupby("state").size().to_dict()
    assert states == {"consolidated": 19, "expired": 2, "live": 29, "superseded": 1}
    assert str(frame["time"].dtype) == "datetime64[us, UTC]"
    old = frame.set_index("id").loc["h0001"]
    assert (old["state"], old["superseded_by"]) == ("superseded", "h0020")
    assert old["time"] == pd.Timestamp("2025-06-02T09:00:00Z")
    assert old["chars"] == len(old["text"]) == 91


def test_state_is_judged_at_now(heron: Mnemopi) -> None:
    early = heron.memories(now="2025-01-01T00:00:00.000Z").frame()
    assert "expired" not in set(early["state"])


def test_lengths_are_utf16_units() -> None:
    frame = Mnemopi(GOLDEN / "polyglot.db").memories(now=NOW).frame()
    units = frame["text"].map(lambda text: len(text.encode("utf-16-le")) // 2)
    assert (frame["chars"] == units).all()
    assert (frame["chars"] > frame["text"].str.len()).any()


def test_vectors_are_seen() -> None:
    bank = Mnemopi(GOLDEN / "marsh.db")
    assert bank.memories(now=NOW).frame()["has_vector"].sum() == 155
    vectors = bank.info(now=NOW).vectors
    assert sum(one.memories for one in vectors) == 155
    assert vectors[0].width == 12


def test_facts(heron: Mnemopi) -> None:
    frame = heron.facts().frame()
    assert len(frame) == 28
    assert {"subject", "predicate", "object", "confidence"} <= set(frame.columns)
    assert frame["confidence"].between(0, 1).all()


def test_one_memory(heron: Mnemopi) -> None:
    memory = heron.get("h0001")
    assert memory.raw["content"] == memory.text
    assert {"rowid", "trust_tier", "embed_text"} <= set(memory.raw)
    assert "trust_tier" in set(memory.frame()["field"])
    with pytest.raises(MemoryNotFound, match="Did you mean .*h0001"):
        heron.get("h00001")


def test_info(heron: Mnemopi) -> None:
    info = heron.info(now=NOW)
    assert (info.memories, info.facts, info.bank) == (51, 28, "heron")
    assert info.frame()["memories"].sum() == 51
    assert info.bytes == (GOLDEN / "heron.db").stat().st_size
    assert "28" in str(info)
    assert repr(info) == str(info)
    assert info.missing == ()


def test_what_frames_say_about_a_row_is_not_cut_off_by_pandas(heron: Mnemopi) -> None:
    for frame in (heron.vectors().health(), heron.recall("zzz", now=NOW).funnel()):
        assert frame["about"].str.len().max() < pd.get_option("display.max_colwidth")


def test_recall(heron: Mnemopi) -> None:
    recall = heron.recall("deploy", now=NOW)
    assert recall.outcome is Outcome.OK
    assert recall.options["limit"] == 8
    assert [hit.rank for hit in recall] == list(range(1, 9))
    frame = recall.frame()
    assert list(frame["id"]) == list(recall.ids)
    assert {"score_keyword", "score_recency", "score_full_text"} <= set(frame.columns)
    assert recall.text.startswith("Found 8 relevant memories (as of 2026-03-01 12:00 UTC):\n\n- ")
    assert recall.block.startswith("<memories>\n")
    assert recall.context().startswith("## Top Facts\n")
    assert recall[0].frame()["part"].tolist()[0] == "score"


def test_nothing_found_is_empty_and_says_so(heron: Mnemopi) -> None:
    recall = heron.recall("qqqq zzzz", now=NOW, include_facts=False)
    assert (len(recall), recall.outcome) == (0, Outcome.EMPTY)
    assert recall.text == "No relevant memories found."
    assert recall.block == ""
    assert list(recall.frame().columns)[:3] == ["rank", "id", "score"]


def test_times_may_be_datetimes(heron: Mnemopi) -> None:
    moment = datetime(2026, 3, 1, 12, tzinfo=UTC)
    assert heron.recall("deploy", now=moment) == heron.recall("deploy", now=NOW)


def test_unknown_options_are_refused(heron: Mnemopi) -> None:
    with pytest.raises(UnknownOption, match="no option 'limt'. Did you mean 'limit'"):
        heron.recall("x", limt=3)
    with pytest.raises(InputError, match="limit='many'"):
        heron.recall("x", limit="many")
    with pytest.raises(InputError, match="limit=nan"):
        heron.recall("x", limit=float("nan"))
    with pytest.raises(InvalidTime, match="now='teatime' is not a time"):
        heron.recall("x", now="teatime")
    with pytest.raises(InvalidTime, match="Invalid ISO datetime: never"):
        heron.recall("x", query_time="never")
    with pytest.raises(InputError, match="A query is text"):
        heron.recall(None)  # type: ignore[arg-type]


def test_every_option_matters(heron: Mnemopi) -> None:
    """No option does nothing: each one changes some recall on the golden banks."""
    changed: dict[str, object] = {
        "limit": 3, "mode": "facts", "include_facts": False, "include_working": False,
        "now": "2027-01-01T00:00:00Z", "session": "nobody", "channel": "other", "any_session": True,
        "author_id": "coding-agent", "author_type": "agent", "from_date": "2026-01-01",
        "to_date": "2026-01-01", "source": "user", "topic": "user", "veracity": "stated",
        "memory_type": "fact", "query_time": "2025-06-01", "query_vector": (1.0,) * 12,
        "synonyms": False, "intent": False, "mmr": True, "current_sensitive": True,
        "preview_chars": 20, "vec_weight": 5.0, "fts_weight": 0.0, "importance_weight": 5.0,
        "temporal_weight": 9.0, "temporal_halflife": 900.0, "dated_temporal_weight": 9.0,
        "current_temporal_weight": 9.0, "recency_hours": 9000.0, "recency_share": 0.9,
        "term_cap": 1, "candidate_factor": 50, "candidate_floor": 500, "scan_limit": 1,
        "min_relevance": (0.9,) * 4, "dense_floor": 0.0, "fts_keyword_share": 1.5,
        "keyword_square": 0.9, "working_keyword_share": 0.1, "working_dense_share": 0.9,
        "episodic_keyword_share": 0.1, "tier_factors": (0.1, 0.1, 0.1), "veracity_default": 0.1,
        "veracity_factors": {}, "current_factor": 5.0, "outdated_factor": 5.0,
        "coverage_gain": 5.0, "coverage_min_terms": 99, "mmr_lambda": 0.1, "oversample": 1,
        "hide_summaries": False, "fact_scan_terms": 1, "fact_relevance_base": 0.1,
        "fact_confidence_share": 5.0, "fact_fts_share": 5.0,
    }  # fmt: skip
    assert set(changed) == set(RecallOptions.model_fields)
    banks = [heron, Mnemopi(GOLDEN / "marsh.db", bank="marsh")]
    queries = ["deploy", "what is the current deploy server now", "yesterday otter ferry gauge",
               "postgres port database", "deployx serverz portal heronz usersx 12bug", "radar map tiles cached", "otter", "sandbox token", "update"]  # fmt: skip
    vector = tuple(0.5 - i / 12 for i in range(12))
    bases: list[dict[str, object]] = [{}, {"query_vector": vector}, {"mode": "plain", "limit": 5}]

    asked = [(bank, query, base) for query in queries for bank in banks for base in bases]

    def answers(option: dict[str, object]) -> Iterator[list[dict[str, object]]]:
        for bank, query, base in asked:
            options: dict[str, Any] = {"now": NOW, **base, **option}
            yield [dict(hit.raw) for hit in bank.recall(query, **options)]

    plain = list(answers({}))
    idle = [name for name, value in changed.items() if all(map(eq, plain, answers({name: value})))]
    assert not idle


def test_hostile_text_is_escaped(tmp_path: Path) -> None:
    path = tmp_path / "hostile.db"
    shutil.copyfile(GOLDEN / "heron.db", path)
    with sqlite3.connect(path) as db:
        db.execute(
            "UPDATE working_memory SET content = '<script>alert(1)</script> deploy deploy deploy deploy' WHERE id = 'h001d'"
        )
    db.close()
    bank = Mnemopi(path)
    html = bank.recall("deploy", now=NOW)._repr_html_()
    assert "&lt;script&gt;" in html
    assert "<script>" not in html
    assert "<b>&lt;i&gt; x</b>" in bank.recall("<i> x", now=NOW)._repr_html_()


def test_the_bank_is_guessed_from_the_file(tmp_path: Path) -> None:
    path = tmp_path / "banks" / "team-heron-1" / "mnemopi.db"
    path.parent.mkdir(parents=True)
    shutil.copyfile(GOLDEN / "heron.db", path)
    assert Mnemopi(path).bank == "team-heron-1"
    assert Mnemopi(path, bank="heron").bank == "heron"


def test_a_composed_query_can_be_asked(heron: Mnemopi) -> None:
    talk = [{"role": "user", "content": "We ship on Friday."}]
    composed = compose_query(talk, latest="deploy", turns=3, max_chars=800)
    assert heron.recall(composed, now=NOW) == heron.recall(composed.text, now=NOW)


def test_every_option_is_described() -> None:
    assert not [name for name, field in RecallOptions.model_fields.items() if not field.description]


def test_half_an_emoji_can_be_shown(heron: Mnemopi) -> None:
    """Texts are cut at UTF-16 units, so a shown text may end in half a character."""
    recall = heron.recall("deploy \ud83d", now=NOW)
    repr(recall).encode()
    recall._repr_html_().encode()


def test_the_bank_of_a_relative_path_is_that_of_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whose memories are visible does not depend on where the path is written from."""
    folder = tmp_path / "banks" / "otter"
    folder.mkdir(parents=True)
    shutil.copyfile(GOLDEN / "heron.db", folder / "mnemopi.db")
    assert Mnemopi(folder / "mnemopi.db").bank == "otter"
    monkeypatch.chdir(folder)
    assert Mnemopi("mnemopi.db").bank == "otter"
    monkeypatch.chdir(folder.parent)
    assert Mnemopi("otter/mnemopi.db").bank == "otter"
