"""Fresh random recalls on fresh random banks, asked of memlab and of the live engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memlab.errors import InvalidTime
from memlab.mnemopi.snapshot import Snapshot
from tests.golden_data import answer
from tests.parity.banks import KINDS, make_bank
from tests.parity.engine import answers, engine
from tests.parity.queries import Request, make_queries

pytestmark = pytest.mark.engine
QUERIES_PER_BANK = 250


def _request(request: Request, bank: str) -> dict[str, Any]:
    return {
        "op": request.op,
        "bank": bank,
        "session": request.session,
        "now": request.now,
        "args": {"query": request.query, "topK": request.topK, "options": request.options},
    }


def _difference(ours: list[dict[str, Any]], theirs: list[dict[str, Any]]) -> str:
    """Say where two answers part: the first hit and field that differ."""
    for place, (mine, real) in enumerate(zip(ours, theirs, strict=False)):
        fields = sorted(set(mine) | set(real))
        if parted := [n for n in fields if mine.get(n, "absent") != real.get(n, "absent")]:
            shown = {name: (mine.get(name, "absent"), real.get(name, "absent")) for name in parted}
            return f"hit {place}: {shown!a:.1500}"
    return f"{len(ours)} hits instead of {len(theirs)}"


@pytest.mark.parametrize("kind", KINDS)
def test_every_recall_equals_the_engines(kind: str, seed: int, tmp_path: Path) -> None:
    real = engine()
    info = make_bank(real, tmp_path / "bank.db", seed, kind)
    ours = Snapshot(info.path)
    different, failed, hits = [], 0, 0
    for request, wanted in answers(real, info, make_queries(seed, QUERIES_PER_BANK, info)):
        asked = _request(request, info.bank)
        try:
            got = answer(asked, ours)
        except InvalidTime as error:
            failed += 1
            if wanted["ok"] or wanted["error"]["message"] != str(error):
                different.append((asked, repr(error), wanted))
            continue
        if not wanted["ok"]:
            different.append((asked, "no error", wanted["error"]))
        elif got != (theirs := wanted["result"]):
            different.append((asked, _difference(got, theirs), len(theirs)))
        hits += len(got)
    assert not different, f"{len(different)} of {QUERIES_PER_BANK} differ: {different[:3]!a:.6000}"
    assert hits > QUERIES_PER_BANK // 2, "the random queries found next to nothing"
