"""The project keeps its own promises: what its files say agrees with each other."""

from __future__ import annotations

import ast
import json
import re
import statistics
import subprocess
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import memlab
from memlab import sample
from memlab.sample import sample_world

ROOT = Path(__file__).parents[1]
PACKAGE = sorted((ROOT / "memlab").rglob("*.py"))
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
# Put together here, so that this file does not hold the words it looks for.
FORBIDDEN = [
    *("/work" + rest for rest in ("/main", "/shared")),
    "/ro" + "ot/",
    "/tmp" + "/w/",
    "registry." + "npmjs",
    "pypi." + "org",
    "files." + "pythonhosted",
    "deb." + "debian",
]
TAG_LIMIT = 2
TOOLS = {"jupyterlab", "nbval"}
"""Asked for because people run them, not because memlab imports them."""

COME_WITH = {
    "annotated_types": "pydantic",
    "fastembed": "fastembed",
    "httpcore": "httpx",
    "icu": "pyicu-wheels",
    "pydantic_core": "pydantic",
    "sentence_transformers": "sentence-transformers",
}
"""Modules that are half of another package, and those of extras, which need not be installed."""

WORDY = ("CONTRIBUTING.md", "README.md")


@cache
def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@cache
def tracked() -> list[Path]:
    try:
        listed = subprocess.run(
            ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout")
    return [path for name in listed.split("\0") if name and (path := ROOT / name).is_file()]


def bounds(requirements: list[str]) -> dict[str, str]:
    parsed = map(Requirement, requirements)
    return {canonicalize_name(r.name): str(r.specifier) for r in parsed}


def test_conda_and_pip_ask_for_the_same() -> None:
    entries = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))["dependencies"]
    by_pip = next(entry["pip"] for entry in entries if isinstance(entry, dict))
    conda = bounds([entry for entry in entries if isinstance(entry, str)])
    assert conda.pop("python") == project()["requires-python"]
    assert conda.pop("pip") == ""
    assert by_pip[-1] == "-e ."
    assert conda | bounds(by_pip[:-1]) == bounds(project()["dependencies"])


def names(requirements: list[str]) -> set[str]:
    return {canonicalize_name(Requirement(text).name) for text in requirements}


def test_what_is_asked_for_is_used_and_what_is_used_is_asked_for() -> None:
    """One package that nothing imports, or that comes with another by luck, is found here."""
    extras: dict[str, list[str]] = project()["optional-dependencies"]
    optional = names([text for name, some in extras.items() if name != "dev" for text in some])
    asked = names(project()["dependencies"])
    makers = {
        module: {canonicalize_name(name) for name in found}
        for module, found in packages_distributions().items()
    } | {module: {canonicalize_name(maker)} for module, maker in COME_WITH.items()}
    used = {
        module: makers.get(module, {module})
        for module in imported_modules() - {"memlab"} - sys.stdlib_module_names
    }
    assert [module for module, found in used.items() if not found & (asked | optional)] == []
    assert asked - set().union(*used.values()) == TOOLS


def imported_modules() -> set[str]:
    """The top-level modules that the package imports, anywhere in a file."""
    found = set()
    for path in PACKAGE:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found.update(name.name.partition(".")[0] for name in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module.partition(".")[0])
    return found


def test_the_sample_is_installed_where_it_is_looked_for() -> None:
    """Without it, ``memlab demo`` after ``pip install .`` would find nothing to show."""
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]
    wheel = build["build"]["targets"]["wheel"]
    world = sample_world()
    assert {"memlab", "data/banks", "data/cases"} == set(wheel["only-include"])
    for path in (world.database, world.cases, *world.banks().values()):
        inside = path.relative_to(ROOT)
        assert any(inside.is_relative_to(name) for name in wheel["only-include"])
    assert ROOT / wheel["sources"]["data"] in sample._PLACES


def test_the_newest_change_is_this_version() -> None:
    versions = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    assert versions[0] == memlab.__version__


@pytest.mark.parametrize("name", WORDY)
def test_commands_that_are_written_about_exist(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    said = set(re.findall(r"(?:`|^)make ([a-z-]+)", text, re.M))
    assert said
    assert said <= set(re.findall(r"^([a-z-]+):", makefile, re.M))


def test_every_command_is_in_the_help() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.M)
    assert phony
    helped = re.findall(r"^([a-z-]+):.*## \S", makefile, re.M)
    assert helped == phony[1].split()


@pytest.mark.parametrize("name", WORDY)
def test_files_that_are_written_about_exist(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    paths = re.findall(
        r"[`\"]((?:data|notebooks|tests|memlab)/[\w./-]*)[`\"]|\]\((\w+\.md)\)", text
    )
    missing = [path for pair in paths for path in pair if path and not (ROOT / path).exists()]
    assert missing == []


def test_no_file_names_a_machine_or_a_registry() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {word}"
        for path in tracked()
        for content in [path.read_bytes()]
        for word in FORBIDDEN
        if word.encode() in content
    ]
    assert found == []


def test_files_of_the_package_are_short() -> None:
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in PACKAGE}
    assert [f"{path.name}: {lines}" for path, lines in lengths.items() if lines > 400] == []
    assert statistics.median(lines for lines in lengths.values() if lines) <= 120


def test_functions_of_the_package_are_short() -> None:
    functions = ast.FunctionDef | ast.AsyncFunctionDef
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name} has {lines} lines"
        for path in PACKAGE
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, functions)
        for lines in [(node.end_lineno or node.lineno) - node.lineno + 1]
        if lines > 60
    ]
    assert found == []


def cells() -> list[tuple[str, dict[str, Any]]]:
    read = ((path.name, json.loads(path.read_text(encoding="utf-8"))) for path in NOTEBOOKS)
    return [(name, cell) for name, book in read for cell in book["cells"]]


def test_few_cells_escape_the_comparison() -> None:
    words = re.compile(r"# *NBVAL_(IGNORE|SKIP)", re.IGNORECASE)
    tagged = [
        name
        for name, cell in cells()
        if {"nbval-ignore-output", "nbval-skip"} & set(cell["metadata"].get("tags", []))
        or words.search("".join(cell["source"]))
    ]
    assert len(tagged) <= TAG_LIMIT


def test_notebooks_are_kept_as_they_ran() -> None:
    """In one go from the top, so that their outputs are compared and not only made."""
    for path in NOTEBOOKS:
        book = json.loads(path.read_text(encoding="utf-8"))
        code = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
        assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1)), path
        assert any(cell["outputs"] for cell in code), path
        assert "widgets" not in book["metadata"], f"{path}: run make refresh-notebooks"


def test_every_rule_that_tidies_outputs_counts() -> None:
    """A replace line without text, or away from its regex, is dropped in silence."""
    lines = (ROOT / "notebooks/nbval_sanitize.cfg").read_text(encoding="utf-8").splitlines()
    rules = [index for index, line in enumerate(lines) if line.startswith("regex: ")]
    assert rules
    for index in rules:
        re.compile(lines[index].removeprefix("regex: "))
        assert re.fullmatch(r"replace: \S+", lines[index + 1]), lines[index]
    assert sum(line.startswith("replace:") for line in lines) == len(rules)
