"""Random texts with tokens, keys, URLs, blocks of keys, code and plain words in them."""

from __future__ import annotations

from base64 import b64encode
from random import Random
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits

from tests.parity.words import HOSTILE, MANY, SCRIPTS

__all__ = ["secret_text"]

WORDS = ("password", "secret", "token", "key", "tok", "sk", "pk", "rk", "Token", "KEY", "toke", "s")
STARTS = (
    "AKIA", "ASIA", "AKI", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "ghx_", "github_pat_", "npm_",
    "xoxb-", "xoxa-", "xoxp-", "xoxr-", "xoxs-", "xoxz-", "AIza", "aiza", "glpat-", "hf_", "sk-ant-",
)  # fmt: skip
ALPHABETS = (
    digits, ascii_lowercase, ascii_uppercase, ascii_letters, ascii_letters + digits,
    ascii_uppercase + digits, ascii_letters + digits + "-_", ascii_letters + digits + "_", "-_", "é1",
)  # fmt: skip
GLUE = (
    "",
    "",
    " ",
    " ",
    "-",
    "_",
    ".",
    ".",
    "\n",
    "=",
    ": ",
    '"',
    "[",
    "/",
    "@",
    "—",
    "\ud83d",
    "\x00",
)
CODE = (
    'api_key = os.environ["HERON_KEY"]', "def rotate_token_cache(self, token_id): ...",
    "export TOKEN=$(cat ~/.token)", "const secretKey = await kms.getSecretKey('heron');",
    "if len(password) < 12: raise ValueError", "git checkout task-1234-fix-the-login-page",
    "Authorization: Bearer ", "risk-assessment_for_the_quarter2026", "a.b.c.d", "1.2.3-rc.4",
    "com.heron.internationalization.authenticationservice.implementation",
)  # fmt: skip


def run(rng: Random) -> str:
    """Some characters of one alphabet, often about as long as the limits of the shapes."""
    size = rng.choice((1, 4, 9, 10, 11, 12, 13, 15, 16, 17, 19, 20, 21, 29, 30, 31, 45))
    return "".join(rng.choices(rng.choice(ALPHABETS), k=size))


def _named(rng: Random) -> str:
    parts = [rng.choice((rng.choice(WORDS), run(rng))) for _ in range(rng.randint(2, 5))]
    return rng.choice(("-", "_", "--", "_-")).join(parts)


def _web_token(rng: Random) -> str:
    if rng.random() < 0.5:
        return ".".join(run(rng) for _ in range(rng.randint(2, 7)))
    made = (b64encode(rng.randbytes(rng.randint(9, 40)), b"-_").decode() for _ in range(3))
    return ".".join(part.rstrip("=") for part in made)


def _url(rng: Random) -> str:
    return f"https://{rng.choice(MANY)}:{run(rng)}@heron.example/{_named(rng)}?token={run(rng)}"


def _block(rng: Random) -> str:
    lines = "\n".join(b64encode(rng.randbytes(48)).decode() for _ in range(rng.randint(1, 4)))
    return f"-----BEGIN PRIVATE KEY-----\n{lines}\n-----END PRIVATE KEY-----"


def secret_text(rng: Random) -> str:
    """A few pieces of every kind, with anything or nothing between them."""
    made = []
    for _ in range(rng.randint(1, 9)):
        kind = rng.randrange(10)
        if kind < 2:
            piece = _named(rng)
        elif kind < 4:
            piece = rng.choice(STARTS) + run(rng)
        elif kind < 6:
            piece = rng.choice((_web_token, _web_token, _url, _block))(rng)
        else:
            piece = rng.choice(
                (rng.choice(MANY), rng.choice((*SCRIPTS, *HOSTILE, *CODE)), run(rng))
            )
        made += [piece, rng.choice(GLUE)]
    return rng.choice(("", "", "", ".", " .")) + "".join(made)
