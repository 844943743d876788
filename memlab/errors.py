"""Every exception memlab raises, one tree.

::

    MemlabError
    ├── InputError (ValueError)         an argument that cannot be used
    │   ├── UnknownOption               an option the backend does not have
    │   └── InvalidTime                 a time the engine itself would refuse
    ├── SettingsError                   a setting or a settings file that cannot be used
    ├── FormatError                     a file whose content is not what it should be
    ├── BankError                       a memory bank that cannot be read or written
    │   ├── BankNotFound                nothing at that path
    │   ├── NotABank                    something else at that path
    │   ├── BankDamaged                 a database that SQLite cannot read
    │   ├── BankEncrypted               a database that needs a key
    │   ├── BankLocked                  another process keeps it locked
    │   ├── BankUnreadable              the file system refuses
    │   ├── BankReadOnly                a write on a bank opened for reading
    │   └── MemoryNotFound (KeyError)   no memory under that id
    ├── RecallError                     recall did not answer
    │   ├── RecallTimeout
    │   ├── RecallRefused
    │   ├── BackendUnavailable
    │   ├── InvalidReply
    │   └── AllBanksFailed              no bank of a scope answered
    ├── HindsightError                  a Hindsight server did not do what it was asked
    │   ├── HindsightTimeout (RecallTimeout)           no answer in the time given
    │   ├── HindsightGatewayTimeout (RecallTimeout)    504: its database was too slow
    │   ├── HindsightUnreachable (BackendUnavailable)  nobody answers there
    │   ├── HindsightBusy (BackendUnavailable)         503: too much at once
    │   ├── HindsightRefused (RecallRefused)           400, 409, 410, 422, ...
    │   │   ├── HindsightUnauthorized                  401, 403: the token
    │   │   ├── HindsightNotFound                      404: no such memory, document, ...
    │   │   │   └── HindsightBankNotFound (BankNotFound)  404: no such bank
    │   │   └── HindsightIgnored                       it ignored an option
    │   ├── HindsightFailed (RecallError)              500 and the like
    │   ├── HindsightNotJson (InvalidReply)            the reply is not JSON
    │   └── HindsightWrongShape (InvalidReply)         it is JSON, but not that reply
    ├── NotRecorded (BackendUnavailable)   a replayed recording lacks the request
    ├── ServerError                     the local Hindsight server cannot be run
    ├── EngineError                     the real engine, run beside memlab
    │   ├── EngineMissing               it is not installed
    │   └── EngineFailed                it answered with an error
    ├── GateFailed (AssertionError)     a run is worse than its baseline allows
    └── MissingExtra (ImportError)      an optional package is not installed

Each class carries ``outcome``: the word an evaluation records when a recall
ends with it, so that a failure never looks like "no memories".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

__all__ = [
    "AllBanksFailed",
    "BackendUnavailable",
    "BankDamaged",
    "BankEncrypted",
    "BankError",
    "BankLocked",
    "BankNotFound",
    "BankReadOnly",
    "BankUnreadable",
    "EngineError",
    "EngineFailed",
    "EngineMissing",
    "FormatError",
    "GateFailed",
    "HindsightBankNotFound",
    "HindsightBusy",
    "HindsightError",
    "HindsightFailed",
    "HindsightGatewayTimeout",
    "HindsightIgnored",
    "HindsightNotFound",
    "HindsightNotJson",
    "HindsightRefused",
    "HindsightTimeout",
    "HindsightUnauthorized",
    "HindsightUnreachable",
    "HindsightWrongShape",
    "InputError",
    "InvalidReply",
    "InvalidTime",
    "MemlabError",
    "MemoryNotFound",
    "MissingExtra",
    "NotABank",
    "NotRecorded",
    "RecallError",
    "RecallRefused",
    "RecallTimeout",
    "ServerError",
    "SettingsError",
    "UnknownOption",
]


class MemlabError(Exception):
    """Something memlab was asked for and could not do."""

    outcome: ClassVar[str] = "error"


class InputError(MemlabError, ValueError):
    """An argument cannot be used; the message names it, its value and what is allowed."""

    outcome = "refused"


class UnknownOption(InputError):
    """A backend was given an option it does not have."""


class InvalidTime(InputError):
    """A time was given that the engine itself refuses to read."""


class SettingsError(MemlabError):
    """A setting, or a settings file, cannot be used."""


class FormatError(MemlabError):
    """A file does not hold what its reader expects; the message names file, line and reason."""


class BankError(MemlabError):
    """A memory bank cannot be read or written."""

    outcome = "unavailable"


class BankNotFound(BankError):
    """There is no bank at that path."""


class NotABank(BankError):
    """There is something at that path, but it is not a Mnemopi bank."""


class BankDamaged(BankError):
    """The database file is damaged."""


class BankEncrypted(BankError):
    """The file looks like an encrypted database, or like no database at all."""


class BankLocked(BankError):
    """Another process keeps the database locked."""


class BankUnreadable(BankError):
    """The file system refuses to let the bank be read."""


class BankReadOnly(BankError):
    """A write was asked of a bank that was opened for reading."""


class MemoryNotFound(BankError, KeyError):
    """The bank has no memory under that id."""

    def __str__(self) -> str:
        """The message itself; KeyError would show it quoted."""
        return str(self.args[0]) if self.args else ""


class RecallError(MemlabError):
    """Recall did not answer."""


class RecallTimeout(RecallError):
    """Recall did not answer in time."""

    outcome = "timeout"


class RecallRefused(RecallError):
    """The backend refused the request."""

    outcome = "refused"


class BackendUnavailable(RecallError):
    """The backend cannot be reached."""

    outcome = "unavailable"


class InvalidReply(RecallError):
    """The backend answered with something that is not a recall."""

    outcome = "invalid_reply"


class AllBanksFailed(RecallError):
    """No bank of a scope answered; ``failures`` maps each bank to its own error."""

    outcome = "unavailable"

    def __init__(self, failures: Mapping[str, Exception]) -> None:
        """Name every bank and what was wrong with it."""
        said = "; ".join(f"{bank}: {error}" for bank, error in failures.items())
        super().__init__(f"None of the {len(failures)} banks of the scope answered. {said}")
        self.failures = dict(failures)

    def __reduce__(self) -> tuple[type[AllBanksFailed], tuple[Mapping[str, Exception]]]:
        """Travel between processes with the errors."""
        return type(self), (self.failures,)


class HindsightError(MemlabError):
    """A Hindsight server did not do what it was asked.

    ``said`` is the sentence that the agent's own client would give, ``status``
    the HTTP status (None where there was no answer), ``details`` what the
    server gave as reason: text, a list of problems, or the whole body.
    """

    def __init__(
        self,
        message: str,
        *,
        said: str | None = None,
        status: int | None = None,
        details: Any = None,
    ) -> None:
        """Keep the server's own words beside memlab's."""
        super().__init__(message)
        self.said = message if said is None else said
        self.status = status
        self.details = details


class HindsightTimeout(HindsightError, RecallTimeout):
    """The server did not answer in the time given to the operation."""

    outcome = "timeout"


class HindsightGatewayTimeout(HindsightError, RecallTimeout):
    """The server answered 504: its own database did not answer in time."""

    outcome = "timeout"


class HindsightUnreachable(HindsightError, BackendUnavailable):
    """No server answers at that address, or the connection broke."""

    outcome = "unavailable"


class HindsightBusy(HindsightError, BackendUnavailable):
    """The server answered 503; ``retry_after`` are the seconds it asked to wait, if it did."""

    outcome = "unavailable"
    retry_after: float | None = None


class HindsightRefused(HindsightError, RecallRefused):
    """The server understood the request and refused it."""

    outcome = "refused"


class HindsightUnauthorized(HindsightRefused):
    """The server wants a token, or another one."""


class HindsightNotFound(HindsightRefused):
    """The server has no such thing."""


class HindsightBankNotFound(HindsightNotFound, BankNotFound):
    """The server has no bank of that name; the message lists those it has."""

    outcome = "refused"


class HindsightIgnored(HindsightRefused):
    """The server ignored a part of the request, so its answer is to another question."""


class HindsightFailed(HindsightError, RecallError):
    """The server failed while it worked on the request."""

    outcome = "error"


class HindsightNotJson(HindsightError, InvalidReply):
    """The reply is not JSON: something else answers at that address."""

    outcome = "invalid_reply"


class HindsightWrongShape(HindsightError, InvalidReply):
    """The reply is JSON, but not the reply to this request."""

    outcome = "invalid_reply"


class NotRecorded(BackendUnavailable):
    """A recording is replayed, and this request is not in it."""


class ServerError(MemlabError):
    """The local Hindsight server cannot be installed, started or stopped."""

    outcome = "unavailable"


class EngineError(MemlabError):
    """The real engine, run beside memlab, could not be asked."""

    outcome = "unavailable"


class EngineMissing(EngineError):
    """The real engine is not installed."""


class EngineFailed(EngineError):
    """The real engine answered with an error of its own.

    ``name`` and ``errors`` are the engine's: the name of its exception, and
    for an aggregate the ``(name, message)`` pairs of its parts.
    """

    outcome = "error"

    def __init__(
        self, message: str, *, name: str = "Error", errors: tuple[tuple[str, str], ...] = ()
    ) -> None:
        """Keep the engine's own words."""
        super().__init__(message)
        self.name = name
        self.errors = errors


class GateFailed(MemlabError, AssertionError):
    """A run is worse than its baseline allows; the message is a short diff."""


class MissingExtra(MemlabError, ImportError):
    """An optional package is needed and not installed; the message names the extra."""
