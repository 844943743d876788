"""Logs of oh-my-pi: the sessions that the banks of the world were filled in."""

from __future__ import annotations

import json
from pathlib import Path

from making.story import Event, Session

from .story import Story, later
from .tree import Row, Tree, write

__all__ = ["write_omp"]

SLOT_BYTES = 256
HOME = "/home/mira"


def _slot(title: str, time: str) -> Row:
    """The title's line: as long as can be, so that it can be written over."""
    row: Row = {
        "type": "title",
        "v": 1,
        "title": title,
        "source": "auto",
        "updatedAt": time,
        "pad": "",
    }
    size = len(json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode()) + 1
    return {**row, "pad": " " * (SLOT_BYTES - size)}


def _folder(cwd: str) -> str:
    return cwd.removeprefix(HOME).replace("/", "-")


def _name(session: Session, time: str) -> str:
    return f"{time.replace(':', '-').replace('.', '-')}_{session.id}"


class _Telling:
    """Tells the events of one session, one after the other."""

    def __init__(self, story: Story, session: Session, start: str) -> None:
        self.story = story
        self.session = session
        self.title = story.about("titles", session.id[:8])
        header = {
            "type": "session",
            "version": 3,
            "id": session.id,
            "timestamp": start,
            "cwd": session.cwd,
            **({"title": self.title, "titleSource": "auto"} if self.title else {}),
        }
        self.tree = Tree(header, story.added["model"])
        self.tree.add("model_change", later(start, 1), model=story.added["model"], role="default")
        self.tree.add("thinking_level_change", later(start, 1), thinkingLevel="medium")
        self.scouts: list[tuple[str, list[Row]]] = []

    def tell(self, event: Event, *, again: bool) -> None:
        """Add what an event looks like in a log; ``again`` if its memory was there before."""
        name = event.get("id", "")
        if f"{name}{'-again' * again}" in self.story.added["reset"]["before"]:
            self.tree.add("reset_boundary", later(event.time, -200))
        getattr(self, f"_{event.op}", self._nothing)(event)
        self._afterwards(event, name)

    def _nothing(self, event: Event) -> None:
        """Some things happen elsewhere."""

    def _afterwards(self, event: Event, name: str) -> None:
        for branch in self.story.added["branch"]:
            if branch["after"] == name:
                said = (branch["prompt"], branch["reply"], branch["summary"])
                self.tree.detour(later(event.time, 30), *said)
        for scout in self.story.added["scout"]:
            if scout["after"] == name:
                self.scouts.append((scout["agent"], self._scout(scout, later(event.time, 100))))

    def _scout(self, scout: Row, time: str) -> list[Row]:
        header = {
            "type": "session",
            "version": 3,
            "id": f"{self.session.id}-{scout['agent']}",
            "timestamp": time,
            "cwd": self.session.cwd,
        }
        tree = Tree(header, self.story.added["model"])
        tree.add(
            "session_init",
            time,
            systemPrompt="You look things up and change nothing.",
            task=scout["task"],
            tools=["read", "bash"],
            agent=scout["agent"],
            readOnly=True,
        )
        tree.user(later(time, 1), scout["task"])
        for place, (who, *rest) in enumerate(scout["lines"]):
            at = later(time, 10 + 20 * place)
            tree.say(at, rest[0]) if who == "assistant" else tree.call(at, *rest)
        return tree.rows

    def _look(self, event: Event, time: str) -> None:
        work = self.story.about("work", event["id"])
        if work:
            self.tree.call(time, *work, thought="I look before I answer.")

    def _recall(self, event: Event) -> None:
        self.tree.user(event.time, event["query"])
        self.tree.say(later(event.time, 20), self.story.added["answers"][event["query"]])

    def _transcript(self, event: Event) -> None:
        messages = event["messages"]
        for place, (role, text) in enumerate(messages):
            at = later(event.time, 60 * (place - len(messages)))
            if role == "user":
                self.tree.user(at, text)
                if place == 0:
                    self._look(event, later(at, 20))
            else:
                self.tree.say(at, text)

    def _keep(self, event: Event, prompt: str, tool: str, arguments: Row) -> None:
        self.tree.user(later(event.time, -90), prompt)
        self._look(event, later(event.time, -60))
        thought = "This should outlast the session."
        self.tree.call(later(event.time, -2), tool, arguments, "1 memory stored.", thought)
        done = self.story.about("done", event["id"]) or "I keep that."
        self.tree.say(later(event.time, 8), done)

    def _retain(self, event: Event) -> None:
        item = {"content": event["text"]}
        if event.get("bank") == "shared":
            item["scope"] = "global"
        self._keep(event, self.story.added["ask"][event["id"]], "retain", {"items": [item]})

    def _learn(self, event: Event) -> None:
        prompt = self.story.added["ask"].get(event["id"], "Keep this for later.")
        self._keep(event, prompt, "learn", {"memory": event["text"]})

    def _note(self, event: Event) -> None:
        """What the user says of herself is kept in her own words."""
        self.tree.user(later(event.time, -30), event["text"])
        self.tree.call(
            later(event.time, -2),
            "retain",
            {"items": [{"content": event["text"]}]},
            "1 memory stored.",
        )
        self.tree.say(later(event.time, 8), "Understood.")

    def _save(self, event: Event) -> None:
        self.tree.user(later(event.time, -1), f"/memory save {event['text']}")

    def _rumour(self, event: Event) -> None:
        self.tree.user(later(event.time, -40), "Is there news from the channel?")
        self.tree.say(event.time, f"Heard in the channel, and nobody confirms it: {event['text']}")

    def _invalidate(self, event: Event) -> None:
        arguments = {"op": "invalidate", "id": event["id"]}
        if event.get("by"):
            arguments["replacement_id"] = event["by"]
        self.tree.call(event.time, "memory_edit", arguments, f"Memory {event['id']} invalidated.")

    def _forget(self, event: Event) -> None:
        self.tree.user(later(event.time, -20), "Forget the extension, it was not ours to keep.")
        arguments = {"op": "forget", "id": event["id"]}
        self.tree.call(event.time, "memory_edit", arguments, f"Memory {event['id']} deleted.")
        self.tree.say(later(event.time, 6), "It is gone.")

    def write(self, folder: Path, start: str) -> None:
        """Write the log, and those of its scouts beside it."""
        stem = _name(self.session, start)
        place = folder / _folder(self.session.cwd)
        slot = [_slot(self.title, self.tree.rows[-1]["timestamp"])] if self.title else []
        write(place / f"{stem}.jsonl", [*slot, *self.tree.rows])
        for number, (agent, rows) in enumerate(self.scouts, start=1):
            write(place / stem / f"{agent}-{number}.jsonl", rows)


def write_omp(story: Story, folder: Path) -> None:
    """Write a log for each session of the world."""
    told: dict[str, _Telling] = {}
    starts: dict[str, str] = {}
    seen: set[str] = set()
    for event in story.world.events:
        session = event.session
        if event.op == "start":
            told[session.id] = _Telling(story, session, event.time)
            starts[session.id] = event.time
            continue
        name = event.get("id", "") if event.op == "retain" else ""
        told[session.id].tell(event, again=name in seen)
        seen |= {name} - {""}
    for name, telling in told.items():
        telling.write(folder, starts[name])
