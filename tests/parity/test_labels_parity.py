"""Labels and scopes of Hindsight against the agent's own, over real and over odd repositories."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import pytest

from memlab import Scope
from memlab.models.scope.value import Mode
from tests.parity.engine import engine
from tests.repositories import Repositories

pytestmark = pytest.mark.engine
CONFIGS: list[dict[str, Any]] = [
    {"bankId": bank, "bankIdPrefix": prefix}
    for bank, prefix in ((None, None), ("  team ", "x"), ("a b", ""), ("", " \ufeffp "))
]


def _own(config: dict[str, Any], mode: Mode, directory: Path) -> dict[str, Any]:
    scope = Scope.hindsight(
        directory, mode, bank=config["bankId"], prefix=config["bankIdPrefix"], label="repository"
    )
    found: dict[str, Any] = {"bankId": scope.bank}
    if scope.retain_tags:
        found["retainTags"] = list(scope.retain_tags)
        found["recallTags"] = list(scope.recall_tags)
        found["recallTagsMatch"] = scope.match
    return found


def test_every_scope_equals_the_agents(tmp_path: Path) -> None:
    made = Repositories(tmp_path)
    directories = [*made.usual(), *made.odd()]
    asked = [
        (config, mode, directory)
        for directory in directories
        for mode in get_args(Mode)
        for config in (CONFIGS if directory in directories[:4] else CONFIGS[:1])
    ]
    requests = (
        {
            "op": "hindsightScope",
            "args": {"config": {**config, "scoping": mode}, "directory": str(directory)},
        }
        for config, mode, directory in asked
    )
    answers = list(engine().ask(requests))
    different = [
        (question, _own(*question), answer)
        for question, answer in zip(asked, answers, strict=True)
        if _own(*question) != answer.get("result", answer)
    ]
    assert different[:3] == []
    assert len(asked) > 150
