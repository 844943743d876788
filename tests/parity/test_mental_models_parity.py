"""The block of mental models, against the agent's own renderer."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from memlab.hindsight.mental_models import mental_models_block
from memlab.text.units import joined
from tests.autorecall.talks import odd_text
from tests.parity.engine import engine

pytestmark = pytest.mark.engine


def model(rng: Random) -> dict[str, Any]:
    content = rng.choice(("", " ", odd_text(rng, 40), odd_text(rng, 8) * rng.randint(1, 60)))
    return {"name": rng.choice(("User Preferences", "", odd_text(rng, 6))), "content": content}


def test_3_000_random_sets_of_models_are_rendered_alike(seed: int) -> None:
    rng = Random(f"models {seed}")
    asked, ours = [], []
    for _ in range(3_000):
        models = [model(rng) for _ in range(rng.randint(0, 7))]
        room = rng.choice(
            (0, 96, 97, 98, 140, rng.randint(97, 700), rng.randint(97, 5_000), 16_000)
        )
        asked.append({"op": "mentalModelsBlock", "args": {"models": models, "budgetChars": room}})
        ours.append(mental_models_block(models, room))
    for request, answer, mine in zip(asked, engine().ask(asked), ours, strict=True):
        assert answer["ok"], answer
        assert joined(mine) == answer["result"], json.dumps(request)
