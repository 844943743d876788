"""From what a server answers, or does not, to an error of memlab's tree: the one place."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..errors import (
    HindsightBusy,
    HindsightError,
    HindsightFailed,
    HindsightGatewayTimeout,
    HindsightNotFound,
    HindsightRefused,
    HindsightTimeout,
    HindsightUnauthorized,
    HindsightUnreachable,
)
from ..text.javascript import number_text, well_formed

__all__ = ["decode", "failure", "timed_out", "unreachable"]

_OF_STATUS: Mapping[int, type[HindsightError]] = {
    401: HindsightUnauthorized,
    403: HindsightUnauthorized,
    404: HindsightNotFound,
    503: HindsightBusy,
    504: HindsightGatewayTimeout,
}
_WAY_OUT: Mapping[int, str] = {
    401: "Give the right token: Hindsight(token=...), or HINDSIGHT_API_TOKEN.",
    403: "Give a token with more rights: Hindsight(token=...), or HINDSIGHT_API_TOKEN.",
    404: "Look what there is with the matching list, such as banks() or memories().",
    409: "It is finished, or under way already; look at operations().",
    410: "This server no longer has it; see version().",
    422: "Change what the message names.",
    500: "The server's own log says more (`memlab hindsight logs` for a local one).",
    503: "Ask for less at once, or later.",
    504: "Its database is slow; try a smaller budget.",
}
_MOST_SAID = 2_000


def _constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def decode(content: bytes, *, repair: bool = False) -> Any:
    """Return the value of a JSON body; raise ValueError for what is not JSON.

    With ``repair``, half characters (lone surrogates) become U+FFFD, as they do
    wherever text is written.
    """
    value = json.loads(content.decode("utf-8-sig"), parse_constant=_constant)
    halves = repair and (b"\\ud" in content or b"\\uD" in content)
    return _repaired(value) if halves else value


def _repaired(value: Any) -> Any:
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, list):
        return [_repaired(one) for one in value]
    if isinstance(value, dict):
        return {well_formed(name): _repaired(one) for name, one in value.items()}
    return value


def _javascript(value: Any) -> str:
    """Print a value as JavaScript's JSON.stringify does."""
    if isinstance(value, Mapping):
        indices = sorted((name for name in value if _is_index(name)), key=int)
        names = [*indices, *(name for name in value if not _is_index(name))]
        return "{" + ",".join(f"{_javascript(n)}:{_javascript(value[n])}" for n in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_javascript, value)) + "]"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return number_text(float(value))
    plain = json.dumps(value, ensure_ascii=False)
    return "".join(f"\\u{ord(c):04x}" if "\ud800" <= c <= "\udfff" else c for c in plain)


def _is_index(name: str) -> bool:
    return name.isascii() and name.isdigit() and str(int(name)) == name and int(name) < 2**32 - 1


def _details(content: bytes) -> Any:
    """Return what a failed answer says: its detail, else its message, else the body."""
    text = content.decode("utf-8-sig", "replace")
    try:
        parsed = decode(content)
    except (ValueError, RecursionError):
        return text
    if isinstance(parsed, dict):
        for name in ("detail", "message"):
            if parsed.get(name) is not None:
                return parsed[name]
    return text if parsed is None else parsed


def _readable(details: Any) -> str:
    """Return the reasons as a person reads them; problems of validation one by one."""
    if isinstance(details, list) and all(isinstance(item, Mapping) for item in details):
        said = [
            f"{'.'.join(str(part) for part in item.get('loc', ()))}: {item.get('msg')}"
            f" (it was {item.get('input')!r:.80})"
            for item in details
        ]
        return "; ".join(said)
    return details if isinstance(details, str) else _javascript(details)


def failure(
    operation: str, status: int, content: bytes, headers: Mapping[str, str]
) -> HindsightError:
    """Return the error that an answer with a failing status means."""
    details = _details(content)
    said = details if isinstance(details, str) else _javascript(details)
    reason = _readable(details)[:_MOST_SAID].rstrip(" .") or "no reason given"
    kind = _OF_STATUS.get(status) or (HindsightFailed if status >= 500 else HindsightRefused)
    way_out = _WAY_OUT.get(status, "")
    error = kind(
        f"{operation} failed with status {status}: {reason}. {way_out}".rstrip(),
        said=f"{operation} failed: {said}",
        status=status,
        details=details,
    )
    if isinstance(error, HindsightBusy):
        error.retry_after = _seconds(headers.get("retry-after"))
    return error


def _seconds(text: str | None) -> float | None:
    """Read a Retry-After header that counts seconds; dates are not used by this server."""
    try:
        return max(0.0, float(text)) if text else None
    except ValueError:
        return None


def timed_out(operation: str, seconds: float) -> HindsightTimeout:
    """Return the error of an answer that did not come in time."""
    said = f"{operation} request timed out after {int(seconds + 0.5)}s"
    return HindsightTimeout(
        f"{said} (given {seconds:g} s). Give it more: Hindsight(timeout=...), or the settings' "
        f"hindsight.*_timeout_ms; or ask for less.",
        said=said,
    )


def unreachable(operation: str, url: str, reason: str) -> HindsightUnreachable:
    """Return the error of a connection that was not made, or broke."""
    said = f"{operation} request failed: {reason}"
    return HindsightUnreachable(
        f"{said}. No whole answer came from {url}. Is the server up, and the address right? "
        "(`memlab hindsight status` for a local one.)",
        said=said,
    )
