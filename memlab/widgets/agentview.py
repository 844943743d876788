"""What the agent itself would be shown for an answer, to the letter, in tabs."""

from __future__ import annotations

import ipywidgets as w

from ..models import Recall
from ..text.javascript import length
from .markup import note, prose

__all__ = ["AgentView", "agent_texts"]


def agent_texts(recall: Recall) -> dict[str, str]:
    """Return every text that the agent would make of an answer, by the name of its tab."""
    texts = {"tool text": recall.text}
    block = getattr(recall, "block", None)
    if isinstance(block, str):
        texts["auto-recall block"] = block
    context = getattr(recall, "context", None)
    if callable(context):
        texts["context"] = str(context())
    return texts


class AgentView:
    """Tabs with the agent's texts."""

    def __init__(self) -> None:
        self.widget = w.Tab()
        self.widget.add_class("memlab-agent")

    def show(self, recall: Recall) -> None:
        """Show the texts of an answer, and keep the tab that is open."""
        texts = agent_texts(recall)
        if len(self.widget.children) != len(texts):
            self.widget.children = [w.HTML() for _ in texts]
            self.widget.selected_index = 0
        self.widget.titles = tuple(texts)
        for page, text in zip(self.widget.children, texts.values(), strict=True):
            page.value = _page(text)

    def clear(self) -> None:
        """Show nothing."""
        for page in self.widget.children:
            page.value = ""


def _page(text: str) -> str:
    if not text:
        return note(["Nothing: the agent would be shown no text here."])
    return prose(text, "memlab-text memlab-exact") + note([f"{length(text)} characters"])
