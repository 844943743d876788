"""How well a piece of a log explains a piece of a memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import fsum, log1p

from .pieces import Piece, Said

__all__ = ["Match", "Matcher"]

SESSION, CWD, TIME = 0.6, 0.1, 0.3
"""Shares of the circumstances in a confidence; with none of them it is 40 % of the overlap."""

TEXT_ALONE = 0.4
HALF_MINUTES = 30.0
RAREST = 12
"""Words by which pieces of unknown sessions are looked for."""


@dataclass(frozen=True)
class Match:
    """A piece of a log beside a piece of a memory.

    ``overlap`` is the share of the memory's distinct words that the log has, each word
    weighed by its rarity in the logs; ``minutes`` how long before the memory it was said,
    None where a time is unknown.
    """

    piece: Piece
    said: Said
    overlap: float
    same_session: bool
    same_cwd: bool
    minutes: float | None

    @property
    def confidence(self) -> float:
        """Return overlap x (0.4 + 0.6 x circumstances), from 0 to 1.

        Circumstances: 0.6 for the session, 0.1 for the directory, 0.3 for the time (whole
        at once, half after 30 minutes, none for what was said later).
        """
        near = 0.0
        if self.minutes is not None and self.minutes >= -1:
            near = 0.5 ** (max(self.minutes, 0.0) / HALF_MINUTES)
        around = SESSION * self.same_session + CWD * self.same_cwd + TIME * near
        return self.overlap * (TEXT_ALONE + (1 - TEXT_ALONE) * around)


def _is_same(piece: Piece, said: Said) -> bool:
    """A source id may be a session id with more behind it."""
    return any(
        name == said.session or name.startswith(f"{said.session}-") for name in piece.sessions
    )


class Matcher:
    """Finds the pieces of a log that share words with a piece of a memory."""

    def __init__(self, said: Iterable[Said]) -> None:
        """Index the pieces by their words and sessions."""
        self.said = list(said)
        self._by_word: defaultdict[str, list[int]] = defaultdict(list)
        self._by_session: defaultdict[str, list[int]] = defaultdict(list)
        for place, piece in enumerate(self.said):
            self._by_session[piece.session].append(place)
            for word in piece.words:
                self._by_word[word].append(place)

    def _weight(self, words: Iterable[str]) -> float:
        """Weigh words by their rarity: log(1 + pieces / pieces with the word).

        The sum is rounded once, so that it does not depend on the order of the words.
        """
        size = len(self.said)
        return fsum(log1p(size / max(len(self._by_word.get(word, ())), 1)) for word in words)

    def _candidates(self, piece: Piece) -> set[int]:
        known = [word for word in piece.words if word in self._by_word]
        rarest = sorted(known, key=lambda word: (len(self._by_word[word]), word))[:RAREST]
        places = {place for word in rarest for place in self._by_word[word]}
        for name in piece.sessions:
            places.update(self._by_session.get(name, ()))
        return places

    def matches(self, piece: Piece) -> Iterator[Match]:
        """Yield the matches of a piece; those without a common word are none."""
        whole = self._weight(piece.words)
        for place in self._candidates(piece):
            said = self.said[place]
            shared = piece.words & said.words
            if shared:
                yield _match(piece, said, self._weight(shared) / whole)

    def best(self, piece: Piece) -> Match | None:
        """Return the best match: the highest confidence, of equals the earlier line."""
        return max(
            self.matches(piece),
            key=lambda match: (match.confidence, -match.said.place),
            default=None,
        )

    def remembered(self, pieces: Sequence[Piece]) -> dict[int, tuple[float, Piece]]:
        """Return for each place of a log the piece of memory that keeps most of its words."""
        kept: dict[int, tuple[float, Piece]] = {}
        for piece in pieces:
            for match in self.matches(piece):
                said = match.said
                share = self._weight(piece.words & said.words) / self._weight(said.words)
                if share > kept.get(said.place, (0.0, piece))[0]:
                    kept[said.place] = (share, piece)
        return kept


def _match(piece: Piece, said: Said, overlap: float) -> Match:
    minutes = None
    if piece.time is not None and said.time is not None:
        minutes = (piece.time - said.time).total_seconds() / 60
    same_cwd = piece.cwd is not None and piece.cwd == said.cwd
    return Match(piece, said, overlap, _is_same(piece, said), same_cwd, minutes)
