"""The few parts of the protobuf wire format that an ONNX file needs.

A message is its fields one after the other; a field is a key (number and wire
type) and a value: an integer of variable length, four bytes of a float, or a
length and that many bytes.
"""

from __future__ import annotations

import struct

__all__ = ["blob", "integer", "real"]

_VARINT, _BYTES, _FLOAT = 0, 2, 5
_WORD = (1 << 64) - 1


def _varint(value: int) -> bytes:
    rest = value & _WORD
    out = bytearray()
    while rest > 0x7F:
        out.append(rest & 0x7F | 0x80)
        rest >>= 7
    out.append(rest)
    return bytes(out)


def _key(field: int, wire: int) -> bytes:
    return _varint(field << 3 | wire)


def integer(field: int, value: int) -> bytes:
    """Return an integer field."""
    return _key(field, _VARINT) + _varint(value)


def real(field: int, value: float) -> bytes:
    """Return a float field, 32 bits."""
    return _key(field, _FLOAT) + struct.pack("<f", value)


def blob(field: int, value: bytes | str) -> bytes:
    """Return a field of bytes, of text, or of a message within the message."""
    data = value.encode() if isinstance(value, str) else value
    return _key(field, _BYTES) + _varint(len(data)) + data
