"""Single functions of the extension: its golden answers, each equal."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from memlab.errors import InvalidTime
from memlab.sessions.pify import auto, documents, history, slugs, terms, texts, titles
from memlab.text.javascript import trim
from tests.sessions.extension import entries_of
from tests.sessions.golden import LOGS, Answer, kinds, of


def hit(fields: dict[str, Any]) -> Any:
    return SimpleNamespace(**{"title": None, "time": fields["ts"], **fields})


def document(found: documents.Document | None) -> Any:
    if found is None:
        return None
    return {"session": "s", "path": "p", "ts": found.time, "role": found.role, "text": found.text}


def entry_text(args: dict[str, Any]) -> Any:
    found = history.entry_text(args["entry"])
    return None if found is None else found._asdict()


def search_history(args: dict[str, Any]) -> Any:
    entries = entries_of(args, LOGS)
    limit, units = args.get("limit", 8), args.get("snippetChars", 220)
    hits = history.search_history(entries, args["query"], limit, units)
    fields = ("id", "index", "role", "snippet", "matched")
    return {
        "hits": [{name: getattr(one, name) for name in fields} for one in hits],
        "text": texts.history_text(args["query"], hits, len(entries)),
    }


def history_text(args: dict[str, Any]) -> str:
    hits = [history.HistoryHit(**fields) for fields in args["hits"]]
    return texts.history_text(args["query"], hits, args["total"], args.get("maxChars", 8000))


def naming(args: dict[str, Any]) -> Any:
    entries, prompt = entries_of(args, LOGS), args.get("prompt", "")
    first = titles.first_typed(entries)
    return {
        "first": first,
        "text": first or trim(prompt),
        "title": titles.name_for(entries, prompt),
    }


FUNCTIONS = {
    "tokenize": lambda args: terms.terms(args["text"]),
    "queryTerms": lambda args: terms.query_terms(args["text"]),
    "doc": lambda args: document(documents.document(args["entry"])),
    "claudeDoc": lambda args: document(documents.claude_document(args["entry"])),
    "infoName": lambda args: documents.info_name(args["entry"]),
    "title": lambda args: titles.title_of(args["prompt"], args.get("max", 60)),
    "entryText": entry_text,
    "worth": lambda args: auto.worth_it(args["prompt"]),
    "block": lambda args: auto.recall_block(
        [hit(one) for one in args["hits"]], args.get("maxChars", 2500)
    ),
    "formatHits": lambda args: texts.hits_text(
        args["query"], [hit(one) for one in args["hits"]], args.get("maxChars", 8000)
    ),
    "formatHistory": history_text,
    "slug": lambda args: slugs.pify_slug(args["cwd"]),
    "history": search_history,
    "naming": naming,
}


# Asked in test_golden_index.py and test_golden_extension.py.
ELSEWHERE = {
    "list",
    "docs",
    "claudeDocs",
    "sync",
    "search",
    "scenario",
    "tool",
    "command",
    "session",
}


def test_every_kind_of_answer_is_asked_in_one_place() -> None:
    assert set(kinds()) == set(FUNCTIONS) | ELSEWHERE
    assert not ELSEWHERE.intersection(FUNCTIONS)


@pytest.mark.parametrize("answer", of(*FUNCTIONS), ids=str)
def test_a_function_answers_as_the_extension(answer: Answer) -> None:
    if answer.error is not None:
        assert answer.error == "RangeError"
        with pytest.raises(InvalidTime):
            FUNCTIONS[answer.op](answer.args)
        return
    assert FUNCTIONS[answer.op](answer.args) == answer.result
