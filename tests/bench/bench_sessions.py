"""Session search at size: a gigabyte of made-up logs indexed, synced, searched, with grep beside it.

python tests/bench/bench_sessions.py [--megabytes 1000] [--folder PLACE]

Prints what was measured on this machine and ends with exit code 1 where a figure is
worse than it has to be. It is no part of the tests: it takes some minutes and 2 GB of disk.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from memlab.sessions import SessionIndex

SEED = 20260105
MIN_RATE, MAX_SYNC, MAX_P50, MAX_MEMORY = 25.0, 0.3, 10.0, 500.0
LOGS_PER_GIGABYTE = 2000
MIN_DOCS = 200_000


class Words:
    """Running text of 60,000 words, common and rare as in real texts."""

    def __init__(self, seed: int) -> None:
        rnd = random.Random(seed)
        common = [
            "the",
            "of",
            "to",
            "a",
            "in",
            "is",
            "and",
            "it",
            "for",
            "on",
            "that",
            "with",
            "as",
        ]
        made = (self._word(rnd) for _ in range(60_000))
        self.vocabulary = list(dict.fromkeys([*common, *made]))
        weights = 1 / np.arange(1, len(self.vocabulary) + 1)
        chosen = np.random.default_rng(seed).choice(
            len(self.vocabulary), size=6_000_000, p=weights / weights.sum()
        )
        self._stream = [self.vocabulary[place] for place in chosen]
        self._place = 0

    @staticmethod
    def _word(rnd: random.Random) -> str:
        parts = (
            rnd.choice("bcdfghjklmnprstvw") + rnd.choice("aeiou") for _ in range(rnd.randint(1, 5))
        )
        return "".join(parts) + rnd.choice(["", "n", "r", "s", "_id", ".py"])

    def take(self, count: int) -> str:
        if self._place + count > len(self._stream):
            self._place = count % 997
        start, self._place = self._place, self._place + count
        return " ".join(self._stream[start : self._place])


def log(words: Words, rnd: random.Random, number: int, size: int) -> str:
    """One log of pi of about this many bytes: prompts, thoughts, tool calls, results, replies."""
    name = f"{rnd.getrandbits(128):032x}"
    day = f"2026-{number % 12 + 1:02}-{number % 28 + 1:02}"
    header = {"type": "session", "version": 3, "id": name, "timestamp": f"{day}T09:00:00.000Z"}
    lines = [json.dumps({**header, "cwd": f"/home/ana/project-{number % 20}"})]
    parent: str | None = None
    total = seconds = 0

    def add(message: dict[str, Any]) -> None:
        nonlocal parent, total, seconds
        key = f"{rnd.getrandbits(32):08x}"
        seconds += 7
        stamp = f"{day}T{9 + seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.000Z"
        row = {"type": "message", "id": key, "parentId": parent, "timestamp": stamp}
        lines.append(json.dumps({**row, "message": message}, separators=(",", ":")))
        parent, total = key, total + len(lines[-1]) + 1

    def text(count: int) -> list[dict[str, Any]]:
        return [{"type": "text", "text": words.take(count)}]

    while total < size:
        add({"role": "user", "content": text(rnd.randint(5, 80))})
        for _ in range(rnd.randint(1, 6)):
            blocks = text(rnd.randint(5, 120)) if rnd.random() < 0.6 else []
            if rnd.random() < 0.2:
                blocks.append({"type": "thinking", "thinking": words.take(60)})
            arguments = {"command": words.take(12)}
            blocks.append(
                {"type": "toolCall", "id": f"c{total}", "name": "bash", "arguments": arguments}
            )
            usage = {"input": 10, "output": 20, "cacheRead": 30, "cacheWrite": 1}
            add({"role": "assistant", "content": blocks, "model": "m", "usage": usage})
            result = text(int(rnd.lognormvariate(5.3, 1.2)) + 3)
            add(
                {
                    "role": "toolResult",
                    "toolCallId": f"c{total}",
                    "toolName": "bash",
                    "content": result,
                }
            )
        add({"role": "assistant", "content": text(rnd.randint(20, 200)), "model": "m"})
    return "\n".join([*lines, ""])


def make_logs(folder: Path, megabytes: float) -> tuple[Words, int]:
    """Write the logs; return their words and their size in bytes."""
    words, rnd = Words(SEED), random.Random(SEED)
    count = max(1, round(LOGS_PER_GIGABYTE * megabytes / 1000))
    total = 0
    for number in range(count):
        place = folder / f"--home-ana-project-{number % 20}--" / f"{number:05}.jsonl"
        place.parent.mkdir(parents=True, exist_ok=True)
        total += place.write_text(log(words, rnd, number, round(megabytes * 1e6 / count)))
    return words, total


def queries(words: Words, rnd: random.Random) -> Iterator[str]:
    """Queries as people ask them: rare words, questions full of common ones, parts of words."""
    rare = len(words.vocabulary)
    for _ in range(40):
        yield words.vocabulary[rnd.randrange(200, rare)]
        yield words.take(rnd.randint(2, 6))
        yield f"what is the {words.vocabulary[rnd.randrange(1000, rare)]} of this"
        yield words.vocabulary[rnd.randrange(1000, rare)][1:-1] + "zq"


def measure(index: SessionIndex, asked: list[str], **options: Any) -> list[float]:
    times = []
    for query in asked:
        start = time.perf_counter()
        index.search(query, **options)
        times.append((time.perf_counter() - start) * 1000)
    return sorted(times)


def grep(folder: Path, asked: list[str]) -> list[float]:
    """The same queries for the plain text, by grep."""
    times = []
    for query in asked:
        start = time.perf_counter()
        subprocess.run(["grep", "-rlF", query, str(folder)], capture_output=True, check=False)
        times.append((time.perf_counter() - start) * 1000)
    return sorted(times)


def shown(times: list[float]) -> str:
    rank = {share: times[min(len(times) - 1, int(len(times) * share))] for share in (0.9, 0.99)}
    return f"p50 {statistics.median(times):8.2f}  p90 {rank[0.9]:8.2f}  p99 {rank[0.99]:8.2f} ms"


def memory() -> float:
    """The most memory this process had so far, in MB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e6 if sys.platform == "darwin" else 1e3)


