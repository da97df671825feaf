"""The file of a baseline: `--write-baseline FILE` and `--baseline FILE`.

It is JSON: for each file, by its path from the folder of the baseline, the content of its findings.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import asdict

from symattn.cli.output import write_file
from symattn.text.bilingual import Bilingual, Count
from symattn.text.errors import SymattnError, UnreadableFile

if TYPE_CHECKING:
    from symattn.auditor.baselined import Known
    from symattn.auditor.report import Report
    from symattn.reports import Judge

MOST_NAMED = 5
SCHEMA = "symattn/baseline/1"
_AGAIN = Bilingual("write it with --write-baseline", "请用 --write-baseline 写出")


class Baseline(Struct, frozen=True):
    """The findings that are known, by the path of their file; paths are those from `folder`."""

    folder: str
    files: Mapping[str, Mapping[Known, int]]

    def of(self, path: str) -> Mapping[Known, int]:
        """How often each content is known in a file."""
        return self.files.get(_inside(path, self.folder), {})


class Quieted:
    """What judges a text, and keeps quiet what is known in its file."""

    def __init__(self, judge: Judge, known: Mapping[Known, int]) -> None:
        self._judge, self._known = judge, known
        self._judged: list[tuple[Sequence[Report], tuple[Known, ...]]] = []

    def __call__(self, text: str, file: str) -> Sequence[Report]:
        from symattn.auditor.baselined import without_known

        reports, gone = without_known(self._judge(text, file), self._known)
        self._judged.append((reports, tuple(sorted(gone.elements()))))
        return reports

    def gone(self, reports: Sequence[Report]) -> tuple[Known, ...]:
        """The known findings that these of its reports no longer have."""
        return next(gone for judged, gone in self._judged if judged is reports)


def gone_words(path: str, gone: Sequence[Known]) -> Bilingual:
    """Which findings of a baseline a file no longer has."""
    few = [f"{one.code} {one.name} {one.printed}".strip() for one in gone[:MOST_NAMED]]
    few += ["…"] * (len(gone) > MOST_NAMED)
    noun = "finding of the baseline is gone/findings of the baseline are gone"
    return Bilingual(
        f"{path}: {Count(len(gone)):{noun}}: {', '.join(few)}",
        f"{path}：基线中的 {len(gone)} 处已不存在：{'、'.join(few)}",
    )


def _inside(path: str, folder: str) -> str:
    return os.path.relpath(os.path.realpath(path), folder).replace(os.sep, "/")


def _folder(file: str) -> str:
    return os.path.dirname(os.path.realpath(file))


def read(file: str) -> Baseline:
    """The baseline in a file. Raises UnreadableFile."""
    from symattn.auditor.baselined import Known
    from symattn.casefile.toml_file import text_of

    try:
        data: Any = json.loads(text_of(Path(file)))
        if data["schema"] != SCHEMA:
            raise KeyError("schema")
        files = {
            path: Counter(
                {
                    Known(**{key: each[key] for key in Known.__struct_fields__}): int(each["count"])
                    for each in found
                }
            )
            for path, found in data["files"].items()
        }
    except json.JSONDecodeError as problem:
        not_json = Bilingual(f"not JSON: {problem.msg}", "不是有效的 JSON")
        raise UnreadableFile(not_json, _AGAIN).at(file=file, line=problem.lineno) from None
    except (KeyError, TypeError, AttributeError, ValueError):
        raise UnreadableFile(Bilingual("this is not a baseline", "这不是基线文件"), _AGAIN).at(
            file=file
        ) from None
    except SymattnError as problem:
        raise problem.at(file=file) from None
    return Baseline(_folder(file), files)


def write(file: str, found: Mapping[str, Sequence[Known]]) -> int:
    """Write a baseline of the findings of each file, and return how many they are."""
    folder = _folder(file)
    files = {
        _inside(path, folder): [
            asdict(known) | {"count": count} for known, count in sorted(Counter(several).items())
        ]
        for path, several in sorted(found.items())
        if several
    }
    lines = json.dumps({"schema": SCHEMA, "files": files}, ensure_ascii=False, indent=1)
    write_file(file, (lines + "\n",))
    return sum(map(len, found.values()))
