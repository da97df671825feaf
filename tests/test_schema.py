"""The JSON Schema and the template of a case agree with the reader."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any

import pytest

from symattn.case import Statement
from symattn.errors import SymattnError, UnusableValue
from symattn.exact.literal import read
from symattn.reading import keys
from symattn.reading.case_file import parse_case
from symattn.reading.schema import schema
from symattn.reading.template import template

KINDS: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}


def valid(value: Any, said: Mapping[str, Any], root: Mapping[str, Any]) -> bool:
    """The part of JSON Schema that the schema of a case uses."""
    if "$ref" in said and not valid(value, root["$defs"][said["$ref"].rsplit("/", 1)[1]], root):
        return False
    if "anyOf" in said and not any(valid(value, option, root) for option in said["anyOf"]):
        return False
    if "enum" in said and value not in said["enum"]:
        return False
    if "type" in said:
        if not isinstance(value, KINDS[said["type"]]):
            return False
        if isinstance(value, bool) and said["type"] != "boolean":
            return False
    if isinstance(value, list):
        if not said.get("minItems", 0) <= len(value) <= said.get("maxItems", len(value)):
            return False
        if "items" in said and not all(valid(item, said["items"], root) for item in value):
            return False
    if isinstance(value, dict):
        known = dict(said.get("properties", {}))
        for pattern, inner in said.get("patternProperties", {}).items():
            known |= {key: inner for key in value if re.search(pattern, key)}
        if not said.get("additionalProperties", True) and not value.keys() <= known.keys():
            return False
        if not set(said.get("required", ())) <= value.keys():
            return False
        return all(valid(inner, known[key], root) for key, inner in value.items() if key in known)
    return not isinstance(value, int) or value >= said.get("minimum", value)


def fits(text: str) -> bool:
    return valid(tomllib.loads(text), schema(), schema())


CASE = '[given]\nX = [[1, "1/3"]]\n'


@pytest.mark.parametrize(
    "text",
    [
        CASE,
        'title = "t"\nlang = "zh"\ntokens = ["a"]\nsymbols = ["a"]\n' + CASE,
        CASE + "b_Q = [1, 2]\nb_K = [[1, 2]]\n",
        CASE + '[attention]\nmask = [[1, true], [0, "-inf"]]\nscale = "1"\nheads = 2\nbase = 2\n',
        CASE + "[given.layer2]\nW_Q = [[1], [2]]\nb_Q = [1]\n[attention]\nlayers = 2\n",
        CASE + '"layer1.W_Q" = [[1], [2]]\n[attention]\nlayers = 2\n',
        CASE
        + '[[stated]]\nname = "Q"\nvalues = "50%"\n[[stated]]\nname = "Q"\nvalues = [[1]]\nexample = true\n',
        CASE + '[[statement]]\nkind = "order"\nname = "A"\nrow = 0\nvalue = [1, 0]\n',
    ],
)
def test_what_the_reader_accepts_fits_the_schema(text: str) -> None:
    parse_case(text)
    assert fits(text)


@pytest.mark.parametrize(
    "text",
    [
        CASE + "WQ = [[1]]\n",
        'titel = "t"\n' + CASE,
        CASE + "[given.layer1]\nX = [[1]]\n[attention]\nlayers = 2\n",
        "[given]\nX = [1, 2]\n",
        "[given]\nX = [[]]\n",
        "[given]\nX = [[true]]\n",
        "tokens = [1]\n" + CASE,
        'lang = "fr"\n' + CASE,
        CASE + "[attention]\nheads = 0\n",
        CASE + '[attention]\nmask = "casual"\n',
        CASE + '[[stated]]\nname = "Q"\n',
        CASE + '[[stated]]\nname = "Q"\nvalues = 1\nrow = -1\n',
        CASE + '[[statement]]\nkind = "ordre"\nname = "A"\n',
    ],
)
def test_what_does_not_fit_the_schema_is_refused_by_the_reader_too(text: str) -> None:
    assert not fits(text)
    with pytest.raises(SymattnError):
        parse_case(text)


def test_the_schema_is_json_and_describes_every_key() -> None:
    said = json.loads(json.dumps(schema()))
    assert said["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert list(said["properties"]) == [key.name for key in keys.CASE]
    assert list(said["properties"]["given"]["properties"]) == [key.name for key in keys.GIVEN]
    assert said["properties"]["attention"]["properties"]["mask"]["anyOf"][0] == {"enum": ["none", "causal"]}
    assert said["properties"]["stated"]["items"]["required"] == ["name", "values"]
    for table in (said, said["properties"]["given"], said["properties"]["statement"]["items"]):
        assert all(key["description"] for key in table["properties"].values())


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_template_reads_back_and_what_it_states_is_there(lang: str) -> None:
    case = parse_case(template('a "b" \\ 猫', lang))
    assert case.title == 'a "b" \\ 猫'
    assert case.lang == lang
    assert case.given["W_V"].typed == (("1", "2"), ("1/2", "0"))
    assert case.given["W_V"].values[1, 0] == read("1/2", {})
    assert [claim.name for claim in case.stated] == ["Q", "scores"]
    assert isinstance(case.statements[0], Statement)
    assert case.statements[0].value == (case.tokens[1], case.tokens[0])
    assert fits(template("x", lang))


def test_a_template_has_a_title_on_one_line_and_a_known_language() -> None:
    with pytest.raises(UnusableValue, match=r"the control character U\+000A"):
        template("a\nb")
    with pytest.raises(UnusableValue, match="the language fr"):
        template("a", "fr")
