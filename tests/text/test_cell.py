"""Cells of tables: escaped, and ids in one piece."""

from __future__ import annotations

from memlab.models import Hit, Outcome, Recall
from memlab.text.cell import table_cell

HELD = "white-space:nowrap"


def test_what_is_whole_is_not_broken_unless_it_is_long() -> None:
    assert HELD in table_cell("dis-015", whole=True)
    assert HELD not in table_cell("dis-015")
    assert HELD in table_cell("x" * 40, whole=True)
    assert HELD not in table_cell("x" * 41, whole=True)
    assert table_cell("<b>", whole=True).endswith(">&lt;b&gt;</td>")


def test_an_id_in_a_table_of_hits_stays_in_one_piece() -> None:
    hits = (Hit(1, "dis-015", "a well-known text", 0.5, "working"),)
    shown = Recall("asked", hits, Outcome.OK, "toy")._repr_html_()
    assert f'{HELD}">dis-015</td>' in shown
    assert f'{HELD}">a well-known text</td>' not in shown
