"""Every key and every cell of a TOML text has its line and column, from 1, in characters."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symattn.attention.case import Place
from symattn.casefile.locate import Places, joined, spans
from symattn.casefile.toml_text import hold_to_limits
from symattn.text.errors import OutOfBounds, UnreadableFile


def test_keys_and_cells_have_their_places() -> None:
    text = '[given]\nX = [[1.10, "1/3"],\n     [2, -inf]]  # [9]\n'
    assert dict(Places(text)) == {
        "given": Place(1, 1),
        "given.X": Place(2, 5),
        "given.X[0]": Place(2, 6),
        "given.X[0][0]": Place(2, 7),
        "given.X[0][1]": Place(2, 13),
        "given.X[1]": Place(3, 6),
        "given.X[1][0]": Place(3, 7),
        "given.X[1][1]": Place(3, 10),
    }


def test_columns_count_characters_and_not_bytes() -> None:
    assert Places('tokens = ["我", "爱"]\n')["tokens[1]"] == Place(1, 16)


@pytest.mark.parametrize(
    "text",
    ["[given]\nhead1.A = [[1]]\n", '[given]\n"head1.A" = [[1]]\n', "[given.head1]\nA = [[1]]\n"],
)
def test_a_key_with_a_dot_is_found_quoted_or_as_a_table(text: str) -> None:
    places, column = Places(text), text.splitlines()[1].index("[") + 1
    assert places['given."head1.A"[0]'] == places["given.head1.A[0]"] == Place(2, column + 1)
    assert places.nearest('given."head1.A"[7][7]') == Place(2, column)
    assert 'given."head2.A"' not in places


def test_tables_in_arrays_are_numbered_from_0() -> None:
    text = '[[stated]]\nname = "Q"\n\n[[stated]]\nvalues = [1.0]\n[stated.more]\na = 1\n[[stated]]\n'
    places = Places(text)
    assert places["stated"] == places["stated[0]"] == Place(1, 1)
    assert places["stated[1]"] == Place(4, 1)
    assert places["stated[1].values[0]"] == Place(5, 11)
    assert places["stated[1].more.a"] == Place(7, 5)
    assert places["stated[2]"] == Place(8, 1)


def test_dotted_quoted_and_inline_keys() -> None:
    text = """given.X = 1\n"a.b" = {c = 2, 'd' . e = [3]}\n"X" = "\\u0061"\n"""
    places = Places(text)
    assert places["given"] == places["given.X"] == Place(1, 11)
    assert places['"a.b".c'] == Place(2, 14)
    assert places['"a.b".d.e[0]'] == Place(2, 28)
    assert places["X"] == Place(3, 7)


def test_the_four_kinds_of_strings_hide_what_is_in_them() -> None:
    text = 'a = ["]#", \']"\', """x\n"],\\""" """, \'\'\'\n]\'\'\', 5]\nb = ""\nc = """"q""""\nd = \'\'\n'
    assert tomllib.loads(text)["a"][4] == 5
    places = Places(text)
    assert places["a[4]"] == Place(3, 7)
    assert places["b"] == Place(4, 5)
    assert places["c"] == Place(5, 5)
    assert places["d"] == Place(6, 5)


def test_windows_line_ends_do_not_move_columns() -> None:
    assert Places("a = 1\r\nb = 2\r\n")["b"] == Place(2, 5)


def test_the_key_itself_and_the_nearest_place_can_be_asked_for() -> None:
    places = Places("[given]\nWQ = [[1]]\n")
    assert places.of_key("given.WQ") == Place(2, 1)
    assert places.of_key("given.X[0]") == Place(1, 1)
    assert places.nearest("given.WQ[0][7]") == Place(2, 7)
    assert places.nearest("nothing") is None


@pytest.mark.parametrize(
    ("text", "said", "line", "column"),
    [
        ("a = " + "[" * 100_000, "nested more than 16 deep", 1, 21),
        ("x = 1\n" + "a." * 100_000 + "b = 1", "more than 16 dots", 2, 34),
        ('"a".' * 100_000 + "b = 1", "more than 16 dots", 1, 68),
        ("[" + "a." * 100_000 + "b]", "more than 16 dots", 1, 35),
        ("a = [\n" + "9" * 5_000 + "]", "a number or key of 5,000 characters", 2, 1),
        ("#" * 1_000_001, "a line of 1,000,001 characters", None, None),
    ],
)
def test_a_text_that_would_exhaust_the_parser_is_refused(
    text: str, said: str, line: int | None, column: int | None
) -> None:
    with pytest.raises(OutOfBounds) as caught:
        hold_to_limits(text)
    assert said in caught.value.found
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize("quotes", ['"', "'", '"""', "'''", '"' * 300_001, "'" * 300_001])
def test_a_string_that_never_ends_is_found_in_one_pass(quotes: str) -> None:
    with pytest.raises(UnreadableFile, match="a string that never ends"):
        hold_to_limits("a = " + quotes + "x")


