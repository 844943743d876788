from __future__ import annotations

from itertools import pairwise

import pytest

from memlab.autorecall import make_block
from memlab.autorecall.style import style_of
from memlab.errors import InputError
from memlab.mnemopi.texts import recall_block
from memlab.models import Recall
from tests.autorecall.toys import Toy

TEXTS = ("the queue is Redis", "the queue was RabbitMQ " + "x" * 300, "the queue is watched")


def recalled(*texts: str, **raw: object) -> Recall:
    return Toy(*texts, **raw).recall("queue")


def test_a_mnemopi_block() -> None:
    block = make_block(recalled(*TEXTS), "mnemopi", None)
    assert block.text.startswith("<memories>\nThis agent has local Mnemopi long-term memory.")
    assert block.text.endswith("- the queue is watched [user] (2026-03-01)\n</memories>")
    assert (block.whole, block.lost) == (("m1", "m2", "m3"), ())
    assert not block.was_cut
    assert not block.is_open


def test_a_hindsight_block() -> None:
    block = make_block(
        recalled("the queue is Redis", type="world", mentioned_at="2026-01-02"), "hindsight", None
    )
    assert block.text == (
        "<memories>\nRelevant memories from past conversations (prioritize recent when "
        "conflicting). Only use memories that are directly useful to continue this conversation; "
        "ignore the rest:\n\n- the queue is Redis [world] (2026-01-02)\n</memories>"
    )


def test_nothing_recalled_is_no_block() -> None:
    assert make_block(recalled(), "mnemopi", 256) == ("", 0, (), ())
    assert make_block(recalled(), "hindsight", None).text == ""


def test_a_cut_block_says_which_memories_it_lost() -> None:
    block = make_block(recalled(*TEXTS), "mnemopi", 60)
    assert len(block.text) <= 240
    assert block.was_cut
    assert block.is_open, "what is injected like this is not stripped from the transcript"
    assert (block.whole, block.lost) == (("m1",), ("m2", "m3"))


def test_a_larger_limit_never_loses_a_memory() -> None:
    """Field report 32: a cap that is too small must say what did not fit."""
    answer = recalled(*TEXTS)
    whole = [set(make_block(answer, "mnemopi", limit).whole) for limit in range(0, 160, 3)]
    assert whole[0] == set()
    assert whole[-1] == {"m1", "m2", "m3"}
    assert all(small <= large for small, large in pairwise(whole))


def test_the_records_of_a_backend_are_used_where_it_has_them() -> None:
    raw = {"content": "[role: user]\nthe queue\n[user:end]", "source": None, "timestamp": None}
    answer = recalled("the queue", **raw)
    assert make_block(answer, "mnemopi", None).text == recall_block([raw])
    assert "- the queue\n" in make_block(answer, "mnemopi", None).text


@pytest.mark.parametrize(
    ("name", "style"), [("mnemopi:x", "mnemopi"), ("hindsight:x", "hindsight")]
)
def test_the_style_is_read_from_the_name(name: str, style: str) -> None:
    assert style_of(Toy(name=name)) == style
    assert style_of(Toy(name="bm25"), "mnemopi") == "mnemopi"


def test_another_backend_must_say_its_style() -> None:
    with pytest.raises(InputError, match=r"no backend 'bm25'.*style="):
        style_of(Toy(name="bm25"))
    with pytest.raises(InputError, match="not 'bm25'"):
        style_of(Toy(), "bm25")  # type: ignore[arg-type]
