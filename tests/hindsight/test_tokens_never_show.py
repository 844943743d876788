"""No token in any repr, log, error, recording, or file of the project."""

from __future__ import annotations

import copy
import logging
import pickle
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

from memlab.errors import InputError, MemlabError
from memlab.hindsight import Hindsight
from memlab.settings import Settings
from memlab.testing.hindsight import FakeHindsight
from tests.hindsight.loopback import HEAD, misbehaving, send

TOKEN = "tok-5up3rs3cret-9f1c"
PASSWORD = "pw-7ops3cret"
ROOT = Path(__file__).parents[2]


def assert_clean(*texts: object) -> None:
    for text in texts:
        assert TOKEN not in str(text)
        assert PASSWORD not in str(text)


@pytest.mark.parametrize(
    "answer",
    [
        (401, {"detail": "Invalid API key"}, {}),
        (404, {"detail": "Bank 'b' not found"}, {}),
        (422, {"detail": [{"loc": ["body"], "msg": "no", "input": {}}]}, {}),
        (500, {"detail": "boom"}, {}),
        (503, {"detail": "later"}, {"retry-after": "0"}),
        (200, b"<html>", {}),
        (200, {}, {}),
        None,
    ],
)
def test_whatever_the_server_says(
    answer: object,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    fake = FakeHindsight(fault=lambda request: answer)  # type: ignore[arg-type, return-value]
    fake.add("b", "words")
    tape = tmp_path / "tape.jsonl"
    url = f"http://user:{PASSWORD}@fake.example"
    with caplog.at_level(logging.DEBUG):
        bank = Hindsight("b", url=url, token=TOKEN, transport=fake.transport, record=tape)
        assert_clean(repr(bank), str(bank), bank.url, repr(bank._client), bank.name)
        try:
            found = bank.recall("words")
            assert_clean(repr(found), found._repr_html_(), found.options)
        except MemlabError as error:
            assert_clean(
                error, repr(error), error.__dict__, "".join(traceback.format_exception(error))
            )
            assert_clean(pickle.dumps(error))
    assert fake.requests[0].headers["authorization"] == f"Bearer {TOKEN}"
    assert_clean(caplog.text, tape.read_text("utf-8"), *capfd.readouterr())


@pytest.mark.parametrize(
    "make",
    [
        lambda url: Hindsight("b", url=url, token=TOKEN, timeout=0.3),
        lambda url: Hindsight("b", url=url, timeout=0.3,
                              settings=Settings.load(hindsight={"api_token": TOKEN})),
    ],
    ids=["argument", "settings"],
)  # fmt: skip
def test_failures_of_the_wire(
    make: Callable[[str], Hindsight], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        for act in (send(b"", linger=2), send(HEAD), send(b"nonsense\r\n\r\n")):
            with misbehaving(act) as url, pytest.raises(MemlabError) as caught:
                make(url).recall("x")
            assert_clean(caught.value, "".join(traceback.format_exception(caught.value)))
    assert_clean(caplog.text)


def test_a_server_that_echoes_the_token_is_not_recorded_with_it(tmp_path: Path) -> None:
    def fault(request):  # type: ignore[no-untyped-def]
        return 200, {"results": [{"id": "1", "text": f"heard {TOKEN}"}], "echo": TOKEN}, {}

    tape = tmp_path / "tape.jsonl"
    fake = FakeHindsight(fault=fault)
    Hindsight("b", url="http://fake", token=TOKEN, transport=fake.transport, record=tape).recall(
        "x"
    )
    assert_clean(tape.read_text("utf-8"))
    assert "heard ***" in tape.read_text("utf-8")


def test_name_and_password_of_an_address_are_a_login() -> None:
    fake = FakeHindsight()
    fake.add("b", "words")
    bank = Hindsight("b", url=f"http://user:{PASSWORD}@fake", transport=fake.transport)
    assert bank.url == "http://fake"
    assert len(bank.recall("words")) == 1
    assert fake.requests[0].headers["authorization"].startswith("Basic ")


@pytest.mark.parametrize("around", ["\n", " ", "\r\n", "\t"])
def test_a_token_read_from_a_file_loses_its_line_break(around: str) -> None:
    fake = FakeHindsight(token=TOKEN)
    fake.add("b", "words")
    with fake.serve() as url:
        assert len(Hindsight("b", url=url, token=f"{TOKEN}{around}").recall("words")) == 1


def test_a_token_beyond_ascii_goes_as_the_agent_sends_it() -> None:
    fake = FakeHindsight()
    fake.add("b", "words")
    with fake.serve() as url:
        assert len(Hindsight("b", url=url, token=f"tök-{TOKEN}").recall("words")) == 1
    assert fake.requests[0].headers["authorization"] == f"Bearer tök-{TOKEN}"


@pytest.mark.parametrize("odd", ["\n", "\r", "\0", "\x7f", "\u0101", "\ud83d", "\U0001f600"])
@pytest.mark.parametrize("given", ["argument", "settings"])
def test_a_token_that_no_header_carries_is_refused_without_a_word_of_it(
    odd: str, given: str
) -> None:
    secret = f"{TOKEN}{odd}{TOKEN}"
    settings = Settings.load(hindsight={"api_token": secret})
    more = {"token": secret} if given == "argument" else {"settings": settings}
    with pytest.raises(InputError, match="The token cannot be sent") as caught:
        Hindsight("b", url="http://fake", **more)  # type: ignore[arg-type]
    assert_clean(caught.value, repr(caught.value), pickle.dumps(caught.value))
    assert caught.value.__cause__ is caught.value.__context__ is None


def test_a_traceback_with_all_variables_does_not_show_the_settings_token(tmp_path: Path) -> None:
    """As a notebook prints it in its verbose mode."""
    settings = Settings.load(hindsight={"api_token": TOKEN})
    slow = send(b"", linger=2)
    with misbehaving(slow) as url:
        for make in (
            lambda: Hindsight("b", url=url, settings=settings, replay=tmp_path / "none.jsonl"),
            lambda: Hindsight("b", url=url, settings=settings, record=tmp_path),
            lambda: Hindsight("b", url=url, settings=settings, timeout=0.3).recall("x"),
        ):
            with pytest.raises(MemlabError) as caught:
                make()
            shown = traceback.TracebackException.from_exception(caught.value, capture_locals=True)
            assert_clean("".join(shown.format()))


@pytest.mark.parametrize(
    "url",
    [
        f"http://user:{PASSWORD}/x@host", f"http://user:80/{PASSWORD}@host", f"user:{PASSWORD}@host",
        f"http://user:{PASSWORD}?x@host", f"http://user:{PASSWORD}#x@host",
        f"http://user:{PASSWORD}@[host", f"http://user:{PASSWORD}@host:port",
        f"http://user:{PASSWORD}@host?key={TOKEN}",
    ],
)  # fmt: skip
def test_an_address_that_cannot_be_read_does_not_show_its_password(url: str) -> None:
    with pytest.raises(InputError) as caught:
        Hindsight("b", url=url)
    assert_clean(caught.value, "".join(traceback.format_exception(caught.value)))
    assert "%2F" in str(caught.value)  # and says how to write it


@pytest.mark.parametrize("proxy", ["ftp://user:{0}@127.0.0.1:1", "socks5://user:{0}@127.0.0.1:1",
                                   "http://user:{0}@[bad", "http://user:{0}@127.0.0.1:1"])  # fmt: skip
def test_the_password_of_a_proxy_does_not_show(
    proxy: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("http_proxy", proxy.format(PASSWORD))
    monkeypatch.setenv("no_proxy", "")
    with caplog.at_level(logging.DEBUG), pytest.raises(MemlabError) as caught:
        Hindsight("b", url="http://memory.example", timeout=2).recall("x")
    assert_clean(caught.value, "".join(traceback.format_exception(caught.value)), caplog.text)


def test_a_bank_is_not_pickled_with_its_token() -> None:
    bank = Hindsight("b", url="http://fake", token=TOKEN)
    for keep in (pickle.dumps, copy.deepcopy):
        with pytest.raises(InputError, match="prefer='threads'") as caught:
            keep(bank)
        assert_clean(caught.value)
    assert_clean(vars(bank), vars(bank._client), vars(bank._client._http))


def test_a_bad_address_is_named_without_its_password() -> None:
    with pytest.raises(MemlabError) as caught:
        Hindsight("b", url=f"ftp://user:{PASSWORD}@host")
    assert_clean(caught.value)


@pytest.mark.parametrize("folder", ["data", "notebooks", "tests/golden"])
def test_no_file_of_the_project_holds_a_token(folder: str) -> None:
    for path in (ROOT / folder).rglob("*"):
        if path.is_file() and path.suffix in (".jsonl", ".json", ".ipynb", ".md", ".py", ".toml"):
            text = path.read_text("utf-8", "replace")
            assert "Bearer " not in text, path
            assert "authorization" not in text.lower() or path.suffix in (".md", ".py"), path
