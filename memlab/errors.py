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
    ├── EngineError                     the real engine, run beside memlab
    │   ├── EngineMissing               it is not installed
    │   └── EngineFailed                it answered with an error
    └── MissingExtra (ImportError)      an optional package is not installed

Each class carries ``outcome``: the word an evaluation records when a recall
ends with it, so that a failure never looks like "no memories".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

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
    "InputError",
    "InvalidReply",
    "InvalidTime",
    "MemlabError",
    "MemoryNotFound",
    "MissingExtra",
    "NotABank",
    "RecallError",
    "RecallRefused",
    "RecallTimeout",
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


class MissingExtra(MemlabError, ImportError):
    """An optional package is needed and not installed; the message names the extra."""
