"""The file format of safetensors: the length of a JSON header, the header, and the bytes of the tensors.

https://huggingface.co/docs/safetensors. Nothing in such a file is executed.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from symattn.golden.formats import FORMATS
from symattn.golden.inputs import Array
from symattn.text.bilingual import Bilingual
from symattn.text.errors import UnreadableFile

KINDS = {
    "F64": "float64",
    "F32": "float32",
    "F16": "float16",
    "BF16": "bfloat16",
    "F8_E4M3": "float8_e4m3fn",
    "F8_E5M2": "float8_e5m2",
}
INTEGERS = {f"{sign}{8 * size}": f"<{sign.lower()}{size}" for sign in "IU" for size in (1, 2, 4, 8)}
_NAMES = {name: kind for kind, name in KINDS.items()}
MOST_HEADER = 100_000_000


def parse(content: bytes) -> dict[str, Array]:
    """The tensors of a file; those of other types than floats, integers and truth values have no format.

    Raises UnreadableFile.
    """
    try:
        entries, start = header(io.BytesIO(content))
        data = content[start:]
        return {name: tensor(entry, data[slice(*entry["data_offsets"])]) for name, entry in entries.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        found = Bilingual("this is no file of safetensors, or a part of one", "这不是完整的 safetensors 文件")
        raise UnreadableFile(found) from None


def header(file: IO[bytes]) -> tuple[dict[str, Any], int]:
    """The entries of the tensors by their names, and where their bytes begin. Raises ValueError."""
    length = int.from_bytes(file.read(8), "little")
    if not 2 <= length <= MOST_HEADER:
        raise ValueError
    text = file.read(length)
    if len(text) != length:
        raise ValueError
    entries = json.loads(text)
    if not isinstance(entries, dict):
        raise ValueError
    return {name: entry for name, entry in entries.items() if name != "__metadata__"}, 8 + length


def size(entry: Mapping[str, Any]) -> int | None:
    """Bytes of a number of a tensor; None where they are neither floats nor integers."""
    kind = entry["dtype"]
    if kind in KINDS:
        return FORMATS[KINDS[kind]].bits // 8
    return np.dtype(INTEGERS[kind]).itemsize if kind in INTEGERS else None


def tensor(entry: Mapping[str, Any], part: bytes) -> Array:
    """The tensor of an entry, whose bytes these are. Raises ValueError, KeyError or TypeError."""
    kind, shape = entry["dtype"], tuple(entry["shape"])
    if not all(isinstance(x, int) and x >= 0 for x in (*shape, *entry["data_offsets"])):
        raise ValueError
    if kind in KINDS:
        one = FORMATS[KINDS[kind]]
        codes = np.frombuffer(part, f"<u{one.bits // 8}").reshape(shape)
        return Array(one.values(codes.astype(codes.dtype.newbyteorder("="))), one)
    if kind in INTEGERS:
        return Array(np.frombuffer(part, INTEGERS[kind]).reshape(shape), None)
    if kind == "BOOL":
        return Array(np.frombuffer(part, np.uint8).reshape(shape) != 0, None)
    return Array(np.zeros((1,) * len(shape), np.dtype([(str(kind), np.uint8)])), None)


def spelled(arrays: Mapping[str, Array], metadata: Mapping[str, str]) -> bytes:
    """A file with these tensors."""
    header: dict[str, object] = {"__metadata__": dict(metadata)}
    parts: list[bytes] = []
    at = 0
    for name, array in arrays.items():
        codes = _codes(array)
        kind = "BOOL" if array.format is None else _NAMES[array.format.name]
        header[name] = {"dtype": kind, "shape": list(codes.shape), "data_offsets": [at, at + codes.nbytes]}
        parts.append(codes.astype(codes.dtype.newbyteorder("<")).tobytes())
        at += codes.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + b"".join(parts)


def _codes(array: Array) -> NDArray[Any]:
    return array.values.view(np.uint8) if array.format is None else array.format.codes(array.values)
