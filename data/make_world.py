"""Make the sample world anew, or check that it is what this script makes.

python data/make_world.py           writes the banks
python data/make_world.py --check   compares them with what is there; exit code 1 if they differ
python data/make_world.py --hits    asks the labelled questions, per category
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from memlab.mnemopi.engine import Engine

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from making.building import build  # noqa: E402
from making.hits import measure, report  # noqa: E402
from making.story import read_world  # noqa: E402
from making.tables import differences  # noqa: E402

BANKS = HERE / "banks"


def write() -> int:
    """Build beside the banks, then put the new ones in their place."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "banks"
        build(read_world(HERE / "world"), made)
        if BANKS.exists():
            shutil.rmtree(BANKS)
        shutil.copytree(made, BANKS)
    print(f"{len(list(BANKS.rglob('*.db')))} banks written to {BANKS.name}/")
    return 0


def check() -> int:
    """Build in a scratch folder and compare, table by table."""
    with tempfile.TemporaryDirectory() as folder:
        build(read_world(HERE / "world"), Path(folder))
        made = {path.relative_to(folder) for path in Path(folder).rglob("*.db")}
        kept = {path.relative_to(BANKS) for path in BANKS.rglob("*.db")}
        found = [f"- missing: {path}" for path in sorted(made - kept)]
        found += [f"+ not made by the story: {path}" for path in sorted(kept - made)]
        for path in sorted(made & kept):
            lines = differences(BANKS / path, Path(folder) / path)
            found += [f"{path}", *(f"  {line}" for line in lines)] if lines else []
    print("\n".join(found) or f"{len(made)} banks are what the story makes")
    return 1 if found else 0


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--check", action="store_true", help="compare, write nothing")
    choice.add_argument("--hits", action="store_true", help="ask the labelled questions")
    chosen = parser.parse_args()
    if chosen.hits:
        with Engine.start() as engine:
            print(report(measure(engine.call, read_world(HERE / "world"), BANKS)))
        return 0
    return check() if chosen.check else write()


if __name__ == "__main__":
    sys.exit(main())
