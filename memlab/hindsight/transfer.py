"""Whole documents out of a bank and into one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from ..errors import HindsightFailed, HindsightWrongShape, InputError
from .archive import make_archive
from .client import Part
from .replies import OperationReply
from .writing import Writing

__all__ = ["Transfer"]

Conflict = Literal["skip", "replace", "new-id"]


class Transfer(Writing):
    """Export and import."""

    def export_template(self) -> Mapping[str, Any]:
        """Return the bank's own settings, mental models and directives; no memories."""
        found: Mapping[str, Any] = self._ask("export", self._path("export")).data
        return found

    def import_template(self, template: Mapping[str, Any], *, dry_run: bool = False) -> Any:
        """Bring settings, mental models and directives in; ``dry_run`` only tells what would be."""
        query = {"dry_run": dry_run}
        return self._write("import", "POST", self._path("import"), template, query)

    def export_archive(
        self,
        documents: Sequence[str] = (),
        *,
        observations: bool | None = None,
        timeout: float = 300.0,
    ) -> bytes:
        """Return documents with their memories as an archive (see ``read_archive``).

        All documents unless some are named; ``observations`` come with all of
        them by default, and the server cannot give them with some. It writes the
        archive as an operation, which is followed to its end; the bank is not
        changed.
        """
        if documents and observations:
            raise InputError(
                "Observations belong to no single document: export the whole bank, or leave "
                "observations out."
            )
        where = self._path("document-transfer", "export")
        query = {
            "document_id": list(documents) or None,
            "include_observations": not documents if observations is None else observations,
        }
        data = self._send("export_archive", "POST", where, query).data
        done = self._finished("export_archive", data, timeout)
        url = done.result_metadata.get("download_url")
        if not isinstance(url, str) or not url.startswith("/"):
            raise HindsightWrongShape(
                f"export_archive: the finished operation names no download: {url!r}.",
                status=200,
                details=done.result_metadata,
            )
        return self._ask("export_archive", url, binary=True).content

    def import_archive(
        self, data: bytes, *, on_conflict: Conflict = "skip", timeout: float = 600.0
    ) -> OperationReply:
        """Bring an archive in and follow the operation to its end; return it.

        ``on_conflict`` says what becomes of documents that are there already:
        skip, replace or new-id. The server creates a missing bank. The reply's
        ``result_metadata`` counts what was imported and skipped.

        Raises HindsightFailed where the import failed.
        """
        where = self._path("document-transfer")
        part = Part("archive.zip", data)
        query = {"on_conflict": on_conflict}
        answer = self._write(
            "import_archive", "POST", where, query=query, part=part, clock="retain"
        )
        return self._finished("import_archive", answer, timeout)

    def import_facts(
        self,
        documents: Iterable[Mapping[str, Any]],
        observations: Sequence[Mapping[str, Any]] = (),
        *,
        on_conflict: Conflict = "skip",
    ) -> OperationReply:
        """Bring facts of all three types in without a language model: see ``make_archive``."""
        data = make_archive(documents, observations)
        return self.import_archive(data, on_conflict=on_conflict)

    def _finished(self, operation: str, answer: Any, timeout: float) -> OperationReply:
        key = answer.get("operation_id") if isinstance(answer, Mapping) else None
        if not isinstance(key, str):
            raise HindsightWrongShape(
                f"{operation}: the answer names no operation: {answer!r:.200}.", status=202
            )
        done = self.wait(key, timeout=timeout)
        if done.status != "completed":
            raise HindsightFailed(
                f"{operation}: the server's operation {key} ended as {done.status}: "
                f"{done.error_message or 'no reason given'}.",
                details=done.error_message,
            )
        return done
