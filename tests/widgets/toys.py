"""Backends made of nothing, for explorers: they answer what they are told to answer."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

from pydantic import BaseModel, Field

from memlab.models import Hit, Memories, Outcome, Recall

HOSTILE = (
    "<img src=x onerror=\"document.title='taken'\">",
    "</textarea><script>document.title='taken'</script>",
    "</div></style></code>\"'><svg onload=alert(1)>",
    "&lt;b&gt; $\\alpha$ [link](javascript:alert(1))",
    "half an emoji \ud83d and a mark \u202e that turns text around",
    "first line\n   second line\ttab",
)


class Toy:
    """A backend that answers with given texts, and remembers what it was asked."""

    name = "toy"
    options_model: type[BaseModel] | None = None

    def __init__(self, *texts: str, error: Exception | None = None, **fields: Any) -> None:
        self.texts, self.error, self.fields = texts, error, fields
        self.asked: list[tuple[str, dict[str, Any]]] = []

    def recall(self, query: str, **options: Any) -> Recall:
        self.asked.append((query, options))
        if self.error is not None:
            raise self.error
        hits = tuple(hit(n, text) for n, text in enumerate(self.texts, start=1))
        outcome = Outcome.OK if hits else Outcome.EMPTY
        return Recall(
            **{"query": query, "hits": hits, "outcome": outcome, "backend": "toy"} | self.fields
        )

    def memories(self, **filters: Any) -> Memories:
        return Memories([])

    def close(self) -> None:
        pass


class ToyOptions(BaseModel):
    """Options of every kind that a backend may declare."""

    limit: int = Field(5, description="how many")
    budget: str = "mid"
    tags: tuple[str, ...] | None = None
    strict: bool | None = Field(None, description="default: as the server says")


def hit(rank: int, text: str, **fields: Any) -> Hit:
    given: dict[str, Any] = {"id": f"m{rank}", "score": 1 / rank, "tier": "working"}
    return Hit(rank=rank, text=text, **(given | fields))


class Reader(HTMLParser):
    """What a browser would make of HTML: its elements, their attributes, its text."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.values: list[str] = []
        self._texts: list[str] = []
        self.feed(html)
        self.close()

    @property
    def text(self) -> str:
        return "".join(self._texts)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)
        self.values.extend(value or "" for _, value in attrs)

    def handle_data(self, data: str) -> None:
        self._texts.append(data)


OURS = {"b", "code", "details", "div", "em", "i", "small", "span", "summary"}


def harmless(html: str) -> Reader:
    """Read HTML and make sure that it has none but our own elements and attributes."""
    html.encode()  # a lone surrogate would not reach the browser
    reader = Reader(html)
    assert reader.tags <= OURS
    assert reader.attributes <= {"class", "dir", "role", "style", "title"}
    return reader
