"""``memlab verify``: does memlab recall what the real engine recalls?"""

from __future__ import annotations

import sys
from pathlib import Path

import click
from tqdm import tqdm

from ..mnemopi import Mnemopi
from ..mnemopi.verifying import Agreement, verify

__all__ = ["command"]


def _texts(cases: Path) -> list[str]:
    from ..evaluation import Cases

    return [case.query for case in Cases.load(cases) if case.query]


@click.command("verify")
@click.argument("bank", type=click.Path(path_type=Path))
@click.option("--name", help="The session to recall as; by default the bank's own.")
@click.option(
    "--cases",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A file of labelled cases, whose queries are asked.",
)
@click.option(
    "--queries",
    type=click.IntRange(min=1),
    default=200,
    show_default=True,
    help="Without --cases: how many queries to make from the bank's own words.",
)
@click.option("--seed", default=0, show_default=True, help="Other numbers make other queries.")
@click.option("--limit", type=int, default=8, show_default=True, help="Hits per query.")
@click.option("--now", help="The time both sides take for now, as 2026-03-01T12:00:00Z.")
def command(
    *,
    bank: Path,
    name: str | None,
    cases: Path | None,
    queries: int,
    seed: int,
    limit: int,
    now: str | None,
) -> None:
    """Compare memlab's recall with the real engine's on BANK, field by field.

    The engine works on a copy; BANK is only read. Ends with 1 if any query
    differs. `memlab engine install` brings the engine.
    """
    asked = queries if cases is None else _texts(cases)
    with Mnemopi(bank, bank=name) as opened:
        found = verify(
            opened, asked, seed=seed, limit=limit, now=now,
            progress=lambda texts: tqdm(texts, unit="query", file=sys.stderr, disable=None),
        )  # fmt: skip
    _say(found)


def _say(found: Agreement) -> None:
    click.echo(str(found))
    if not found.ok:
        click.echo(
            f"{len(found.differences)} differences in {found.asked - found.equal} queries. Please "
            "report them; until then do not trust memlab's numbers about this bank."
        )
        sys.exit(1)
