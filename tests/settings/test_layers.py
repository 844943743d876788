"""Which layer wins, and what each says about what it cannot use."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import ValidationError

from memlab.errors import SettingsError
from memlab.settings import HindsightSettings, Settings

Writer = Callable[[str], Path]


def test_each_layer_gives_way_to_the_one_above(
    monkeypatch: pytest.MonkeyPatch, project: Path, agent_file: Writer
) -> None:
    name = "hindsight.recall_max_tokens"

    def now(**overrides: object) -> tuple[int, str]:
        settings = Settings.load(**overrides)
        return settings.hindsight.recall_max_tokens, settings.sources()[name]

    assert now() == (1024, "default")
    config = agent_file("hindsight:\n  recallMaxTokens: 1\n")
    assert now() == (1, str(config))
    monkeypatch.setenv("HINDSIGHT_RECALL_MAX_TOKENS", "2")
    assert now() == (2, "HINDSIGHT_RECALL_MAX_TOKENS")
    toml = project / "memlab.toml"
    toml.write_text("[hindsight]\nrecall_max_tokens = 3\n")
    assert now() == (3, str(toml))
    monkeypatch.setenv("MEMLAB_HINDSIGHT_RECALL_MAX_TOKENS", "4")
    assert now() == (4, "MEMLAB_HINDSIGHT_RECALL_MAX_TOKENS")
    assert now(hindsight={"recall_max_tokens": 5}) == (5, "argument")
    assert now(**{name: 6}) == (6, "argument")
    assert now(hindsight=HindsightSettings(recall_max_tokens=7)) == (7, "argument")


def test_layers_mix_within_a_group(monkeypatch: pytest.MonkeyPatch, agent_file: Writer) -> None:
    agent_file("hindsight: {bankId: heron, recallBudget: low}\n")
    monkeypatch.setenv("HINDSIGHT_RECALL_BUDGET", "high")
    found = Settings.load(hindsight={"debug": True}).hindsight
    assert (found.bank_id, found.recall_budget, found.debug) == ("heron", "high", True)


def test_the_nearest_toml_above_is_read(project: Path) -> None:
    (project.parent / "memlab.toml").write_text('cache_dir = "cache"\n[mnemopi]\nbank = "a"\n')
    settings = Settings.load()
    assert settings.mnemopi.bank == "a"
    assert settings.cache_dir == project.parent / "cache"  # relative to the file, not to here
    (project / "memlab.toml").write_text("")
    assert Settings.load().mnemopi.bank is None


def test_dotted_and_nested_keys_of_the_agent(agent_file: Writer) -> None:
    agent_file("memory.backend: mnemopi\nmnemopi.recallLimit: 4\n")
    settings = Settings.load()
    assert (settings.memory.backend, settings.mnemopi.recall_limit) == ("mnemopi", 4)
    agent_file("mnemopi.recallLimit: 4\nmnemopi: {recallLimit: 5}\n")
    assert Settings.load().mnemopi.recall_limit == 5


def test_the_second_name_of_the_agents_file(agent_file: Writer) -> None:
    path = agent_file("mnemopi: {bank: x}\n")
    path.rename(path.with_name("config.yaml"))
    assert Settings.load().mnemopi.bank == "x"


def test_off_is_a_word(agent_file: Writer) -> None:
    agent_file("memory:\n  backend: off\n")
    settings = Settings.load()
    assert settings.memory.backend == "off"
    assert settings.sources()["memory.backend"] != "default"
    assert settings.problems == ()


def test_the_embedding_variable_is_only_a_fallback(
    monkeypatch: pytest.MonkeyPatch, agent_file: Writer
) -> None:
    monkeypatch.setenv("MNEMOPI_EMBEDDING_MODEL", "from-variable")
    agent_file("mnemopi: {embeddingModel: from-file}\n")
    assert Settings.load().mnemopi.embedding_model == "from-file"
    agent_file("mnemopi: {embeddingModel: ' '}\n")
    assert Settings.load().mnemopi.embedding_model == "from-variable"
    agent_file("mnemopi: {embeddingModel: 5}\n")
    assert Settings.load().mnemopi.embedding_model is None


def test_the_agent_raises_small_values_and_memlab_refuses_them(agent_file: Writer) -> None:
    agent_file(
        "mnemopi: {recallMaxQueryChars: 10, injectionTokenLimit: 255.9, recallLimit: -3,"
        " recallContextTurns: 0, retainEveryNTurns: 0.5}\n"
    )
    found = Settings.load().mnemopi
    assert (found.recall_max_query_chars, found.injection_token_limit) == (256, 256)
    assert (found.recall_limit, found.recall_context_turns, found.retain_every_n_turns) == (1, 1, 1)
    with pytest.raises(SettingsError, match="greater than or equal to 256"):
        Settings.load(mnemopi={"recall_max_query_chars": 255})


def test_what_the_agent_cannot_use_is_unset_and_noted(
    monkeypatch: pytest.MonkeyPatch, agent_file: Writer
) -> None:
    monkeypatch.setenv("HINDSIGHT_RECALL_BUDGET", "huge")
    monkeypatch.setenv("HINDSIGHT_RECALL_MAX_TOKENS", "many")
    monkeypatch.setenv("HINDSIGHT_API_URL", "  ")
    config = agent_file(
        "hindsight: {recallMaxTokens: 99, apiToken: 5, recallBudget: low}\n"
        "mnemopi: 3\nanything: else\n"
    )
    settings = Settings.load()
    assert settings.hindsight.recall_budget == "low"
    assert settings.hindsight.recall_max_tokens == 99
    assert settings.hindsight.api_token is None
    assert settings.problems == (
        "HINDSIGHT_RECALL_BUDGET: the agent cannot use 'huge', so it counts as unset",
        "HINDSIGHT_RECALL_MAX_TOKENS: the agent cannot use 'many', so it counts as unset",
        f"{config}: the agent cannot use its value as hindsight.apiToken; ignored",
    )


@pytest.mark.parametrize(
    ("variable", "near"),
    [
        ("MEMLAB_HINDSIGTH_API_URL", "MEMLAB_HINDSIGHT_API_URL"),
        ("MEMLAB_MNEMOPI__BANK", "MEMLAB_MNEMOPI_BANK"),
        ("MEMLAB_CACHE_DIR", "MEMLAB_CACHE"),
    ],
)
def test_a_mistyped_variable(monkeypatch: pytest.MonkeyPatch, variable: str, near: str) -> None:
    monkeypatch.setenv(variable, "x")
    with pytest.raises(SettingsError, match=rf"{variable} is not .*Did you mean .*{near}\b"):
        Settings.load()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "[mnemopi]\nrecal_limit = 1\n",
            "'mnemopi.recal_limit'.*Did you mean mnemopi.recall_limit",
        ),
        ("[hindsight]\napiUrl = 'x'\n", "'hindsight.apiUrl'.*Did you mean hindsight.api_url"),
        ("recall_limit = 1\n", "'recall_limit'.*Did you mean mnemopi.recall_limit"),
        ("zebra = 1\n", "'zebra' is not a setting of memlab.$"),
        ("mnemopi = 1\n", "'mnemopi' is a group of settings"),
        ("[mnemopi]\nrecall_limit = 'x'\n", "mnemopi.recall_limit = 'x' cannot be used: .*integer"),
        ("[mnemopi]\nscoping = 'all'\n", "mnemopi.scoping = 'all' cannot be used: .*per-project"),
        ("[mnemopi]\nvec_weight = nan\n", "mnemopi.vec_weight = nan cannot be used"),
        ("[mnemopi\n", r"is not valid TOML: .*line 1"),
        ("a = 1\na = 2\n", r"is not valid TOML: .*line 2"),
    ],
)
def test_a_wrong_memlab_toml_names_itself(project: Path, content: str, message: str) -> None:
    path = project / "memlab.toml"
    path.write_text(content)
    with pytest.raises(SettingsError, match=message) as caught:
        Settings.load()
    assert str(path) in str(caught.value)


def test_wrong_arguments() -> None:
    with pytest.raises(SettingsError, match=r"Argument: 'hindsight.debugg'.*hindsight.debug"):
        Settings.load(hindsight={"debugg": True})
    with pytest.raises(SettingsError, match="The argument mnemopi.recall_limit = 2.5 cannot"):
        Settings.load(mnemopi={"recall_limit": 2.5})
    with pytest.raises(SettingsError, match="'problems' is not a setting"):
        Settings.load(problems=("x",))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a: b: c\n", "is not valid YAML in line 1"),
        (b"ok: 1\nhindsight: {apiUrl: x\n", "is not valid YAML in line 3"),
        (b"a: *token\n", "is not valid YAML in line 1"),
        (b"- 1\n", "must hold keys and values; it holds a list"),
        (b"\xff\xfe\n", "is not UTF-8"),
        (b"[" * 100_000, "nested too deep"),
    ],
)
def test_a_broken_agent_file_names_itself(agent_file: Writer, content: bytes, message: str) -> None:
    path = agent_file("")
    path.write_bytes(content)
    with pytest.raises(SettingsError, match=message) as caught:
        Settings.load()
    assert str(path) in str(caught.value)


def test_a_folder_in_place_of_a_file(project: Path, agent_file: Writer) -> None:
    path = agent_file("")
    path.unlink()
    path.mkdir()
    with pytest.raises(SettingsError, match="cannot be read"):
        Settings.load()


def test_a_pipe_in_place_of_a_file_is_not_waited_for(project: Path, agent_file: Writer) -> None:
    for path in (project / "memlab.toml", agent_file("")):
        path.unlink(missing_ok=True)
        os.mkfifo(path)
        with pytest.raises(SettingsError, match="is a pipe"):
            Settings.load()
        path.unlink()


def test_settings_are_frozen_and_travel() -> None:
    settings = Settings.load(mnemopi={"bank": "heron"}, hindsight={"recall_types": "world, x"})
    with pytest.raises(ValidationError):
        settings.memory = settings.memory  # type: ignore[misc]
    with pytest.raises(ValidationError):
        settings.mnemopi.bank = "otter"  # type: ignore[misc]
    assert settings.hindsight.recall_types == ("world", "x")
    copy = pickle.loads(pickle.dumps(settings))
    assert copy == settings
    assert copy.sources() == settings.sources()
    assert Settings.load(**settings.model_dump()).model_dump() == settings.model_dump()


def test_frame_shows_every_key() -> None:
    frame = Settings.load(mnemopi={"recall_limit": 4}).frame().set_index("key")
    assert list(frame.columns) == ["value", "source"]
    assert tuple(frame.loc["mnemopi.recall_limit"]) == ("4", "argument")
    assert frame.loc["hindsight.recall_types", "value"] == "world, experience"
    assert list(frame.index) == list(Settings.load().sources())
