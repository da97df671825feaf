"""What a result is of, by the question above it or by the start of its sentence."""

from __future__ import annotations

import re

from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.layout.sentences import last_clause

_ANSWER = re.compile(r"[ >]*(?:[-+•] )?[*_]*(?:answer|solution|ans\.?)[*_]*:[*_]* *[$`]*", re.I)
_QUESTION = re.compile(
    r"\b(?:what (?:is|are)|compute|find|calculate|determine) (?:the )?([^?.]*)[?.]?[*_ ]*$", re.I
)
_FORMULA = re.compile(r"\$[^$]*\$")
QUESTION_BACK = 3
_THAT_IS = re.compile(r"[,;(] ?(?:that is|i\.e\.|or|which (?:is|equals|gives|makes))(?: about)?,?[ $`]*$")
_ABOUT = re.compile(r"([A-Za-z ]{3,40}?) (?:is|are|becomes?|equals?)\b[^.]*\d")


def asked(start: int, said: str, context: Context) -> str:
    """What the question right above an answer asks for: `What is the output?`, and `Answer: [1, 0]`."""
    if _ANSWER.fullmatch(said) is None:
        return ""
    here = context.line(start)
    lines = range(here - 1, max(here - 1 - QUESTION_BACK, -1), -1)
    above = (context.said(line).strip(" >\n") for line in lines)
    question = _QUESTION.search(_FORMULA.sub("", next(filter(None, above), "")))
    return question[1] if question is not None else ""


def subject(said: str) -> str:
    """What a sentence is about that gives its result behind `that is`: `The output is 0.4 v, that is`."""
    if _THAT_IS.search(said) is None:
        return ""
    about = _ABOUT.match(last_clause(said).lstrip())
    return about[1] if about is not None else ""
