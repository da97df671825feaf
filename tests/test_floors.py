"""The floors of the house: a file imports only from floors below, and never from a sibling or in a circle."""

from __future__ import annotations

import ast
import re
import shutil
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "symattn"

FLOORS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "symattn": (
        ("file_names", "immutable", "bilingual", "notation", "bounded", "keys"),
        (
            "errors",
            "document",
            "conventions",
            "quantities",
            "suggest",
            "system_errors",
            "doubt",
        ),
        ("exact", "typeset"),
        ("intervals",),
        ("operation", "given"),
        ("plan", "kinds", "floats", "settings_fields"),
        ("derive", "gradient", "weighing", "settings", "symbols"),
        ("case",),
        ("sizes", "textbook"),
        ("expressions", "ops", "turned"),
        ("variant",),
        ("variants", "compatibility"),
        ("registry",),
        ("recipes", "facts", "stable_softmax"),
        ("gradcheck", "proofs", "auditor", "step_check"),
        ("crosscheck", "reading"),
        ("notes",),
        ("narrate", "export"),
        ("worked", "notebook"),
        ("__init__", "cli"),
        ("__main__",),
    ),
    "symattn.exact": (
        ("radicand", "numeral", "huge", "leaf", "work"),
        ("surd",),
        ("expression", "surds", "syntax"),
        ("evaluation", "separation", "trees"),
        ("algebraic", "monomials"),
        ("zero",),
        ("symbolic", "unfolding"),
        ("terms",),
        ("balls",),
        ("number",),
        ("enclosure", "substitution", "conditions", "sums", "spell"),
        ("bounds", "derivative", "matrix"),
        ("named", "transposed"),
        ("decision",),
        ("functions", "maximum"),
        ("decimal", "literal", "weighted"),
        ("names", "plain"),
    ),
    "symattn.auditor": (
        ("numeral", "dependencies", "findings"),
        ("report", "catalogue"),
        ("claims", "statements", "suppressions"),
        ("known_names",),
        ("ranges",),
        ("judging",),
        ("causes", "fixing", "messages"),
        ("formats", "audit"),
    ),
    "symattn.casefile": (
        ("keys", "kinds", "larger", "processes", "toml_text"),
        ("locate", "workers"),
        ("tables",),
        ("cells", "template", "toml_file"),
        ("claims", "conventions", "steps"),
        ("case_file", "overrides", "idle"),
        ("schema",),
    ),
    "symattn.notes": (
        ("source", "names"),
        ("grammar",),
        ("interpreter",),
        ("hypotheses",),
        ("reader",),
        ("claims",),
        ("documents",),
        ("extract",),
    ),
}
"""The parts of the package and of its largest folders, from the ground up; a folder counts as one part."""


def imports(path: Path) -> list[tuple[int, str]]:
    """Line and module of every import in a file, wherever in the file it is."""
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
            elif node.module:
                found += [(node.lineno, f"{node.module}.{alias.name}") for alias in node.names]
    return [(line, name) for line, name in found if name.split(".")[0] == "symattn"]


def files(package: Path) -> dict[str, Path]:
    """The files of the package by the name of their module; a folder is its `__init__`."""
    names = {
        path: ("symattn", *path.relative_to(package).with_suffix("").parts) for path in package.rglob("*.py")
    }
    return {".".join(name).removesuffix(".__init__"): path for path, name in sorted(names.items())}


def module_of(name: str, known: Mapping[str, Path]) -> str:
    """The module in which an imported name is: itself, or the one that it is taken from."""
    return name if name in known else name.rpartition(".")[0]


def complaints(package: Path, folder: str = "symattn") -> list[str]:
    """The imports within a folder that do not go down."""
    return list(_complaints(package, folder))


def _complaints(package: Path, folder: str) -> Iterator[str]:
    known = files(package)
    floors = {part: at for at, parts in enumerate(FLOORS[folder]) for part in parts}

    def part_of(module: str) -> str:
        return [*module.removeprefix(folder).split("."), "__init__"][1]

    def inside(module: str) -> bool:
        return f"{module}.".startswith(f"{folder}.")

    for module, path in known.items():
        own = part_of(module)
        if not inside(module) or (module == folder and folder != "symattn"):
            continue
        name = module.removeprefix("symattn").removeprefix(".").replace(".", "/") or "__init__"
        if own not in floors:
            yield f"{name} stands on no floor"
            continue
        for line, imported_name in imports(path):
            other = module_of(imported_name, known)
            if not inside(other) or part_of(other) == own:
                continue
            there = floors.get(part_of(other))
            if there is None:
                yield f"{name}:{line} imports {imported_name}, which stands on no floor"
            elif there > floors[own]:
                yield f"{name}:{line} imports {imported_name} from a floor above"
            elif there == floors[own]:
                yield f"{name}:{line} imports its sibling {imported_name}"


