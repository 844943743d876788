"""Each failing answer is an error of its own class, with status and details."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from typing import Any

import pytest

import memlab as ml
from memlab import errors
from memlab.hindsight import Hindsight
from memlab.hindsight.failures import failure
from memlab.models import Outcome
from memlab.settings import Settings
from memlab.testing.hindsight import FakeHindsight, Reply, Request

PROBLEM = {"type": "missing", "loc": ["body", "query"], "msg": "Field required", "input": {"a": 1}}
CASES = [
    (400, {"detail": "Invalid time"}, errors.HindsightRefused, "refused"),
    (401, {"detail": "Authentication failed"}, errors.HindsightUnauthorized, "refused"),
    (403, {"detail": "no"}, errors.HindsightUnauthorized, "refused"),
    (404, {"detail": "Document not found"}, errors.HindsightNotFound, "refused"),
    (409, {"detail": "finished"}, errors.HindsightRefused, "refused"),
    (410, {"detail": "gone"}, errors.HindsightRefused, "refused"),
    (422, {"detail": [PROBLEM]}, errors.HindsightRefused, "refused"),
    (422, {"detail": "Invalid fact type(s): x"}, errors.HindsightRefused, "refused"),
    (429, {"message": "slow down"}, errors.HindsightRefused, "refused"),
    (500, {"detail": "boom"}, errors.HindsightFailed, "error"),
    (502, "<html>bad gateway</html>", errors.HindsightFailed, "error"),
    (503, {"detail": "at capacity"}, errors.HindsightBusy, "unavailable"),
    (504, {"detail": "too slow"}, errors.HindsightGatewayTimeout, "timeout"),
]


@pytest.mark.parametrize(("status", "body", "kind", "outcome"), CASES)
def test_status_class_and_outcome(
    status: int, body: Any, kind: type[errors.HindsightError], outcome: str
) -> None:
    content = body.encode() if isinstance(body, str) else json.dumps(body).encode()
    error = failure("recall", status, content, {})
    assert type(error) is kind
    assert error.status == status
    assert error.outcome == outcome
    assert Outcome(error.outcome)
    assert isinstance(error, errors.HindsightError)
    assert str(error).startswith(f"recall failed with status {status}: ")
    details = body if isinstance(body, str) else body.get("detail", body.get("message"))
    assert error.details == details
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.status, copy.details) == (str(error), error.status, error.details)


def test_problems_of_validation_are_read_out() -> None:
    error = failure("recall", 422, json.dumps({"detail": [PROBLEM]}).encode(), {})
    assert "body.query: Field required (it was {'a': 1})" in str(error)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", ""),
        (b"null", "null"),
        (b'"text"', "text"),
        (b"[1,2]", "[1,2]"),
        (b'{"detail":null,"message":"m"}', "m"),
        (b'{"other":1.0,"2":true,"1":"\xc3\xa9"}', '{"1":"é","2":true,"other":1}'),
        (b"NaN", "NaN"),
        (b"\xff\xfe", "\ufffd\ufffd"),
        (b'{"detail":["a\\ud83d"]}', '["a\\ud83d"]'),
    ],
)
def test_the_agents_own_sentence(body: bytes, said: str) -> None:
    assert failure("recall", 418, body, {}).said == f"recall failed: {said}"


def quick(fake: FakeHindsight, **options: Any) -> Hindsight:
    return Hindsight("b", url="http://fake", transport=fake.transport, **options)


def test_every_failure_of_recall_is_another_outcome_than_empty() -> None:
    """Field reports 40, 48, 51: 400, 504 and an empty answer are three different things."""
    seen = {}
    for status, body, kind, _ in CASES:
        fake = FakeHindsight(fault=lambda request, s=status, b=body: (s, b, {"retry-after": "0"}))
        fake.add("b", "words")
        with pytest.raises(kind) as caught:
            quick(fake).recall("words")
        seen[status] = caught.value.outcome
    fake = FakeHindsight()
    fake.add("b", "words")
    assert quick(fake).recall("nothing shared").outcome == "empty"
    assert (seen[400], seen[504], seen[500]) == ("refused", "timeout", "error")


@pytest.mark.parametrize(
    ("reply", "kind", "said"),
    [
        ((200, b"<html>hello</html>", {}), errors.HindsightNotJson, "is not JSON"),
        ((200, b'{"results": [', {}), errors.HindsightNotJson, "is not JSON"),
        ((200, b"NaN", {}), errors.HindsightNotJson, "is not JSON"),
        ((200, {}, {}), errors.HindsightWrongShape, "results: Field required"),
        ((200, [], {}), errors.HindsightWrongShape, "no RecallReply"),
        ((200, b"", {}), errors.HindsightWrongShape, "results: Field required"),
        ((200, {"results": [{"id": "a"}]}, {}), errors.HindsightWrongShape, "results.0.text"),
        ((200, {"results": [{"id": "a", "text": ""}]}, {}), errors.HindsightWrongShape, "text"),
        ((200, {"results": None}, {}), errors.HindsightWrongShape, "results"),
        ((200, {"results": []}, {"x-ignored-params": "max_token"}), errors.HindsightIgnored,
         "does not know max_token"),
        ((307, b"", {"location": "/elsewhere"}), errors.HindsightRefused, "status 307"),
    ],
)  # fmt: skip
def test_answers_that_are_no_recall(reply: Reply, kind: type[Exception], said: str) -> None:
    """Field report 12: a good answer loses no hit, a bad one is no empty list."""
    fake = FakeHindsight(fault=lambda request: reply)
    with pytest.raises(kind, match=said):
        quick(fake).recall("words")


def test_every_hit_that_was_sent_arrives() -> None:
    rows = [{"id": str(i), "text": f"text {i}", "new_field": {"x": i}} for i in range(57)]
    fake = FakeHindsight(fault=lambda request: (200, {"results": rows, "newer": 1}, {}))
    found = quick(fake).recall("words")
    assert len(found) == len(rows)
    assert [hit.raw for hit in found] == rows


def test_an_old_server_without_scores_is_read() -> None:
    """Field report 20: 0.9 sent no scores; the columns are there, and empty."""
    row = {"id": "1", "text": "old", "type": "world", "entities": [{"text": "Alice"}]}
    fake = FakeHindsight(fault=lambda request: (200, {"results": [row]}, {}))
    frame = quick(fake).recall("words").frame()
    assert frame["score"].isna().all()
    assert frame["score_semantic"].isna().all()
    assert frame["text"].tolist() == ["old"]


def test_retries_are_for_reading_and_never_for_a_plain_500() -> None:
    calls: list[Request] = []

    def fault(request: Request) -> Reply | None:
        calls.append(request)
        return (500, {"detail": "boom"}, {}) if len(calls) == 1 else None

    fake = FakeHindsight(fault=fault)
    fake.add("b", "words")
    with pytest.raises(errors.HindsightFailed):
        quick(fake).recall("words")
    assert len(calls) == 1


@pytest.mark.parametrize("status", [503, 504])
def test_a_busy_server_is_asked_again_and_a_write_is_not(status: int) -> None:
    calls: list[str] = []

    def fault(request: Request) -> Reply | None:
        calls.append(request.method)
        return (status, {"detail": "later"}, {"retry-after": "0"}) if len(calls) < 3 else None

    fake = FakeHindsight(fault=fault)
    fake.add("b", "words")
    assert len(quick(fake).recall("words")) == 1
    assert calls == ["POST"] * 3
    calls.clear()
    with pytest.raises(errors.HindsightError):
        quick(fake, writable=True).create_bank()
    assert calls == ["PUT"]


def test_retry_after_is_kept_to(monkeypatch: pytest.MonkeyPatch) -> None:
    from memlab.hindsight.client import _wait

    busy = failure("recall", 503, b"{}", {"retry-after": "7"})
    assert _wait(busy) == 7.0
    assert _wait(failure("recall", 503, b"{}", {"retry-after": "9999"})) == 30.0
    assert _wait(failure("recall", 503, b"{}", {"retry-after": "Fri, 31 Dec 1999"})) is True
    assert _wait(failure("recall", 500, b"{}", {})) is False
    assert _wait(failure("recall", 504, b"{}", {})) is True


def test_the_missing_bank_survives_a_server_that_cannot_list_banks() -> None:
    def fault(request: Request) -> Reply | None:
        return (500, {"detail": "x"}, {}) if request.path.endswith("/banks") else None

    fake = FakeHindsight(fault=fault)
    with pytest.raises(errors.HindsightBankNotFound, match="could not be listed"):
        quick(fake).recall("words")


def test_addresses_that_are_none() -> None:
    for bad in ("", "localhost:8888", "ftp://host", "http://", "http://exa mple", "http://a%20b"):
        with pytest.raises(errors.InputError):
            Hindsight("b", url=bad)


def test_a_server_that_wants_a_token(settings_with_token: Settings) -> None:
    fake = FakeHindsight(token="right")
    fake.add("b", "words")
    with pytest.raises(errors.HindsightUnauthorized, match="HINDSIGHT_API_TOKEN"):
        quick(fake, token="wrong").recall("words")
    assert len(quick(fake, settings=settings_with_token).recall("words")) == 1


@pytest.fixture
def settings_with_token() -> Settings:
    return Settings.load(hindsight={"api_token": "right"})


def test_an_evaluation_never_averages_over_failures_in_silence() -> None:
    """Field report 51: a server that fails on one query of ten is no server with lower scores."""
    fake = FakeHindsight()
    for number in range(10):
        fake.add("b", f"Fact number n{number}.", document=f"d{number}")

    def fault(request: Request) -> Reply | None:
        asked = (request.json or {}).get("query", "")
        return (500, {"detail": "boom"}, {}) if "n7" in asked else None

    fake.fault = fault
    cases = [
        ml.Case(id=f"c{n}", query=f"n{n}", relevant={f"d{n}": 1}, keys="document")
        for n in range(10)
    ]
    run = ml.evaluate(quick(fake), cases, ["RR"], progress=False)
    with pytest.raises(errors.InputError, match="failed"):
        run.means()
    assert run.means(failed="skip")["mean"].tolist() == [1.0]
    assert run.means(failed="zero")["mean"].tolist() == [0.9]
    assert run.outcomes().to_dict() == {"ok": 9, "error": 1}


def test_retries_leave_standard_error_alone() -> None:
    """A line per retry would stand in every notebook whose server is away."""
    code = (
        "import memlab as ml\n"
        "try:\n    ml.Hindsight('b', url='http://127.0.0.1:9').recall('words')\n"
        "except ml.errors.HindsightUnreachable:\n    print('unreachable')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("unreachable\n", "")
