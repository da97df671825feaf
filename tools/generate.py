"""Write what follows from the registry as static text; `--check` fails on what is stale.

The typed fields of the settings, and the arguments of `symattn.attention`, are made from the keys of a case,
so that a new key is declared once.
"""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import fill

from symattn.attention.keys import Key
from symattn.attention.registry import CONVENTION_KEYS
from symattn.library.inputs import ARGUMENTS_OF, argument

PACKAGE = Path(__file__).parent.parent / "symattn"
TYPES = {
    "choice": "str",
    "integer": "int",
    "expression": "str",
    "per head": "str | Given",
    "mask": "str | Given",
    "row": "Given",
    "flags": "Given",
}

HEADER = '''"""The settings of a case by name: made by `python tools/generate.py` from the registry."""

from __future__ import annotations

from msgspec import Struct

from symattn.attention.given import Given


class Fields(Struct, frozen=True):
    """The `[attention]` table. Expressions are kept as they were typed."""

'''


def field(key: Key) -> str:
    """One field of the settings with its meaning."""
    kind = TYPES[key.kind] if key.default is not None else f"{TYPES[key.kind]} | None"
    default = f'"{key.default}"' if isinstance(key.default, str) else repr(key.default)
    return f"    {key.name}: {kind} = {default}\n"


def settings_fields() -> str:
    """The text of `symattn/attention/settings_fields.py`."""
    return HEADER + "".join(map(field, CONVENTION_KEYS))


CALL = '''"""`symattn.attention`: made by `python tools/generate.py` from the table of keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Literal

from symattn.library.inputs import Flags, Floats, MaskLike, MatrixLike, Quantity, Scalar, VectorLike, tables
from symattn.library.worked import Worked, solved


def attention(
    *,
{arguments}
    given: Mapping[str, Quantity] | None = None,
    floats: Floats | None = None,
    folder: str | PathLike[str] | None = None,
) -> Worked:
    """Derive attention exactly from matrices: what `work` returns for a case with these keys.

    >>> import symattn
    >>> symattn.attention(Q=[[1, 0]], K=[[1, 0], [0, 1]], V=[[1], [2]], scale=1)["A"]
    Matrix([[1/(1 + exp(-1)), 1/(1 + exp(1))]])

    Matrices are nested lists, arrays or matrices of SymPy and of this package; entries are `int`, `Fraction`,
    `Decimal`, SymPy numbers, or strings with exact expressions such as "1/3" and "sqrt(2)". Floats need
    `floats="printed"` (the shortest decimal that prints them) or `floats="exact"` (the binary numbers).
    A matrix in a file of the `folder` is named, "x.csv" or "w.npz:W_Q".
    `given` takes what one head or layer has of its own, by name: `given={{"head1.A": ...}}`. Raises
    SymattnError for what cannot be used, with the name of the argument.

{meanings}
    """
    return solved(tables(locals()), folder=folder)


attention.__name__ = "symattn.attention"  # so `import symattn.attention.case as case` finds the folder
'''
ARGUMENTS = {
    "words": "str",
    "lines": "str",
    "labels": "Sequence[str]",
    "names": "Sequence[str]",
    "integer": "int",
    "expression": "Scalar",
    "per head": "Scalar | VectorLike",
    "matrix": "MatrixLike",
    "vector": "VectorLike",
    "row": "VectorLike",
    "flags": "Flags",
    "mask": "MaskLike",
}


def typed(key: Key) -> str:
    """One argument of `symattn.attention`."""
    kind = f"Literal[{', '.join(map(quoted, key.choices))}]" if key.kind == "choice" else ARGUMENTS[key.kind]
    return f"    {argument(key)}: {kind} | None = None,"


def quoted(word: str) -> str:
    return f'"{word}"'


def meaning(key: Key) -> str:
    """What an argument means, as a paragraph of the docstring."""
    default = f" (default: {key.default})" if key.default is not None else ""
    return fill(
        f"`{argument(key)}`: {key.meaning}{default}".replace("\\", "\\\\"),
        width=106,
        initial_indent="    - ",
        subsequent_indent="      ",
        break_on_hyphens=False,
    )


def attention_call() -> str:
    """The text of `symattn/library/attention.py`."""
    every = [key for keys in ARGUMENTS_OF.values() for key in keys]
    return CALL.format(arguments="\n".join(map(typed, every)), meanings="\n".join(map(meaning, every)))


GENERATED = {
    PACKAGE / "attention" / "settings_fields.py": settings_fields,
    PACKAGE / "library" / "attention.py": attention_call,
}


def main() -> int:
    """Write the files, or say which are stale."""
    stale = [path for path, made in GENERATED.items() if path.read_text(encoding="utf-8") != made()]
    if "--check" in sys.argv[1:]:
        for path in stale:
            print(f"{path.name} is stale: python tools/generate.py")
        return int(bool(stale))
    for path in stale:
        path.write_text(GENERATED[path](), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
