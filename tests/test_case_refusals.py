"""What is wrong in a case is one message with file, line, column and key, and never a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symattn.casefile.case_file import parse_case, read_case
from symattn.result import work
from symattn.text.errors import (
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

GIVEN = "[given]\nX = [[1, 2], [3, 4]]\n"


REFUSED: list[tuple[type[SymattnError], str, str]] = [
    # what is not TOML
    (UnreadableFile, 'title = "abc\n', 'c.toml:1:9: a string that never ends\n  close it with "'),
    (UnreadableFile, "x = 1\ntitle = “猫”\n", "c.toml:2:9: not TOML: invalid value\n  “ is no sign of TOML"),
    (
        UnreadableFile,
        "[given]\nX = 1/3\n",
        'c.toml:2:5: not TOML: 1/3 as a value\n  write X = "1/3"',
    ),
    (
        UnreadableFile,
        "[given]\nX = [[1/3]]\n",
        'c.toml:2:7: not TOML: 1/3 as a value\n  write X = [["1/3"]]',
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
    (UnknownKey, GIVEN + "w_q = [[1]]\n", "did you mean W_Q? (`symattn schema` lists all keys)"),
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
    (MissingGiven, 'title = "x"\n', "c.toml: given: nothing is given\n  a computation starts from [given]"),
    (MissingGiven, "[given]\n", "c.toml:1:1: given: nothing is given"),
    # words
    (ShapeMismatch, 'tokens = ["a"]\n' + GIVEN, "c.toml:1:10: tokens: 1 label, while X has 2 rows"),
    (ShapeMismatch, 'tokens = ["a"]\n[given]\nexp = [[1], [3]]\n', "tokens: 1 label, while exp has 2 rows"),
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
    (
        UnknownKey,
        GIVEN + "head2.A = [[1]]\n",
        'c.toml:3:1: given."head2.A": "head2.A", while the case has 1 head\n  heads under [attention]',
    ),
    (
        UnknownKey,
        GIVEN + "[given.layer3]\nW_Q = [[1]]\n[attention]\nlayers = 2\n",
        'c.toml:4:1: given."layer3.W_Q": "layer3.W_Q", while the case has 2 layers\n  layers under',
    ),
    (
        UndefinedSymbol,
        GIVEN + "head1.A = [['zz', 1]]\n[attention]\nheads = 2\n",
        'c.toml:3:13: given."head1.A"[0][0]: "zz": the name zz at column 1 is not declared',
    ),
    (UnusableValue, GIVEN + "[attention]\nmask = 3\n", "one of: none, causal, or a matrix of 0 and 1"),
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
        "a working for 2 values",
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


SEVERAL = """\
titel = "t"
mask = "causal"
[given]
X = [["x1", 0], [0, "1/sqrt("]]
W_Q = [[1, 0], [0]]
W_K = [["x1", 0], [0, "x1"]]
[attention]
causal = true
dropout = 0.1
[[stated]]
values = 1
[[stated]]
name = "A"
value = 1
"""


def test_every_problem_of_a_case_is_listed_with_its_place() -> None:
    """In the order of the file; each once, and none that only follows from another."""
    with pytest.raises(SymattnError) as caught:
        parse_case(SEVERAL, "c.toml")
    said = [line for line in str(caught.value).split("\n") if line.startswith("c.toml:")]
    places = ["1:1", "2:1", "4:7", "4:21", "5:16", "8:1", "9:1", "10:1", "14:1"]
    assert [line.removeprefix("c.toml:").split(": ")[0] for line in said] == places
    assert caught.value.message.zh.count("\n") == str(caught.value).count("\n")


def test_an_identity_of_inputs_that_are_wrong_is_no_problem_of_its_own() -> None:
    with pytest.raises(SymattnError) as caught:
        parse_case('[given]\nX = [[1, 0], [0]]\nW_Q = "identity"\n')
    assert caught.value.others == ()


def test_ten_problems_are_listed_at_most() -> None:
    """A file of another kind is not repeated in its errors."""
    with pytest.raises(SymattnError) as caught:
        parse_case("".join(f"word{i} = 1\n" for i in range(30)), "c.toml")
    assert str(caught.value).count("the unknown key") == 10


@pytest.mark.parametrize(
    ("text", "en", "zh"),
    [
        ('mask = "causal"\n' + GIVEN, "it belongs under [attention]", "它应写在 [attention] 下"),
        (GIVEN + 'title = "t"\n', "it belongs in the first lines of the file", "它应写在文件的开头"),
        (GIVEN + "[attention]\nis_causal = true\n", 'write under [attention]: mask = "causal"', "causal"),
        ("maskk = 1\n" + GIVEN, "did you mean mask, under [attention]?", "是不是 [attention] 下的 mask？"),
        (GIVEN + "[attention]\nnum_heads = 2\n", "write under [attention]: heads = 2", "heads = 2"),
        (GIVEN + 'W_K = [["x1"]]\n', 'symbols of the case: symbols = ["x1"]', 'symbols：symbols = ["x1"]'),
        (GIVEN + "W_Q2 = [[1]]\n", "is written [given.head2] W_Q = ...", "写作 [given.head2] W_Q = ..."),
        (GIVEN + "queries = [[1]]\n", "write under [given]: Q = [[1, 0], [0, 1]]", "Q = [[1, 0], [0, 1]]"),
        (GIVEN + "b_K = 1\n", "a row is a list: [1, 0]", "一行是列表：[1, 0]"),
        (GIVEN + "A2 = [[1]]\n", "is written [given.head2] A = ...", "写作 [given.head2] A = ..."),
    ],
)
def test_a_misplaced_word_is_answered_with_where_it_belongs(text: str, en: str, zh: str) -> None:
    """The keys of other tables, and what libraries call them."""
    with pytest.raises(SymattnError) as caught:
        parse_case(text, "c.toml")
    assert en in caught.value.message.en
    assert zh in caught.value.message.zh


BARE = r"""
[given]
X = [[1., 0.], [-.5, 1]]  # one
W_Q = [
  [1/2, 0],
  ["\sqrt{2}", 2√2],
]
[attention]
scale = 1/sqrt(d_k)
mask = causal
"""


def test_a_line_that_toml_does_not_read_is_shown_as_it_should_be() -> None:
    """Every such line at once; what is written instead is read."""
    with pytest.raises(UnreadableFile) as caught:
        parse_case(BARE, "c.toml")
    said = str(caught.value).replace("c.toml:", "").split("\n  write ")
    assert [part.rpartition("\n")[0] for part in said[1:]] == [
        "X = [[1.0, 0.0], [-0.5, 1]]  # one",
        '["1/2", 0],',
        "['\\sqrt{2}', \"2√2\"],",
        'scale = "1/sqrt(d_k)"',
        "",
    ]
    assert said[0] == "3:7: not TOML: 1. as a value"
    assert caught.value.message.zh.count("请写成") == 5


@pytest.mark.parametrize(
    "text", ["[given]\nX = [[1 2]]\n", "title = my cat\n", "X = “猫”\n", '[given]\nX = ["a" b]\n']
)
def test_a_line_with_other_mistakes_is_not_rewritten(text: str) -> None:
    """Quotes would hide them."""
    with pytest.raises(UnreadableFile) as caught:
        parse_case(text, "c.toml")
    assert "as a value" not in str(caught.value)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            "X = [[1, 0], [0, 1]]\nW_Q = [[1, 0], [0, 1], [1, 1]]\nW_K = [[1, 0], [0, 1]]\n",
            "3:7: step Q: X is 2×2 and W_Q is 3×2, so X W_Q is undefined\n"
            "  W_Q needs 2 rows, one for each column of X",
        ),
        (
            "X = [[1, 0, 1]]\nW_Q = [[1, 0, 1], [0, 1, 0]]\nW_K = [[1, 0, 1], [0, 1, 0]]\n",
            "3:7: step Q: X is 1×3 and W_Q is 2×3, so X W_Q is undefined\n"
            '  weights = "transposed" under [attention] would fit',
        ),
        (
            "X = [[1, 0]]\nW_Q = [[1, 0], [0, 1]]\nW_K = [[1, 0, 0], [0, 1, 1]]\n",
            "4:7: step scores: Q is 1×2 and K is 1×3",
        ),
        (
            "X = [[1, 0], [0, 1]]\nW_Q = [[1]]\nW_K = [[1], [0], [0]]\nb_V = [1]\nW_V = [[1, 0], [0, 1]]\n",
            "3:7: step Q: X is 2×2 and W_Q is 1×1, so X W_Q is undefined\n"
            "  W_Q needs 2 rows, one for each column of X\n"
            "4:7: step K: X is 2×2 and W_K is 3×1, so X W_K is undefined\n"
            "  W_K needs 2 rows, one for each column of X\n"
            "5:7: step V: the bias is 1×1",
        ),
        (
            "W_Q = [[1], [0]]\nW_K = [[2], [0]]\nX = [[1, 0, 3]]\nW_V = [[1, 0], [0, 1]]\n",
            "4:5: given.X: X has 3 columns, but W_Q, W_K and W_V have 2 rows\n"
            "  X needs 2 columns, or each of the weights 3 rows",
        ),
    ],
)
def test_matrices_that_do_not_fit_are_named_with_their_place(given: str, said: str) -> None:
    """All at once; other weights are suggested only where the whole case fits under them."""
    with pytest.raises(ShapeMismatch) as caught:
        work(parse_case("[given]\n" + given))
    assert str(caught.value).startswith(said)


def test_weights_that_are_missing_may_be_the_identity() -> None:
    with pytest.raises(SymattnError, match=r'^c.toml:1:1: given: .*\n.*W_Q = "identity" leaves X as it is'):
        work(parse_case("[given]\nX = [[1]]\n", "c.toml"))
