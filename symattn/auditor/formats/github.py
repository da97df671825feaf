"""Workflow commands of GitHub Actions: annotations beside the lines of a pull request.

https://docs.github.com/actions/reference/workflow-commands-for-github-actions
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePath

from symattn.auditor.formats.items import Item, Options, listed
from symattn.auditor.formats.stream import Outcome
from symattn.auditor.report import Report
from symattn.text.file_names import shown

_LEVELS = {"error": "error", "warning": "warning", "note": "notice"}


def piece(path: str, reports: Sequence[Report], options: Options) -> str:
    """One line for each finding of a file."""
    return "".join(_command(path, item) for report in reports for item in listed(report, options))


def joined(outcomes: Iterable[Outcome], options: Options) -> Iterator[str]:
    """The lines as they come; a file that could not be used is an annotation too."""
    for outcome in outcomes:
        if outcome.problem is not None:
            where = f"file={property_value(shown(PurePath(outcome.path).as_posix()))}"
            yield f"::error {where}::{data_value(outcome.problem[options.lang or 'en'])}\n"
        else:
            yield outcome.piece


def _command(path: str, item: Item) -> str:
    properties = {"file": shown(PurePath(path).as_posix())}
    if item.place is not None:
        column = item.place.column
        properties |= {"line": str(item.place.line), "col": str(column)}
        properties["endColumn"] = str(column + item.length)
    properties["title"] = f"{item.rule.code} {item.rule.name}"
    listed = ",".join(f"{name}={property_value(value)}" for name, value in properties.items())
    return f"::{_LEVELS[item.rule.severity]} {listed}::{data_value(item.message)}\n"


def data_value(words: str) -> str:
    """Words as the data of a command: what would end the line or escape is spelled out."""
    return words.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def property_value(words: str) -> str:
    """Words as a property of a command, where colons and commas separate too."""
    return data_value(words).replace(":", "%3A").replace(",", "%2C")
