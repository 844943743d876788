"""``python -m memlab``: the command line."""

from memlab.cli import main

main()