def circle(package: Path) -> list[str]:
    """Modules that import each other in a circle; imports within functions and for types count too."""
    known = files(package)
    graph = {
        module: {module_of(name, known) for _, name in imports(path)} - {module}
        for module, path in known.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return [str(module) for module in error.args[1]]
    return []


def test_no_files_import_each_other_in_a_circle() -> None:
    assert circle(PACKAGE) == []


@pytest.mark.parametrize("folder", FLOORS)
def test_files_import_only_from_floors_below(folder: str) -> None:
    assert complaints(PACKAGE, folder) == []


CONCRETE = ("symattn.plans.ops", "symattn.attention.variants")
AMONG_THEMSELVES = (*CONCRETE, "symattn.attention.recipes", "symattn.attention.registry")


def concrete(package: Path) -> set[str]:
    """The files that import an operation or a variant, and neither are one nor make plans of them."""
    return {
        module
        for module, path in files(package).items()
        if not f"{module}.".startswith(tuple(f"{name}." for name in AMONG_THEMSELVES))
        if any(f"{name}.".startswith(tuple(f"{kind}." for kind in CONCRETE)) for _, name in imports(path))
    }


def test_nothing_but_recipes_and_the_registry_knows_which_operations_there_are() -> None:
    assert concrete(PACKAGE) == set()


def test_a_planted_import_of_an_operation_is_caught(tmp_path: Path) -> None:
    copy = planted(tmp_path, "auditor/audit.py", "def f():\n    from symattn.plans.ops import Scale")
    assert concrete(copy) == {"symattn.auditor.audit"}


def test_the_manual_shows_each_part_on_its_floor() -> None:
    manual = (PACKAGE.parent / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \d+ \|(.*)\|$", manual, re.M)
    named = [{name for name in re.findall(r"`(\w+)(?:/|\.py)`", row) if name != "attention"} for row in rows]
    assert named == [set(parts) for parts in FLOORS["symattn"]]


def test_a_typesetter_knows_no_number() -> None:
    for path in (PACKAGE / "typeset").glob("*.py"):
        assert not [name for _, name in imports(path) if name.startswith("symattn.exact")], path.name


def planted(tmp_path: Path, file: str, text: str) -> Path:
    """A copy of the package in which a file begins with the text."""
    copy = tmp_path / "symattn"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", "fonts"))
    path = copy / file
    path.write_text(
        text + "\n" + (path.read_text(encoding="utf-8") if path.exists() else ""), encoding="utf-8"
    )
    return copy


@pytest.mark.parametrize(
    ("file", "text", "complaint"),
    [
        (
            "exact/surd.py",
            "from symattn.plans.ops.scale import Scale",
            "exact/surd:1 imports symattn.plans.ops.scale",
        ),
        ("plan.py", "import symattn.plans.derive", "plan:1 imports symattn.plans.derive from a floor above"),
        ("turned.py", "from symattn.plans.ops import Add", "turned:1 imports its sibling symattn.plans.ops"),
        ("ops/scale.py", "def f():\n    from symattn.cli import main", "ops/scale:2 imports symattn.cli"),
        ("errors.py", "from symattn import Case", "errors:1 imports symattn.Case from a floor above"),
        ("errors.py", "from .notation import Sum", "errors:1 imports symattn.<relative notation>"),
        ("stray.py", "", "stray stands on no floor"),
    ],
)
def test_a_planted_import_upwards_is_caught(tmp_path: Path, file: str, text: str, complaint: str) -> None:
    copy = planted(tmp_path, file, text)
    assert any(found.startswith(complaint) for found in complaints(copy))


def test_an_import_against_the_order_within_a_folder_is_caught(tmp_path: Path) -> None:
    copy = planted(tmp_path, "notes/grammar/signs.py", "from symattn.notes.hypotheses.lines import Lines")
    said = "notes/grammar/signs:1 imports symattn.notes.hypotheses.lines.Lines from a floor above"
    assert said in complaints(copy, "symattn.notes")


def test_a_planted_circle_is_caught_though_a_function_hides_it(tmp_path: Path) -> None:
    text = "def shown():\n    from symattn.exact.literal import read"
    assert circle(planted(tmp_path, "exact/surd.py", text))
