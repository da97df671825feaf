"""Help, READMEs and documents agree on verbs, options, formats and links; so do the metadata."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from symattn.attention.runnable import asked
from symattn.auditor.formats.table import NAMES
from symattn.casefile.file_kinds import KINDS
from symattn.cli import VERBS, cli
from symattn.cli.audit import FORMATS
from symattn.reports import READERS
from symattn.result import work

ROOT = Path(__file__).parent.parent
READMES = [ROOT / "README.md", ROOT / "README.zh.md"]
PAGES = [*READMES, ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
CODE = re.compile(r"^```\w*\n(.*?)^```$|(?<!`)`([^`]+)`(?!`)|^ {4,}(\S.*)$", re.MULTILINE | re.DOTALL)
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
LINK = re.compile(r"\]\(([^)\s]+)\)")


def command(verb: str) -> click.Command:
    found = cli.get_command(click.Context(cli), verb)
    assert found is not None
    return found


def options(verb: str) -> set[str]:
    return {name for each in command(verb).params for name in (*each.opts, *each.secondary_opts)} | {"--help"}


def help_of(verb: str) -> str:
    return CliRunner().invoke(cli, [verb, "--help"]).output


def lines_of_code(page: Path) -> list[str]:
    """The lines in fences, between backquotes and in indented blocks."""
    found = [next(filter(None, groups)) for groups in CODE.findall(page.read_text(encoding="utf-8"))]
    return [line.strip() for text in found for line in re.sub(r"\s+# .*", "", text).splitlines()]


def complaints(line: str) -> list[str]:
    """What a line of code says of `symattn` or of a script here that is not so."""
    found = []
    for verb, rest in re.findall(r"\bsymattn ([a-z]+)\b([^|&]*)", line):
        known = options(verb) if verb in VERBS else set()
        found += [] if known else [f"no verb {verb}"]
        found += [f"{verb} has no {each}" for each in OPTION.findall(rest) if each not in known]
    for script, rest in re.findall(r"python ((?:benchmarks|tools)/\w+\.py)([^|&]*)", line):
        path = ROOT / script
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        found += [] if text else [f"no file {script}"]
        found += [f"{script} has no {each}" for each in OPTION.findall(rest) if f'"{each}"' not in text]
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_in_a_document_has_its_verb_and_its_options(page: Path) -> None:
    code = lines_of_code(page)
    assert [complaint for line in code for complaint in complaints(line)] == []


@pytest.mark.parametrize(
    "page", [*READMES, *sorted((ROOT / "docs").glob("*.md"))], ids=lambda page: page.name
)
def test_every_option_that_a_document_names_alone_is_one_of_a_verb_or_of_a_script(page: Path) -> None:
    scripts = [path.read_text(encoding="utf-8") for path in (ROOT / "benchmarks").glob("*.py")]
    every = set(OPTION.findall("".join(scripts))).union(*map(options, VERBS))
    alone = [OPTION.match(line) for line in lines_of_code(page)]
    assert [found[0] for found in alone if found is not None and found[0] not in every] == []


def test_every_step_that_a_document_asks_for_is_one_of_a_plain_case() -> None:
    steps = work(ROOT / "cases" / "thinking_machines.toml").derivation.plan
    names = [
        name
        for page in PAGES
        for line in lines_of_code(page)
        for found in re.findall(r"--only ([a-z][\w,.]*)", line, re.IGNORECASE)
        for name in found.split(",")
    ]
    assert {"raw", "scores", "A", "Z"} <= set(names)
    assert asked(steps, names)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("symattn audti a.md", "no verb audti"),
        (".venv/bin/symattn derive a.toml --strict", "derive has no --strict"),
        ("python benchmarks/notes.py --sed 1", "benchmarks/notes.py has no --sed"),
        ("python tools/nothing.py", "no file tools/nothing.py"),
    ],
)
def test_a_command_that_there_is_not_is_caught(line: str, complaint: str) -> None:
    assert complaint in complaints(line)


def test_the_help_of_audit_and_extract_names_every_ending_that_they_read() -> None:
    for verb, endings in (("audit", READERS), ("extract", KINDS)):
        text = help_of(verb)
        assert [ending for ending in endings if not re.search(rf"\{ending}\b", text)] == []


def test_the_readmes_name_every_ending_and_every_format() -> None:
    prose = ("Markdown", "R Markdown", "Quarto", "LaTeX", "notebook")
    plain = [end for end, kind in KINDS.items() if kind not in ("markdown", "latex", "notebook")]
    for page in READMES:
        text = page.read_text(encoding="utf-8")
        assert [word for word in (*prose, *(f"`{ending}`" for ending in plain)) if word not in text] == []
        formats = re.search(r"`--format`([^.。]*)[.。]", text)
        assert formats is not None
        assert sorted(re.findall(r"`(\w+)`", formats[1])) == sorted(FORMATS)
        assert all(option in text for option in ("--latex", "--markdown", "--html", "--text", "--json"))


def test_help_offers_the_formats_that_there_are() -> None:
    assert set(FORMATS) == set(NAMES)
    assert "[" + "|".join(FORMATS) + "]" in help_of("audit")


def test_every_option_has_a_line_of_help() -> None:
    for verb in VERBS:
        found = [each for each in command(verb).params if isinstance(each, click.Option)]
        assert [each.name for each in found if not each.help] == [], verb


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_of_a_document_leads_to_a_file(page: Path) -> None:
    links = [link.split("#")[0] for link in LINK.findall(page.read_text(encoding="utf-8"))]
    made = ("http", "gallery/")  # elsewhere, or written by docs/conf.py when the site is built
    near = [link for link in links if link and not link.startswith(made)]
    assert [link for link in near if not (page.parent / link).exists()] == []


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def for_an_index() -> str:
    """The README as the metadata of the package have it."""
    hook = PROJECT["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]
    text = "".join(
        (ROOT / part["path"]).read_text(encoding="utf-8") if "path" in part else part["text"]
        for part in hook["fragments"]
    )
    for each in hook["substitutions"]:
        text = re.sub(each["pattern"], each["replacement"], text)
    return text


def test_on_a_package_index_the_readme_has_no_relative_link_or_picture() -> None:
    text = for_an_index()
    assert [link for link in LINK.findall(text) if not link.startswith("https:")] == []
    assert "![" not in text
    assert "\nHow it is built: docs/architecture.md. How fast: docs/speed.md." in text
    assert "\n中文说明 (README.zh.md)\n\n## Two commands\n" in text
    assert text.count("```") == READMES[0].read_text(encoding="utf-8").count("```")


def test_the_classifiers_name_the_oldest_python_that_is_required() -> None:
    prefix = "Programming Language :: Python :: "
    named = [each.removeprefix(prefix) for each in PROJECT["project"]["classifiers"] if prefix in each]
    versions = [each for each in named if "." in each]
    assert f">={versions[0]}" == PROJECT["project"]["requires-python"]
    assert len(versions) > 1
