"""Every question that changes nothing, asked of the real server."""

from __future__ import annotations

import pandas as pd
import pytest

from memlab.errors import HindsightNotFound, InputError
from memlab.hindsight import Hindsight
from tests.hindsight.conftest import Open


def test_health_and_version(town: Hindsight) -> None:
    assert town.health()["status"] == "healthy"
    assert town.version().api_version == "1.1.0"
    assert town.version().features["document_import_api"] is True


def test_banks_in_a_frame(town: Hindsight) -> None:
    frame = town.banks("town").frame()
    assert list(frame["bank_id"]) == ["town"]
    assert frame["fact_count"].tolist() == [6]
    assert str(frame["created_at"].dtype) == "datetime64[us, UTC]"


def test_memories_have_the_columns_of_mnemopi_where_they_mean_the_same(town: Hindsight) -> None:
    frame = town.memories().frame()
    assert len(frame) == 6
    assert list(frame.columns[:4]) == ["id", "tier", "state", "time"]
    assert set(frame["tier"]) == {"world", "experience", "observation"}
    assert set(frame["state"]) == {"live"}
    assert frame["time"].is_monotonic_decreasing
    row = frame[frame["text"].str.startswith("Alice moved")].iloc[0]
    assert row["source"] == "alice"
    assert row["tags"] == ("user:alice",)
    assert row["metadata"]["source_key"] == "a1"
    assert set(row["entities"]) == {"Alice", "Zurich"}
    assert row["occurred_start"] == pd.Timestamp("2026-01-02", tz="UTC")
    assert row["chars"] == len(row["text"])


@pytest.mark.parametrize(
    ("filters", "count"),
    [
        ({"type": "world"}, 4),
        ({"type": "observation"}, 1),
        ({"q": "garden"}, 3),
        ({"document": "notes/team"}, 1),
        ({"tags": ["user:bob"]}, 2),  # any: the one without tags is in
        ({"tags": ["user:bob"], "tags_match": "any_strict"}, 1),
        ({"tags": [], "tags_match": "any_strict"}, 6),
        ({"state": "invalidated"}, 0),
        ({"time_field": "occurred_start", "start": "2026-01-01"}, 1),
        ({"time_field": "mentioned_at", "start": "2026-03-01", "end": "2026-04-01"}, 1),
    ],
)
def test_the_filters_are_the_servers(town: Hindsight, filters: dict, count: int) -> None:  # type: ignore[type-arg]
    assert len(town.memories(**filters)) == count


def test_pages_give_every_row_once(town: Hindsight, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = [one.id for one in town.memories()]
    for size in (1, 2, 4, 5, 6, 7):
        paged = town._all("memories", town._path("memories", "list"), page=size, progress=False)
        assert [one["id"] for one in paged] == whole


def test_a_word_that_the_server_would_take_for_nothing_is_refused(town: Hindsight) -> None:
    with pytest.raises(InputError, match="'bogus' is none of world"):
        town.memories(type="bogus")
    with pytest.raises(InputError, match="'later' is none of pending"):
        town.operations(status="later")
    with pytest.raises(InputError, match="'1y' is none of 1h"):
        town.timeseries("1y")  # type: ignore[arg-type]


def test_one_memory_with_the_same_names_as_in_lists(town: Hindsight) -> None:
    listed = {one.id: one for one in town.memories()}
    for key, one in listed.items():
        alone = town.get(key)
        assert alone.text == one.text
        assert alone.tier == one.tier
        if one.tier != "observation":  # lists leave the entities of observations out
            assert set(alone.entities) == set(one.entities)
    with pytest.raises(HindsightNotFound) as caught:
        town.get("00000000-0000-4000-8000-000000000000")
    assert caught.value.status == 404


def test_an_observation_names_its_sources(town: Hindsight) -> None:
    (found,) = town.memories(type="observation")
    texts = {one.id: one.text for one in town.memories()}
    assert {texts[key] for key in found.sources} == {
        "Alice moved to Zurich for a new job at a bank.",
        "I booked a flight to Zurich for Alice.",
    }
    assert list(town.history(found.id)) == []


def test_documents_and_chunks(town: Hindsight) -> None:
    frame = town.documents().frame()
    assert set(frame["id"]) == {"alice", "bob", "notes/team", "policy"}
    assert dict(zip(frame["id"], frame["memory_unit_count"], strict=True))["alice"] == 2
    one = town.document("notes/team")
    assert one is not None
    assert one.original_text == "Alice leads the team that builds the blue garden door."
    assert town.document("nothing") is None
    (chunk,) = town.chunks("notes/team")
    assert chunk.id == "town_notes/team_0"
    assert chunk.text == one.original_text
    assert len(town.documents(tags=["user:bob"])) == 1  # any_strict, unlike the memories


def test_tags_entities_and_graphs(town: Hindsight) -> None:
    counts = town.tags().frame().set_index("tag")["count"].to_dict()
    assert counts == {"user:alice": 4, "team": 1, "user:bob": 1}
    names = {one.canonical_name: one for one in town.entities()}
    assert set(names) == {"Alice", "Zurich", "Bob"}
    assert town.entity(names["Bob"].id).canonical_name == "Bob"
    pairs = town.entity_graph()
    assert set(pairs.iloc[0][["source", "target"]]) == {"Alice", "Zurich"}
    links = town.graph()
    assert {"semantic", "entity"} <= set(links["kind"])
    assert list(links.columns) == ["source", "target", "kind", "weight", "entity"]


def test_numbers(town: Hindsight) -> None:
    stats = town.stats()
    assert stats.nodes_by_fact_type == {"world": 4, "experience": 1, "observation": 1}
    assert stats.total_documents == 4
    frame = stats.frame().set_index("what")["count"]
    assert frame["total_nodes"] == 6
    assert frame["memories world"] == 4
    assert frame["links entity"] > 0
    series = town.timeseries("7d").frame()
    assert len(series) == 7
    assert series[["world", "experience", "observation"]].to_numpy().sum() == 6
    assert town.config().config["retain_extraction_mode"] == "chunks"
    assert town.config().overrides == {"enable_observations": False}


def test_what_is_not_there_is_an_empty_frame_with_its_columns(opened: Open) -> None:
    empty = opened()
    empty.create_bank()
    for rows in (
        empty.documents(),
        empty.entities(),
        empty.tags(),
        empty.mental_models(),
        empty.directives(),
        empty.operations(),
        empty.observation_scopes(),
    ):
        frame = rows.frame()
        assert frame.empty
        assert len(frame.columns) > 1
    assert empty.memories().frame().empty
    assert empty.mental_model("nothing") is None


def test_operations(town: Hindsight) -> None:
    frame = town.operations().frame()
    assert "import_documents" in set(frame["operation_type"])
    done = town.operation(frame["id"].iloc[0])
    assert done.status == "completed"
    unknown = town.operation("00000000-0000-4000-8000-000000000000")
    assert unknown.status == "not_found"
