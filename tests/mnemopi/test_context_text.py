"""The hits grouped as JSON: half a character at a cut is written as JavaScript writes it."""

from __future__ import annotations

import json

from memlab.mnemopi.texts import context_text


def test_half_a_character_is_an_escape() -> None:
    cut = "a" * 198 + "🚀" + "b" * 40
    text = context_text([{"content": cut, "score": 0.5, "source": "user"}], "json")
    assert "a\\ud83d… (?, user, c:0.5)" in text
    assert text.encode("utf-8"), "it can be written to a file"
    assert json.loads(text)["top_facts"][0].startswith("a" * 198 + "\ud83d…")
