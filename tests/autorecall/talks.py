"""Random conversations from a seed: what people type, and what breaks a composer."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

__all__ = ["Talk", "odd_text", "talk"]

ROLES = ("user", "assistant") * 8 + (
    "toolResult",
    "system",
    "developer",
    "User",
    "",
    "пользователь",
)
WORDS = [
    "deploy",
    "the",
    "server",
    "now",
    "continue",
    "ok",
    "yes",
    "why",
    "database",
    "was",
    "chosen",
    "migrate",
    "queue",
    "postcode",
    "tours",
    "用户",
    "服务器",
    "部署在",
    "腾讯云",
    "データベース",
    "サーバー",
    "배포",
    "тёмная",
    "тему",
    "герань",
    "قاعدة",
    "हिन्दी",
    "ไทย",
    "naïve",
    "Café",
    "straße",
]
EMOJI = (
    "🚀",
    "👩‍💻",
    "🇵🇱",
    "😀" * 40,
    "𠮷",
    "e\u0301",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
)
HALVES = ("\ud83d", "\ude80", "\ud83d\ud83d", "\ude80\ud83d", "a\ud83d", "\ude80b")
BLANKS = (
    "\n",
    "\n\n",
    "\n\n\n\n",
    " \n ",
    "\r\n",
    "\t",
    "\xa0",
    "\ufeff",
    "\u2028",
    "\u0085",
    "\x1c",
    "\u3000",
)
BLOCKS = (
    "<memories>old\nnews</memories>", "<memories>open", "</memories>", "<memories></memories>",
    "<memories>a<memories>b</memories>c</memories>", "<mental_models>m</mental_models>",
    "<hindsight_memories>h\n\nh</hindsight_memories>", "<relevant_memories>r</relevant_memories>",
    "<memories><mental_models>x</memories>y</mental_models>", "<Memories>no</Memories>",
    "<mental_models><memories></mental_models></memories>", "<memories >no</memories >",
    "<relevant_memories><hindsight_memories></relevant_memories></hindsight_memories>",
    "<mem<memories>x</memories>ories>joined</memories>",
)  # fmt: skip
MARKS = (
    "Prior context:", "Prior context:\n\n", "Prior context:\n\nuser: x\n\nnow", "user: now", "[role: user]",
    "[user:end]", "[timestamp: 2026-01-01]", "...", ".", "—", "$&", "$1", "\\", "\x00",
)  # fmt: skip


@dataclass(frozen=True)
class Talk:
    """One conversation, its prompt, and how it is asked."""

    latest: str
    messages: tuple[tuple[str, str], ...]
    turns: int
    max_chars: int


def odd_text(rng: Random, most: int = 9) -> str:
    """A text of words, and now and then of everything else."""
    parts = []
    for _ in range(rng.randint(0, most)):
        kind = rng.random()
        if kind < 0.62:
            parts.append(rng.choice(WORDS))
        elif kind < 0.72:
            parts.append(rng.choice(BLANKS))
        elif kind < 0.80:
            parts.append(rng.choice(EMOJI))
        elif kind < 0.85:
            parts.append(rng.choice(HALVES))
        elif kind < 0.94:
            parts.append(rng.choice(BLOCKS))
        elif kind < 0.99:
            parts.append(rng.choice(MARKS))
        else:
            parts.append(rng.choice(WORDS) * rng.randint(20, 400))
    return rng.choice(("", " ", " ", "\n")).join(parts)


def talk(rng: Random) -> Talk:
    """A conversation of up to a dozen messages; the prompt may repeat one of them."""
    latest = odd_text(rng)
    count = rng.choice((0, 1, 2, 3, 5, 8, 12))
    messages = tuple((rng.choice(ROLES), _said(rng, latest)) for _ in range(count))
    turns = rng.choice((-1, 0, 1, 2, 2, 3, 3, 3, 5, 9))
    return Talk(latest, messages, turns, _room(rng, latest, messages))


def _said(rng: Random, latest: str) -> str:
    chance = rng.random()
    if chance < 0.10:
        return latest
    if chance < 0.14:
        return f"{rng.choice(BLANKS)}{latest}{rng.choice(BLOCKS)}"
    return odd_text(rng)


def _room(rng: Random, latest: str, messages: tuple[tuple[str, str], ...]) -> int:
    whole = len(latest) + sum(len(text) + 8 for _, text in messages)
    near = rng.randint(-30, 30)
    choices = (0, -5, rng.randint(1, 60), len(latest) + near, whole + near, 800, 4000)
    return rng.choice((*choices, rng.randint(1, whole + 1), rng.randint(1, whole + 1)))
