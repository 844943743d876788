"""Which Bun for which machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from memlab.errors import EngineMissing
from memlab.mnemopi.engine.host import bun_package
from memlab.mnemopi.engine.pins import pins


@pytest.fixture
def modern(tmp_path: Path) -> Path:
    path = tmp_path / "cpuinfo"
    path.write_text("flags : sse4_2 avx avx2 bmi2\n")
    return path


@pytest.mark.parametrize(
    ("system", "machine", "package"),
    [
        ("Linux", "x86_64", "@oven/bun-linux-x64"),
        ("Linux", "aarch64", "@oven/bun-linux-aarch64"),
        ("Darwin", "arm64", "@oven/bun-darwin-aarch64"),
        ("Darwin", "x86_64", "@oven/bun-darwin-x64"),
        ("Windows", "AMD64", "@oven/bun-windows-x64"),
        ("Windows", "ARM64", "@oven/bun-windows-aarch64"),
    ],
)
def test_each_machine_has_its_bun(system: str, machine: str, package: str, modern: Path) -> None:
    assert bun_package(system, machine, cpuinfo=modern) == package


def test_an_old_processor_gets_the_build_without_avx2(tmp_path: Path) -> None:
    old = tmp_path / "cpuinfo"
    old.write_text("flags : sse4_2\n")
    assert bun_package("Linux", "x86_64", cpuinfo=old) == "@oven/bun-linux-x64-baseline"
    assert bun_package("Linux", "x86_64", cpuinfo=tmp_path / "none") == "@oven/bun-linux-x64"


def test_a_machine_without_a_build_is_told_so() -> None:
    with pytest.raises(EngineMissing, match=r"no Bun 1\.4\.5 for FreeBSD on riscv64.*linux-x64"):
        bun_package("FreeBSD", "riscv64")


def test_every_bun_and_the_engine_have_a_checksum() -> None:
    known = pins().checksums
    for package in pins().bun_packages.values():
        assert known[f"{package}@{pins().bun}"].startswith("sha512-")
    assert f"@oh-my-pi/pi-mnemopi@{pins().mnemopi}" in known
    assert f"{pins().agent_package}@{pins().agent}" in known
