"""Each kind of event, done as the agent does it."""

from __future__ import annotations

from typing import Any

from .asking import Bank, Call, Places, recall_as_agent
from .naming import name_summaries
from .story import Event, World

# What the agent, or the person, writes with each kind of memory.
_KINDS: dict[str, dict[str, Any]] = {
    "retain": {"source": "coding-agent-retain", "importance": 0.75, "veracity": "tool"},
    "learn": {"source": "coding-agent-learn", "importance": 0.8, "veracity": "tool"},
    "save": {"source": "coding-agent-memory-command", "importance": 0.75, "veracity": "user"},
    "note": {"source": "user", "importance": 0.9, "veracity": "stated"},
    "rumour": {"source": "assistant", "importance": 0.3, "veracity": "false"},
    "import": {"source": "import", "importance": 0.6, "veracity": "imported"},
}


class Teller:
    """Tells events to the engine, one after the other."""

    def __init__(self, call: Call, places: Places) -> None:
        self._call = call
        self._places = places
        self._told: set[str] = set()

    def tell(self, world: World) -> None:
        """Tell the whole story."""
        for event in world.events:
            self._one(event)

    def _one(self, event: Event) -> None:
        match event.op:
            case "start":
                self._start(event)
            case "recall":
                self._recall(event)
            case "transcript":
                self._transcript(event)
            case "invalidate":
                replacement = event.get("by")
                self._on_owner(event, "invalidate", replacementId=replacement)
            case "forget":
                self._on_owner(event, "forget")
            case "elsewhere":
                self._elsewhere(event)
            case _:
                self._remember(event)

    def _banks(self, event: Event) -> list[Bank]:
        """The banks that the agent opens in a session: its own, the shared one, legacy ones."""
        own = self._places.project(self._call, event.session.root)
        recalled = self._places.scope(self._call, event.session.cwd)["recallBanks"]
        known = {bank.name: bank for bank in self._places.every(self._call)}
        names = dict.fromkeys([own.name, self._places.base, *recalled])
        if event.session.root != event.session.cwd:  # before the bank of the directory itself
            names = dict.fromkeys([own.name, self._places.base])
        return [known[name] for name in names]

    def _bank(self, event: Event) -> Bank:
        if event.get("bank") == "shared":
            return self._places.shared
        return self._places.project(self._call, event.session.root)

    def _start(self, event: Event) -> None:
        """A session begins: old rows of every opened bank are summed up."""
        for bank in self._banks(event):
            bank.ask(self._call, "sleep", event.time)
            name_summaries(self._call, bank, event.time)

    def _recall(self, event: Event) -> None:
        """The first prompt of a session recalls, and the engine counts what came back."""
        for bank in self._banks(event):
            recall_as_agent(self._call, bank, event["query"], event.time)

    def _transcript(self, event: Event) -> None:
        """A part of the conversation is kept, and facts are taken from the user's words."""
        messages = [{"role": role, "content": text} for role, text in event["messages"]]
        texts = self._call("prepareTranscripts", messages=messages)
        said = [text for role, text in event["messages"] if role == "user"]
        metadata = {
            "session_id": event.session.id,
            "source_id": event.session.id,
            "message_count": texts["transcript"]["messageCount"],
            "retained_through_user_turn": len(said),
            "cwd": event.session.cwd,
        }
        self._write(
            event,
            texts["transcript"]["transcript"],
            source="coding-agent-transcript",
            importance=0.65,
            veracity="unknown",
            memoryType="episode",
            embedText=texts["embed"]["transcript"],
            metadata=metadata,
        )
        source = {"content": "\n\n".join(said), "sourceMemoryId": event["id"]}
        self._bank(event).ask(self._call, "extractAndStoreFacts", event.time, **source)

    def _remember(self, event: Event) -> None:
        """A single memory, by a tool of the agent, by a person, or by an import."""
        metadata = {"session_id": event.session.id, "cwd": event.session.cwd}
        if event.op in {"retain", "learn"}:
            metadata["tool"] = event.op
        self._write(
            event,
            event["text"],
            memoryType=event.get("type", "fact"),
            validUntil=event.get("until"),
            metadata=metadata | event.get("metadata", {}),
            **_KINDS[event.op],
        )
        if event.get("event_date"):
            self._dated(event)

    def _write(self, event: Event, text: str, **options: Any) -> None:
        bank = self._bank(event)
        fixed = {"memoryId": event["id"], "scope": "bank"}
        bank.ask(self._call, "beamRemember", event.time, content=text, options=fixed | options)
        self._born(event, bank)

    def _dated(self, event: Event) -> None:
        """Imports alone bring the date of what they tell."""
        sql = "UPDATE working_memory SET event_date = ?, event_date_precision = 'day' WHERE id = ?"
        self._bank(event).sql(self._call, event.time, sql, event["event_date"], event["id"])

    def _elsewhere(self, event: Event) -> None:
        """A note by the engine's own command line: another session, which the agent never sees."""
        bank = self._bank(event)
        note = {"memoryId": event["id"], "source": "cli", "scope": "session"}
        args: dict[str, Any] = {"content": event["text"], "options": note}
        bank.ask(self._call, "beamRemember", event.time, session="default", **args)
        self._born(event, bank)

    def _born(self, event: Event, bank: Bank) -> None:
        """The engine stamps new rows with the real clock; they get the time of the story."""
        if event["id"] in self._told:
            return
        self._told.add(event["id"])
        at = f"{event.time[:10]} {event.time[11:19]}"
        sql = "UPDATE working_memory SET created_at = ? WHERE id = ?"
        bank.sql(self._call, event.time, sql, at, event["id"])

    def _on_owner(self, event: Event, op: str, **args: Any) -> None:
        """An edit goes to the first opened bank that knows the id, as the agent's tool does."""
        for bank in self._banks(event):
            if bank.ask(self._call, op, event.time, memoryId=event["id"], **args):
                return
        raise ValueError(f"{event.time}: no bank of this session has a memory {event['id']}")
