from __future__ import annotations

import pytest

from memlab.text.tags import BLOCK_NAMES, has_open_block, strip_memory_blocks


@pytest.mark.parametrize("name", BLOCK_NAMES)
def test_each_block_goes_across_lines_and_to_the_nearest_end(name: str) -> None:
    text = f"a<{name}>1\n\n2</{name}>b<{name}>3</{name}>c</{name}>d"
    assert strip_memory_blocks(text) == f"abc</{name}>d"


@pytest.mark.parametrize(
    "text", ["<memories>open only", "<Memories>x</Memories>", "<memories >x</memories >", "plain"]
)
def test_what_is_no_whole_block_stays(text: str) -> None:
    assert strip_memory_blocks(text) == text


def test_blocks_inside_one_another() -> None:
    assert strip_memory_blocks("<memories>a<memories>b</memories>c</memories>") == "c</memories>"
    inside = "<mental_models><memories>x</memories></mental_models>"
    assert strip_memory_blocks(inside) == ""


def test_an_open_block_is_one_that_stripping_leaves() -> None:
    assert has_open_block("<memories>a</memories> <relevant_memories>b")
    assert not has_open_block("<memories>a</memories></mental_models>")
