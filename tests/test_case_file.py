"""A TOML case becomes a Case; what is wrong is one message with file, line, column and key."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symattn.case import Claim, Place, Settings, Statement
from symattn.errors import (
    MissingGiven,
    OutOfBounds,
    RaggedRows,
    ShapeMismatch,
    SymattnError,
    UndefinedSymbol,
    UndefinedValue,
    UnknownKey,
    UnreadableExpression,
    UnreadableFile,
    UnusableValue,
)
from symattn.exact.functions import sqrt, symbol
from symattn.exact.number import MINUS_INFINITY, Exact
from symattn.reading.case_file import parse_case, read_case

CASE = """\
title = "我爱猫"
lang = "zh"
source = "notes"
tokens = ["我", "爱"]
symbols = ["a"]

[given]
X   = [[1.10, 0.5], ["1/3", "sqrt(2)"]]
W_Q = [[1, 0], [0, "a"]]
b_Q = [1, 2.50]

[attention]
weights = "transposed"
scale = "1/d_k"
mask = [[1, true], [-inf, "-∞"]]
heads = 2
positions = "sinusoidal"
start = 1
base = 2

[[stated]]
name = "Q"
values = [[1.10, "50%"], ["1/3", 2.61e-17]]
line = 47

[[stated]]
name = "scores"
row = 1
col = 0
values = 2.290
work = "1.14×0.93 + 0.57*0.58"
example = true

