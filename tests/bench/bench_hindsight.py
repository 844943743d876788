"""Figures of the Hindsight client on a real server, against a bare httpx loop in the same run.

python tests/bench/bench_hindsight.py            prints the figures, ends with exit code 1 above the limits

Limits: 2,000 memories listed to a frame within 2 s of what the server itself needs; recalls with
four in flight lose at most 5 % throughput. Rounds of both kinds take turns, and the medians are
compared, since client and server share the machine.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx

import memlab as ml
from memlab.hindsight import Hindsight

MEMORIES = 2_000
RECALLS = 100
IN_FLIGHT = 4
CHUNK = 20
MOST_EXTRA_SECONDS = 2.0
MOST_LOSS = 0.05
WORDS = (
    "kettle",
    "garden",
    "deploy",
    "parcel",
    "valve",
    "feed",
    "queue",
    "sensor",
    "index",
    "shed",
)


def say(line: str) -> None:
    """Show a figure."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def fill(bank: Hindsight, count: int) -> None:
    """Bring invented facts in, as one document."""
    facts = [
        {"text": f"Note {n}: the {WORDS[n % 10]} near the {WORDS[n // 10 % 10]} was checked {n} times.",
         "mentioned_at": f"2026-0{1 + n % 9}-{1 + n % 28:02}T09:00:00Z"}
        for n in range(count)
    ]  # fmt: skip
    bank.create_bank(enable_observations=False)
    bank.import_facts([{"id": "notes", "facts": facts}])


def timed(call: Callable[[], Any]) -> float:
    """Seconds of one call."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def listing(bank: Hindsight, plain: httpx.Client, rounds: int) -> tuple[float, float]:
    """Median seconds for all memories: bare pages, and to a frame."""
    where = f"/v1/default/banks/{bank.bank}/memories/list"

    def bare() -> None:
        for offset in range(0, MEMORIES, 1000):
            plain.get(where, params={"limit": 1000, "offset": offset}).raise_for_status()

    def frame() -> None:
        found = bank.memories(progress=False).frame()
        if len(found) != MEMORIES or found["id"].nunique() != MEMORIES:
            raise SystemExit(f"{len(found)} memories instead of {MEMORIES}")

    pairs = [(timed(bare), timed(frame)) for _ in range(rounds)]
    return statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs)


def recalls(bank: Hindsight, plain: httpx.Client, rounds: int) -> float:
    """The share of throughput that memlab loses with four in flight: the median of the rounds."""
    where = f"/v1/default/banks/{bank.bank}/memories/recall"
    queries = [f"which {WORDS[n % 10]} near the {WORDS[n // 10]}?" for n in range(RECALLS)]
    at = "2026-11-02T09:00:00Z"

    def bare(query: str) -> int:
        body = {"query": query, "budget": "mid", "max_tokens": 1024,
                "types": ["world", "experience"], "query_timestamp": at}  # fmt: skip
        return len(plain.post(where, json=body).json()["results"])

    def ours(query: str) -> int:
        return len(bank.recall(query, query_timestamp=at))

    def spent(ask: Callable[[str], int], some: list[str]) -> tuple[float, float]:
        """Seconds, and seconds of this process's own CPU."""
        cpu = time.process_time()
        with ThreadPoolExecutor(IN_FLIGHT) as pool:
            seconds = timed(lambda: list(pool.map(ask, some)))
        return seconds, time.process_time() - cpu

    spent(bare, queries)
    ratios = []
    sums: dict[Callable[[str], int], list[float]] = {bare: [0.0, 0.0], ours: [0.0, 0.0]}
    for number in range(rounds):
        wall = {bare: 0.0, ours: 0.0}
        for start in range(0, RECALLS, CHUNK):  # small turns: the machine's load drifts
            for ask in (bare, ours) if (start // CHUNK + number) % 2 else (ours, bare):
                seconds, cpu = spent(ask, queries[start : start + CHUNK])
                wall[ask] += seconds
                sums[ask][0] += seconds
                sums[ask][1] += cpu
        ratios.append(wall[bare] / wall[ours])
    count = RECALLS * rounds
    for name, ask in (("bare", bare), ("memlab", ours)):
        seconds, cpu = sums[ask]
        say(f"recalls, {IN_FLIGHT} in flight, {name}: {count / seconds:.1f} per second, "
            f"{cpu * 1000 / count:.1f} ms of CPU each")  # fmt: skip
    say("loss per round: " + ", ".join(f"{1 - ratio:.1%}" for ratio in ratios))
    return 1 - statistics.median(ratios)


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    with (
        ml.hindsight.local(f"bench-{uuid.uuid4().hex[:8]}", name="bench", wipe=True) as bank,
        httpx.Client(base_url=bank.url, timeout=60, trust_env=False) as plain,
    ):
        say(f"{MEMORIES} memories imported in {timed(lambda: fill(bank, MEMORIES)):.1f} s")
        bare, frame = listing(bank, plain, rounds)
        say(f"listing: bare {bare:.2f} s, to a frame {frame:.2f} s, {frame - bare:+.2f} s")
        loss = recalls(bank, plain, rounds)
        say(f"loss of throughput: {loss:.1%}")
    return 0 if frame - bare < MOST_EXTRA_SECONDS and loss <= MOST_LOSS else 1


if __name__ == "__main__":
    sys.exit(main())
