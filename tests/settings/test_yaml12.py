"""YAML 1.2 scalars, as the agent's own parser (Bun 1.4.5) read the same lines."""

from __future__ import annotations

import math
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from memlab.settings.yaml12 import parse_yaml

MEASURED: list[tuple[str, Any]] = [
    ("off", "off"),
    ("on", "on"),
    ("yes", "yes"),
    ("no", "no"),
    ("y", "y"),
    ("True", True),
    ("TRUE", True),
    ("true", True),
    ("~", None),
    ("null", None),
    ("Null", None),
    ("", None),
    ("010", 10),
    ("0o10", 8),
    ("0x1F", 31),
    ("1_000", "1_000"),
    ("1:30", "1:30"),
    ("1.5", 1.5),
    ("1.", 1.0),
    ("+.5", 0.5),
    (".5", 0.5),
    ("1e3", 1000.0),
    ("12e03", 12000.0),
    ("-.inf", -math.inf),
    ("2026-01-01", "2026-01-01"),
    ("=", "="),
    ("'8'", "8"),
    ("+12", 12),
    ("1,000", "1,000"),
    ("0b11", "0b11"),
    ("!foo 1", "1"),
]


@pytest.mark.parametrize(("raw", "value"), MEASURED, ids=[repr(raw) for raw, _ in MEASURED])
def test_scalar(raw: str, value: Any) -> None:
    found = parse_yaml(f"a: {raw}\n")["a"]
    assert found == value
    assert isinstance(found, type(value))


def test_other_documents() -> None:
    assert math.isnan(parse_yaml("a: .NaN")["a"])
    assert parse_yaml("a: 1\na: 2\n") == {"a": 2}
    assert parse_yaml("a: &x {b: 1}\nc:\n  <<: *x\n  d: 2\n")["c"] == {"b": 1, "d": 2}
    assert parse_yaml("") is None
    assert parse_yaml("a: !!python/object/apply:os.getcwd []\n") == {"a": []}
    assert math.isinf(parse_yaml(f"a: {'9' * 9000}")["a"])


@pytest.mark.parametrize("broken", ["a: b: c\n", "a: @x\n", "a: 'x\n", "a: {b: x\n", "\t a: 1\n"])
def test_broken_documents_raise(broken: str) -> None:
    with pytest.raises(yaml.YAMLError):
        parse_yaml(broken)


@given(st.text(max_size=40))
def test_any_text_gives_plain_values_or_a_yaml_error(content: str) -> None:
    plain = (str, int, float, bool, list, dict, bytes, set, type(None))
    try:
        value = parse_yaml(content)
    except yaml.YAMLError:
        return
    assert isinstance(value, plain)
