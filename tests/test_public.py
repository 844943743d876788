"""The public face: the names, their docstrings, and what importing them costs."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import memlab
from memlab import errors

HEAVY = ("IPython", "ipywidgets", "matplotlib", "scipy", "sklearn")
SENTENCE = re.compile(r"[^.\s].*[.:]")


def names() -> list[str]:
    return [name for name in memlab.__all__ if name != "__version__"]


def own(value: object) -> bool:
    """Whether memlab made it: measures are passed on as their makers wrote them."""
    return str(getattr(value, "__module__", "")).startswith("memlab")


def test_all_is_sorted_and_holds_every_public_name() -> None:
    bound = {
        name
        for name, value in vars(memlab).items()
        if not name.startswith("_") and name != "annotations" and not isinstance(value, ModuleType)
    }
    assert len(set(memlab.__all__)) == len(memlab.__all__)
    assert bound <= set(memlab.__all__)
    assert set(memlab.__all__) <= set(dir(memlab))


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Mnemosyne'"):
        _ = memlab.Mnemosyne  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", names())
def test_a_public_name_says_what_it_is_in_one_sentence(name: str) -> None:
    value = getattr(memlab, name)
    doc = inspect.getdoc(value) or ""
    assert doc, f"{name} has no docstring"
    if own(value):
        assert SENTENCE.fullmatch(doc.splitlines()[0]), doc.splitlines()[0]


@pytest.mark.parametrize(
    "name", [name for name in names() if inspect.isclass(getattr(memlab, name))]
)
def test_so_do_its_methods(name: str) -> None:
    cls = getattr(memlab, name)
    if not own(cls):
        pytest.skip("made elsewhere")
    bare = [
        member
        for member, value in vars(cls).items()
        if not member.startswith("_")
        and (inspect.isfunction(value) or isinstance(value, property | classmethod | staticmethod))
        and not inspect.getdoc(getattr(cls, member))
    ]
    assert bare == []


def test_errors_are_one_tree_and_drawn_in_full() -> None:
    drawn = errors.__doc__ or ""
    for name in errors.__all__:
        assert issubclass(getattr(errors, name), errors.MemlabError)
        assert re.search(rf"\b{name}\b", drawn), f"{name} is not in the drawing"


def test_importing_memlab_loads_nothing_heavy() -> None:
    """sklearn, scipy and matplotlib take seconds; they are loaded where they are used."""
    code = f"import sys, memlab; print([m for m in {HEAVY!r} if m in sys.modules])"
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == "[]"
