"""An exercise as Moodle XML: a question of the type cloze, with a numerical field for each blank.

The format: https://docs.moodle.org/en/Moodle_XML_format; the fields:
https://docs.moodle.org/en/Embedded_Answers_(Cloze)_question_type
"""

from __future__ import annotations

from html import escape

from symattn.classroom.exercise import Exercise
from symattn.classroom.fields import TOLERANCE, Field, page_with


def moodle_xml(exercise: Exercise) -> str:
    """The exercise as a file that Moodle imports."""
    name = " ".join(filter(None, (exercise.case.title, exercise.student)))
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<quiz>
<question type="cloze">
<name><text>{escape(name)}</text></name>
<questiontext format="html"><text><![CDATA[
{page_with(exercise, _field)}
]]></text></questiontext>
<generalfeedback format="html"><text></text></generalfeedback>
<penalty>0</penalty>
<hidden>0</hidden>
</question>
</quiz>
"""


def _field(field: Field) -> str:
    return f"{{1:NUMERICAL:={field.answer}:{TOLERANCE}}}"
