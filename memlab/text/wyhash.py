"""The hash that the agent names its banks by: wyhash, final version 4, seed 0.

A 64-bit hash of a text's UTF-8 bytes, printed in base 36. Checked against the
agent's runtime on texts of every length up to 140 bytes and on random ones.
"""

from __future__ import annotations

from .javascript import well_formed

__all__ = ["base36", "hash36", "wyhash"]

_MASK = (1 << 64) - 1
_S0 = 0xA0761D6478BD642F
_S1 = 0xE7037ED1A0B428DB
_S2 = 0x8EBC6AF09C88C6E3
_S3 = 0x589965CC75374CC3
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def _mix(left: int, right: int) -> int:
    """Multiply to 128 bits and fold the halves."""
    product = left * right
    return (product & _MASK) ^ (product >> 64)


def _short(data: bytes) -> tuple[int, int]:
    """Return the two words of up to 16 bytes."""
    size = len(data)
    if size == 0:
        return 0, 0
    if size < 4:
        return data[0] << 16 | data[size >> 1] << 8 | data[-1], 0

    def read(at: int) -> int:
        return int.from_bytes(data[at : at + 4], "little")

    step = (size >> 3) << 2
    return read(0) << 32 | read(step), read(size - 4) << 32 | read(size - 4 - step)


def _long(data: bytes, seed: int) -> tuple[int, int, int]:
    """Fold all but the end of more than 16 bytes into the seed; return it with the last two words."""
    size, at = len(data), 0

    def read(place: int) -> int:
        return int.from_bytes(data[place : place + 8], "little")

    if size >= 48:
        first = second = third = seed
        while at + 48 < size:
            first = _mix(read(at) ^ _S1, read(at + 8) ^ first)
            second = _mix(read(at + 16) ^ _S2, read(at + 24) ^ second)
            third = _mix(read(at + 32) ^ _S3, read(at + 40) ^ third)
            at += 48
        seed = first ^ second ^ third
    while at + 16 < size:
        seed = _mix(read(at) ^ _S1, read(at + 8) ^ seed)
        at += 16
    return seed, read(size - 16), read(size - 8)


def wyhash(text: str) -> int:
    """Return the 64-bit hash of a text; lone surrogates count as U+FFFD, as in the runtime."""
    data = well_formed(text).encode("utf-8")
    seed = _mix(_S0, _S1)
    if len(data) <= 16:
        left, right = _short(data)
    else:
        seed, left, right = _long(data, seed)
    product = (left ^ _S1) * (right ^ seed)
    return _mix((product & _MASK) ^ _S0 ^ len(data), (product >> 64) ^ _S1)


def base36(number: int) -> str:
    """Print a number that is not negative in base 36: digits, then small letters."""
    digits = ""
    while number >= 36:
        number, rest = divmod(number, 36)
        digits = _DIGITS[rest] + digits
    return _DIGITS[number] + digits


def hash36(text: str) -> str:
    """Return the hash of a text in base 36."""
    return base36(wyhash(text))
