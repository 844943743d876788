from __future__ import annotations

import ipywidgets as w
import pytest

from memlab import Mnemopi, RecallOptions
from memlab.errors import InputError
from memlab.widgets.control import Control
from memlab.widgets.knob import knobs
from memlab.widgets.panel import Panel
from memlab.widgets.sheet import sheet_of
from tests.widgets.toys import harmless

KNOBS = knobs(RecallOptions)


@pytest.mark.parametrize("name", KNOBS)
def test_every_control_begins_with_its_default_and_explains_itself(name: str) -> None:
    control = Control(KNOBS[name])
    assert not control.changed
    label = harmless(control.widget.description)
    assert label.text == name
    assert label.values == [KNOBS[name].tooltip]
    assert "efault" in KNOBS[name].tooltip


@pytest.mark.parametrize(
    ("name", "kind"),
    [("mode", w.Dropdown), ("include_facts", w.Checkbox), ("mmr", w.Dropdown), ("limit", w.Text)],
)
def test_the_control_fits_the_option(name: str, kind: type[w.Widget]) -> None:
    assert isinstance(Control(KNOBS[name]).widget, kind)


def test_a_switch_may_be_left_to_the_engine() -> None:
    control = Control(KNOBS["mmr"])
    assert control.widget.label == "default: only in mode enhanced"
    assert control.value is None
    control.widget.label = "no"
    assert control.changed
    assert control.value is False
    control.enter(None)
    assert control.widget.label == "default: only in mode enhanced"
    assert not control.changed


def test_a_changed_control_keeps_its_default_in_sight() -> None:
    control = Control(KNOBS["limit"])
    control.widget.value = "3"
    assert control.value == 3
    assert harmless(control.widget.description).text == "limit (default: 8)"
    control.enter(8)
    assert harmless(control.widget.description).text == "limit"


def test_what_cannot_be_read_counts_as_changed() -> None:
    control = Control(KNOBS["limit"])
    control.widget.value = "many"
    assert control.changed
    with pytest.raises(InputError, match="limit: 'many' is not a number"):
        _ = control.value


def test_text_is_read_when_it_is_finished() -> None:
    assert Control(KNOBS["now"]).widget.continuous_update is False


def test_a_panel_gives_what_differs(bank: Mnemopi) -> None:
    panel = Panel(sheet_of(bank), {"limit": 3, "include_facts": True})
    assert panel.values() == {"limit": 3}
    panel.controls["mmr_lambda"].widget.value = "1"
    assert panel.values() == {"limit": 3, "mmr_lambda": 1}


def test_a_panel_tells_of_every_change_by_hand_and_resets_quietly(bank: Mnemopi) -> None:
    panel, told = Panel(sheet_of(bank), {}), []
    panel.on_change(lambda: told.append(panel.values()))
    panel.controls["limit"].widget.value = "3"
    panel.controls["include_facts"].widget.value = False
    panel.reset()
    assert told == [{"limit": 3}, {"limit": 3, "include_facts": False}]
    assert panel.values() == {}


def test_the_panel_folds_what_is_rarely_turned(bank: Mnemopi) -> None:
    panel = Panel(sheet_of(bank), {})
    folded = panel.widget.children[1]
    assert folded.titles == ("more options", "the engine's constants")
    assert folded.selected_index is None
