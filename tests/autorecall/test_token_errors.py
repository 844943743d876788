from __future__ import annotations

import pytest

from memlab import token_errors
from memlab.autorecall.token_errors import writing_of
from tests.autorecall.toys import said


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("The deploy takes four minutes.", "Latin"),
        ("тёмная тема", "Cyrillic"),
        ("用户服务器部署在腾讯云国内节点", "Chinese"),
        ("データベースの選択", "Japanese"),
        ("서버는 어디에", "Korean"),
        ("قاعدة البيانات", "Arabic"),
        ("for (let i = 0; i < n; i++) { a[i] = f(i); }", "code"),
        ("🚀🚀🎉 ok", "emoji"),
        ("🚀 shipped", "Latin"),
        ("...", "other"),
        ("", "other"),
    ],
)
def test_writings(text: str, script: str) -> None:
    assert writing_of(text) == script


def test_the_estimate_is_worst_where_characters_are_dense() -> None:
    """Field report 35: a quarter of the characters under-counts Chinese about three times."""
    texts = [
        "The user prefers short deploy notes, and a dark theme for the dashboard.",
        "用户服务器部署在腾讯云国内节点，外币汇率换算每天更新一次。",
        "Пользователь предпочитает тёмную тему интерфейса.",
    ]
    frame = token_errors(texts).set_index("script")
    assert frame.loc["Chinese", "error"] < -0.5
    assert abs(frame.loc["Latin", "error"]) < 0.35
    assert frame.loc["Chinese", "chars_per_token"] < frame.loc["Latin", "chars_per_token"]
    old = token_errors(texts, "cl100k_base").set_index("script")
    assert old.loc["Chinese", "tokens"] > frame.loc["Chinese", "tokens"]


def test_sums_and_empties() -> None:
    frame = token_errors(said("one two", "three four five").messages)
    assert list(frame["texts"]) == [2]
    assert list(frame["chars"]) == [22]
    assert list(frame["estimate"]) == [2 + 4]
    assert token_errors([""])["error"].isna().all()
    assert len(token_errors([])) == 0
