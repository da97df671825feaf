"""The floors of the house: a file imports only from floors below, and siblings leave each other alone."""

from __future__ import annotations

import ast
import shutil
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "symattn"

FLOORS: tuple[tuple[str, ...], ...] = (
    (
        "errors",
        "file_names",
        "immutable",
        "bilingual",
        "suggest",
        "notation",
        "document",
        "exact",
        "bounded",
        "turned_words",
    ),
    ("operation", "plan", "given", "keys", "floats", "gradient", "typeset"),
    ("settings_fields", "conventions"),
    ("settings",),
    ("case",),
    ("sizes",),
    ("expressions",),
    ("ops", "derive"),
    ("turned", "variant"),
    ("variants",),
    ("registry",),
    ("recipes", "stable_softmax"),
    ("facts", "gradcheck", "crosscheck", "proofs", "narrate", "auditor"),
    ("reading",),
    ("worked", "export", "cli", "__init__", "__main__"),
)
"""The parts of the package, from the ground up; a package counts as one part, whose files may share."""

NEIGHBOURS = {
    ("document", "notation"),  # a document holds formulas
    ("exact", "errors"),  # what has no value is an error of the input
    ("errors", "file_names"),  # a message names a file
    ("exact", "immutable"),
    ("exact", "suggest"),  # an unknown name resembles a known one
    ("exact", "notation"),  # `spell` writes numbers
    ("plan", "operation"),  # a line holds an operation
    ("gradient", "operation"),  # what a line hands back is an operation
    ("gradient", "plan"),
    ("floats", "operation"),  # the name of the type only
    ("narrate", "facts"),  # a page tells the proved facts
    ("auditor", "facts"),  # statements about order are decided the same way
    ("narrate", "proofs"),  # and the proofs that two walks agree
    ("narrate", "crosscheck"),  # and the outcome of the cross-check
    ("crosscheck", "gradcheck"),  # the cross-check holds the gradients against derivatives
    ("cli", "worked"),
    ("cli", "export"),
    ("worked", "export"),
    ("__init__", "worked"),
    ("__main__", "cli"),
    ("cli", "__init__"),
}
"""Who may import a sibling on the same floor, and why that is no knot: there is no way back."""


ROOMS = {
    "reading.notes": ("result", "formulas", "layout", "linking", "cases", "example", "chapters", "reader"),
    "auditor": (
        *(
            "numeral",
            "report",
            "dependencies",
            "moments",
            "claims",
            "findings",
            "catalogue",
            "reasons",
        ),
        *(
            "statements",
            "suppressions",
            "ranges",
            "judging",
            "messages",
            "causes",
            "fixing",
            "formats",
            "audit",
        ),
    ),
}
"""The rooms of the two largest parts, each after those that it may import from."""

SHOWN = "report.py imports symattn.auditor.formats.document"
"""The one way back: a report shows itself in a notebook."""


def part_of(module: str) -> str:
    """`symattn.exact.surd` belongs to `exact`, `symattn` itself to `__init__`."""
    return [*module.split("."), "__init__"][1]


def floor_of(part: str) -> int | None:
    return next((at for at, parts in enumerate(FLOORS) if part in parts), None)


def imports(path: Path) -> list[tuple[int, str]]:
    """Line and module of every import in a file, wherever in the file it stands."""
    return imported(path.read_text(encoding="utf-8"))


@cache
def imported(source: str) -> list[tuple[int, str]]:
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                found.append((node.lineno, f"symattn.<relative {node.module}>"))
            elif node.module == "symattn":
                found += [(node.lineno, f"symattn.{alias.name}") for alias in node.names]
            elif node.module:
                found.append((node.lineno, node.module))
    return [(line, module) for line, module in found if module.split(".")[0] == "symattn"]


