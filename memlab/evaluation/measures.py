"""The vocabulary of measures: those of ir-measures, and what retrieval for agents needs besides.

This is the one module that imports ir_measures, which adds a handler to its
logger when it is imported; a library must not, so it is removed again.
"""

from __future__ import annotations

import ast
import logging
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import ir_measures
from ir_measures import AP, RR, Judged, P, R, Success, nDCG

from ..errors import InputError
from .own import OWN, Injected, OwnMeasure

__all__ = [
    "AP",
    "RR",
    "Judged",
    "Measure",
    "P",
    "R",
    "Success",
    "nDCG",
    "parse_measures",
    "rank_values",
]

Measure: TypeAlias = ir_measures.Measure | OwnMeasure
# What computes in this process: another of its parts runs a Perl script, which fails on most names.
INSIDE = ("pytrec_eval", "judged", "msmarco", "accuracy", "compat")
_logger = logging.getLogger("ir_measures")
_logger.removeHandler(ir_measures.log_handler)
_logger.setLevel(logging.NOTSET)


def parse_measures(
    measures: Measure | str | Iterable[Measure | str] | None,
) -> tuple[Measure, ...]:
    """Return measures given as values or by name ("nDCG@10"), each once.

    None gives the usual ones: Success, R, RR and nDCG of the first eight hits,
    which is what the agent recalls, and the injection rate of null cases.
    Raises InputError for what is no measure.
    """
    if measures is None:
        return (Success @ 8, R @ 8, RR @ 8, nDCG @ 8, Injected)
    several = isinstance(measures, Iterable) and not isinstance(measures, str)
    listed: list[object] = list(measures) if several else [measures]  # type: ignore[arg-type]
    if not listed:
        raise InputError("No measure is given. Give some, such as [nDCG@10, R@5, RR].")
    return tuple(dict.fromkeys(_parsed(measure) for measure in listed))


def _parsed(measure: object) -> Measure:
    if isinstance(measure, str):
        return _named(measure)
    if not isinstance(measure, ir_measures.Measure | OwnMeasure):
        raise InputError(f"{measure!r} is no measure. Give nDCG@10, or its name as text.")
    _check(measure)
    return measure


def _check(measure: Measure) -> None:
    """Refuse now what would fail, or end the process, when everything has been asked."""
    cutoff: object = (
        measure.cutoff if isinstance(measure, OwnMeasure) else measure.params.get("cutoff")
    )
    if cutoff is not None and (type(cutoff) is not int or cutoff < 1):
        raise InputError(f"{measure} has no such rank: ranks are 1, 2, …")
    if isinstance(measure, OwnMeasure):
        return
    try:
        measure.validate_params()  # type: ignore[no-untyped-call]
        known = any(part.supports(measure) for part in _inside())
    except AssertionError as error:
        hint = f" Say at which rank, such as {measure}@10." if "cutoff" in str(error) else ""
        raise InputError(f"{_shown(measure)} cannot be computed: {error}.{hint}") from None
    if not known:
        raise InputError(
            f"{measure} is a measure that memlab cannot compute. Choose another, such as nDCG@10."
        )


def _shown(measure: ir_measures.Measure) -> str:
    try:
        return str(measure)
    except KeyError:  # of a parameter that its kind does not have
        return str(measure.NAME)


def _inside() -> list[Any]:
    parts: list[Any] = ir_measures.DefaultPipeline.providers
    return [part for part in parts if part.NAME in INSIDE and part.is_available()]


def _named(name: str) -> Measure:
    base, _, cutoff = name.partition("@")
    if base == "Hit":
        name = f"Success@{cutoff}"
    if base in OWN:
        if cutoff and not cutoff.isdecimal():
            raise InputError(f"{name!r} is no measure: {cutoff!r} is not a rank.")
        own = OWN[base] @ int(cutoff) if cutoff else OWN[base]
        _check(own)
        return own
    try:
        measure = _read(name)
    except (ValueError, TypeError, SyntaxError, KeyError, RecursionError):
        known = ", ".join(["nDCG@10", "R@5", "P@5", "RR", "AP", "Success@5", "Judged@8", *OWN])
        raise InputError(f"{name!r:.80} is no measure that is known. Some: {known}.") from None
    _check(measure)
    return measure


def _read(name: str) -> ir_measures.Measure:
    """Read ``Name(param=value, ...)@cutoff`` as ir-measures writes it.

    Its own reader needs parts of Python that 3.14 no longer has. Raises
    ValueError, TypeError, SyntaxError or KeyError for anything else.
    """
    node: ast.expr = ast.parse(name.strip(), mode="eval").body
    params = {}
    at = None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        at = ast.literal_eval(node.right)
        node = node.left
    if isinstance(node, ast.Call) and not node.args:
        params = {str(one.arg): ast.literal_eval(one.value) for one in node.keywords}
        node = node.func
    if not isinstance(node, ast.Name):
        raise ValueError(name)
    kind: Any = ir_measures.measures.registry[node.id]
    if at is not None:
        params[kind.AT_PARAM] = at
    measure: ir_measures.Measure = kind(**params)
    return measure


def rank_values(
    measures: Sequence[ir_measures.Measure],
    labels: dict[str, dict[str, int]],
    rankings: dict[str, list[str]],
) -> dict[str, dict[str, float]]:
    """Compute measures of rankings: query id to measure name to value.

    ``labels`` maps query ids to grades by key, ``rankings`` query ids to keys,
    best first, each key once. Scores are fed as minus the rank, since trec_eval
    breaks ties of scores by key and would not keep the order. A query without
    ranking counts 0 everywhere.
    """
    if not measures or not labels:
        return {}
    values: dict[str, dict[str, float]] = {query: {} for query in labels}
    # Of an empty ranking no share is judged: there is no such share.
    filled = {query: grades for query, grades in labels.items() if rankings.get(query)}
    judged = [measure for measure in measures if measure.NAME == Judged.NAME]
    others = [measure for measure in measures if measure.NAME != Judged.NAME]
    run = {
        query: {key: -float(rank) for rank, key in enumerate(keys, start=1)}
        for query, keys in rankings.items()
    }
    for some, known in ((others, labels), (judged, filled)):
        for metric in ir_measures.iter_calc(some, known, run) if some and known else ():
            if metric.query_id in known:
                values[metric.query_id][str(metric.measure)] = float(metric.value)
    return values
