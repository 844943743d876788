"""A log as a tree: the active path, its branches, what the model still sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .entry import Entry

__all__ = ["Tree", "grow"]


@dataclass(frozen=True, slots=True)
class Tree:
    """The shape of a log. Places count entries from 0, in file order.

    ``path`` leads from its root to the leaf, which is the last entry of the file. ``order``
    is the talk: the path and the entries that join it, as they stand in the file, or where
    the path goes back in the file, behind their parents. ``branch`` is 0 for the active
    path, and for any other entry the number of the first leaf that leads to it.
    """

    order: tuple[int, ...]
    path: tuple[int, ...]
    active: tuple[bool, ...]
    in_context: tuple[bool, ...]
    branch: tuple[int, ...]
    missing_parents: tuple[int, ...] = ()
    duplicates: tuple[int, ...] = ()
    loops: tuple[int, ...] = ()

    @property
    def branches(self) -> int:
        """Return the number of branches, the active one included."""
        return max(self.branch, default=-1) + 1


def _parents(entries: Sequence[Entry]) -> tuple[list[int | None], list[int], list[int]]:
    """Return each entry's parent place, the entries whose parent is missing, and the doubles."""
    places: dict[str, int] = {}
    doubles = []
    for place, entry in enumerate(entries):
        if entry.id in places:
            doubles.append(place)
        places[entry.id] = place
    parents = [None if entry.parent is None else places.get(entry.parent) for entry in entries]
    missing = [
        place
        for place, entry in enumerate(entries)
        if entry.parent is not None and parents[place] is None
    ]
    return parents, missing, doubles


def _cut_loops(parents: list[int | None]) -> list[int]:
    """Make a root of one entry of each loop, the first in the file; return those."""
    state = [0] * len(parents)  # 0 not seen, 1 on this walk, 2 done
    roots = []
    for start in range(len(parents)):
        walk = []
        place: int | None = start
        while place is not None and state[place] == 0:
            state[place] = 1
            walk.append(place)
            place = parents[place]
        if place is not None and state[place] == 1:
            root = min(walk[walk.index(place) :])
            parents[root] = None
            roots.append(root)
        for seen in walk:
            state[seen] = 2
    return roots


def _path(leaf: int | None, parents: Sequence[int | None]) -> list[int]:
    path = []
    while leaf is not None:
        path.append(leaf)
        leaf = parents[leaf]
    return path[::-1]


def _leaf(entries: Sequence[Entry]) -> int | None:
    main = [place for place, entry in enumerate(entries) if not entry.sidechain]
    return main[-1] if main else (len(entries) - 1 if entries else None)


def _active(
    entries: Sequence[Entry], parents: Sequence[int | None], path: Sequence[int]
) -> tuple[list[bool], list[int]]:
    """Mark the path and what joins it; return the marks, and the places in order of the talk."""
    active = [False] * len(entries)
    for place in path:
        active[place] = True
    joined: dict[int | None, list[int]] = {}
    for place, entry in enumerate(entries):
        parent = parents[place]
        if entry.joins and not active[place] and (parent is None or active[parent]):
            active[place] = True
            joined.setdefault(parent, []).append(place)
    if path == sorted(path):
        return active, [place for place, is_active in enumerate(active) if is_active]
    order: list[int] = []
    stack = [*reversed([*joined.get(None, ()), *path])]
    while stack:
        place = stack.pop()
        order.append(place)
        stack.extend(reversed(joined.get(place, ())))
    return active, order


def _branches(
    parents: Sequence[int | None], active: Sequence[bool], inner: frozenset[int]
) -> list[int]:
    branch = [0 if is_active else -1 for is_active in active]
    count = 0
    for leaf in range(len(parents)):
        if active[leaf] or leaf in inner:
            continue
        count += 1
        place: int | None = leaf
        while place is not None and branch[place] < 0:
            branch[place] = count
            place = parents[place]
    return branch


def _context(entries: Sequence[Entry], order: Sequence[int]) -> list[bool]:
    """Mark what the model sees after the last compaction or reset of the active path."""
    at = {entries[place].id: step for step, place in enumerate(order)}
    start, last = 0, None
    for step, place in enumerate(order):
        boundary = entries[place].boundary
        if boundary is not None:
            kept = at.get(boundary.keep_from) if boundary.keep_from else None
            start, last = (step if kept is None else max(start, min(kept, step))), place
    seen = [False] * len(entries)
    for place in order[start:]:
        summed_up = entries[place].boundary is not None and place != last
        seen[place] = entries[place].shown and not summed_up
    return seen


def grow(entries: Sequence[Entry]) -> Tree:
    """Build the tree of a log's entries; whatever is broken is named in it, nothing is lost."""
    parents, missing, doubles = _parents(entries)
    loops = _cut_loops(parents)
    path = _path(_leaf(entries), parents)
    active, order = _active(entries, parents, path)
    inner = frozenset(parent for parent in parents if parent is not None)
    return Tree(
        order=tuple(order),
        path=tuple(path),
        active=tuple(active),
        in_context=tuple(_context(entries, order)),
        branch=tuple(_branches(parents, active, inner)),
        missing_parents=tuple(missing),
        duplicates=tuple(doubles),
        loops=tuple(loops),
    )
