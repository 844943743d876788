"""Record the sample world on a real Hindsight server of one's own.

python data/record_hindsight.py           writes recordings/world.jsonl
python data/record_hindsight.py --check   asks a fresh server the recorded questions; exit code 1
                                          if it finds other memories

Memories of equal rank come in an order of their own on each server, since the server names them
at random. So two recordings differ in places, and with them what a cap lets through.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import memlab as ml
from memlab.hindsight import Hindsight

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from making.hindsight import BANK, ask, world  # noqa: E402

UNCAPPED = 4096  # more tokens than any of the recorded questions finds
TAPE = HERE / "recordings" / "world.jsonl"


@contextmanager
def filled() -> Iterator[Hindsight]:
    """A fresh server with the world in its bank."""
    with ml.hindsight.local(BANK, name="recording", wipe=True) as bank:
        bank.create_bank(enable_observations=False)
        bank.import_facts(*world(HERE / "banks"))
        yield bank


def write() -> int:
    """Ask every question once, and keep the answers."""
    cases = list(ml.Cases.load(HERE / "cases" / "world.jsonl"))
    with filled() as bank, Hindsight(BANK, url=bank.url, token="", record=TAPE) as recorded:
        ask(recorded, cases)
    lines = TAPE.read_text("utf-8").splitlines()
    print(f"{len(lines)} exchanges, {TAPE.stat().st_size / 1e6:.1f} MB in {TAPE.name}")
    return 0


def recalled(answer: dict[str, Any]) -> set[str]:
    """What came back, by names that are the same on every server."""
    return {one["document_id"] or one["text"] for one in answer["results"]}


def check() -> int:
    """Compare what is recalled where no cap decides."""
    wrong = 0
    tape = [json.loads(line) for line in TAPE.read_text("utf-8").splitlines()]
    with filled() as bank:
        for one in tape:
            request = one["request"]
            if not request["path"].endswith("/recall") or request["body"]["max_tokens"] < UNCAPPED:
                continue
            fresh = bank._send(
                "recall", "POST", request["path"], body=request["body"], clock="recall"
            )
            if recalled(fresh.data) != recalled(one["answer"]["json"]):
                wrong += 1
                print(f"other memories for {json.dumps(request['body'], ensure_ascii=False)}")
    print(f"{wrong} answers differ" if wrong else "the recording is what a fresh server recalls")
    return 1 if wrong else 0


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    return check() if parser.parse_args().check else write()


if __name__ == "__main__":
    sys.exit(main())
