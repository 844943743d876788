"""The engine's word tables: stop words, synonym groups, fillers.

Facts of the engine's behaviour, in its order where the order matters.
"""

from __future__ import annotations

__all__ = [
    "CLITICS",
    "CURRENT",
    "EXTRA_VARIANTS",
    "FILLERS",
    "OUTDATED",
    "QUERY_STOP",
    "STOP",
    "SYNONYMS",
    "canonical",
    "group_of",
]

STOP = frozenset(
    "a an and are as at be by for from how i in is it of on or that the this to was what when"
    " where who with".split()
)
"""Words that are never tokens."""

QUERY_STOP = frozenset(
    "a an the is are was were be been have has had do does did will would could should may might"
    " can shall must i you he she it we they me him her us them my your his its our their mine"
    " yours hers ours theirs what which who whom where when why how this that these those of in to"
    " for on with at by from as into through during before after above below between under and but"
    " or nor not so than too very just about also really actually basically simply if then else"
    " while because though although".split()
)
"""Words left out of the normalised query."""

CLITICS = frozenset("d ll m re s t ve".split())
"""What tokenising leaves of English contractions."""

FILLERS = QUERY_STOP | frozenset(
    "active current currently d know latest ll m please present re recent remind remember s t tell"
    " today ve".split()
)
"""Words that count for a fact only where the fact itself says them."""

CURRENT = "current|currently|latest|now|active|present"
"""Words by which a text calls itself current."""

OUTDATED = "was|previous|previously|legacy|old|stale|former|deprecated"
"""Words by which a text calls itself outdated."""

_GROUPS = """
database db datastore data_store
password pass pwd passwd credential secret token
config configuration settings cfg setup
error bug issue fault failure crash exception traceback
fix repair resolve solve patch correct address
deploy deployment release ship push rollout
server host machine vm instance node vps
api endpoint interface service
key token credential secret api_key
user account profile identity person
model llm ai provider gpt claude gemini
speed fast quick performance latency throughput
memory recall remember storage retention
search find lookup query retrieve locate
file document doc text note
code script program source implementation
test verify check validate probe examine
backup snapshot copy save archive
install setup configure bootstrap init
update upgrade refresh renew sync
delete remove destroy purge clean wipe erase
list show display enumerate catalog
time date when timestamp schedule
url link address uri path
health status check pulse alive up
service daemon process systemd worker
port socket bind listen
network internet connection connectivity dns
ssh terminal shell remote connect
git commit push pull repo repository branch
log output stdout stderr trace debug
cron schedule job task timer periodic
email mail message inbox smtp
image picture photo screenshot graphic
browser web page site navigate chrome
monitor watch observe track survey
alert notify notification warning ping
migrate transfer move relocate port
compare diff versus vs contrast
save store persist preserve keep
"""

SYNONYMS: tuple[tuple[str, ...], ...] = tuple(
    tuple(line.split()) for line in _GROUPS.strip().splitlines()
)
"""Groups of words taken for one another; the first word of a group is its canonical word."""

EXTRA_VARIANTS = {
    "branding": ("positioning", "wording", "headline"),
    **dict.fromkeys(("preference", "prefer", "preferred"), ("wants", "want", "prefers")),
}
"""Variants appended after a word's synonyms."""

# A word in two groups belongs to the last one.
_GROUP_OF = {word: group for group in SYNONYMS for word in group}


def group_of(word: str) -> tuple[str, ...] | None:
    """Return the synonym group that a word belongs to, if any."""
    return _GROUP_OF.get(word)


def canonical(word: str) -> str:
    """Return the canonical word of the word's group, or the word itself."""
    group = _GROUP_OF.get(word)
    return group[0] if group else word
