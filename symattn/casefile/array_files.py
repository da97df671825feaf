"""One array of a .npy, .npz or .safetensors: sizes are judged by its header, before its numbers are read."""

from __future__ import annotations

import math
import struct
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy

from symattn.golden import safetensors
from symattn.golden.files import DTYPE, as_array, decoded
from symattn.golden.inputs import Array
from symattn.text.bilingual import Bilingual
from symattn.text.errors import OutOfBounds, UnreadableFile, UnusableValue
from symattn.text.suggest import instead

MOST_ENTRIES = 1 << 20
_HEADERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
_BROKEN = (ValueError, TypeError, KeyError, EOFError, SyntaxError, RecursionError, NotImplementedError)


def read_array(path: Path, kind: str, name: str | None) -> Array:
    """The array of a name, or the only one: integers or floats, of one axis or two.

    Raises SymattnError, without the file; OSError where it cannot be read.
    """
    try:
        with path.open("rb") as file:
            array = {"npy": _npy, "npz": _npz, "safetensors": _safetensors}[kind](file, name)
    except (*_BROKEN, zipfile.BadZipFile, zlib.error, struct.error, RuntimeError):
        found = Bilingual(f"no whole file .{kind}", f"不是完整的 .{kind} 文件")
        raise UnreadableFile(found) from None
    shape = array.values.shape
    if len(shape) not in (1, 2):
        said = f" ({'×'.join(map(str, shape))})" if shape else ""
        raise UnusableValue(
            Bilingual(f"an array with {len(shape)} axes{said}", f"数组有 {len(shape)} 个轴{said}"),
            Bilingual("a matrix has two", "矩阵有两个轴"),
        )
    return array


def shortest(array: Array) -> Any:
    """The shortest decimals that round to the entries of an array of floats, in lists."""
    one = array.format
    if one is None or one.name in ("float16", "float32", "float64"):
        return array.values.astype(one.name if one else array.values.dtype).astype(str).tolist()
    flat = np.array([one.shortest(float(x)) for x in array.values.ravel()], dtype=object)
    return flat.reshape(array.values.shape).tolist()


def beyond(array: Array) -> tuple[str, tuple[int, ...]] | None:
    """The first entry that is NaN or infinity, and where; minus infinity is left to the reader of a case."""
    values = array.values
    found = np.argwhere(np.isnan(values) | np.isposinf(values))
    if not len(found):
        return None
    at = tuple(map(int, found[0]))
    return "NaN" if np.isnan(values[at]) else "infinity", at


def _npy(file: IO[bytes], name: str | None) -> Array:
    return as_array(_numbers(file))


def _numbers(file: IO[bytes], kinds: str = "iuf") -> np.ndarray[Any, Any]:
    """What follows a header of NumPy, in which no object is unpickled."""
    header = _HEADERS.get(npy.read_magic(file))
    if header is None:
        raise ValueError
    shape, by_columns, dtype = header(file)
    if dtype.kind not in kinds or (dtype.kind == "f" and dtype.itemsize > 8):
        raise _of_kind(dtype.name)
    count = _count(shape)
    data = file.read(count * dtype.itemsize)
    return np.frombuffer(data, dtype, count).reshape(shape, order="F" if by_columns else "C")


def _npz(file: IO[bytes], name: str | None) -> Array:
    with zipfile.ZipFile(file) as packed:
        names = [each[:-4] for each in packed.namelist() if each.endswith(".npy")]
        name = _chosen(name, [each for each in names if not each.endswith(DTYPE)])
        with packed.open(f"{name}.npy") as member:
            values = _numbers(member)
        if name + DTYPE not in names:
            return as_array(values)
        with packed.open(f"{name}{DTYPE}.npy") as member:
            return decoded(values, str(_numbers(member, "U")), name)


def _safetensors(file: IO[bytes], name: str | None) -> Array:
    tensors, start = safetensors.header(file)
    entry = tensors[_chosen(name, list(tensors))]
    size = safetensors.size(entry)
    if size is None:
        raise _of_kind(str(entry["dtype"])[:40])
    first, last = entry["data_offsets"]
    if last - first != _count(entry["shape"]) * size or first < 0:
        raise ValueError
    file.seek(start + first)
    return safetensors.tensor(entry, file.read(last - first))


def _count(shape: Iterable[int]) -> int:
    """How many entries there are. Raises OutOfBounds for more than are read."""
    axes = tuple(shape)
    said = "×".join(map(str, axes[:8]))
    if not all(isinstance(axis, int) and axis >= 0 for axis in axes):
        raise ValueError
    if math.prod(axes) > MOST_ENTRIES:
        raise OutOfBounds(
            Bilingual(f"an array of {said}", f"数组大小为 {said}"),
            Bilingual(f"at most {MOST_ENTRIES:,} entries are read", f"最多读取 {MOST_ENTRIES:,} 个元素"),
        )
    return math.prod(axes)


def _chosen(name: str | None, names: list[str]) -> str:
    """The array that is meant. Raises UnusableValue with those that there are."""
    if name is None and len(names) == 1:
        return names[0]
    if name is not None and name in names:
        return name
    few = ", ".join(names[:20]) + (", …" if len(names) > 20 else "")
    listing = (
        Bilingual(f"there are {few}", f"文件中有 {few}")
        if names
        else Bilingual("there is none", "文件中没有数组")
    )
    if name is None:
        raise UnusableValue(
            Bilingual(f"{len(names)} arrays, and none is named", f"有 {len(names)} 个数组，没有指明哪一个"),
            listing,
        )
    found = Bilingual(f"no array {name[:40]!r}", f"没有数组 {name[:40]!r}")
    raise UnusableValue(found, instead(name, names, listing))


def _of_kind(kind: str) -> UnusableValue:
    return UnusableValue(
        Bilingual(f"an array of {kind}", f"{kind} 的数组"),
        Bilingual("integers and floats are read", "只读整数和浮点数"),
    )
