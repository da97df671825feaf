"""Write what follows from the registry as static text; `--check` fails on what is stale.

The typed fields of the settings are made from the keys of `[attention]`, so that a new key is declared once.
"""

from __future__ import annotations

import sys
from pathlib import Path

from symattn.attention.keys import Key
from symattn.attention.registry import CONVENTION_KEYS

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

from dataclasses import dataclass

from symattn.attention.given import Given


@dataclass(frozen=True, slots=True)
class Fields:
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


GENERATED = {PACKAGE / "attention" / "settings_fields.py": settings_fields}


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
