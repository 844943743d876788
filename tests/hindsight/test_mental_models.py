from __future__ import annotations

from typing import Any

import pytest

from memlab.hindsight.mental_models import MAX_CHARS, mental_models_block, visible_models
from memlab.text.javascript import length
from memlab.text.tags import strip_memory_blocks

MARK = "\n\n…[mental-model snapshot truncated at render budget]"


def model(name: str, content: Any = "text", tags: list[str] | None = None) -> dict[str, Any]:
    return {"id": name.lower(), "name": name, "content": content, "tags": tags}


def test_sections_stand_one_after_the_other() -> None:
    block = mental_models_block([model("A", " one "), model("B", "two")])
    assert block == "<mental_models>\n# A\none\n\n# B\ntwo\n</mental_models>"


def test_no_model_and_no_room_are_no_block() -> None:
    assert mental_models_block([]) == ""
    assert mental_models_block([model("A")], 96) == ""
    assert mental_models_block([model("A")], 97) != ""


def test_long_contents_share_the_room() -> None:
    block = mental_models_block([model("A", "x" * 900), model("B", "y" * 900)], 600)
    assert length(block) <= 600
    assert "x…" in block
    assert "y" not in block or "y…" in block
    assert block.endswith(f"{MARK}\n</mental_models>")


@pytest.mark.parametrize("room", [97, 120, 160, 300, 1000, MAX_CHARS])
def test_the_wrapper_stays_whole_so_that_it_can_be_stripped(room: int) -> None:
    models = [model(f"Model {number}", "word " * number * 30) for number in range(9)]
    block = mental_models_block(models, room)
    assert strip_memory_blocks(block) == ""
    assert block.count("<mental_models>") == 1


def test_only_what_is_in_sight_is_shown_by_name() -> None:
    models = [
        model("b", tags=["project:x"]), model("A", tags=[]), model("c", tags=["project:y", "project:x"]),
        model("D", tags=["project:y"]), model("E", ""), model("F", " \n"), model("G", None),
    ]  # fmt: skip
    names = [seen["name"] for seen in visible_models(models, ["project:x"])]
    assert names == ["A", "b", "c"]
    assert [seen["name"] for seen in visible_models(models)] == ["A", "b", "c", "D"]
