"""Bank names are the agent's: all golden lines, and what the rules promise."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from memlab.models.scope.names import bank_names, clean_name, limit_name, project_segment
from tests.golden_data import lines

NAMES = [line for line in lines("banknames.jsonl") if not line["op"].startswith("bunHash")]


def own(op: str, args: dict[str, Any]) -> Any:
    match op:
        case "projectBankSegment":
            return project_segment(args["root"])
        case "sanitizeBankName":
            return clean_name(args["name"])
        case "limitBankName":
            return limit_name(args["name"])
        case "bankScope":
            names = bank_names(args["configured"], args["cwd"], args["scoping"])
            return {
                "baseBank": names.shared,
                "bank": names.retain,
                "globalBank": names.shared,
                "retainBank": names.retain,
                "recallBanks": list(names.recall),
            }
    raise AssertionError(op)


def test_golden_names() -> None:
    assert len(NAMES) == 69
    different = [line for line in NAMES if own(line["op"], line["args"]) != line["result"]]
    assert different == []


@given(st.text())
def test_a_clean_name_is_safe_as_a_folder(name: str) -> None:
    cleaned = clean_name(name)
    if cleaned is not None:
        assert 1 <= len(cleaned) <= 64
        assert set(cleaned) <= set(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        )
        assert clean_name(cleaned) == cleaned


@given(st.text(max_size=200), st.text(max_size=200))
def test_another_path_is_another_bank(left: str, right: str) -> None:
    first, second = project_segment("/" + left), project_segment("/" + right)
    assert (first == second) == (left == right)


def test_modes() -> None:
    project = "team-heron-1rb2hu4n771fr"
    root = "/home/ada/projects/heron"
    assert bank_names("team", root, "global") == ("team", "team", ("team",))
    assert bank_names("team", root, "per-project") == (project, "team", (project,))
    assert bank_names("team", root, "per-project-tagged") == (project, "team", (project, "team"))
    assert bank_names(None, root, "per-project-tagged").recall[1] == "default"
