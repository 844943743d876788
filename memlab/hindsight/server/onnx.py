"""Write the BERT encoder of a weights file as an ONNX graph, with numpy alone.

Field numbers are those of ``onnx.proto``; the graph is the encoder of BERT as
published: embeddings, then per layer attention and a feed-forward part, each
added to its input and normalised.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from . import protobuf as pb
from .weights import Arrays, read_weights

__all__ = ["write_onnx"]

_FLOAT, _INT64 = 1, 7
_IR, _OPSET = 8, 17
_INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_MASKED = -10_000.0


class _Graph:
    """A graph under construction: operations and constants, each with a name of its own."""

    def __init__(self) -> None:
        self.nodes: list[bytes] = []
        self.constants: list[bytes] = []
        self._count = 0

    def _name(self, letter: str) -> str:
        self._count += 1
        return f"{letter}{self._count}"

    def constant(self, array: np.ndarray[Any, Any]) -> str:
        """Add a constant; return its name."""
        name = self._name("c")
        kind = _INT64 if array.dtype.kind == "i" else _FLOAT
        shape = b"".join(pb.integer(1, size) for size in array.shape)
        content = np.ascontiguousarray(array).tobytes()
        tensor = shape + pb.integer(2, kind) + pb.blob(8, name) + pb.blob(9, content)
        self.constants.append(pb.blob(5, tensor))
        return name

    def ints(self, *values: int) -> str:
        """Add a list of integers."""
        return self.constant(np.array(values, "<i8"))

    def number(self, value: float) -> str:
        """Add one float."""
        return self.constant(np.array(value, "<f4"))

    def op(self, kind: str, *inputs: str, named: str = "", **attributes: Any) -> str:
        """Add an operation; return the name of its result."""
        name = named or self._name("t")
        node = b"".join(pb.blob(1, one) for one in inputs) + pb.blob(2, name)
        node += pb.blob(3, name) + pb.blob(4, kind)
        node += b"".join(pb.blob(5, _attribute(*item)) for item in attributes.items())
        self.nodes.append(pb.blob(1, node))
        return name


def _attribute(name: str, value: float | int | list[int]) -> bytes:
    head = pb.blob(1, name)
    if isinstance(value, float):
        return head + pb.real(2, value) + pb.integer(20, 1)
    if isinstance(value, int):
        return head + pb.integer(3, value) + pb.integer(20, 2)
    return head + b"".join(pb.integer(8, one) for one in value) + pb.integer(20, 7)


class _Bert:
    """The encoder, laid into a graph layer by layer."""

    def __init__(self, weights: Arrays, config: dict[str, Any]) -> None:
        self.g = _Graph()
        self.weights = {name.removeprefix("bert."): array for name, array in weights.items()}
        self.layers = int(config["num_hidden_layers"])
        self.heads = int(config["num_attention_heads"])
        self.width = int(config["hidden_size"])
        self.epsilon = float(config.get("layer_norm_eps", 1e-12))

    def _weight(self, name: str) -> str:
        return self.g.constant(self.weights[name])

    def _linear(self, x: str, part: str) -> str:
        turned = self.g.constant(self.weights[f"{part}.weight"].T)
        return self.g.op("Add", self.g.op("MatMul", x, turned), self._weight(f"{part}.bias"))

    def _norm(self, x: str, part: str) -> str:
        scale, shift = self._weight(f"{part}.weight"), self._weight(f"{part}.bias")
        return self.g.op("LayerNormalization", x, scale, shift, axis=-1, epsilon=self.epsilon)

    def embeddings(self) -> str:
        """Add words, kinds of segment and places."""
        g, part = self.g, "embeddings."
        words = g.op("Gather", self._weight(part + "word_embeddings.weight"), "input_ids")
        kinds = g.op("Gather", self._weight(part + "token_type_embeddings.weight"), _INPUTS[2])
        size = g.op("Gather", g.op("Shape", "input_ids"), g.ints(1))
        table = self._weight(part + "position_embeddings.weight")
        places = g.op("Slice", table, g.ints(0), size, g.ints(0))
        return self._norm(g.op("Add", g.op("Add", words, kinds), places), part + "LayerNorm")

    def mask(self) -> str:
        """Return what is added to the attention of masked words: a large negative number."""
        g = self.g
        wide = g.op("Unsqueeze", "attention_mask", g.ints(1, 2))
        kept = g.op("Cast", wide, to=_FLOAT)
        return g.op("Mul", g.op("Sub", g.number(1.0), kept), g.number(_MASKED))

    def attention(self, x: str, mask: str, part: str) -> str:
        """Add one attention block and its normalisation."""
        g, size = self.g, self.width // self.heads
        split, merge = g.ints(0, 0, self.heads, size), g.ints(0, 0, self.width)

        def heads(name: str, order: list[int]) -> str:
            flat = self._linear(x, f"{part}attention.self.{name}")
            return g.op("Transpose", g.op("Reshape", flat, split), perm=order)

        query, value = heads("query", [0, 2, 1, 3]), heads("value", [0, 2, 1, 3])
        raw = g.op("MatMul", query, heads("key", [0, 2, 3, 1]))
        scaled = g.op("Add", g.op("Mul", raw, g.number(size**-0.5)), mask)
        seen = g.op("MatMul", g.op("Softmax", scaled, axis=-1), value)
        joined = g.op("Reshape", g.op("Transpose", seen, perm=[0, 2, 1, 3]), merge)
        out = self._linear(joined, f"{part}attention.output.dense")
        return self._norm(g.op("Add", out, x), f"{part}attention.output.LayerNorm")

    def feed_forward(self, x: str, part: str) -> str:
        """Add one feed-forward block (GELU by the error function) and its normalisation."""
        g = self.g
        wide = self._linear(x, f"{part}intermediate.dense")
        curve = g.op("Erf", g.op("Mul", wide, g.number(2.0**-0.5)))
        half = g.op("Mul", wide, g.number(0.5))
        active = g.op("Mul", half, g.op("Add", curve, g.number(1.0)))
        out = self._linear(active, f"{part}output.dense")
        return self._norm(g.op("Add", out, x), f"{part}output.LayerNorm")

    def encode(self) -> bytes:
        """Return the whole model as a file's content."""
        x, mask = self.embeddings(), self.mask()
        for number in range(self.layers):
            part = f"encoder.layer.{number}."
            x = self.feed_forward(self.attention(x, mask, part), part)
        self.g.op("Identity", x, named="last_hidden_state")
        inputs = b"".join(pb.blob(11, _port(name, _INT64, "batch", "words")) for name in _INPUTS)
        output = pb.blob(12, _port("last_hidden_state", _FLOAT, "batch", "words", self.width))
        parts = [*self.g.nodes, pb.blob(2, "encoder"), *self.g.constants, inputs, output]
        opset = pb.blob(8, pb.blob(1, "") + pb.integer(2, _OPSET))
        return pb.integer(1, _IR) + pb.blob(7, b"".join(parts)) + opset


def _port(name: str, kind: int, *sizes: int | str) -> bytes:
    """Describe an input or output: its name, its kind, its dimensions."""
    dims = (pb.integer(1, one) if isinstance(one, int) else pb.blob(2, one) for one in sizes)
    shape = b"".join(pb.blob(1, dim) for dim in dims)
    return pb.blob(1, name) + pb.blob(2, pb.blob(1, pb.integer(1, kind) + pb.blob(2, shape)))


def write_onnx(folder: Path, target: Path) -> None:
    """Write the model of a folder (config.json, model.safetensors) to an ONNX file.

    Raises ServerError for weights that cannot be read.
    """
    config = json.loads((folder / "config.json").read_text("utf-8"))
    target.write_bytes(_Bert(read_weights(folder / "model.safetensors"), config).encode())