def run(folder: Path, megabytes: float) -> list[str]:
    """Measure, print, and return what was worse than it has to be."""
    logs, place = folder / "logs", folder / "logs.index"
    words, size = make_logs(logs, megabytes)
    files = len(list(logs.rglob("*.jsonl")))
    say(f"logs            {size / 1e6:,.0f} MB in {files:,} files")
    say(f"load            {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    # The generator's own words are no part of the index's memory: a fresh process indexes.
    code = (
        "import sys, time; from memlab.sessions import SessionIndex; t = time.perf_counter(); "
        "i = SessionIndex.build(sys.argv[1], sys.argv[2], max_docs=float('inf')); "
        "import resource; print(time.perf_counter() - t, time.process_time(), "
        "resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    out = subprocess.run(
        [sys.executable, "-c", code, str(logs), str(place)],
        capture_output=True,
        text=True,
        check=True,
    )
    seconds, cpu, peak = (float(value) for value in out.stdout.split())
    rate, used = size / 1e6 / seconds, peak / (1e6 if sys.platform == "darwin" else 1e3)
    say(
        f"first index     {seconds:.1f} s, {rate:.1f} MB/s, {cpu:.1f} s of CPU, {used:.0f} MB of memory"
    )
    with SessionIndex.open(place) as index:
        docs = index.report.documents
        say(f"index           {docs:,} messages, {place.stat().st_size / 1e6:,.0f} MB on disk")
        syncs = sorted(index.sync().seconds for _ in range(5))
        say(f"sync, no change {syncs[2]:.3f} s for {files:,} files")
        start = time.perf_counter()
        index.search("warm")
        say(f"first search    {(time.perf_counter() - start) * 1000:.0f} ms")
        asked = list(queries(words, random.Random(SEED)))
        pify, bm25 = measure(index, asked), measure(index, asked, ranking="bm25")
        say(f"search pify     {shown(pify)}")
        say(f"search bm25     {shown(bm25)}")
        say(f"grep            {shown(grep(logs, asked[:8]))}")
        changed = next(iter(logs.rglob("*.jsonl")))
        with changed.open("a") as file:
            file.write(json.dumps({"role": "user", "content": "one line more"}) + "\n")
        say(f"sync, one file  {index.sync().seconds:.3f} s")
    say(f"memory          {used:.0f} MB to build, {memory():.0f} MB to search (with the generator)")
    wrong = {
        f"first index {rate:.1f} MB/s < {MIN_RATE}": rate < MIN_RATE,
        f"sync {syncs[2]:.3f} s > {MAX_SYNC}": syncs[2] > MAX_SYNC,
        f"pify p50 {statistics.median(pify):.2f} ms > {MAX_P50}": statistics.median(pify) > MAX_P50,
        f"bm25 p50 {statistics.median(bm25):.2f} ms > {MAX_P50}": statistics.median(bm25) > MAX_P50,
        f"memory {used:.0f} MB > {MAX_MEMORY}": used > MAX_MEMORY,
        f"only {docs:,} messages": megabytes >= 1000 and docs < MIN_DOCS,
    }
    return [text for text, is_wrong in wrong.items() if is_wrong]


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--megabytes", type=float, default=1000)
    parser.add_argument("--folder", type=Path, help="where to work; kept if given")
    options = parser.parse_args()
    folder = options.folder or Path(tempfile.mkdtemp(prefix="memlab-bench-"))
    try:
        failed = run(folder, options.megabytes)
    finally:
        if options.folder is None:
            shutil.rmtree(folder)
    say("\n".join(f"TOO SLOW: {text}" for text in failed) or "all figures as they have to be")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
