"""Turns what npm fetched into an engine the bridge can call."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import tarfile
from pathlib import Path

from ...errors import EngineError, EngineMissing
from .pins import pins

__all__ = ["check_packages", "keep_one_library", "lay_agent", "reveal"]


def check_packages(folder: Path) -> None:
    """Compare what npm installed with the pinned checksums.

    A package without a pinned checksum (the native library of another
    platform) must at least carry the engine's own version.
    """
    record = folder / "node_modules" / ".package-lock.json"
    if not record.is_file():
        raise EngineMissing(
            "npm wrote no record of what it installed: this npm is older than version 7. Install "
            "Node.js 20 or newer, then run `memlab engine install` again."
        )
    lock = json.loads(record.read_text("utf8"))
    for place, package in lock["packages"].items():
        name = place.removeprefix("node_modules/")
        found = (f"{name}@{package['version']}", package.get("integrity"))
        wanted = pins().checksums.get(found[0])
        foreign = wanted is None and not found[0].endswith(f"@{pins().mnemopi}")
        if foreign or (wanted is not None and found[1] != wanted):
            raise EngineError(
                f"npm brought {found[0]} with the checksum {found[1]}, memlab expects {wanted}. "
                "Nothing was installed. A registry mirror that changes packages can cause this."
            )


def lay_agent(archive: Path, folder: Path) -> None:
    """Take the agent's memory layer out of its archive, and stand-ins for what it hangs on."""
    _check_archive(archive)
    target = folder / "agent"
    wanted = {f"package/src/{name}": name for name in pins().agent_files}
    wanted |= {f"package/{name}": name for name in ("package.json", "LICENSE")}
    with tarfile.open(archive) as tar:
        for member in tar:
            name = wanted.pop(member.name, None)
            content = tar.extractfile(member) if name is not None else None
            if name is None or content is None:
                continue
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            (target / name).write_bytes(content.read())
    if wanted:
        raise EngineError(f"The agent's archive lacks {', '.join(sorted(wanted))}.")
    _stand_ins(target / "mnemopi")


def _check_archive(archive: Path) -> None:
    name = f"{pins().agent_package}@{pins().agent}"
    digest = hashlib.sha512(archive.read_bytes()).digest()
    found = "sha512-" + base64.b64encode(digest).decode()
    if found != pins().checksums[name]:
        raise EngineError(
            f"The archive of {name} has the checksum {found}, memlab expects "
            f"{pins().checksums[name]}. Nothing was installed."
        )


def _stand_ins(folder: Path) -> None:
    """Two modules that the agent's memory layer imports and the bridge never reaches.

    Settings are given by the caller, and vectors are given or absent.
    """
    used = sorted(set(re.findall(r"\bcfgMnemopi\w+", (folder / "config.ts").read_text("utf8"))))
    lines = [f"export const {name}: any = undefined;\n" for name in used]
    (folder / "settings.ts").write_text("".join(lines), "utf8")
    client = "export const mnemopiEmbedClient = { initialize: async () => null };\n"
    (folder / "embed-client.ts").write_text(client, "utf8")


def reveal(folder: Path) -> None:
    """Export functions that the engine keeps to itself: one line at the end of their files."""
    for file, names in pins().reveal.items():
        with (folder / file).open("a", encoding="utf8") as script:
            script.write(f"\nexport const __revealed = {{ {', '.join(names)} }};\n")


def keep_one_library(folder: Path) -> None:
    """Drop the second build of the native library, half of the space on disk.

    The baseline build runs on every processor, and the engine itself falls
    back to it where the other one is missing.
    """
    for native in folder.glob("node_modules/@oh-my-pi/pi-natives-*"):
        if list(native.glob("*-baseline.node")):
            for other in native.glob("*-modern.node"):
                other.unlink()