[[statement]]
kind = "order"
name = "A"
row = 0
value = ["爱", 0]
line = 190
"""
GIVEN = "[given]\nX = [[1, 2], [3, 4]]\n"


def test_a_case_says_what_its_file_says() -> None:
    case = parse_case(CASE, "cat.toml")
    assert (case.title, case.lang, case.source, case.file) == ("我爱猫", "zh", "notes", "cat.toml")
    assert (case.tokens, case.symbols) == (("我", "爱"), ("a",))
    assert list(case.given) == ["X", "W_Q", "b_Q"]
    assert case.given["X"].values[1, 0] == Exact.of(Fraction(1, 3))
    assert case.given["X"].values[1, 1] == sqrt(Exact.of(2))
    assert case.given["W_Q"].values[1, 1] == symbol("a")


def test_entries_keep_their_characters_beside_their_values() -> None:
    """1.10 is 11/10 and still has two decimals."""
    x = parse_case(CASE).given["X"]
    assert x.typed == (("1.10", "0.5"), ("1/3", "sqrt(2)"))
    assert x.values[0, 0] == Exact.of(Fraction(11, 10))


def test_a_bias_may_be_one_flat_row() -> None:
    bias = parse_case(CASE).given["b_Q"]
    assert bias.typed == (("1", "2.50"),)
    assert bias.shape == (1, 2)


def test_the_conventions_are_read_and_default_to_the_usual_ones() -> None:
    settings = parse_case(CASE).settings
    assert (settings.weights, settings.scale, settings.heads) == ("transposed", "1/d_k", 2)
    assert (settings.positions, settings.start, settings.base) == ("sinusoidal", 1, "2")
    assert parse_case(GIVEN).settings == Settings()


def test_a_mask_has_words_or_entries_with_minus_infinity() -> None:
    mask = parse_case(CASE).settings.mask
    assert not isinstance(mask, str)
    assert mask.typed == (("1", "1"), ("-inf", "-∞"))
    assert mask.values[0, 1] == Exact.of(1)
    assert mask.values[1, 1] == MINUS_INFINITY
    assert parse_case(GIVEN + '[attention]\nmask = "causal"\n').settings.mask == "causal"


def test_stated_numbers_are_verbatim_with_their_places() -> None:
    matrix, single = parse_case(CASE).stated
    assert matrix == Claim(
        name="Q",
        values=(("1.10", "50%"), ("1/3", "2.61e-17")),
        line=47,
        place=Place(23, 10),
        places=((Place(23, 12), Place(23, 18)), (Place(23, 27), Place(23, 34))),
    )
    assert single == Claim(
        name="scores",
        values=(("2.290",),),
        row=1,
        work="1.14×0.93 + 0.57*0.58",
        example=True,
        place=Place(30, 10),
        places=((Place(30, 10),),),
        work_places=(Place(31, 9), Place(31, 14), Place(31, 21), Place(31, 26)),
    )


def test_a_flat_list_of_stated_numbers_is_one_row() -> None:
    (claim,) = parse_case(GIVEN + '[[stated]]\nname = "Q"\nvalues = [1, "−0.50"]\n').stated
    assert claim.values == (("1", "−0.50"),)
    assert claim.places == ((Place(5, 11), Place(5, 14)),)


def test_a_statement_has_its_value_as_words() -> None:
    assert parse_case(CASE).statements == (
        Statement(kind="order", name="A", value=("爱", "0"), row=0, line=190, place=Place(34, 1)),
    )


def test_every_key_and_cell_has_a_place() -> None:
    places = parse_case(CASE).places
    assert places["given.X[1][1]"] == Place(8, 29)
    assert places["attention.scale"] == Place(14, 9)


def test_without_a_title_the_file_gives_its_name(tmp_path: Path) -> None:
    file = tmp_path / "two_cats.toml"
    file.write_text("\ufeff" + GIVEN, encoding="utf-8")
    assert read_case(file).title == "two_cats"


def test_an_encoding_may_stand_alone() -> None:
    case = parse_case('tokens = ["a"]\n[attention]\npositions = "sinusoidal"\nd_model = 4\n')
    assert case.given == {}
    assert case.settings.d_model == 4


def test_labels_of_the_keys_go_with_the_memory() -> None:
    text = 'tokens = ["a"]\nmemory_tokens = ["b", "c"]\n[given]\nA = [[0.5, 0.5]]\nV = [[1], [2]]\n'
    assert parse_case(text).memory_tokens == ("b", "c")
    with pytest.raises(
        ShapeMismatch, match=r"2:17: memory_tokens: 1 label, while V has 2 rows and A has 2 col"
    ):
        parse_case(text.replace('["b", "c"]', '["b"]'))


REFUSED: list[tuple[type[SymattnError], str, str]] = [
    # what is not TOML
    (UnreadableFile, 'title = "abc\n', 'c.toml:1:9: a string that never ends\n  close it with "'),
    (UnreadableFile, "x = 1\ntitle = “猫”\n", "c.toml:2:9: not TOML: invalid value\n  “ is no sign of TOML"),
    (
        UnreadableFile,
        "[given]\nX = 1/3\n",
        "c.toml:2:6: not TOML: expected newline or end of document after a",
    ),
    (
        UnreadableFile,
        "[given]\nX = [[1/3]]\n",
        "c.toml:2:8: not TOML: unclosed array\n  commas stand between",
    ),
    (UnreadableFile, "[given]\nX = [[1],\n", "c.toml:3:1: not TOML: invalid value\n  the file ends before"),
    (UnreadableFile, 'title = "a"\ntitle = "b"\n', "c.toml:2:12: not TOML: cannot overwrite a value"),
    (UnreadableFile, "[given]\n[given]\n", "c.toml:2:7: not TOML: the table [given] once more"),
    (UnreadableFile, "title\u3000= 1", "c.toml:1:6: the character U+3000"),
    (OutOfBounds, "a = " + "[" * 100_000, "c.toml:1:21: brackets nested more than 16 deep"),
    (OutOfBounds, "a." * 100_000 + "b = 1", "c.toml:1:34: a key with more than 16 dots"),
    (OutOfBounds, "[given]\nX = [[" + "9" * 5_000 + "]]", "c.toml:2:7: a number or key of 5,000 characters"),
    (UnreadableFile, "#" * 2_000_001, "c.toml: the file has 2,000,001 characters"),
    # keys
    (
        UnknownKey,
        'titel = "x"\n' + GIVEN,
        'c.toml:1:1: titel: the unknown key "titel"\n  did you mean title?',
    ),
    (UnknownKey, GIVEN + "WQ = [[1]]\n", 'c.toml:3:1: given.WQ: the unknown key "WQ"\n  did you mean W_Q?'),
    (UnknownKey, GIVEN + "w_q = [[1]]\n", "did you mean W_Q? (known here: X, W_Q, W_K"),
    (UnknownKey, GIVEN + '"W Q" = [[1]]\n', 'c.toml:3:1: given."W Q": the unknown key "W Q"'),
    (UnknownKey, GIVEN + "[attention]\nhead = 2\n", "did you mean heads?"),
    (
        UnknownKey,
        GIVEN + '[[stated]]\nname = "Q"\nvalue = 1\n',
        "c.toml:5:1: stated[0].value: the unknown key",
    ),
    # matrices
    (
        RaggedRows,
        "[given]\nX = [\n  [1, 2],\n  [3],\n]\n",
        "c.toml:4:3: given.X[1]: a row of length 1, while giv",
    ),
    (
        UnusableValue,
        "[given]\nX = [1, 2]\n",
        "c.toml:2:5: given.X: a flat list of 2 entries\n  a matrix is a list",
    ),
    (UnusableValue, "[given]\nX = []\n", "c.toml:2:5: given.X: an empty list"),
    (UnusableValue, "[given]\nX = [[]]\n", "c.toml:2:6: given.X[0]: a row without entries"),
    (UnusableValue, "[given]\nX = [[1], 2]\n", "c.toml:2:11: given.X[1]: the number 2 where a list belongs"),
    (UnusableValue, "[given]\nX = 5\n", "c.toml:2:5: given.X: the number 5 where a list belongs"),
    (UnusableValue, "[given]\nX = [[true]]\n", "c.toml:2:7: given.X[0][0]: true where a number belongs"),
    (
        UnusableValue,
        "[given]\nX = [[1979-05-27]]\n",
        "given.X[0][0]: the date or time 1979-05-27 where a number",
    ),
    (UnusableValue, "[given]\nX = [[{a = 1}]]\n", "given.X[0][0]: a table where a number belongs"),
    (UndefinedValue, "[given]\nX = [[1, nan]]\n", 'c.toml:2:10: given.X[0][1]: "nan": not a number'),
    (UndefinedValue, "[given]\nX = [[inf]]\n", 'c.toml:2:7: given.X[0][0]: "inf": infinity'),
    (UndefinedValue, "[given]\nX = [[1, -inf]]\n", "c.toml:2:10: given.X[0][1]: minus infinity as an entry"),
    (
        UndefinedValue,
        '[given]\nX = [["1/0"]]\n',
        'c.toml:2:7: given.X[0][0]: "1/0": a division by zero at column 2',
    ),
    (UndefinedSymbol, '[given]\nX = [["abc"]]\n', "the name abc at column 1 is not declared"),
    (UnreadableExpression, "[given]\nX = [[\"__import__('os')\"]]\n", "c.toml:2:7: given.X[0][0]: "),
    (OutOfBounds, '[given]\nX = [["9**9**9"]]\n', 'given.X[0][0]: "9**9**9": an exponent beyond 64'),
    (OutOfBounds, '[given]\nX = [["sin(exp(exp(20)))"]]\n', "an argument of exp beyond 1000 at column 5"),
    (OutOfBounds, "[given]\nX = [[1e400]]\n", "the decimal exponent 400"),
    (OutOfBounds, "[given]\nX = [[" + "9" * 61 + "]]\n", "a numeral of 61 digits"),
    (ShapeMismatch, GIVEN + "b_Q = [[1], [2]]\n", "c.toml:3:7: given.b_Q: a bias of 2 rows"),
    (MissingGiven, 'title = "x"\n', "c.toml: given: nothing is given\n  a walk starts from [given]"),
    (MissingGiven, "[given]\n", "c.toml:1:1: given: nothing is given"),
    # words
    (ShapeMismatch, 'tokens = ["a"]\n' + GIVEN, "c.toml:1:10: tokens: 1 label, while X has 2 rows"),
    (UnusableValue, 'tokens = "ab"\n' + GIVEN, 'c.toml:1:10: tokens: the words "ab" where a list belongs'),
    (UnusableValue, "tokens = [1, 2]\n" + GIVEN, "c.toml:1:11: tokens[0]: the number 1 where words belong"),
    (UnusableValue, 'tokens = ["a", "\\u0007"]\n' + GIVEN, "tokens[1]: the control character U+0007"),
    (UnusableValue, "title = 1.5\n" + GIVEN, "c.toml:1:9: title: the number 1.5 where words belong"),
    (UnusableValue, 'lang = "fr"\n' + GIVEN, 'c.toml:1:8: lang: the value "fr" is unknown\n  one of: en, zh'),
    (
        UnusableValue,
        'symbols = ["a", "sqrt"]\n' + GIVEN,
        '1:17: symbols[1]: "sqrt", which is a function already',
    ),
    (UnusableValue, 'symbols = ["pi"]\n' + GIVEN, '"pi", which is a constant already'),
    (UnusableValue, 'symbols = ["d_k"]\n' + GIVEN, '"d_k", which is a size of the case already'),
    (UnusableValue, 'symbols = ["2a"]\n' + GIVEN, 'symbols[0]: "2a" as the name of a symbol'),
    (UnusableValue, 'symbols = ["__class__"]\n' + GIVEN, '"__class__" as the name of a symbol'),
    (UnusableValue, 'symbols = ["lambda"]\n' + GIVEN, '"lambda", which SymPy cannot read back'),
    (UnusableValue, 'symbols = ["a", "a"]\n' + GIVEN, 'symbols[1]: "a" for the second time'),
    # conventions
    (
        UnusableValue,
        GIVEN + "[attention]\nheads = 0\n",
        "c.toml:4:9: attention.heads: the number 0 is out of range",
    ),
    (UnusableValue, GIVEN + "[attention]\nheads = 2.0\n", "the number 2.0 where a whole number belongs"),
    (UnusableValue, GIVEN + "[attention]\nheads = true\n", "true where a whole number belongs"),
    (UnusableValue, GIVEN + '[attention]\nmask = "casual"\n', "did you mean causal? (one of: none, causal)"),
    (UnusableValue, GIVEN + '[attention]\nweights = "above"\n', "one of: right, transposed, left"),
    (UnusableValue, GIVEN + '[attention]\nscale = "0"\n', 'c.toml:4:9: attention.scale: "0" as the scale'),
    (UnusableValue, GIVEN + "[attention]\nbase = -2\n", 'c.toml:4:8: attention.base: "-2" as the base'),
    (UndefinedSymbol, GIVEN + '[attention]\nscale = "1/sqrt(dk)"\n', "did you mean d_k?"),
    (UndefinedSymbol, GIVEN + '[attention]\nbase = "d_k"\n', "the name d_k at column 1 is not declared"),
    (
        UnusableValue,
        GIVEN + "[[attention]]\nheads = 1\n",
        "attention: a list of 1 entry where a table belongs",
    ),
    # what the source states
    (
        UnusableValue,
        GIVEN + '[stated]\nname = "Q"\n',
        "stated: a table where a list belongs\n  head each one with",
    ),
    (UnusableValue, GIVEN + '[[stated]]\nname = "Q"\n', "c.toml:3:1: stated[0]: values is missing"),
    (UnusableValue, GIVEN + '[[stated]]\nname = " "\nvalues = 1\n', '" " as the name of a quantity'),
    (
        RaggedRows,
        GIVEN + '[[stated]]\nname = "Q"\nvalues = [[1, 2], [3]]\n',
        "5:19: stated[0].values[1]: a row",
    ),
    (
        UnreadableExpression,
        GIVEN + '[[stated]]\nname = "Q"\nvalues = ["1.1.1"]\n',
        "5:11: stated[0].values[0]: ",
    ),
    (
        UnusableValue,
        GIVEN + '[[stated]]\nname = "Q"\nvalues = [1, 2]\nwork = "1"\n',
        "a working beside 2 values",
    ),
    (
        UnreadableExpression,
        GIVEN + '[[stated]]\nname = "Q"\nvalues = 1\nwork = "(1)(2)"\n',
        "6:8: stated[0].work",
    ),
    (
        UnusableValue,
        GIVEN + '[[stated]]\nname = "Q"\nvalues = 1\nrow = -1\n',
        "the number -1 is out of range",
    ),
    (UnusableValue, GIVEN + '[[statement]]\nname = "A"\n', "c.toml:3:1: statement[0]: kind is missing"),
    (UnusableValue, GIVEN + '[[statement]]\nkind = "ordre"\nname = "A"\n', "did you mean order?"),
    (UnusableValue, GIVEN + '[[statement]]\nkind = "order"\nname = "A"\nvalue = [0, 1]\n', "without row"),
    (
        UnusableValue,
        GIVEN + '[[statement]]\nkind = "argmax"\nname = "A"\nrow = 0\nvalue = "b"\n',
        "neither a label",
    ),
    (
        UnusableValue,
        GIVEN + '[[statement]]\nkind = "shape"\nname = "A"\nvalue = [2]\n',
        "1 entry in the value of a",
    ),
    (
        UnusableValue,
        GIVEN + '[[statement]]\nkind = "shape"\nname = "A"\nvalue = [2, 1.5]\n',
        "6:13: statement[0].value[1]",
    ),
    (
        UndefinedValue,
        GIVEN + '[[statement]]\nkind = "equal"\nname = "A"\nrow = 0\ncol = 0\nvalue = "1/0"\n',
        "8:9: sta",
    ),
]


@pytest.mark.parametrize(("mistake", "text", "said"), REFUSED, ids=[said[:40] for _, _, said in REFUSED])
def test_what_is_wrong_is_one_message_with_its_place(
    mistake: type[SymattnError], text: str, said: str
) -> None:
    with pytest.raises(SymattnError) as caught:
        parse_case(text, "c.toml")
    assert type(caught.value) is mistake
    assert said in str(caught.value)
    assert str(caught.value).startswith("c.toml:")
    assert len(str(caught.value)) < 400


def test_a_missing_file_a_directory_and_a_large_file_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match=r"none\.toml: there is no such file"):
        read_case(tmp_path / "none.toml")
    with pytest.raises(UnreadableFile, match="this is a directory"):
        read_case(tmp_path)
    large = tmp_path / "large.toml"
    with large.open("wb") as stream:
        stream.truncate(10_000_000)
    with pytest.raises(
        UnreadableFile, match=r"large\.toml: the file has 10,000,000 bytes\n  at most 2,000,000"
    ):
        read_case(large)


def test_bytes_that_are_not_text_are_refused_with_their_place(tmp_path: Path) -> None:
    file = tmp_path / "latin.toml"
    file.write_bytes('lang = "en"\ntitle = "猫caf'.encode() + b'\xe9"\n')
    with pytest.raises(UnreadableFile, match=r"latin\.toml:2:14: the byte 0xE9, which is not UTF-8"):
        read_case(file)


@given(st.text(max_size=60) | st.text("[]{}=.,\"'\n#aX10 ", max_size=60))
def test_no_text_makes_a_traceback(text: str) -> None:
    for whole in (text, GIVEN + text, f"[given]\nX = {text}"):
        try:
            outcome = parse_case(whole, "c.toml").title
        except SymattnError as problem:
            outcome = str(problem)
        assert outcome


def test_a_case_of_decimals_needs_neither_sympy_nor_numpy() -> None:
    code = (
        "import sys; from symattn.reading.case_file import parse_case\n"
        'parse_case(\'[given]\\nX = [[1.5, "1/3", "50%"]]\')\n'
        "assert not {'sympy', 'numpy'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_a_large_matrix_keeps_every_digit() -> None:
    rows = [[f"{(i * 64 + j) % 997}.{j:03d}" for j in range(64)] for i in range(256)]
    text = "[given]\nX = [" + ",\n".join("[" + ", ".join(row) + "]" for row in rows) + "]\n"
    x = parse_case(text).given["X"]
    assert x.shape == (256, 64)
    assert x.typed[255][63] == "431.063"
    assert x.values[255, 63] == Exact.of(Fraction(431063, 1000))


def steps(text: str) -> list[str]:
    """The steps that a case walks."""
    import symattn

    return [line.name for line in symattn.work(parse_case(f'title = "t"\n[given]\n{text}', None)).derivation]


def test_any_intermediate_may_be_given_and_the_walk_starts_there() -> None:
    v = "V = [[1, 2], [3, 4]]\n"
    assert steps(v + "exp = [[1, 2], [3, 4]]\nsum = [[3], [7]]") == ["A", "Z"]
    assert steps("concat = [[1, 2]]\nW_O = [[1], [1]]\n[attention]\nheads = 2") == ["output"]
    assert steps('"X+PE" = [[1], [2]]\nW_Q = [[1]]\n[attention]\npositions = "sinusoidal"') == ["Q"]
    assert steps('X = [[1], [2]]\nPE = [[0], [1]]\n[attention]\npositions = "sinusoidal"') == ["X+PE"]


def test_a_matrix_of_one_head_is_given_quoted_or_dotted() -> None:
    heads = "[attention]\nheads = 2"
    assert steps(f'"head1.A" = [[1]]\nhead1.V = [[2]]\n{heads}') == ["head1.Z"]
    with pytest.raises(UnknownKey, match="head3"):
        steps(f"head3.A = [[1]]\n{heads}")
