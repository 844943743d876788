"""The environment that the server is started with."""

from __future__ import annotations

import os
from collections.abc import Mapping

from ...errors import InputError
from .places import Environment
from .postgres import NAME
from .state import State

__all__ = ["check_llm", "configuration"]

_PREFIX = "HINDSIGHT_API_"
_KEPT = ("PATH", "LANG", "LC_ALL", "TZ", "TMPDIR", "SYSTEMROOT", "LD_LIBRARY_PATH")


def check_llm(llm: str) -> str:
    """Return the language model's setting: none, mock, or the address of a service.

    Raises InputError for anything else.
    """
    if llm in ("none", "mock") or llm.startswith(("http://", "https://")):
        return llm
    raise InputError(
        f"llm={llm!r} is none of: none (no language model), mock (a built-in stand-in), or the "
        "address of an OpenAI-compatible service, such as http://127.0.0.1:11434/v1."
    )


def configuration(
    environment: Environment, state: State, *, model: str, extra: Mapping[str, str]
) -> dict[str, str]:
    """Return all variables of the server's process.

    Loopback only, no model hub, rank fusion instead of a reranker, fresh
    counts, no log of requests. With ``mock``, memories are the chunks of what
    is retained, as with ``none``. ``extra`` are HINDSIGHT_API_* variables that
    win over these.
    """
    ours = {name: os.environ[name] for name in _KEPT if name in os.environ}
    database = f"postgresql://{NAME}:{state.password}@127.0.0.1:{state.database_port}/{NAME}"
    values = {
        "HOST": "127.0.0.1",
        "PORT": str(state.port),
        "DATABASE_URL": database,
        "DB_POOL_MAX_SIZE": "30",
        **_language_model(state.llm, model),
        "EMBEDDINGS_PROVIDER": "onnx",
        "EMBEDDINGS_ONNX_MODEL_PATH": str(environment.model),
        "EMBEDDINGS_ONNX_TOKENIZER_NAME_OR_PATH": str(environment.tokenizer),
        "EMBEDDINGS_ONNX_QUERY_PREFIX": "",
        "EMBEDDINGS_ONNX_PASSAGE_PREFIX": "",
        "EMBEDDINGS_ONNX_MAX_TOKENS": "256",
        "RERANKER_PROVIDER": "rrf",
        "MCP_ENABLED": "false",
        "WORKER_ID": "memlab",
        "WORKER_POLL_INTERVAL_MS": "100",
        "BANK_STATS_CACHE_TTL_SECONDS": "0",
        "LLM_TRACE_ENABLED": "false",
        "LOG_LEVEL": "warning",
    }
    named = {_PREFIX + name: value for name, value in values.items()}
    return {**ours, "HF_HUB_OFFLINE": "1", **named, **extra}


def _language_model(llm: str, model: str) -> dict[str, str]:
    if llm in ("none", "mock"):
        return {"LLM_PROVIDER": llm, "RETAIN_EXTRACTION_MODE": "chunks"}
    return {
        "LLM_PROVIDER": "openai",
        "LLM_BASE_URL": llm.rstrip("/"),
        "LLM_API_KEY": os.environ.get("OPENAI_API_KEY", "none"),
        "LLM_MODEL": model,
    }
