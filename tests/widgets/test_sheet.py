from __future__ import annotations

import pytest

from memlab import Mnemopi, MnemopiScope, RecallOptions, Settings
from memlab.errors import InputError, UnknownOption
from memlab.hindsight import Hindsight, HindsightOptions
from memlab.testing.hindsight import FakeHindsight
from memlab.widgets.sheet import sheet_of
from tests.widgets.conftest import BANKS
from tests.widgets.toys import Toy, ToyOptions


def test_every_option_of_a_bank_is_shown_once(bank: Mnemopi) -> None:
    sheet = sheet_of(bank)
    shown = [*sheet.first, *(name for names in sheet.groups.values() for name in names)]
    assert sorted(shown) == sorted(RecallOptions.model_fields)
    assert sheet.first[0] == "limit"
    assert list(sheet.groups) == ["more options", "the engine's constants"]


def test_a_scope_has_those_of_its_banks_and_its_own() -> None:
    settings = Settings.load(mnemopi={"recall_limit": 3})
    with MnemopiScope(
        cwd="/home/mira/work/dispatch", bank="team", path=BANKS / "mnemopi.db", settings=settings
    ) as scope:
        sheet = sheet_of(scope)
    assert sheet.knobs["limit"].default == 3
    assert sheet.knobs["fallback"].default is True
    shown = [*sheet.first, *(name for names in sheet.groups.values() for name in names)]
    assert sorted(shown) == sorted(sheet.knobs)


def test_a_server_has_those_of_its_recall() -> None:
    with Hindsight("x", transport=FakeHindsight().transport) as server:
        sheet = sheet_of(server)
    shown = [*sheet.first, *(name for names in sheet.groups.values() for name in names)]
    assert sorted(shown) == sorted(HindsightOptions.model_fields)
    assert sheet.knobs["budget"].choices == ("low", "mid", "high")
    assert sheet.knobs["types"].kind == "list"
    assert sheet.knobs["min_scores"].kind == "json"


def test_any_backend_may_declare_its_options() -> None:
    toy = Toy()
    assert sheet_of(toy).knobs == {}
    toy.options_model = ToyOptions
    sheet = sheet_of(toy)
    assert sheet.first == ("limit", "budget", "tags", "strict")
    assert sheet.groups == {}


def test_options_beyond_the_first_six_are_folded() -> None:
    toy = Toy()
    toy.options_model = RecallOptions
    sheet = sheet_of(toy)
    assert len(sheet.first) == 6
    assert [*sheet.first, *sheet.groups["more options"]] == list(RecallOptions.model_fields)


def test_an_unknown_option_is_refused_with_the_nearest_name(bank: Mnemopi) -> None:
    with pytest.raises(UnknownOption, match="has no option 'limmit'. Did you mean 'limit'?"):
        sheet_of(bank).checked({"limmit": 3})
    toy = Toy()
    with pytest.raises(UnknownOption, match="toy declares no options, so 'limit' cannot be set"):
        sheet_of(toy).checked({"limit": 3})
    toy.options_model = ToyOptions
    with pytest.raises(UnknownOption, match="'q'. It has: limit, budget, tags, strict"):
        sheet_of(toy).checked({"q": 3})


def test_a_value_that_cannot_be_used_is_refused(bank: Mnemopi) -> None:
    with pytest.raises(InputError, match="mode='fast': Input should be 'enhanced', 'plain' or"):
        sheet_of(bank).checked({"mode": "fast"})


def test_values_come_back_as_the_backend_reads_them(bank: Mnemopi) -> None:
    checked = sheet_of(bank).checked({"min_relevance": [0, 0, 0, 0], "limit": "4"})
    assert checked == {"min_relevance": (0, 0, 0, 0), "limit": 4}
