"""Requests and their answers in a file: to ask again without a server, and get the same.

One exchange per line of JSON, ordered by what was asked, so that a recording
made anew differs only where an answer does. Headers are not kept, but for the
three that memlab reads; a token is never kept, wherever it may stand.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import threading
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pydantic import SecretStr

from ..errors import FormatError, NotRecorded
from ..files import check_target, write_text

__all__ = ["MASK", "Recorder", "Tape", "described"]

MASK = "***"
KEPT_HEADERS = ("content-type", "retry-after", "x-ignored-params")
_LONG = 8
_NEAREST = 3
_SHOWN = 300
# The parts of an exchange that hold others' words; the rest is memlab's own.
_SPOKEN = frozenset({"path", "query", "body", "headers", "json", "text"})
_HALF = re.compile("[\ud800-\udfff]")

Exchange = dict[str, Any]


def described(method: str, path: str, query: Iterable[tuple[str, str]], body: bytes) -> Exchange:
    """Return a request as it is recorded: method, path, query, body."""
    found: Exchange = {"method": method, "path": path}
    if pairs := sorted([name, value] for name, value in query):
        found["query"] = pairs
    if body:
        found["body"] = _content(body)
    return found


def _content(data: bytes) -> Any:
    """Return a body: JSON as it is, other text, or the size and hash of bytes."""
    try:
        return json.loads(data)
    except ValueError:
        return {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def answered(status: int, headers: Mapping[str, str], content: bytes, seconds: float) -> Exchange:
    """Return an answer as it is recorded: status, seconds, headers, body."""
    kept = {name: headers[name] for name in KEPT_HEADERS if name in headers}
    found: Exchange = {"status": status, "seconds": round(seconds, 4), "headers": kept}
    try:
        found["json"] = json.loads(content)
    except (ValueError, RecursionError):
        text = _text(content)
        found |= {"base64": base64.b64encode(content).decode()} if text is None else {"text": text}
    return found


def _text(content: bytes) -> str | None:
    """Return what can be read, and so be masked and compared; None for bytes that are no text."""
    try:
        return content.decode()
    except UnicodeDecodeError:
        return None


def _line(exchange: Exchange) -> str:
    """Return one line of JSON; half characters, which no file may hold, stay escapes."""
    text = json.dumps(exchange, ensure_ascii=False)
    return _HALF.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _key(request: Exchange) -> str:
    return json.dumps(request, sort_keys=True)


class Recorder:
    """Keeps exchanges; every one is in the file as soon as it is added."""

    def __init__(self, path: Path, secrets: Iterable[SecretStr] = ()) -> None:
        """Begin a recording; ``secrets`` are masked wherever they stand.

        What was in the file stays until there is a first answer. Raises InputError for a
        file that cannot be written, or must not be: a directory, a database, a session log.
        """
        self.path = path
        plain = (one.get_secret_value() for one in secrets)
        self._secrets = sorted((one for one in plain if one), key=len, reverse=True)
        self._kept: dict[str, list[Exchange]] = {}
        self._lock = threading.Lock()
        check_target(path)
        if not path.exists():
            self._save()

    def add(self, request: Exchange, answer: Exchange) -> None:
        """Keep an exchange; the same answer to the same request is kept once."""
        exchange = json.loads(_line({"request": request, "answer": answer}))
        for side in exchange.values():
            for name in _SPOKEN & side.keys():
                side[name] = self._masked(side[name])
        with self._lock:
            asked = self._kept.setdefault(_key(exchange["request"]), [])
            if not any(_same(exchange["answer"], old["answer"]) for old in asked):
                asked.append(exchange)
                self._save()

    def _masked(self, value: Any, shortest: int = 1) -> Any:
        """Mask every secret in texts and names, as it is and as it stands in an address.

        In names only what is long enough for a secret: they are the server's own words.
        """
        if isinstance(value, str):
            for secret in self._secrets:
                if len(secret) >= shortest:
                    value = value.replace(secret, MASK).replace(quote(secret, safe=""), MASK)
            return value
        if isinstance(value, list):
            return [self._masked(one) for one in value]
        if isinstance(value, dict):
            return {self._masked(name, _LONG): self._masked(one) for name, one in value.items()}
        return value

    def _save(self) -> None:
        lines = [_line(one) for key in sorted(self._kept) for one in self._kept[key]]
        write_text(self.path, "".join(f"{line}\n" for line in lines))


def _same(one: Exchange, other: Exchange) -> bool:
    return {**one, "seconds": 0} == {**other, "seconds": 0}


class Tape:
    """A recording that is played: gives to each request the answers it got, in their order.

    The last answer is given again when a request comes more often.
    """

    def __init__(self, path: Path) -> None:
        """Read a recording. Raises FormatError for a file that is none."""
        self.path = path
        self._lock = threading.Lock()
        self._answers: dict[str, list[Exchange]] = {}
        self._requests: dict[str, Exchange] = {}
        for number, line in enumerate(self._lines(), start=1):
            try:
                exchange = json.loads(line)
                key = _key(exchange["request"])
                self._answers.setdefault(key, []).append(_whole(exchange["answer"]))
                self._requests[key] = exchange["request"]
            except (ValueError, KeyError, TypeError) as error:
                raise FormatError(
                    f"{path}, line {number}: no recorded exchange ({error})."
                ) from None

    def _lines(self) -> list[str]:
        try:
            text = self.path.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise FormatError(f"The recording {self.path} cannot be read: {error}.") from error
        return [line for line in text.split("\n") if line]

    def answer(self, request: Exchange) -> Exchange:
        """Return the recorded answer. Raises NotRecorded, which shows the nearest requests."""
        key = _key(json.loads(_line(request)))
        with self._lock:
            answers = self._answers.get(key)
            if answers:
                return answers.pop(0) if len(answers) > 1 else answers[0]
        raise NotRecorded(
            f"{self.path} has no answer to this request:\n  {_line(request)[:_SHOWN]}\n"
            f"{self._nearest(key)}\nRecord it with Hindsight(record=...)."
        )

    def _nearest(self, key: str) -> str:
        def likeness(other: str) -> float:
            return SequenceMatcher(None, key, other).ratio()

        near = sorted(self._requests, key=likeness, reverse=True)[:_NEAREST]
        shown = "\n".join(f"  {_line(self._requests[one])[:_SHOWN]}" for one in near)
        return f"Nearest in it:\n{shown}" if near else "It is empty."


def _whole(answer: Exchange) -> Exchange:
    """Return a recorded answer, or raise ValueError where a part of it is missing or wrong."""
    plain = isinstance(answer["status"], int) and isinstance(answer["headers"], dict)
    if not plain or not isinstance(answer["seconds"], int | float):
        raise ValueError("its status, seconds or headers are none")
    content_of(answer)
    return answer


def content_of(answer: Exchange) -> bytes:
    """Return the body of a recorded answer as bytes."""
    if "base64" in answer:
        return base64.b64decode(answer["base64"], validate=True)
    if "text" in answer:
        return str(answer["text"]).encode()
    return json.dumps(answer["json"]).encode()
