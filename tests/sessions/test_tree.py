"""The tree of a log: its path, its branches, and that nothing broken is lost or endless."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memlab.sessions.entry import Boundary, Entry
from memlab.sessions.tree import grow

NAMES = st.sampled_from(["a", "b", "c", "d", "e", "f", "gone", None])


def entry(name: str, parent: str | None, line: int = 1, **more: object) -> Entry:
    return Entry(line, "message", name, parent, None, shown=True, **more)  # type: ignore[arg-type]


def chain(*pairs: tuple[str, str | None]) -> list[Entry]:
    return [entry(name, parent, line) for line, (name, parent) in enumerate(pairs, start=1)]


def test_the_path_leads_from_the_last_entry_to_the_root() -> None:
    tree = grow(chain(("a", None), ("b", "a"), ("x", "b"), ("c", "b"), ("d", "c")))
    assert tree.path == (0, 1, 3, 4)
    assert tree.branch == (0, 0, 1, 0, 0)
    assert tree.branches == 2


def test_a_parent_may_come_after_its_child() -> None:
    tree = grow(chain(("b", "a"), ("a", None), ("c", "b")))
    assert tree.path == (1, 0, 2)
    assert tree.missing_parents == ()


def test_a_missing_parent_ends_the_path_and_is_named() -> None:
    tree = grow(chain(("a", "lost"), ("b", "a")))
    assert tree.path == (0, 1)
    assert tree.missing_parents == (0,)


def test_a_loop_is_cut_at_its_first_entry() -> None:
    tree = grow(chain(("a", "c"), ("b", "a"), ("c", "b")))
    assert tree.loops == (0,)
    assert tree.path == (0, 1, 2)
    assert grow(chain(("a", "a"))).loops == (0,)


def test_of_a_doubled_id_the_last_is_the_parent() -> None:
    tree = grow(chain(("a", None), ("a", None), ("b", "a")))
    assert tree.path == (1, 2)
    assert tree.duplicates == (1,)


def test_only_the_last_compaction_decides_what_is_in_context() -> None:
    entries = [
        entry("a", None),
        entry("b", "a"),
        entry("s1", "b", boundary=Boundary("compaction", "b")),
        entry("c", "s1"),
        entry("s2", "c", boundary=Boundary("compaction", "b")),
        entry("d", "s2"),
    ]
    seen = [e.id for e, is_seen in zip(entries, grow(entries).in_context, strict=True) if is_seen]
    assert seen == ["b", "c", "s2", "d"]


def test_a_reset_forgets_everything_before_it() -> None:
    entries = [
        entry("a", None),
        entry("r", "a", boundary=Boundary("reset"))._replace(shown=False),
        entry("b", "r"),
    ]
    assert grow(entries).in_context == (False, False, True)


def test_a_compaction_that_keeps_what_is_not_there_keeps_nothing() -> None:
    entries = [entry("a", None), entry("s", "a", boundary=Boundary("compaction", "lost"))]
    assert grow(entries).in_context == (False, True)


def test_what_joins_its_parent_is_no_branch_of_its_own() -> None:
    entries = [entry("a", None), entry("r", "a", joins=True), entry("b", "a"), entry("q", "b")]
    tree = grow(entries)
    assert tree.active == (True, True, True, True)
    assert tree.order == (0, 1, 2, 3)
    entries = [
        entry("b", "a"),
        entry("a", None),
        entry("r", "a", joins=True),
        entry("q", "r", joins=True),
    ]
    entries.append(entry("c", "b"))
    assert grow(entries).order == (1, 2, 3, 0, 4)


def test_an_empty_log_has_an_empty_tree() -> None:
    tree = grow([])
    assert (tree.path, tree.branches) == ((), 0)


@given(st.lists(st.tuples(NAMES.filter(bool), NAMES, st.booleans(), st.booleans()), max_size=14))
def test_any_parents_give_a_tree(rows: list[tuple[str, str | None, bool, bool]]) -> None:
    entries = [
        entry(name, parent, joins=joins, sidechain=aside) for name, parent, joins, aside in rows
    ]
    tree = grow(entries)
    size = len(entries)
    assert len(tree.active) == len(tree.branch) == len(tree.in_context) == size
    assert len(set(tree.path)) == len(tree.path)
    assert sorted(tree.order) == [place for place in range(size) if tree.active[place]]
    # Every entry belongs to a branch, and 0 is the active one.
    assert all(
        (number == 0) == active for number, active in zip(tree.branch, tree.active, strict=True)
    )
    assert set(tree.branch) == set(range(tree.branches)) or 0 not in tree.branch
    assert all(
        active or not seen for active, seen in zip(tree.active, tree.in_context, strict=True)
    )