def complaints(package: Path) -> list[str]:
    found = []
    for path in sorted(package.rglob("*.py")):
        name = path.relative_to(package).with_suffix("").parts
        own = part_of(".".join(("symattn", *name)))
        here = floor_of(own)
        if here is None:
            found.append(f"{'/'.join(name)} stands on no floor")
            continue
        for line, module in imports(path):
            other = part_of(module)
            if not (package / other).exists() and not (package / f"{other}.py").exists():
                other = "__init__"  # a name of the public interface, or no module at all
            if other == own:
                continue
            there = floor_of(other)
            if there is None:
                found.append(f"{'/'.join(name)}:{line} imports {module}, which stands on no floor")
            elif there > here:
                found.append(f"{'/'.join(name)}:{line} imports {module} from a floor above")
            elif there == here and (own, other) not in NEIGHBOURS:
                found.append(f"{'/'.join(name)}:{line} imports its sibling {module}")
    return found


def test_files_import_only_from_floors_below() -> None:
    assert complaints(PACKAGE) == []


def test_neighbours_do_not_import_each_other_both_ways() -> None:
    assert not {(b, a) for a, b in NEIGHBOURS} & NEIGHBOURS


def test_operations_import_only_those_that_their_gradients_are_made_of() -> None:
    """A forward operation imports its backward ones and never the reverse: no circles among the files."""
    above = {
        path.stem: {module.split(".")[2] for _, module in imports(path) if module.startswith("symattn.ops.")}
        for path in (PACKAGE / "ops").glob("*.py")
        if path.stem != "__init__"
    }
    while above:
        leaves = {name for name, needs in above.items() if not needs & above.keys()}
        assert leaves, f"circles among {sorted(above)}"
        above = {name: needs for name, needs in above.items() if name not in leaves}


def uphill(part: Path, name: str) -> list[str]:
    """Imports within a part of the package that run against the order of its rooms."""
    found = []
    for path in sorted(part.rglob("*.py")):
        room = path.relative_to(part).with_suffix("").parts[0]
        for _, module in imports(path):
            _, inside, other = module.partition(f"symattn.{name}.")
            if inside and room != "__init__":
                there = ROOMS[name].index(other.split(".")[0])
                if there > ROOMS[name].index(room):
                    found.append(f"{path.relative_to(part).as_posix()} imports {module}")
    return found


def test_the_rooms_of_the_notes_reader_import_only_backwards() -> None:
    assert uphill(PACKAGE / "reading" / "notes", "reading.notes") == []


def test_the_rooms_of_the_auditor_import_only_backwards() -> None:
    assert uphill(PACKAGE / "auditor", "auditor") == [SHOWN]


def test_an_import_against_the_order_of_the_rooms_is_caught(tmp_path: Path) -> None:
    shutil.copytree(PACKAGE / "reading" / "notes", tmp_path / "notes")
    (tmp_path / "notes/formulas/dots.py").write_text("from symattn.reading.notes.cases.build import build\n")
    found = uphill(tmp_path / "notes", "reading.notes")
    assert found == ["formulas/dots.py imports symattn.reading.notes.cases.build"]


def test_a_typesetter_knows_no_number() -> None:
    for path in (PACKAGE / "typeset").glob("*.py"):
        assert not [module for _, module in imports(path) if part_of(module) == "exact"], path.name


@pytest.mark.parametrize(
    ("file", "planted", "complaint"),
    [
        ("exact/surd.py", "from symattn.ops.scale import Scale", "exact/surd:1 imports symattn.ops.scale"),
        ("plan.py", "import symattn.derive", "plan:1 imports symattn.derive from a floor above"),
        ("derive.py", "from symattn.ops import Add", "derive:1 imports its sibling symattn.ops"),
        ("ops/scale.py", "def f():\n    from symattn.cli import main", "ops/scale:2 imports symattn.cli"),
        (
            "errors.py",
            "from .notation import Sum",
            "errors:1 imports symattn.<relative notation> from a floor above",
        ),
        ("stray.py", "", "stray stands on no floor"),
    ],
)
def test_a_planted_import_upwards_is_caught(tmp_path: Path, file: str, planted: str, complaint: str) -> None:
    copy = tmp_path / "symattn"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", "fonts"))
    path = copy / file
    path.write_text(
        planted + "\n" + (path.read_text(encoding="utf-8") if path.exists() else ""), encoding="utf-8"
    )
    assert any(found.startswith(complaint) for found in complaints(copy))
