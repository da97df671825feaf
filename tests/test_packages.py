"""The order of the packages: each imports only from those before it, and no files import in a circle."""

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

ORDER = (
    "text",
    "typeset",
    "exact",
    "many",
    "floats",
    "plans",
    "attention",
    "checks",
    "golden",
    "narrate",
    "auditor",
    "casefile",
    "notes",
    "result",
    "reports",
    "library",
    "classroom",
    "cli",
    "sphinx",
    "__init__",
    "__main__",
)
"""The packages and the files beside them, in the order in which they may be imported."""

OPERATIONS = "symattn.plans.ops"
MAY_KNOW_OPERATIONS = (OPERATIONS, "symattn.attention")


@cache
def imported(source: str) -> list[tuple[int, str]]:
    """Line and module of every import in a source, wherever it is; only those of this package."""
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


def files(package: Path) -> dict[str, str]:
    """The sources of the package by the names of their modules; a folder is its `__init__`."""
    names = {
        path: ("symattn", *path.relative_to(package).with_suffix("").parts) for path in package.rglob("*.py")
    }
    return {
        ".".join(name).removesuffix(".__init__"): path.read_text(encoding="utf-8")
        for path, name in sorted(names.items())
    }


def module_of(name: str, known: Mapping[str, str]) -> str:
    """The module in which an imported name is: itself, or the one that it is taken from."""
    return name if name in known else name.rpartition(".")[0]


def package_of(module: str) -> str:
    """`exact` for `symattn.exact.surd`."""
    return [*module.split("."), "__init__"][1]


def upwards(package: Path) -> Iterator[str]:
    """The imports that do not go to an earlier package, and what has no place in the order."""
    known = files(package)
    for module, source in known.items():
        own = package_of(module)
        if own not in ORDER:
            yield f"{module} has no place in the order of packages"
            continue
        for line, name in imported(source):
            other = package_of(module_of(name, known))
            if other not in ORDER or ORDER.index(other) > ORDER.index(own):
                yield f"{module}:{line} imports {name}"


def circle(package: Path) -> list[str]:
    """Modules that import each other in a circle; imports within functions and for types count too."""
    known = files(package)
    graph = {
        module: {module_of(name, known) for _, name in imported(source)} - {module}
        for module, source in known.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return [str(module) for module in error.args[1]]
    return []


def importers_of_operations(package: Path) -> set[str]:
    """The files outside of attention that import a concrete operation."""
    return {
        module
        for module, source in files(package).items()
        if not f"{module}.".startswith(tuple(f"{name}." for name in MAY_KNOW_OPERATIONS))
        if any(f"{name}.".startswith(f"{OPERATIONS}.") for _, name in imported(source))
    }


def test_packages_import_only_from_those_before_them() -> None:
    assert list(upwards(PACKAGE)) == []


def test_no_files_import_each_other_in_a_circle() -> None:
    assert circle(PACKAGE) == []


def test_only_attention_knows_which_operations_there_are() -> None:
    assert importers_of_operations(PACKAGE) == set()


def test_a_typesetter_knows_no_number() -> None:
    for module, source in files(PACKAGE / "typeset").items():
        assert not [name for _, name in imported(source) if name.startswith("symattn.exact")], module


def test_the_manual_describes_the_packages_in_their_order() -> None:
    manual = (PACKAGE.parent / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = re.findall(r"^\*\*`(\w+)/`\*\*", manual, re.M)
    assert named == [name for name in ORDER if (PACKAGE / name).is_dir()]


def planted(tmp_path: Path, file: str, text: str) -> Path:
    """A copy of the package in which a file begins with the text."""
    copy = tmp_path / "symattn"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", "fonts"))
    path = copy / file
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    path.write_text(f"{text}\n{before}", encoding="utf-8")
    return copy


@pytest.mark.parametrize(
    ("file", "text", "complaint"),
    [
        ("exact/surd.py", "import symattn.plans.derive", "symattn.exact.surd:1 imports symattn.plans.derive"),
        ("plans/ops/scale.py", "def f():\n    from symattn.cli import main", "symattn.plans.ops.scale:2"),
        ("text/errors.py", "from symattn import Case", "symattn.text.errors:1 imports symattn.Case"),
        ("text/errors.py", "from .notation import Sum", "symattn.text.errors:1 imports symattn.<relative"),
        ("stray.py", "", "symattn.stray has no place in the order of packages"),
    ],
)
def test_a_planted_import_upwards_is_caught(tmp_path: Path, file: str, text: str, complaint: str) -> None:
    found = list(upwards(planted(tmp_path, file, text)))
    assert len(found) == 1
    assert found[0].startswith(complaint)


def test_a_planted_circle_is_caught_though_a_function_hides_it(tmp_path: Path) -> None:
    text = "def shown():\n    from symattn.exact.literal import read"
    assert circle(planted(tmp_path, "exact/surd.py", text))


def test_a_planted_import_of_an_operation_is_caught(tmp_path: Path) -> None:
    copy = planted(tmp_path, "auditor/audit.py", "def f():\n    from symattn.plans.ops.scale import Scale")
    assert importers_of_operations(copy) == {"symattn.auditor.audit"}
