"""A Hindsight server of one's own, on loopback: installed, started and stopped."""

from __future__ import annotations

from .install import install
from .running import Server, down, logs, status, up

__all__ = ["Server", "down", "install", "logs", "status", "up"]
