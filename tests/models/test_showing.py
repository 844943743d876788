from __future__ import annotations

from memlab.models import Hit, Outcome, Recall


def test_a_recall_can_be_shown_whatever_its_texts_hold() -> None:
    hits = (Hit(1, "m1", "half an emoji \ud83d", 0.5, "working"),)
    recall = Recall("asked \ud83d", hits, Outcome.OK, "toy")
    (repr(recall) + recall._repr_html_()).encode("utf-8")
    assert "half an emoji \ufffd" in repr(recall)
