"""Words, phrases and texts that random banks and queries are made of."""

from __future__ import annotations

from random import Random

__all__ = [
    "CURRENT",
    "DATES",
    "FEW",
    "HOSTILE",
    "INTENTS",
    "MANY",
    "SCRIPTS",
    "long_text",
    "text",
]


def _words(listed: str) -> list[str]:
    return listed.split()


# Members of the engine's synonym groups, words that hold others inside, filler, plain words.
_SYNONYMS = _words("""
    deploy deployment rollout release ship push server host vm node db datastore database
    password token secret credential key api_key config settings setup install bootstrap
    error bug fault crash fix repair patch api endpoint interface service daemon port socket
    bind listen migrate ai gpt claude model llm user profile memory recall remember search find
    file document code script test check validate backup copy save store update upgrade delete
    purge list show time date when url address path health up alive network dns ssh shell git
    repo branch commit log trace cron schedule job email inbox image page browser monitor watch
    alert ping compare diff speed latency fast branding prefer preference preferred
""")
_INSIDE = _words("maintain available serverless redeploy contextual deployed important reported")
_FILLER = _words("the of and in to what is it how do we you can i this that not very just now")
_STATES = _words("current latest active present recent now was old legacy previously stale former")
_PLAIN = _words("""
    kestrel basalt Willow orchard FERRY lantern quarry saffron meadow anvil Iris Matteo Nilsen
    v1.2.3 snake_case it's don't re-index foo/bar x y 7 42 2026 404 naïve Café résumé straße
""")
MANY = tuple(_SYNONYMS + _INSIDE + _FILLER + _STATES + _PLAIN * 2)
FEW = ("deploy", "server", "kestrel", "willow", "alpha", "beta")

SCRIPTS = (
    "データベース", "サーバー", "デプロイ", "数据库", "密码", "部署服务器", "배포", "서버는",
    "сервер", "база", "данных", "ΟΔΟΣ", "οδος", "διακομιστής", "خادم", "قاعدة", "हिन्दी", "सर्वर",
    "Cafe\u0301", "re\u0301sume\u0301", "İstanbul", "ıspanak", "ẞ", "ﬁle", "🚀", "👩‍💻", "𝔡𝔢𝔭𝔩𝔬𝔶", "𠮷野家",
    "१२३", "٣٤", "Ⅷ", "½", "ไทย", "עברית",
)  # fmt: skip

DATES = (
    "yesterday", "today", "tomorrow", "last week", "next month", "this year", "last friday",
    "on Monday", "next sun", "3 days ago", "36 hours ago", "in 2 weeks", "in 8000 years",
    "2026-02-20", "2026-02-30", "12/25/25", "31/12/2024", "5/6/2026", "March 5", "feb 30",
    "Mar 3rd, 2026", "sept 4", "recently", "a while ago", "90 minutes earlier", "99999999999 days ago",
)  # fmt: skip

INTENTS = (
    "how to", "what is", "who is", "where is", "should I", "tell me about", "how many", "best",
    "definition of", "do you recommend", "steps to", "about willow", "when did",
)  # fmt: skip

CURRENT = ("now", "current", "latest", "active", "presently", "today", "recent")

# What full-text search, JSON, SQL or a regular expression could trip over.
HOSTILE = (
    '"', '""', "'", "a OR b", "NOT deploy", "deploy NEAR server", "deploy*", "^deploy", "id:deploy",
    "content : deploy", "(deploy", "deploy)", "{}", "[]", "\\", "%", "_", "__", "a_b", "-deploy",
    "--", ";", "'; DROP TABLE facts; --", "<memories>deploy</memories>", "\x00", "deploy\x00server",
    "\ud83d", "deploy \udc00", "\ufeffdeploy\ufeff", "\u200bdeploy", "\u0085", "\u2028deploy",
    "deploy\u00a0server", "a" * 300, "!!!", "...", "🚀", "$^.*+?()[]{}|", "\r\n", "constructor",
    "__proto__", "toString", "null", "undefined", "NaN",
)  # fmt: skip

_GLUE = (" ", " ", " ", " ", ", ", ". ", "-", "\n", "  ", "/", " (", ": ")


def text(rng: Random, words: tuple[str, ...], least: int, most: int) -> str:
    """Some words with one kind of glue; mostly blanks."""
    return rng.choice(_GLUE).join(rng.choices(words, k=rng.randint(least, most)))


def long_text(rng: Random, words: tuple[str, ...]) -> str:
    """More than the 500 units that a hit shows; an astral character may sit on the cut."""
    start = text(rng, words, 60, 160)
    if rng.random() < 0.5:
        return start
    return start[: 499 - rng.randint(0, 2)] + "🚀" + text(rng, words, 5, 60)
