"""The language in which the command line speaks to its user: in messages, warnings, progress and `--help`.

`--lang` anywhere among the arguments decides, and then the locale; English is the default. What is printed
about a case, the page or the report, has its own default: the language of the case.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from typing import Literal

Lang = Literal["en", "zh"]

_ARGUMENTS: ContextVar[Sequence[str]] = ContextVar("_ARGUMENTS", default=())


def use_arguments(arguments: Sequence[str]) -> None:
    """Take the language from these arguments from now on."""
    _ARGUMENTS.set(tuple(arguments))


def language(otherwise: str = "en") -> Lang:
    """The language of messages; `otherwise` where neither the arguments nor the locale choose one."""
    return asked() or in_locale(os.environ) or ("zh" if otherwise == "zh" else "en")


def asked() -> Lang | None:
    """What `--lang` says, the last one if there are several; None without it."""
    found: Lang | None = None
    arguments = _ARGUMENTS.get()
    for option, value in zip(arguments, (*arguments[1:], ""), strict=False):
        if option == "--":
            break
        option, _, joined = option.partition("=")
        if option == "--lang":
            match joined or value:
                case "en" | "zh" as known:
                    found = known
    return found


def in_locale(environment: Mapping[str, str]) -> Lang | None:
    """Chinese where the variables of the locale choose it, in the order of gettext, or None.

    LANGUAGE lists languages by preference, and is not looked at in the locale C.
    """
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    locale = next((environment[name] for name in names if environment.get(name)), "")
    if locale in ("C", "POSIX"):
        return None
    first = (environment.get("LANGUAGE") or locale).split(":")[0]
    return "zh" if first.lower().startswith("zh") else None
