"""What the catalogue knows of one kind of finding."""

from __future__ import annotations

import re
from typing import Literal

from msgspec import Struct

from symattn.auditor.findings.codes import Finding
from symattn.text.bilingual import MARK, Bilingual, Count

Lang = Literal["en", "zh"]
Severity = Literal["error", "warning", "note"]
Fails = Literal["always", "strict", "never"]


class Rule(Struct, frozen=True):
    """One kind of finding.

    `fails` says when it makes the exit status 1: always, with `--strict` only, or never. `message` is a
    template; a number fills in `cell printed right size because root again work gives note`, a remark what
    its `Remark.values` hold: the names are `needs`.
    """

    code: Finding
    severity: Severity
    fails: Fails
    title: Bilingual
    what: Bilingual
    why: Bilingual
    example: Bilingual
    fix: Bilingual
    message: Bilingual

    @property
    def name(self) -> str:
        """The plain name of the code, as documents write it: `slip-with-cause`."""
        return self.code.name.lower().replace("_", "-")

    @property
    def needs(self) -> tuple[str, ...]:
        """The names that the message puts in, in the order of the English one."""
        return tuple(dict.fromkeys(name for name, _ in MARK.findall(self.message.en)))

    def say(self, lang: Lang, values: dict[str, str], *, columns: bool = False) -> str:
        """The message with `values` put in, verbatim; what is not known prints as three dots.

        With `columns` it says of columns what it would say of rows.
        """
        template = (self.message.transposed if columns else self.message)[lang]

        def value(mark: re.Match[str]) -> str:
            name, noun = mark.groups("")
            text = values.get(name, "…")
            return f"{Count(text):{noun}}" if noun and text.isdigit() else text

        return MARK.sub(value, template)
