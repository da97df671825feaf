"""The example of every finding, as a file that can be audited: the numbers are those of the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Example:
    """What is audited, a case unless `suffix` says otherwise, under the conventions that options give."""

    text: str
    suffix: str = ".toml"
    options: tuple[str, ...] = ()


def case(given: str, *stated: str, settings: str = 'scale = "1"', more: str = "") -> Example:
    """A case of givens; each of `stated` is a `[[stated]]` or, with a `kind`, a `[[statement]]` table."""
    tables = [f"[[{'statement' if 'kind =' in table else 'stated'}]]\n{table}" for table in stated]
    return Example("\n".join([more, f"[given]\n{given}\n[attention]\n{settings}", *tables]) + "\n")


def claim(name: str, values: str, more: str = "") -> str:
    """A `[[stated]]` table."""
    return f'name = "{name}"\nvalues = {values}\n{more}'


def statement(kind: str, name: str, more: str) -> str:
    """A `[[statement]]` table."""
    return f'kind = "{kind}"\nname = "{name}"\n{more}'


def notes(text: str) -> Example:
    """A document in Markdown."""
    return Example(text, ".md")


KEYS = 'memory_tokens = ["a", "b", "c"]\ntokens = ["a"]'
ROW = 'X = [["1.0", "0.5", "0.2", "0.1"]]\nW_Q = [["1.0", 1], ["0.1", 1], ["0.2", 2], ["0.0", 1]]'
THIRDS = 'X = [[1], [2], [2]]\nW_Q = [["1/3"]]\nW_K = [["1/3"]]'
CUT = '[["0.33"], ["0.66"], ["0.66"]]'
FACTORS = 'Q = [["1.14", "0.57", "1.04", "0.31"]]\nK = [["0.93", "0.58", "0.55", "0.31"]]'
DOTS = "1.14×0.93 + 0.57×0.58 + 1.04×0.55 + 0.31×0.31"

EXAMPLES: Mapping[str, Example] = MappingProxyType(
    {
        "SA101": case(
            'scores = [["sqrt(2)", "3/sqrt(2)"]]',
            claim("exp", '[["4.11", "8.34"]]'),
            claim("sum", '[["12.45"]]', 'work = "4.11 + 8.34"'),
        ),
        "SA102": case(
            'X = [[1]]\nW_Q = [["5/3"]]\nK = [[5]]',
            claim("Q", '[["1.7"]]'),
            claim("scores", '[["8.4"]]'),
        ),
        "SA103": case('X = [[1]]\nW_Q = [["2/3"]]', claim("Q", '[["0.66"]]')),
        "SA104": case(THIRDS, claim("Q", CUT), claim("K", CUT)),
        "SA105": case('X = [[1]]\nW_Q = [["1/8"]]', claim("Q", '[["0.12"]]'), claim("Q", '[["0.13"]]')),
        "SA106": case(
            "Q = [[5, 0]]\nK = [[1, 0], [0.4, 0]]",
            claim("scores", "[[5, 2]]"),
            claim("scaled", '[["3.57", "1.43"]]'),
            settings='scale = "1/sqrt(d_k)"',
        ),
        "SA107": case('Q = [["9.21"]]\nK = [[1]]', claim("scores", '[["9.2"]]'), claim("exp", '[["9900"]]')),
        "SA201": case(ROW, claim("Q", '[["1.17", "2.00"]]')),
        "SA202": case("Q = [[1, 2], [3, 4]]\nK = [[5, 6], [7, 8]]", claim("scores", "[[19, 22], [43, 50]]")),
        "SA203": case("Q = [[2, 1]]\nK = [[3, 5]]", claim("scores", "[[11]]", 'work = "2·3 + 1·4"')),
        "SA204": case(
            "X = [[1, 1]]\nW_Q = [[1, 0], [0, 1]]\nW_K = [[2, 0], [0, 1]]",
            claim("K", "[[2, 7]]"),
            claim("scores", "[[3]]"),
        ),
        "SA205": case(FACTORS, claim("scores", '[["2.29"]]', f'work = "{DOTS}"')),
        "SA206": case(
            'scores = [["0.71", 0]]\nV = [[3], [0]]',
            claim("A", '[["0.67", "0.33"]]'),
            claim("A", '[["0.76"]]'),
        ),
        "SA207": case(
            'X = [["1/3"], ["2/3"], ["4/3"]]\nW_Q = [[1]]\nK = [["2.9"], ["5.9"]]',
            claim("Q", '[["0.3"], ["0.7"], ["1.3"]]'),
            claim("scores", '[["1.0", "2.0"], ["1.9", "3.9"], ["3.9", "7.5"]]'),
        ),
        "SA301": case(
            f"{ROW}\nK = [[1, 0], [2, 0]]",
            claim("Q", '[["1.14", "2.00"]]'),
            claim("scores", '[["1.14", "2.28"]]'),
        ),
        "SA401": case(
            "X = [[1, 0, 0, 1], [0, 1, 0, 1], [1, 1, 0, 0], [0, 0, 1, 1]]\n"
            "W_Q = [[1, 0, 1, 0], [0, 1, 0, 1]]",
            claim("Q", "[[1, 1], [0, 2], [1, 1], [1, 1]]"),
        ),
        "SA501": case(
            "exp = [[2, 5, 3]]", statement("order", "A", 'row = 0\nvalue = ["c", "b", "a"]'), more=KEYS
        ),
        "SA502": case(
            "scores = [[1, 2]]",
            statement("argmax", "A", 'row = 0\nvalue = "猫"'),
            more='tokens = ["猫"]\nmemory_tokens = ["猫", "坐在"]',
        ),
        "SA503": case("scores = [[1, 2], [2, 4]]", statement("equal-rows", "A", "value = [0, 1]")),
        "SA504": case("scores = [[1, 2], [2, 4]]", statement("sums-to-one", "scores", "")),
        "SA505": case(
            "X = [[1, 0, 0, 1]]\nW_Q = [[1, 0, 1, 0], [0, 1, 0, 1]]",
            statement("shape", "W_Q", "value = [4, 2]"),
            settings='weights = "transposed"',
        ),
        "SA506": case('scores = [[0, "1/2"]]', statement("equal", "A", 'row = 0\ncol = 0\nvalue = "0.38"')),
        "SA507": case(
            'scores = [[1, "2*t", 0]]',
            statement("argmax", "A", 'row = 0\nvalue = "b"'),
            more=f'symbols = ["t"]\n{KEYS}',
        ),
        "SA508": case("scores = [[1, 2]]", claim("A", '[["0.7", "0.3"]]')),
        "SA601": case(
            "Q = [[1, 1]]\nK = [[1, 1], [1, 2]]",
            claim("scores", "[[2, 3]]"),
            claim("A", '[["0.33", "0.67"]]'),
        ),
        "SA602": case("scores = [[1, 2, 3]]", claim("A", '[["0.20", "0.30", "0.50"]]')),
        "SA603": case("scores = [[1, 2, 3]]", claim("exp", '[["0.14", "0.37", "1.00"]]')),
        "SA604": replace(
            case(
                "Q = [[1, 0], [0, 1]]\nK = [[1, 1], [0, 1]]",
                claim("A", '[["0.73", "0.27"], ["0.50", "0.50"]]'),
                settings="",
            ),
            options=("scale=1",),
        ),
        "SA801": notes("Q = [[1]], K = [[2]]\nQK^T = [[3]] <!-- symattn: ignore[SA201] -->\n"),
        "SA802": notes(
            "Q = [[1]], K = [[2]]\nQK^T = [[2]] <!-- symattn: ignore[SA201] the first print -->\n"
        ),
        "SA901": case("scores = [[1]]\nV = [[1]]", claim("A", '[["exp(1)"]]'), claim("scaled", '[["-inf"]]')),
        "SA902": case("scores = [[1]]", claim("sqrt(d_k)", '[["1"]]')),
        "SA903": case("scores = [[1], [1]]", claim("A", "[[1], [1], [1]]")),
        "SA904": case('X = [["a + 1"]]\nW_Q = [[1]]', claim("Q", '[["1.50"]]'), more='symbols = ["a"]'),
        "SA905": case(
            "Q = [[0, 0]]\nK = [[3, 4], [1, 0]]",
            claim("K_N", '[["0.6", "0.8"], ["1.0", "0.0"]]'),
            claim("scores", '[["0.0", "0.0"]]'),
            settings='qk_norm = "unit"',
        ),
        "SA906": notes("S = [[2, 1], [0, 3]]\n\nA = [[0.73, 0.27], [0.05, 0.99]]\n"),
    }
)
