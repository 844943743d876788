"""Bm25 beside another BM25, bm25s by Xing Han Lù, on real sets: the same recall within a point."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import bm25s
import pytest
import regex

from memlab import Bm25, Cases, R, evaluate
from memlab.datasets import Item, load_dataset, on_each
from memlab.evaluation import Evaluation

SHARED = Path(__file__).parents[3] / "shared" / "data"
WORD = regex.compile(r"[\p{L}\p{N}\p{M}\p{Co}]+")


def words(text: str) -> list[str]:
    """Words as SQLite's tokenizer sees them: folded, without accents, split at the underscore."""
    plain = unicodedata.normalize("NFD", text.lower())
    return WORD.findall("".join(c for c in plain if not unicodedata.combining(c)))


def rankings(items: tuple[Item, ...], cases: Cases) -> dict[str, list[str]]:
    model = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    vocabulary: dict[str, int] = {}
    ids = [[vocabulary.setdefault(w, len(vocabulary)) for w in words(item.text)] for item in items]
    model.index((ids, vocabulary), show_progress=False)
    found = {}
    for case in cases:
        asked = [w for w in dict.fromkeys(words(case.query)) if w in vocabulary]
        if not asked:
            found[case.id] = []
            continue
        scores = model.get_scores(asked)
        order = sorted(range(len(items)), key=lambda place: -scores[place])
        found[case.id] = [items[place].key for place in order[:10] if scores[place] > 0]
    return found


@pytest.mark.parametrize("name", ["beam-100k", "locomo"])
def test_recall_at_ten_agrees(name: str) -> None:
    if not SHARED.is_dir():
        pytest.skip("the real data sets are not beside the project")
    data = load_dataset(SHARED / name)
    mine = evaluate(on_each(data, Bm25), data.cases, [R @ 10], limit=10, progress=False)
    ranked: dict[str, list[str]] = {}
    for bank, items in data.banks().items():
        ranked |= rankings(items, data.cases.filter(bank=bank))
    theirs = Evaluation.from_run(data.cases, ranked, [R @ 10])
    one, other = (run.means()["mean"][0] for run in (mine, theirs))
    assert abs(one - other) < 0.01
