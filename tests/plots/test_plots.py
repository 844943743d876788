"""Pictures, by what is drawn and not by their pixels."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from matplotlib import pyplot as plt

from memlab import RR, Case, Cases, R, compare, evaluate, plot, sweep
from memlab.errors import InputError, RecallTimeout
from tests.evaluation.fakes import Fixed, memory

CASES = Cases(Case(str(n), str(n), {"m1": 1}, f"group {n % 3}") for n in range(12))
FOUND = {str(n): ["x", "m1"] if n % 3 else ["m1"] for n in range(12)}


@pytest.fixture(autouse=True)
def agg() -> Iterator[None]:
    plt.switch_backend("agg")
    yield
    plt.close("all")


def backend(**changes: object) -> Fixed:
    return Fixed(FOUND | changes, [memory("m1")])  # type: ignore[arg-type]


def test_an_evaluation() -> None:
    ax = plot(evaluate(backend(), CASES, [RR], label="mine"))
    assert [text.get_text() for text in ax.get_yticklabels()] == ["group 2", "group 1", "group 0"]
    assert [bar.get_width() for bar in ax.patches] == [0.5, 0.5, 1.0]
    assert [text.get_text() for text in ax.texts] == ["0.50  (n=4)", "0.50  (n=4)", "1.00  (n=4)"]
    assert ax.get_xlabel() == "mean RR"
    assert ax.get_title(loc="left") == "mine"


def test_failures_are_in_the_title() -> None:
    ax = plot(evaluate(backend(**{"0": RecallTimeout("t")}), CASES, [RR], label="mine"))
    assert ax.get_title(loc="left") == "mine: 1 of 12 cases failed"
    assert ax.texts[-1].get_text() == "1.00  (n=3)"


def test_only_cases_with_a_value_are_counted() -> None:
    """A group may hold null cases and unlabelled ones beside those that the mean is over."""
    mixed = Cases([*CASES, Case("null", "?", {}, "group 0"), Case("open", "!", None, "group 0")])
    ax = plot(evaluate(backend(), mixed, [RR, "Injected"]))
    assert ax.texts[-1].get_text() == "1.00  (n=4)"
    ax = plot(evaluate(backend(), mixed, [RR, "Injected"]), "Injected")
    assert [text.get_text() for text in ax.texts] == ["0.00  (n=1)"]


def test_by_where_memories_lie() -> None:
    ax = plot(evaluate(backend(), CASES, [RR]), by="tier")
    assert [text.get_text() for text in ax.texts] == ["1.00  (n=12)"]
    assert ax.get_xlabel() == "share of relevant memories found, by tier"


def test_on_axes_of_ones_own() -> None:
    _, mine = plt.subplots()
    assert plot(evaluate(backend(), CASES, [RR]), ax=mine) is mine


def test_a_sweep_as_lines() -> None:
    grid = sweep(backend(), CASES, [R @ 8, RR], cache=None, grid=[{"limit": [2, 1]}, {"limit": 8}])
    ax = plot(grid, "R@8", x="limit")
    (line,) = ax.lines
    assert [text.get_text() for text in ax.get_xticklabels()] == ["1", "2", "8"]
    assert list(line.get_ydata()) == [pytest.approx(1 / 3), 1.0, 1.0]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("limit", "mean R@8")
    with pytest.raises(InputError, match="'turns' was not varied. Varied: limit"):
        plot(grid, x="turns")
    with pytest.raises(InputError, match="x and by are both 'limit'"):
        plot(grid, x="limit", by="limit")
    with pytest.raises(InputError, match="Nothing was varied"):
        plot(sweep(backend(), CASES, [RR], cache=None, limit=1))


def test_a_sweep_against_its_price() -> None:
    grid = sweep(backend(), CASES, [R @ 8], cache=None, limit=[1, 2, 3])
    ax = plot(grid, x="Tokens")
    beaten, best = ax.lines
    assert len(beaten.get_xdata()) == 3
    assert list(best.get_ydata()) == sorted(best.get_ydata())


def test_a_line_for_each_value_of_another() -> None:
    from memlab import Mnemopi
    from memlab.sample import sample_world

    world = sample_world()
    with Mnemopi(world.database) as bank:
        grid = sweep(
            bank, Cases.load(world.cases).filter(bank="team"), [R @ 8], cache=None, now=world.now,
            limit=[1, 4], mmr_lambda=[0.5, 1.0], token_limit=[60, 0],
        )  # fmt: skip
    ax = plot(grid, "R@8", x="limit", by="token_limit")
    assert [line.get_label() for line in ax.lines] == ["token_limit=0", "token_limit=60"]
    assert ax.get_title(loc="left") == "best over mmr_lambda"


def test_a_comparison() -> None:
    one = evaluate(backend(), CASES, [RR, "Tokens"], label="one")
    other = evaluate(Fixed({}, [memory("m1")]), CASES, [RR, "Tokens"], label="other")
    ax = plot(compare(one, other))
    assert [text.get_text() for text in ax.get_yticklabels()] == ["RR  (n=12)"]
    assert ax.get_title(loc="left") == "one → other"
    groups = plot(compare(one, other), "RR")
    names = [text.get_text() for text in groups.get_yticklabels()]
    assert names == ["group 2  (n=4)", "group 1  (n=4)", "group 0  (n=4)", "all  (n=12)"]
    with pytest.raises(InputError, match="The comparison has no AP. It has: RR, Tokens"):
        plot(compare(one, other), "AP")


def test_what_has_no_picture() -> None:
    with pytest.raises(InputError, match=r"no picture of a int. There is one of: .*Evaluation"):
        plot(5)
    with pytest.raises(InputError, match="The run has no AP. It has: RR"):
        plot(evaluate(backend(), CASES, [RR]), "AP")