def test_dots_in_prose_and_numbers_are_no_dots_of_keys() -> None:
    hold_to_limits('title = "................................."\nX = [' + "1.5, " * 40 + "]\n# " + "." * 40)


BARE = st.text("abXW_-19", min_size=1, max_size=4)
KEYS = BARE | st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=4)
NUMBERS = st.sampled_from(
    ["1", "-0", "+3", "1.10", "1_000.50e-3", "-inf", "0xFF", "true", "1979-05-27 07:32:00"]
)
STRINGS = st.text(st.sampled_from("a\"'\\]#},猫\n="), max_size=8)


@st.composite
def written(draw: st.DrawFn, depth: int = 0) -> str:
    """A TOML value in one of its spellings."""
    kind = draw(st.integers(0, 5 if depth < 3 else 2))
    if kind == 0:
        return draw(NUMBERS)
    if kind == 1:
        return json.dumps(draw(STRINGS), ensure_ascii=False)
    if kind == 2:
        inside = draw(STRINGS)
        literal = "'" + inside.replace("'", "").replace("\n", "") + "'"
        escaped = inside.replace("\\", "\\\\").replace('"""', '""\\"')
        many = '"""' + (escaped[:-1] + '\\"' if escaped.endswith('"') else escaped) + '"""'
        raw = "'''" + inside.replace("'", "") + "'''"
        return draw(st.sampled_from([literal, many, raw]))
    values = draw(st.lists(written(depth + 1), max_size=3))
    if kind == 3:
        names = draw(st.lists(KEYS, min_size=len(values), max_size=len(values), unique=True))
        return "{ " + ", ".join(f"{spelled(k)} = {v}" for k, v in zip(names, values, strict=True)) + " }"
    gap = draw(st.sampled_from(["", " ", "\n  ", " # ], [\n", "\r\n"]))
    return "[" + gap + f"{gap},{gap}".join(values) + (f"{gap},{gap}" if values and kind == 4 else gap) + "]"


def spelled(key: str) -> str:
    return joined("", key)


@st.composite
def documents(draw: st.DrawFn) -> str:
    """Pairs, then tables and arrays of tables with pairs, with comments between."""
    lines = []
    for header in ("", *draw(st.permutations(["[t]", "[[rows]]", '[[ "r w" ]]', "[[rows]]", "[u . v]"]))):
        lines.append(header + draw(st.sampled_from(["", "  # [x]"])))
        for key in draw(st.lists(KEYS, max_size=3, unique=True)):
            name = f"{header[:1]}{key}" if not header else key
            lines.append(f"{spelled(name)}\t= {draw(written())} {draw(st.sampled_from(['', '# note']))}")
    return draw(st.sampled_from(["\n", "\r\n"])).join(lines)


def leaves(value: object, path: str) -> Iterator[tuple[str, object]]:
    """Every value of a parsed document beside its path."""
    if path:
        yield path, value
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, joined(path, key))
    if isinstance(value, list):
        for i, inner in enumerate(value):
            yield from leaves(inner, f"{path}[{i}]")


@settings(max_examples=300, deadline=None)
@given(documents())
def test_the_slice_at_every_place_is_the_value_that_tomllib_parsed(text: str) -> None:
    try:
        parsed = tomllib.loads(text, parse_float=str)
    except tomllib.TOMLDecodeError:
        return  # a key of the pairs happened to be that of a table
    found = dict(spans(text))
    for path, value in leaves(parsed, ""):
        span = found.pop(path)
        piece = text[span.start : span.end]
        if not piece.startswith("[") or not isinstance(value, dict):
            if isinstance(value, list) and value and isinstance(value[0], dict) and path in ("rows", '"r w"'):
                continue  # an array of tables stands at its first header
            assert tomllib.loads(f"v = {piece}", parse_float=str)["v"] == value
    assert not found
