"""One bank of the Hindsight double: what it holds, and how it answers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..hindsight.budget import fitting
from ..hindsight.tagfilter import MODES, matches_tags
from ..hindsight.taggroups import checked_groups, matches_groups
from ..text.tokens import count_tokens

__all__ = ["Bank", "Refusal", "given"]

_TYPES = ("experience", "observation", "world")
_RECALL = {"query", "types", "budget", "max_tokens", "trace", "query_timestamp", "tags",
           "tags_match", "tag_groups", "include", "prefer_observations", "min_scores",
           "temporal_window"}  # fmt: skip
Query = Mapping[str, list[str]]


class Refusal(Exception):
    """The double's way to answer with an error."""

    def __init__(self, status: int, detail: Any) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail


def _invalid(where: str, message: str, value: Any) -> Refusal:
    problem = {"type": "value_error", "loc": ["body", where], "msg": message, "input": value}
    return Refusal(422, [problem])


def given(body: Any) -> Mapping[str, Any]:
    """Return a body that is an object, or refuse it as the server does."""
    if not isinstance(body, Mapping):
        raise _invalid("", "Input should be a valid dictionary", body)
    return body


@dataclass
class Bank:
    """A bank: its memories by id."""

    name: str
    memories: dict[str, dict[str, Any]] = field(default_factory=dict)

    def described(self) -> dict[str, Any]:
        """Return the bank as the list of banks has it."""
        return {"bank_id": self.name, "name": self.name, "fact_count": len(self.memories)}

    def answer(
        self, method: str, rest: Sequence[str], query: Query, body: Any
    ) -> tuple[Any, list[str]]:
        """Answer a request below the bank: the value, and what of the request was ignored."""
        known = {
            ("POST", "memories/recall"): self._recall,
            ("GET", "memories/list"): self._list,
            ("GET", "documents"): self._documents,
            ("GET", "tags"): self._tags,
            ("GET", "stats"): self._stats,
            ("PUT", ""): self._put,
        }
        found = known.get((method, "/".join(rest)))
        if found is not None:
            answer = found(query, body)
            return answer, sorted(set(body) - _RECALL) if found == self._recall else []
        if method == "GET" and len(rest) == 2 and rest[0] == "operations":
            return {"operation_id": rest[1], "status": "completed"}, []
        if method in ("GET", "PATCH") and len(rest) == 2 and rest[0] == "memories":
            return self._one(method, rest[1], body), []
        raise Refusal(404, "Not Found")

    def _one(self, method: str, key: str, body: Any) -> dict[str, Any]:
        record = self.memories.get(key)
        if record is None:
            raise Refusal(404, f"Memory unit '{key}' not found")
        if method == "PATCH":
            record.update(given(body))
        return {**record, "type": record["fact_type"], "entities": []}

    def _put(self, query: Query, body: Any) -> dict[str, Any]:  # noqa: ARG002  (as the others)
        return self.described()

    def _recall(self, query: Query, body: Any) -> dict[str, Any]:  # noqa: ARG002
        body = given(body)
        text = body.get("query")
        if not isinstance(text, str) or not re.search(r"\w", text):
            raise _invalid("query", "query must contain at least one word character", text)
        types = body.get("types") or _TYPES
        if unknown := [one for one in types if one not in _TYPES]:
            raise Refusal(422, f"Invalid fact type(s): {', '.join(unknown)}. "
                               f"Must be one of: {', '.join(_TYPES)}")  # fmt: skip
        mode = body.get("tags_match") or "any"
        if mode not in MODES:
            raise _invalid("tags_match", f"Input should be one of {MODES}", mode)
        groups, limit = body.get("tag_groups") or (), body.get("max_tokens", 4096)
        if body.get("tags") is not None and body.get("tag_groups") is not None:
            raise _invalid("", "'tags' and 'tag_groups' are mutually exclusive", None)
        try:
            checked_groups(groups)
        except (TypeError, ValueError) as error:
            raise _invalid("tag_groups", str(error), groups) from None
        if not isinstance(limit, int):
            raise _invalid("max_tokens", "Input should be a valid integer", limit)
        words = set(_words(text))
        found = [
            (len(words & set(_words(one["text"]))) / len(words), one)
            for one in self.memories.values()
            if one["fact_type"] in types and one["state"] == "valid"
            and matches_tags(one["tags"], body.get("tags"), mode)
            and matches_groups(one["tags"], groups)
        ]  # fmt: skip
        ranked = sorted((pair for pair in found if pair[0] > 0), key=lambda pair: -pair[0])
        sizes = count_tokens([one["text"] for _, one in ranked])
        kept = [ranked[place] for place in fitting(sizes, limit)]
        return {"results": [_result(one, share) for share, one in kept],
                "trace": None, "entities": None, "chunks": None, "source_facts": None}  # fmt: skip

    def _list(self, query: Query, body: Any) -> dict[str, Any]:  # noqa: ARG002
        state = (query.get("state") or ["valid"])[0]
        types = query.get("type") or _TYPES
        mode: Any = (query.get("tags_match") or ["any"])[0]
        part = (query.get("q") or [""])[0]
        items = [
            one
            for one in self.memories.values()
            if one["state"] == state and one["fact_type"] in types and part in one["text"]
            if matches_tags(one["tags"], query.get("tags"), mode)
        ]
        return _page(items, query)

    def _documents(self, query: Query, body: Any) -> dict[str, Any]:  # noqa: ARG002
        counts: dict[str, list[dict[str, Any]]] = {}
        for one in self.memories.values():
            if one["document_id"]:
                counts.setdefault(one["document_id"], []).append(one)
        items = [
            {"id": key, "bank_id": self.name, "memory_unit_count": len(group),
             "tags": group[0]["tags"], "text_length": sum(len(one["text"]) for one in group)}
            for key, group in counts.items()
        ]  # fmt: skip
        return _page(items, query)

    def _tags(self, query: Query, body: Any) -> dict[str, Any]:  # noqa: ARG002
        counts: dict[str, int] = {}
        for one in self.memories.values():
            for tag in one["tags"]:
                counts[tag] = counts.get(tag, 0) + 1
        return _page([{"tag": tag, "count": count} for tag, count in counts.items()], query)

    def _stats(self, query: Query, body: Any) -> dict[str, Any]:  # noqa: ARG002
        types = [one["fact_type"] for one in self.memories.values()]
        counts = {name: types.count(name) for name in _TYPES}
        return {"bank_id": self.name, "total_nodes": len(types), "nodes_by_fact_type": counts}


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _page(items: list[dict[str, Any]], query: Query) -> dict[str, Any]:
    limit, offset = _number(query, "limit", "100"), _number(query, "offset", "0")
    page = items[offset : offset + limit]
    return {"items": page, "total": len(items), "limit": limit, "offset": offset}


def _number(query: Query, name: str, usual: str) -> int:
    text = (query.get(name) or [usual])[0]
    if not (text.isascii() and text.isdigit()):
        raise _invalid(name, "Input should be a valid integer", text)
    return int(text)


def _result(one: Mapping[str, Any], share: float) -> dict[str, Any]:
    names = ("id", "text", "context", "mentioned_at", "document_id", "chunk_id", "tags")
    return {
        **{name: one[name] for name in names},
        "type": one["fact_type"],
        "entities": None,
        "metadata": one["metadata"] or None,
        "scores": {"final": share, "reranker": None, "semantic": None, "keyword": share},
    }
