"""Tools, commands, sessions and whole stories of an index: the golden answers, each equal."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memlab.errors import FormatError
from memlab.sessions import (
    SessionIndex,
    SessionLogs,
    auto_recall,
    claude_folders,
    recall_command,
    session_history,
    session_search,
)
from memlab.sessions.finding import find_logs
from memlab.sessions.index.origin import Origin
from memlab.sessions.index.sync import Caps
from memlab.sessions.pify.titles import name_for
from tests.sessions.extension import Asked, entries_of
from tests.sessions.golden import LOGS, Answer, of, set_times


@pytest.fixture(scope="module")
def golden(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The logs with their times."""
    root = tmp_path_factory.mktemp("golden") / "logs"
    shutil.copytree(LOGS, root)
    set_times(root)
    shutil.rmtree(root / "random")
    return root


@pytest.fixture
def claude_home(golden: Path, clean_environment: Path) -> None:
    """Claude Code's logs where it keeps them."""
    (clean_environment / ".claude").mkdir()
    (clean_environment / ".claude" / "projects").symlink_to(golden / "claude")


def origin(golden: Path, args: dict[str, Any], cwd: str | None) -> Origin:
    """The logs that the extension looks at in a working directory."""
    # The extension reads a folder that is not there as empty; SessionLogs says so instead.
    folder = golden / args["folder"]
    roots = [*SessionLogs(folder, agent="pi").roots] if folder.exists() else []
    if (args.get("env") or {}).get("PIFY_RECALL_CLAUDE") == "1" and cwd:
        roots += [
            root for path in claude_folders(cwd) for root in SessionLogs(path, agent="claude").roots
        ]
    return Origin(tuple(roots), Caps())


def index_of(golden: Path, args: dict[str, Any]) -> SessionIndex:
    index = Asked(golden).index
    index.origin = origin(golden, args, args.get("cwd"))
    return index


def live_of(golden: Path, args: dict[str, Any]) -> str | None:
    name = args.get("live")
    return str(golden / args["folder"] / name) if name else None


@pytest.mark.usefixtures("claude_home")
@pytest.mark.parametrize("answer", of("tool"), ids=str)
def test_a_tool_answers_as_the_extension(
    answer: Answer, golden: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    args, params = answer.args, answer.args["params"]
    if "liveEnv" in args:
        monkeypatch.setenv("PI_SESSION_FILE", str(golden / args["folder"] / args["liveEnv"]))
    if args["tool"] == "session_history":
        said = session_history(entries_of(args, golden), **params)
    else:
        index, live = index_of(golden, args), live_of(golden, args)
        said = session_search(index, **params, live=live)
    assert said.text == answer.result["text"]
    assert said.details == answer.result["details"]
    assert said.is_error == answer.result["isError"]


@pytest.mark.usefixtures("claude_home")
@pytest.mark.parametrize("answer", of("command"), ids=str)
def test_the_command_answers_as_the_extension(answer: Answer, golden: Path) -> None:
    args = answer.args
    if args.get("ui") is False:
        assert answer.result == []  # without a screen there is nobody to tell
        return
    index, said = index_of(golden, args), []
    for step in args["args"]:
        asked = step if isinstance(step, dict) else {"arg": step}
        if "cwd" in asked:
            index.origin = origin(golden, args, asked["cwd"])
        live = live_of(golden, {**args, **asked})
        said.append(recall_command(index, asked["arg"], live=live))
    assert said == answer.result


@pytest.mark.usefixtures("claude_home")
@pytest.mark.parametrize("answer", of("session"), ids=str)
def test_a_session_goes_as_with_the_extension(answer: Answer, golden: Path) -> None:
    args, env = answer.args, answer.args.get("env") or {}
    index, live = index_of(golden, args), live_of(golden, args)
    entries = entries_of(args, golden)
    name = args.get("name") or ""
    said = []
    for place, prompt in enumerate(args["prompts"]):
        block = None
        if place == 0 and env.get("PIFY_RECALL_AUTORECALL") == "1":
            block = auto_recall(index, prompt, live=live)
        named = []
        if not name and env.get("PIFY_RECALL_NO_AUTONAME") != "1":
            name = name_for(entries, prompt)
            named = [name] if name else []
        said.append({"message": block, "named": named})
        if args.get("grow"):
            entries.append({"type": "message", "message": {"role": "user", "content": prompt}})
    for one, wanted in zip(said, answer.result, strict=True):
        assert one["named"] == wanted["named"]
        assert one["message"] == (wanted["message"] and wanted["message"]["content"])


class Story:
    """A folder that changes, and the index that follows it."""

    def __init__(self, base: Path, golden: Path) -> None:
        self.root = base / "root"
        self.root.mkdir()
        self.golden = golden
        self.store = base / "recall" / "index.json"
        self.asked = Asked(self.root)

    def put(self, step: dict[str, Any]) -> None:
        path = self.root / step["path"]
        path.parent.mkdir(parents=True, exist_ok=True)
        if "from" in step:
            shutil.copyfile(self.golden / step["from"], path)
        else:
            text = "".join(json.dumps(line) + "\n" for line in step["lines"])
            with path.open("ab" if step["do"] == "append" else "wb") as file:
                file.write(text.encode())
        if "pad" in step:
            os.truncate(path, step["pad"])
        self.touch(step)

    append = put

    def touch(self, step: dict[str, Any]) -> None:
        os.utime(self.root / step["path"], (step["mtime"], step["mtime"]))

    def drop(self, step: dict[str, Any]) -> None:
        path = self.root / step["path"]
        shutil.rmtree(path) if path.is_dir() else path.unlink()

    def link(self, step: dict[str, Any]) -> None:
        (self.root / step["path"]).symlink_to((self.root / step["to"]).resolve())

    def sync(self, step: dict[str, Any]) -> Any:
        skip = step.get("skip")
        return self.asked.sync(
            list(find_logs(self.root)), step, skip=skip and str(self.root / skip)
        )

    def search(self, step: dict[str, Any]) -> Any:
        exclude = step.get("exclude")
        return self.asked.search(step, exclude and str(self.root / exclude))

    def store_(self, step: dict[str, Any]) -> None:
        self.store.parent.mkdir(exist_ok=True)
        self.store.write_bytes(step["text"].encode("utf-8", "surrogatepass"))

    def load(self, step: dict[str, Any]) -> Any:
        if not self.store.exists():  # saved as memlab saves: in the index itself
            return self.asked.state()
        try:
            self.asked.index = SessionIndex.from_store(self.store)
        except FormatError:
            self.asked = Asked(self.root)
        return self.asked.state()

    def save(self, step: dict[str, Any]) -> None:
        """Nothing to do: the index is its own store."""

    def tell(self, steps: list[dict[str, Any]]) -> Iterator[Any]:
        for step in steps:
            does = self.store_ if step["do"] == "store" else getattr(self, step["do"])
            said = does(step)
            if step["do"] in ("sync", "search", "load"):
                yield said


@pytest.mark.parametrize("answer", of("scenario"), ids=str)
def test_a_story_ends_the_same(answer: Answer, golden: Path, tmp_path: Path) -> None:
    story = Story(tmp_path, golden)
    assert list(story.tell(answer.args["steps"])) == answer.result
