"""YAML as the agent reads it: the core schema of YAML 1.2.

PyYAML reads YAML 1.1, where ``backend: off`` is a false and ``010`` is eight.
The agent reads the same lines as the word ``off`` and as ten, and so does this
loader. It makes plain values only: a tag is ignored, never obeyed.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

__all__ = ["parse_yaml"]

_CORE = "tag:yaml.org,2002:"
_RULES = (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", "-+0123456789"),
    (
        "float",
        r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)",
        "-+.0123456789",
    ),
    ("null", r"~|null|Null|NULL|", "~nN"),
    ("merge", r"<<", "<"),
)
_BASES = {"0o": 8, "0x": 16}


class _Loader(yaml.SafeLoader):
    """The safe loader without the rules of YAML 1.1."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012


def _integer(loader: _Loader, node: yaml.ScalarNode) -> int | float:
    raw = str(loader.construct_scalar(node))
    base = _BASES.get(raw[:2])
    if base is not None:
        return int(raw[2:], base)
    return int(raw) if len(raw) < 300 else float(raw)


def _untagged(loader: _Loader, node: yaml.Node) -> Any:
    if isinstance(node, yaml.MappingNode):
        return loader.construct_mapping(node, deep=True)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    return loader.construct_scalar(node) if isinstance(node, yaml.ScalarNode) else None


for _name, _pattern, _first in _RULES:
    _starts: list[str] = [*_first, ""] if _name == "null" else list(_first)
    _Loader.add_implicit_resolver(_CORE + _name, re.compile(rf"(?:{_pattern})\Z"), _starts)
_Loader.add_constructor(_CORE + "int", _integer)
_Loader.add_constructor(None, _untagged)


def parse_yaml(content: str) -> Any:
    """Return the plain value of one YAML document; None when it is empty.

    Raises ``yaml.YAMLError`` for what is not YAML, RecursionError for a document nested too deep.
    """
    loader = _Loader(content)
    try:
        return loader.get_single_data()
    finally:
        loader.dispose()
