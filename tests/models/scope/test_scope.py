"""Scopes as values: both backends, every mode, defaults from the settings, awkward names."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

from memlab import Scope, Settings
from memlab.errors import InputError

CWD = "/home/ada/projects/heron"
PROJECT = "heron-1rb2hu4n771fr"
# Names that users of memory services stumbled over.
AWKWARD = [
    "my-group",
    "vt-firmware",
    "a.b",
    "a b",
    "it's",
    'say "hi"',
    "日本語",
    "NOT",
    "../up",
    "*",
]


def mnemopi(tmp_path: Path, mode: Any, **more: Any) -> Scope:
    return Scope.mnemopi(CWD, mode, path=tmp_path / "mnemopi.db", **more)


def test_mnemopi_modes(tmp_path: Path) -> None:
    shared = mnemopi(tmp_path, "global", bank="team")
    assert (shared.bank, shared.banks, shared.shared) == ("team", ("team",), "team")
    own = mnemopi(tmp_path, "per-project", bank="team")
    assert (own.bank, own.banks, own.shared) == (f"team-{PROJECT}", (f"team-{PROJECT}",), None)
    tagged = mnemopi(tmp_path, "per-project-tagged")
    assert (tagged.bank, tagged.banks, tagged.shared) == (PROJECT, (PROJECT, "default"), "default")
    assert tagged.files == {
        PROJECT: tmp_path / "banks" / PROJECT / "mnemopi.db",
        "default": tmp_path / "mnemopi.db",
    }
    assert not list(tmp_path.iterdir()), "something was made"


@pytest.mark.parametrize(
    ("mode", "bank", "tags", "match", "label"),
    [
        ("global", "x-team", (), None, None),
        ("per-project", "x-team-Heron", (), None, "Heron"),
        ("per-project-tagged", "x-team", ("project:Heron",), "any", "Heron"),
    ],
)
def test_hindsight_modes(mode: Any, bank: str, tags: Any, match: Any, label: Any) -> None:
    scope = Scope.hindsight("/srv/Heron", mode, bank=" team ", prefix="x")
    assert (scope.bank, scope.banks) == (bank, (bank,))
    assert (scope.retain_tags, scope.recall_tags, scope.match) == (tags, tags, match)
    assert (scope.label, scope.files) == (label, {})


def test_the_label_rules_differ_in_their_letters(tmp_path: Path) -> None:
    folder = tmp_path / "Heron"
    assert Scope.hindsight(folder).retain_tags == ("project:Heron",)
    assert Scope.hindsight(folder, label="repository").retain_tags == ("project:heron",)


def test_defaults_are_the_settings(tmp_path: Path) -> None:
    settings = Settings.load(
        mnemopi={"bank": "crew", "scoping": "per-project-tagged", "db_path": tmp_path / "m.db"},
        hindsight={"bank_id": "hq", "bank_id_prefix": "p", "scoping": "per-project"},
    )
    scope = Scope.mnemopi(CWD, settings=settings)
    assert scope.banks == (f"crew-{PROJECT}", "crew")
    assert scope.files["crew"] == tmp_path / "m.db"
    assert Scope.mnemopi(CWD, bank="", settings=settings).banks == (PROJECT, "default")
    assert Scope.hindsight(CWD, settings=settings).bank == "p-hq-heron"
    assert Scope.hindsight(CWD, settings=settings, prefix="").bank == "hq-heron"


def test_without_settings_it_is_the_agents_own_place(clean_environment: Path) -> None:
    """Even where an engine of its own keeps a database elsewhere: the agent would not look there."""
    elsewhere = clean_environment / ".hermes" / "mnemopi" / "data" / "mnemopi.db"
    elsewhere.parent.mkdir(parents=True)
    elsewhere.touch()
    scope = Scope.mnemopi(CWD, "global")
    own = clean_environment / ".omp" / "agent" / "memories" / "mnemopi" / "mnemopi.db"
    assert scope.files == {"default": own}


def test_the_directory_is_absolute_and_no_link_is_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clean_environment: Path
) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    monkeypatch.chdir(tmp_path / "real")
    assert Scope.hindsight().cwd == str(Path.cwd())
    assert Scope.hindsight("").cwd == str(Path.cwd())
    assert Scope.hindsight("../x/./y/").cwd == str(tmp_path / "x" / "y")
    assert Scope.hindsight(tmp_path / "link").cwd == str(tmp_path / "link")
    assert Scope.hindsight("~/work").cwd == str(clean_environment / "work")
    assert Scope.hindsight("//srv").cwd == "/srv"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"mode": "tagged"}, "mode='tagged' is none; the modes are global, per-project"),
        ({"cwd": 7}, "cwd is a path, not int"),
        ({"cwd": "/a\0b"}, "holds a NUL character"),
    ],
)
def test_what_cannot_be(arguments: dict[str, Any], said: str) -> None:
    for make in (Scope.mnemopi, Scope.hindsight):
        with pytest.raises(InputError, match=said):
            make(**arguments)


@pytest.mark.parametrize("name", ["bank", "prefix"])
def test_parts_of_a_name_are_text(name: str) -> None:
    with pytest.raises(InputError, match=f"{name}=3: it is a part of the bank's name, a text"):
        Scope.hindsight(CWD, **{name: 3})  # type: ignore[arg-type]


def test_an_unknown_label_rule_and_a_directory_for_a_database(tmp_path: Path) -> None:
    with pytest.raises(InputError, match='rules are "cwd" and "repository"'):
        Scope.hindsight(CWD, label="git")  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"is a directory.*mnemopi\.db"):
        Scope.mnemopi(CWD, path=tmp_path)


@pytest.mark.parametrize("name", AWKWARD)
def test_awkward_names_stay_inside_their_place(name: str, tmp_path: Path) -> None:
    """A directory's name reaches Mnemopi's file system cleaned, and Hindsight as it is."""
    scope = Scope.mnemopi(
        f"/srv/{name.replace('/', '-')}", "per-project", bank=name, path=tmp_path / "m.db"
    )
    assert scope.files[scope.bank].parent.parent == tmp_path / "banks"
    assert set(scope.bank) <= set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
    )
    last = name.replace("/", "-")
    tagged = Scope.hindsight(f"/srv/{last}", bank=name)
    assert tagged.retain_tags == (f"project:{last}",)
    assert tagged.bank == name


def test_frame_and_texts(tmp_path: Path) -> None:
    scope = mnemopi(tmp_path, "per-project-tagged", bank="<b>team")
    frame = scope.frame()
    assert list(frame["role"]) == ["retain", "shared"]
    assert list(frame["exists"]) == [False, False]
    assert frame["note"].str.contains("no such file yet").all()
    assert "retain  b-team-heron" in repr(scope)
    tagged = Scope.hindsight("/srv/<i>")
    assert tagged.frame().loc[0, ["tags", "match"]].tolist() == ["project:<i>", "any"]
    assert tagged.frame()["exists"].isna().all()
    assert "<i>" not in tagged._repr_html_()


def test_a_scope_is_a_value(tmp_path: Path) -> None:
    scope = mnemopi(tmp_path, "per-project-tagged")
    assert scope == mnemopi(tmp_path, "per-project-tagged")
    assert len({scope, mnemopi(tmp_path, "per-project-tagged")}) == 1
    assert pickle.loads(pickle.dumps(scope)) == scope
    with pytest.raises(AttributeError):
        scope.bank = "other"  # type: ignore[misc]
