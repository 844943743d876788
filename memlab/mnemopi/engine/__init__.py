"""The real Mnemopi engine, run beside memlab.

It answers what memlab's own recall is checked against. It is installed once,
by npm, into the cache folder::

    from memlab.mnemopi.engine import Engine, install

    install()
    with Engine.start() as engine:
        engine.recall("bank.db", "which database did we choose?")
"""

from .bankcopy import BankCopy, ScopeCopy
from .driver import Engine
from .install import install
from .places import cache_dir, engine_dir, installed

__all__ = ["BankCopy", "Engine", "ScopeCopy", "cache_dir", "engine_dir", "install", "installed"]
