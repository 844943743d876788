"""Check what becomes part of an address, before an address is made of it.

An HTTP client resolves dots in a path: a request to delete the document ``..``
would delete the bank. So nothing goes into a path that could change its meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import quote

from ..errors import InputError

__all__ = ["bank_id", "document_id", "name_id", "path", "tag_list", "uuid"]

_MOST_BYTES = 192
_MOST_DOCUMENT = 3_000
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_UNESCAPED = "!~*'()"
"""What JavaScript's encodeURIComponent leaves as it is, beyond letters, digits and -._"""


def _plain(kind: str, value: object, most: int) -> str:
    if not isinstance(value, str) or not value:
        raise InputError(f"{value!r} is no {kind} id; an id is text and not empty.")
    if value in (".", ".."):
        raise InputError(
            f"{value!r} cannot be a {kind} id: in an address it means another place, and a "
            "request about it would reach something else."
        )
    if found := _CONTROL.search(value):
        raise InputError(
            f"The {kind} id {value!r:.80} has the control character {found[0]!r} in it."
        )
    if (size := len(value.encode())) > most:
        raise InputError(f"The {kind} id {value!r:.40} has {size} bytes; {most} are the most.")
    return value


def bank_id(value: object) -> str:
    """Return a bank's id, or raise InputError for one that cannot be asked for safely.

    1 to 192 bytes of UTF-8, no control characters, no ``/`` (the server cannot
    be asked for such a bank), no leading ``_``, not ``.`` or ``..``.
    """
    plain = _plain("bank", value, _MOST_BYTES)
    if "/" in plain:
        raise InputError(
            f"The bank id {plain!r} has a / in it: the server cannot be asked for such a bank."
        )
    if plain.startswith("_"):
        raise InputError(f"The bank id {plain!r} begins with _; the server keeps these for itself.")
    return plain


def document_id(value: object) -> str:
    """Return a document's id, or raise InputError.

    A ``/`` is allowed, but no part between two may be empty, ``.`` or ``..``, nor
    the last one the name of another route (``chunks``, ``history``, ``reprocess``).
    """
    plain = _plain("document", value, _MOST_DOCUMENT)
    parts = plain.split("/")
    if len(parts) > 1 and any(part in ("", ".", "..") for part in parts):
        raise InputError(f"The document id {plain!r} cannot be asked for: it reads as a path.")
    if len(parts) > 1 and parts[-1] in ("chunks", "history", "reprocess"):
        raise InputError(
            f"The document id {plain!r} cannot be asked for: the server takes {parts[-1]!r} at "
            "its end for another question."
        )
    return plain


def name_id(kind: str, value: object) -> str:
    """Return the id of something else that is named freely, such as a mental model."""
    plain = _plain(kind, value, _MOST_BYTES)
    if "/" in plain:
        raise InputError(f"The {kind} id {plain!r} has a / in it and cannot be asked for.")
    return plain


def uuid(kind: str, value: object) -> str:
    """Return an id that the server makes, or raise InputError."""
    if not isinstance(value, str) or not _UUID.fullmatch(value):
        raise InputError(
            f"{value!r:.80} is no {kind} id. Ids of this kind look like "
            "4af5c830-0000-4000-8000-000000000000; lists show them."
        )
    return value.lower()


def tag_list(tags: Iterable[str] | None) -> list[str] | None:
    """Return tags as a list, None where there are none.

    Raises InputError for a text: it would be taken letter by letter.
    """
    if tags is None:
        return None
    found = [] if isinstance(tags, str) else list(tags)
    if isinstance(tags, str) or not all(isinstance(tag, str) for tag in found):
        raise InputError(f"tags={tags!r:.80}: give a list of texts, like ['project:dispatch'].")
    return found


def path(*parts: str) -> str:
    """Join checked ids and fixed words to a path below the banks; every part is escaped."""
    return "/v1/default/banks" + "".join(f"/{quote(part, safe=_UNESCAPED)}" for part in parts)
