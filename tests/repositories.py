"""Real repositories, worktrees and odd layouts in a temporary folder, made with the git program."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

__all__ = ["Repositories"]

_NAMES = {
    f"GIT_{role}_{what}": value
    for role in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "Ada"), ("EMAIL", "ada@example.com"))
}


class Repositories:
    """A folder with repositories; without the git program the test is skipped."""

    def __init__(self, root: Path) -> None:
        if shutil.which("git") is None:
            pytest.skip("the git program is not installed; it builds the repositories of this test")
        self.root = root.resolve()

    def git(self, folder: Path, *words: str) -> None:
        """Run git in a folder, away from the settings of this machine."""
        safe = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", **_NAMES}
        kept = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
        subprocess.run(
            ["git", "-c", "protocol.file.allow=always", *words],
            cwd=folder, env=kept | safe, check=True, capture_output=True, timeout=60,
        )  # fmt: skip

    def repository(self, name: str) -> Path:
        """A repository with one commit."""
        folder = self.root / name
        folder.mkdir(parents=True)
        self.git(folder, "init", "--quiet", "--initial-branch=main")
        self.git(folder, "commit", "--quiet", "--allow-empty", "--message=first")
        return folder

    def worktree(self, repository: Path, name: str) -> Path:
        """A linked worktree of a repository, on a branch of its own."""
        folder = self.root / name
        folder.parent.mkdir(parents=True, exist_ok=True)
        branch = "w-" + "-".join(part for part in folder.parts[1:] if part.isalnum())
        self.git(repository, "worktree", "add", "--quiet", "-b", branch, str(folder))
        return folder

    def bare(self, source: Path, name: str) -> Path:
        """A bare clone."""
        folder = self.root / name
        folder.parent.mkdir(parents=True, exist_ok=True)
        self.git(self.root, "clone", "--quiet", "--bare", str(source), str(folder))
        return folder

    def write(self, name: str, text: str | bytes = "") -> Path:
        """A file in its folder."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def folder(self, name: str) -> Path:
        """A folder."""
        path = self.root / name
        path.mkdir(parents=True, exist_ok=True)
        return path

    def usual(self) -> dict[Path, str]:
        """Repositories as people have them, with the label of each directory."""
        mono = self.repository("GitHub/Monorepo")
        found = {mono: "monorepo", self.folder("GitHub/Monorepo/packages/Web"): "monorepo"}
        found[mono / "not" / "there"] = "monorepo"
        found[mono / ".git"] = "monorepo"
        for name in ("GitHub/monorepo-HOA-5574", ".worktrees/monorepo/HOA-5602"):
            found[self.worktree(mono, name)] = "monorepo"
            found[self.folder(f"{name}/deep/er")] = "monorepo"
        moved = self.worktree(mono, "beside/relative")
        (moved / ".git").write_text("gitdir: ../../GitHub/Monorepo/.git/worktrees/relative\n")
        found[moved] = "monorepo"
        found[self.repository("GitHub/Monorepo/vendor/Inner")] = "inner"
        found[self.folder("GitHub/Monorepo/vendor/Inner/src")] = "inner"
        return found | self._bare(mono) | self._linked(mono)

    def _bare(self, mono: Path) -> dict[Path, str]:
        bare = self.bare(mono, "Served.git")
        hidden = self.bare(mono, "project/.bare")
        self.write("project/.git", "gitdir: ./.bare\n")
        inside = self.bare(mono, "other/.git")
        return {
            bare: "served.git",  # not a checkout: the label is the folder's own name
            bare / "refs": "refs",
            self.worktree(bare, "checkouts/one"): "served.git",
            self.worktree(bare, "checkouts/two"): "served.git",
            self.root / "project": "project",
            self.worktree(hidden, "project/feature"): ".bare",
            self.worktree(inside, "other/feature"): "other",
        }

    def _linked(self, mono: Path) -> dict[Path, str]:
        library = self.repository("libs/Library")
        self.git(mono, "submodule", "add", "--quiet", str(library), "deps/Here")
        link = self.root / "link"
        link.symlink_to(mono)
        below = self.root / "link-below"
        below.symlink_to(mono / "packages")
        self.folder("stores")
        self.git(
            self.root, "init", "--quiet", "--separate-git-dir", str(self.root / "stores/Apart.git"),
            str(self.root / "apart"),
        )  # fmt: skip
        pruned = self.worktree(mono, "pruned")
        shutil.rmtree(mono / ".git" / "worktrees" / "pruned")
        return {
            mono / "deps" / "Here": "here",
            self.worktree(mono / "deps" / "Here", "of-a-submodule"): "here",
            self.root / "apart": "apart",
            pruned: "pruned",
            link / "packages": "link",  # no link is followed
            below: "link-below",
            self.folder("No Repository Ünï"): "no repository ünï",
            self.repository("naïve Ünï.Repo"): "naïve ünï.repo",
        }

    def odd(self) -> dict[Path, str]:
        """Layouts that no program makes, with the label of each directory."""
        return self._odd_files() | self._odd_commons() | self._jujutsu()

    def _head(self, name: str) -> Path:
        return self.write(f"{name}/HEAD", "ref: refs/heads/main\n").parent

    def _odd_files(self) -> dict[Path, str]:
        target = self._head("store/Target")
        self.folder("store/NoHead")
        ours = "sub"  # no repository: the last part of the directory
        texts = {
            f"gitdir: {target}": "f0", f"gitdir:{target}\n": "f1", f"  gitdir:   {target}  \r\n": "f2",
            "gitdir: ../store/Target\n": "f3", f"\ngitdir: {target}/\n": "f4",
            f"GITDIR: {target}\n": ours, f"# x\ngitdir: {target}\n": ours, "gitdir:\n": ours,
            f"gitdir: {target}\nmore\n": ours, "gitdir: ../store/NoHead": ours, "nonsense": ours,
            f"gitdir: {self.root}/none": ours, "": ours, f"gitdir: {target}/../Target": "f13",
        }  # fmt: skip
        found = {}
        for place, (text, label) in enumerate(texts.items()):
            self.write(f"F{place}/.git", text)
            found[self.folder(f"F{place}/sub")] = label
        self.write("P0/.git/objects/x")
        self._head("P1/.git")
        self.write("P2/.git/HEAD", "garbage")
        self.folder("P3/.git/HEAD")
        labels = {"P0": "sub", "P1": "p1", "P2": "p2", "P3": "sub"}
        return found | {self.folder(f"{name}/sub"): label for name, label in labels.items()}

    def _odd_commons(self) -> dict[Path, str]:
        commons = self.root / "commons"
        texts = {
            f"{commons}/Alpha/.git\n": "alpha", f"{commons}/Beta.git": "beta.git",
            "../commons/Beta.git\r\n": "beta.git", f"  {commons}/Missing.git \n": "missing.git",
            "": "w4", " \n": "w5", ".\n": "w6", "..": self.root.name.lower(), "/": "unknown",
            "/.git": "unknown", f"{commons}/Beta.git\nmore": "beta.git\nmore",
            f"{commons}/Alpha/../Gamma\n": "gamma", "~/Tilde.git": "tilde.git",
        }  # fmt: skip
        found = {}
        for place, (text, label) in enumerate(texts.items()):
            store = self._head(f"W{place}-store")
            self.write(f"W{place}-store/commondir", text)
            self.write(f"W{place}/.git", f"gitdir: {store}\n")
            found[self.folder(f"W{place}/sub")] = label
        self._head("X0/.git")
        self.write("X0/.git/commondir", f"{commons}/Beta.git\n")
        return found | {self.folder("X0/sub"): "beta.git"}

    def _jujutsu(self) -> dict[Path, str]:
        first = self.folder("J0/.jj/repo/store").parent
        texts = {
            f"{first}": "j0", "../../J0/.jj/repo\n": "j0", "/no/where": "unknown", "  \n": "sub",
            "a/b/c": "a", "../../../../../../../../../../../..": "j6",
        }  # fmt: skip
        found = {self.folder("J0/sub"): "j0"}
        for place, (text, label) in enumerate(texts.items(), start=1):
            self.write(f"J{place}/.jj/repo", text)
            found[self.folder(f"J{place}/sub")] = label
        self._head("K0/.git")
        self.folder("K0/in/.jj/repo/store")
        self.folder("K1/.jj/repo/store")
        self._head("K1/In/.git")
        self.write("K2/.jj/repo", str(first))
        self._head("K2/.git")
        return found | {
            self.folder("K0/in/sub"): "in",
            self.folder("K1/In/sub"): "in",
            self.folder("K2/sub"): "k2",
            Path("/"): "unknown",
            Path("/no/such/Place"): "place",
        }
