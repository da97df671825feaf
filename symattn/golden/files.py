"""Arrays in files: .npz and .safetensors, and inputs that a seed makes.

NumPy has no bfloat16 and no float8: an .npz holds their bits as unsigned integers in NAME, and the name of
the format in `NAME.dtype`.
"""

from __future__ import annotations

import io
import json
import math
import re
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symattn.golden import safetensors
from symattn.golden.formats import FORMATS, Format
from symattn.golden.inputs import Array
from symattn.text.bilingual import Bilingual
from symattn.text.errors import OutOfBounds, UnreadableFile, UnusableValue
from symattn.text.suggest import instead
from symattn.text.system_errors import why

MOST_BYTES = 1 << 31
"""Bytes of an input, unpacked."""
MOST_SEEDED = 1 << 27
_SHAPE = r"(\d{1,9}(?:x\d{1,9}){1,3})"
SEED = re.compile(rf"seed:(\d{{1,18}}):{_SHAPE}(?:,{_SHAPE})?(?::(\d{{1,9}}(?:\.\d{{1,9}})?))?")
ENDINGS = (".npz", ".safetensors")
DTYPE = ".dtype"
"""What follows the name of an array in that of its format."""


def read(path: str, wanted: Iterable[str]) -> dict[str, Array]:
    """Those of the wanted arrays that a file has. Raises SymattnError with the file and the name."""
    wanted = list(wanted)
    try:
        if path.endswith(".safetensors"):
            content = _content(path)
            found = safetensors.parse(content)
        elif path.endswith(".npz"):
            found = _npz(path, wanted)
        else:
            raise UnreadableFile(
                Bilingual(
                    "the name ends in none of .npz, .safetensors", "文件名不以 .npz 或 .safetensors 结尾"
                ),
                Bilingual("or seed:7:8x1024x64 makes inputs", "也可用 seed:7:8x1024x64 生成输入"),
            )
        near = {name: array for name, array in found.items() if name in wanted}
    except UnreadableFile as error:
        raise error.at(file=path) from None
    except UnusableValue as error:
        raise error.at(file=path) from None
    except OSError as error:
        raise UnreadableFile(why(error)).at(file=path) from None
    return near


def _content(path: str) -> bytes:
    size = Path(path).stat().st_size
    if size > MOST_BYTES:
        raise _too_large(size)
    return Path(path).read_bytes()


def _too_large(size: int) -> UnreadableFile:
    return UnreadableFile(
        Bilingual(f"{size >> 20} MB", f"{size >> 20} MB"),
        Bilingual(f"at most {MOST_BYTES >> 20} MB are read", f"最多读取 {MOST_BYTES >> 20} MB"),
    )


def _npz(path: str, wanted: Iterable[str]) -> dict[str, Array]:
    arrays: dict[str, Array] = {}
    try:
        with zipfile.ZipFile(path) as packed:
            size = sum(each.file_size for each in packed.infolist())
        if size > MOST_BYTES:
            raise _too_large(size)
        with np.load(path, allow_pickle=False) as file:
            for name in wanted:
                if name in file.files:
                    arrays[name] = _loaded(file, name)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, KeyError):
        found = Bilingual("this is no .npz file, or a part of one", "这不是完整的 .npz 文件")
        raise UnreadableFile(found) from None
    return arrays


def _loaded(file: Any, name: str) -> Array:
    try:
        values = file[name]
        named = str(file[name + DTYPE]) if name + DTYPE in file.files else None
    except ValueError:  # it would need pickle, or its header is none
        found = Bilingual("this is no array of numbers", "这不是数值数组")
        raise UnusableValue(found).at(key=name) from None
    return as_array(values) if named is None else decoded(values, named, name)


def decoded(values: NDArray[Any], named: str, name: str) -> Array:
    """The array that these bits of a named format are. Raises UnusableValue with the name of the array."""
    one = FORMATS.get(named)
    if one is None:
        found = Bilingual(f"the format {named[:40]}", f"格式 {named[:40]}")
        listing = Bilingual(", ".join(FORMATS), "、".join(FORMATS))
        raise UnusableValue(found, instead(named, FORMATS, listing)).at(key=name + DTYPE)
    if values.dtype.kind not in "uV" or values.dtype.itemsize * 8 != one.bits or values.dtype.hasobject:
        found = Bilingual(f"{values.dtype} for {named}", f"{named} 的数组类型为 {values.dtype}")
        wide = Bilingual(f"its bits are uint{one.bits}", f"其位模式应为 uint{one.bits}")
        raise UnusableValue(found, wide).at(key=name)
    return Array(one.values(np.ascontiguousarray(values).view(f"u{one.bits // 8}")), one)


def as_array(values: NDArray[Any]) -> Array:
    """An array of NumPy, perhaps of a type of `ml_dtypes`, with its format."""
    one = FORMATS.get(values.dtype.name)
    return Array(values, None) if one is None else Array(values.astype(np.float64), one)


def seeded(text: str, format: Format) -> dict[str, Array] | None:
    """q, k and v of `seed:SEED:SHAPE[,SHAPE][:RANGE]`; None for another text.

    They are standard normal numbers times the range, rounded; the second shape is that of k and v.
    """
    if not text.startswith("seed:"):
        return None
    found = SEED.fullmatch(text)
    shape, other = (tuple(map(int, (found[at] or found[2]).split("x"))) if found else () for at in (2, 3))
    if found is None or not all(shape + other):
        raise UnusableValue(
            Bilingual(f"{text[:60]} has no seed and shape", f"{text[:60]} 中没有种子和形状"),
            Bilingual(
                "such as seed:7:8x1024x64 for 8 heads, n = 1024, d = 64; the shape of k and v and a factor "
                "may follow, seed:7:8x16x64,2x20x64:4",
                "例如 seed:7:8x1024x64：8 个头，n = 1024，d = 64；其后可加 k、v 的形状与倍数，"
                "如 seed:7:8x16x64,2x20x64:4",
            ),
        )
    large = max(shape, other, key=math.prod)
    if math.prod(large) > MOST_SEEDED:
        raise OutOfBounds(
            Bilingual(f"arrays of {'x'.join(map(str, large))}", f"数组大小为 {'x'.join(map(str, large))}"),
            Bilingual(f"at most {MOST_SEEDED} numbers are made", f"最多生成 {MOST_SEEDED} 个数"),
        )
    generator = np.random.default_rng(int(found[1]))
    size = float(found[4] or 1)
    return {
        name: Array(format.rounded(size * generator.standard_normal(shape if name == "q" else other)), format)
        for name in "qkv"
    }


def spelled(path: str, arrays: Mapping[str, Array], settings: Mapping[str, str]) -> bytes:
    """A file with the arrays and the settings, of the kind that its name says."""
    if path.endswith(".safetensors"):
        return safetensors.spelled(arrays, settings)
    if not path.endswith(".npz"):
        raise UnusableValue(
            Bilingual("the name ends in none of .npz, .safetensors", "文件名不以 .npz 或 .safetensors 结尾")
        ).at(file=path)
    held: dict[str, NDArray[Any]] = {"settings": np.array(json.dumps(dict(settings)))}
    for name, array in arrays.items():
        if array.format is None or array.format.name in ("float16", "float32", "float64"):
            held[name] = array.values if array.format is None else array.values.astype(array.format.name)
        else:
            held[name] = array.format.codes(array.values)
            held[name + DTYPE] = np.array(array.format.name)
    stream = io.BytesIO()
    np.savez(stream, **held)  # type: ignore[arg-type]
    return stream.getvalue()
