from __future__ import annotations

import time

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from memlab.text.redact import MARK, redact

LETTERS = "abcdefghijklmnop"
MIXED = "0123456789ab"
WEB_TOKEN = f"{LETTERS}.{LETTERS}-_.{LETTERS}"


@pytest.mark.parametrize("word", ["password", "secret", "token", "key", "tok", "sk", "pk", "rk"])
@pytest.mark.parametrize("dash", ["-", "_"])
def test_a_word_a_dash_and_a_long_part(word: str, dash: str) -> None:
    assert redact(f"use {word}{dash}{MIXED}, please") == f"use {MARK}, please"
    assert redact(f"{word}{dash}{LETTERS}") == MARK
    assert redact(f"{word}{dash}0123456789012345") == MARK
    for short in (MIXED[1:], LETTERS[1:], "012345678901234"):
        assert redact(f"{word}{dash}{short}") == f"{word}{dash}{short}"
    assert redact(f"{word.upper()}{dash}{MIXED}") == f"{word.upper()}{dash}{MIXED}"


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        (f"api_key-live-{MIXED}-eu tail", f"api_{MARK} tail"),
        (f"{MIXED}-key-eu", f"{MIXED}-key-eu"),  # the long part is before the word
        (f"a-key-b-token-{MIXED}-c", f"a-{MARK}"),
        (f"key--__{MIXED}", MARK),
        (f"key_{MIXED}é{MIXED}", f"{MARK}é{MIXED}"),
        (f"key_{MIXED} token-{MIXED}", f"{MARK} {MARK}"),
        ("task-internationalization", f"ta{MARK}"),
        (f"key {MIXED}", f"key {MIXED}"),
        (f"key={MIXED}", f"key={MIXED}"),
    ],
)
def test_where_a_run_is_cut(text: str, stored: str) -> None:
    assert redact(text) == stored


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        (f"Bearer {WEB_TOKEN}!", f"Bearer {MARK}!"),
        (f"{WEB_TOKEN}.{LETTERS}", f"{MARK}.{LETTERS}"),
        (f"{WEB_TOKEN}.{WEB_TOKEN}", f"{MARK}.{MARK}"),
        (f"short.{WEB_TOKEN}", f"short.{MARK}"),
        (f"{LETTERS}.{LETTERS[1:]}.{LETTERS}", f"{LETTERS}.{LETTERS[1:]}.{LETTERS}"),
        (f".{WEB_TOKEN}", f".{WEB_TOKEN}"),  # a dot at the very beginning
        (f" .{WEB_TOKEN}", f" .{MARK}"),
    ],
)
def test_web_tokens(text: str, stored: str) -> None:
    assert redact(text) == stored


@pytest.mark.parametrize(
    ("start", "rest"),
    [
        ("AKIA", "A1" * 8), ("ASIA", "Z" * 16), *((f"gh{kind}_", "aB3d" * 5) for kind in "pousr"),
        ("github_pat_", "a_B3" * 5), ("npm_", "a1" * 15), *((f"xox{k}-", "a1-b2-c3-d") for k in "baprs"),
        ("AIza", "a_-9z" * 6),
    ],
)  # fmt: skip
def test_tokens_of_services(start: str, rest: str) -> None:
    assert redact(f"({start}{rest})") == f"({MARK})"
    assert redact(f"({start}{rest[1:]})") == f"({start}{rest[1:]})"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "https://ada:hunter2hunter2@heron.example/x",
        "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----",
        "password: hunter2hunter2hunter2",
        "heron_deploy_key and token_count and secret-santa",
    ],
)
def test_what_the_agent_leaves(text: str) -> None:
    assert redact(text) == text


# Fifteen letters are the most that are never a secret, whatever stands before them.
ordinary = st.text(st.characters(categories=["L"]), min_size=1, max_size=15)
named = st.sampled_from(("token", "key", "secret", "task", "monkey"))
glue = st.sampled_from((" ", " ", "-", "_", ", ", ". ", "\n", "/", ": ", "=", "@"))


@given(st.lists(st.tuples(ordinary | named, glue)))
def test_ordinary_words_stay(words: list[tuple[str, str]]) -> None:
    text = "".join(word + after for word, after in words)
    assume(not any(start in text for start in ("xox", "AIza", "github_pat_")))
    assert redact(text) == text


@given(st.lists(st.text(st.characters(categories=["Ll", "Lo"]), max_size=40)))
def test_long_words_stay_without_a_dash(words: list[str]) -> None:
    text = " ".join(["the token", *words])
    assert redact(text) == text


def test_time_grows_with_the_length_and_no_faster() -> None:
    hard = ["token_aaaa-" * 2_000, "a" * 20_000, f"{LETTERS}." * 1_200, "xoxb-" * 4_000]
    start = time.perf_counter()
    assert [redact(text) == text for text in hard] == [True, True, False, False]
    assert time.perf_counter() - start < 2
