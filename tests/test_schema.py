"""The JSON Schema and the template of a case agree with the reader."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from mutated_cases import mutated, toml

from symattn.attention.case import Statement
from symattn.casefile import keys
from symattn.casefile.case_file import parse_case
from symattn.casefile.schema import schema
from symattn.casefile.template import template
from symattn.exact.literal import read
from symattn.text.errors import (
    RaggedRows,
    ShapeMismatch,
    SymattnError,
    UndefinedSymbol,
    UndefinedValue,
    UnknownKey,
    UnreadableExpression,
    UnusableValue,
)

VALIDATOR = Draft202012Validator(schema())
CASES = sorted((Path(__file__).parent.parent / "cases").rglob("*.toml"))


def fits(text: str) -> bool:
    return bool(VALIDATOR.is_valid(tomllib.loads(text)))


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
        CASE + "[attention]\npadding = [true, true, false]\n",
        CASE + 'b_Q = [["1"], ["2"]]\n[attention]\ntokens_as = "columns"\n',
        CASE
        + "[given.head2]\nA = [[1]]\n[given.layer2.head1]\nZ = [[1]]\n[attention]\nheads = 2\nlayers = 2\n",
        CASE + '"layer2.head1.A" = [[1]]\n"layer2.b_1" = [1]\n[attention]\nheads = 2\nlayers = 2\n',
        '[attention]\npositions = "sinusoidal"\n',
        'symbols = ["θ", "x_1"]\n' + CASE,
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
        CASE + "head1 = {foo = [[1]]}\n[attention]\nheads = 2\n",
        CASE + '"layer2.X" = [[1]]\n[attention]\nlayers = 2\n',
        CASE + "[attention]\nangles = [true]\n",
        CASE + "[attention]\npadding = [[true]]\n",
        CASE + f"[attention]\nheads = {2**31}\n",
        CASE + '[attention]\nscale = ""\n',
        'title = "two\\nlines"\n' + CASE,
        'symbols = ["pi"]\n' + CASE,
        'symbols = ["a-b"]\n' + CASE,
        'title = "nothing given"\n',
        CASE + '[[stated]]\nname = " Q"\nvalues = 1\n',
        CASE + '[[stated]]\nname = "Q"\nvalues = [1, 2]\nwork = "1 + 1"\n',
        CASE + '[[statement]]\nkind = "equal"\nname = "A"\nvalue = 1\n',
        CASE + '[[statement]]\nkind = "shape"\nname = "A"\nvalue = [1]\n',
        CASE + '[[statement]]\nkind = "argmax"\nname = "A"\nvalue = 0\nrow = 0\ncol = 0\n',
    ],
)
def test_what_does_not_fit_the_schema_is_refused_by_the_reader_too(text: str) -> None:
    assert not fits(text)
    with pytest.raises(SymattnError):
        parse_case(text)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_every_shipped_case_fits_the_schema(path: Path) -> None:
    text = path.read_text("utf-8")
    parse_case(text)
    assert list(VALIDATOR.iter_errors(tomllib.loads(text))) == []


@pytest.mark.parametrize("start", range(0, 200, 20))
def test_schema_and_reader_agree_on_cases_with_one_thing_changed(start: int) -> None:
    """Both ways, but for what no schema can express."""
    for seed in range(start, start + 20):
        text = toml(mutated(tomllib.loads(CASES[seed * 7 % len(CASES)].read_text("utf-8")), seed))
        refusal = refused(text)
        if fits(text):
            assert refusal is None or is_beyond_a_schema(refusal), (text, refusal)
        else:
            assert refusal is not None, text


def test_the_changed_cases_are_of_both_kinds() -> None:
    texts = [toml(mutated(tomllib.loads(CASES[0].read_text("utf-8")), seed)) for seed in range(40)]
    assert 10 < sum(map(fits, texts)) < 30


def refused(text: str) -> SymattnError | None:
    try:
        parse_case(text)
    except SymattnError as error:
        return error
    return None


def is_beyond_a_schema(refusal: SymattnError) -> bool:
    """Whether a refusal is one of those that the comment of the schema leaves to the reader."""
    match refusal:
        case RaggedRows() | ShapeMismatch() | UndefinedSymbol() | UndefinedValue() | UnreadableExpression():
            return True
        case UnknownKey():  # a head or layer in a case of one
            return (refusal.key or "").startswith(('given."head', 'given."layer'))
        case UnusableValue():
            return "neither a label nor a column number" in refusal.found
    return False


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
    assert case.given["W_V"].typed == (("1", "2"), ("1/2", "1"))
    assert case.source is None  # no placeholder that a page would print
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
