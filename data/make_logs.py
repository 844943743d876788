"""Make the session logs of the sample world anew, or check that they are what this script makes.

python data/make_logs.py           writes the logs
python data/make_logs.py --check   compares them with what is there; exit code 1 if they differ
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from logmaking.claude import write_claude  # noqa: E402
from logmaking.omp import write_omp  # noqa: E402
from logmaking.pi import write_pi  # noqa: E402
from logmaking.story import read_story  # noqa: E402

LOGS = HERE / "logs"


def make(folder: Path) -> None:
    """Write all logs below a folder, one folder per agent."""
    story = read_story(HERE)
    write_omp(story, folder / "omp")
    write_pi(story, folder / "pi")
    write_claude(story, folder / "claude")


def contents(folder: Path) -> dict[str, bytes]:
    """Every log below a folder, by its path."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.jsonl")}


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    with tempfile.TemporaryDirectory() as name:
        made = Path(name)
        make(made)
        if parser.parse_args().check:
            wanted, kept = contents(made), contents(LOGS)
            differ = [
                path for path in wanted.keys() | kept.keys() if wanted.get(path) != kept.get(path)
            ]
            print("\n".join(sorted(differ)) or f"{len(kept)} logs are what the story makes")
            return 1 if differ else 0
        shutil.rmtree(LOGS, ignore_errors=True)
        shutil.copytree(made, LOGS)
    print(f"{len(contents(LOGS))} logs written to {LOGS.name}/")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
