"""Small sets in the shape of the real ones, with their dirt; all texts are invented."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(__file__).parents[3] / "shared" / "data"


@pytest.fixture(scope="session")
def shared() -> Path:
    if not SHARED.is_dir():
        pytest.skip("the real data sets are not beside the project")
    return SHARED


def put(path: Path, content: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


@pytest.fixture
def beam(tmp_path: Path) -> Path:
    """Two chats; the second has a cut version, whose ids are the ones that are meant."""
    folder = tmp_path / "chats"

    def message(number: int, text: str, **more: Any) -> dict[str, Any]:
        role = "assistant" if number % 2 else "user"
        return {"role": role, "id": number, "content": text, **more}

    first = [
        {"batch_number": 1, "time_anchor": "March-15-2024", "turns": [
            [message(0, "The kiln is at 900 degrees. ->-> 1,1", time_anchor="March-15-2024"),
             message(1, "Noted.")],
            [message(2, "Glaze it on Friday. ->-> 1,2/A"), message(3, "An arrow ->-> in the text.")],
        ]},
        {"batch_number": 2, "time_anchor": "someday", "turns": [
            [message(4, "Now 950 degrees.", time_anchor="someday"), message(5, "Updated.")]]},
    ]  # fmt: skip
    put(folder / "1" / "chat.json", first)
    put(folder / "1" / "probing_questions" / "probing_questions.json", {
        "abstention": [{"question": "Who built it?", "ideal_response": "Not said."}],
        "information_extraction": [
            {"question": "When to glaze?", "answer": "Friday", "source_chat_ids": [2]},
            {"question": "What else?", "answer": "?", "source_chat_ids": []},
        ],
        "knowledge_update": [
            {"question": "How hot?", "answer": "950",
             "source_chat_ids": {"original": [0], "updated": [4, 0, 77]}},
        ],
    })  # fmt: skip
    put(folder / "10" / "chat.json", [{"batch_number": 1, "turns": [[message(50, "Long.")]]}])
    cut = [{"batch_number": 1, "turns": [[message(0, "Short.")]]}]
    put(folder / "10" / "chat_trunecated.json", cut)
    put(folder / "10" / "probing_questions" / "probing_questions.json", {
        "summarization": [{"question": "Sum up.", "ideal_summary": "Short.", "source_chat_ids": [0]}],
    })  # fmt: skip
    return folder


@pytest.fixture
def locomo(tmp_path: Path) -> Path:
    """One talk with every kind of broken evidence, and an audit of it."""
    talk = {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ann", "speaker_b": "Bo",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ann", "dia_id": "D1:1", "text": "I keep bees."},
                {"speaker": "Bo", "dia_id": "D1:2", "text": "Look!", "blip_caption": "a red boat"},
            ],
            "session_2_date_time": "sometime",
            "session_2": [{"speaker": "Ann", "dia_id": "D2:1", "text": "The hives moved."}],
            "session_3_date_time": "9:00 am on 1 June, 2023",
        },
        "qa": [
            {"question": "one", "answer": 7, "evidence": ["D1:1"], "category": 4},
            {"question": "two", "answer": "x", "evidence": ["D1:1; D2:1"], "category": 1},
            {"question": "three", "answer": "x", "evidence": ["D:1:02"], "category": 2},
            {"question": "four", "answer": "x", "evidence": ["D", "D9:9", "D1:2"], "category": 3},
            {"question": "five", "adversarial_answer": "no", "evidence": ["D1:1"], "category": 5},
            {"question": "six", "answer": "x", "evidence": [], "category": 3},
            {"question": "seven", "answer": "x", "evidence": ["D1:1", "D1:1"], "category": 4},
        ],
    }  # fmt: skip
    put(tmp_path / "locomo" / "errors.json", [
        {"question_id": "locomo_3_qa0", "question": "one", "error_type": "WRONG_CITATION",
         "cited_evidence": ["D1:1"], "correct_evidence": ["D2:1"], "correct_answer": "8"},
        {"question_id": "locomo_3_qa1", "question": "not this talk", "error_type": "AMBIGUOUS",
         "cited_evidence": [], "correct_evidence": [], "correct_answer": ""},
        {"question_id": "locomo_3_qa6", "question": "seven", "error_type": "HALLUCINATION",
         "cited_evidence": ["D1:1", "D1:1"], "correct_evidence": [], "correct_answer": ""},
    ])  # fmt: skip
    return put(tmp_path / "locomo" / "locomo10.json", [talk]).parent


@pytest.fixture
def longmemeval(tmp_path: Path) -> Path:
    def question(name: str, marked: int | None, answers: list[str]) -> dict[str, Any]:
        turns = [{"role": "user", "content": "I sail."}, {"role": "assistant", "content": "Nice."}]
        if marked is not None:
            turns[marked]["has_answer"] = True  # type: ignore[assignment]
        return {
            "question_id": name, "question_type": "multi-session", "question": "Do I sail?",
            "answer": "yes", "question_date": "2023/06/01 (Thu) 10:00",
            "haystack_session_ids": ["s1", "s2", "s1"],
            "haystack_dates": ["2023/05/30 (Tue) 23:40", "2023/05/31 (Wed) 08:00", "never"],
            "haystack_sessions": [turns, [{"role": "user", "content": "Rain."}], []],
            "answer_session_ids": answers,
        }  # fmt: skip

    return put(
        tmp_path / "longmemeval_oracle.json",
        [
            question("q1", 0, ["s1"]),
            question("q2_abs", None, ["s2"]),
            question("eac54add", 1, ["s1", "gone"]),
            question("q4", None, []),
        ],
    )
