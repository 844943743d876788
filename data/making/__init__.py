"""How the files under data/ are made and checked; start with ``make_world.py``."""
