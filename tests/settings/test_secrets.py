"""A token is never shown: not in a text, a dump, a table, a message."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

from memlab.errors import SettingsError
from memlab.settings import Settings

TOKEN = "s3cr3t-t0k3n"
Writer = Callable[[str], Path]


@pytest.fixture(params=["argument", "memlab variable", "toml", "agent variable", "agent file"])
def settings(
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    project: Path,
    agent_file: Writer,
) -> Settings:
    """Settings with a token from each layer in turn."""
    if request.param == "memlab variable":
        monkeypatch.setenv("MEMLAB_HINDSIGHT_API_TOKEN", TOKEN)
    elif request.param == "toml":
        (project / "memlab.toml").write_text(f"[hindsight]\napi_token = '{TOKEN}'\n")
    elif request.param == "agent variable":
        monkeypatch.setenv("HINDSIGHT_API_TOKEN", TOKEN)
    elif request.param == "agent file":
        agent_file(f"hindsight: {{apiToken: {TOKEN}}}\n")
    else:
        return Settings.load(hindsight={"api_token": TOKEN})
    return Settings.load()


def test_a_token_is_never_shown(settings: Settings) -> None:
    token = settings.hindsight.api_token
    assert token is not None
    assert token.get_secret_value() == TOKEN
    shown = [
        repr(settings),
        str(settings),
        str(settings.hindsight),
        str(settings.model_dump()),
        settings.model_dump_json(),
        settings.frame().to_string(),
        str(settings.sources()),
        str(settings.problems),
    ]
    assert all(TOKEN not in text for text in shown)
    row = settings.frame().set_index("key").loc["hindsight.api_token"]
    assert row["value"] == "**********"


@pytest.mark.parametrize("secret", [TOKEN, f"me:{TOKEN}", f"me:{TOKEN}@x", f"{TOKEN}:"])
def test_a_password_in_an_address_is_used_and_not_shown(secret: str) -> None:
    address = f"https://{secret}@memory.example:8443/api"
    settings = Settings.load(hindsight={"api_url": address})
    assert settings.hindsight.api_url == address
    for text in (repr(settings), str(settings.hindsight), settings.frame().to_string()):
        assert TOKEN not in text
        assert "https://***@memory.example:8443/api" in text


def test_an_address_without_a_password_is_shown_as_it_is() -> None:
    address = "http://127.0.0.1:8888/a@b?c=d@e"
    row = Settings.load(hindsight={"api_url": address}).frame().set_index("key")
    assert row.loc["hindsight.api_url", "value"] == address


@pytest.mark.parametrize(
    ("toml", "config"),
    [
        (f"[hindsight]\napi_token = ['{TOKEN}']\n", ""),
        (f"[hindsight]\napi_tokn = '{TOKEN}'\n", ""),
        (f"[hindsight]\napi_token = {TOKEN}\n", ""),
        (f"[hindsight]\napi_token = '{TOKEN}\n", ""),
        ("", f"hindsight:\n  apiToken: '{TOKEN}\n"),
        ("", f"hindsight:\n  apiToken: *{TOKEN}\n"),
        ("", f"hindsight:\n  apiToken: x: {TOKEN}\n"),
        ("", f"hindsight:\n  apiToken: @{TOKEN}\n"),
    ],
)
def test_no_message_quotes_it(project: Path, agent_file: Writer, toml: str, config: str) -> None:
    (project / "memlab.toml").write_text(toml)
    agent_file(config)
    with pytest.raises(SettingsError) as caught:
        Settings.load()
    text = "".join(traceback.format_exception(caught.value))
    assert TOKEN not in text


def test_no_problem_quotes_it(agent_file: Writer) -> None:
    agent_file(f"hindsight: {{apiToken: [{TOKEN}]}}\n")
    settings = Settings.load()
    assert len(settings.problems) == 1
    assert TOKEN not in settings.problems[0]


def test_no_argument_error_quotes_it() -> None:
    with pytest.raises(SettingsError) as caught:
        Settings.load(hindsight={"api_token": [TOKEN]})
    assert TOKEN not in "".join(traceback.format_exception(caught.value)).replace(
        "Settings.load(", ""
    )
