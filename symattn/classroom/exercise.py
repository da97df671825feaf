"""An exercise from a seed: a case with tidy numbers, and its key, which is a case file."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from symattn.attention.case import Case, Claim
from symattn.attention.recipes.attention import attention, values
from symattn.casefile.case_file import case_of
from symattn.casefile.written import comment, given_table, key, rows, stated_table, value, words
from symattn.classroom.levels import LEVELS, Recipe
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.plain import plain
from symattn.plans.derive import Derivation, derive
from symattn.plans.plan import base_name
from symattn.text.bilingual import Bilingual
from symattn.text.errors import SymattnError

TRIES = 5000
"""So many draws are looked at; every level is tidy within a few hundred."""
LARGEST, FINEST = 30, 30
"""The largest numerator and denominator of an answer."""


class Exercise(Struct, frozen=True):
    """A case that states the right numbers of its blanks, and its derivation."""

    case: Case
    derivation: Derivation
    settings: Mapping[str, object]
    seed: int
    level: int
    student: str = ""

    def key(self) -> str:
        """The key: a case file that states the answers; `derive` works them out, `mark` marks with it."""
        case = self.case
        head = [f"# {comment(self.student)}"] if self.student else []
        head += [f"title = {words(case.title)}", f"lang = {words(case.lang)}"]
        table = ["[attention]", *(f"{name} = {value(each)}" for name, each in self.settings.items())]
        parts = ["\n".join(head), given_table(case.given), "\n".join(table), *map(stated_table, case.stated)]
        return "\n\n".join(parts) + "\n"

    def form(self) -> str:
        """The answers to fill in, as a TOML file that `mark` reads."""
        lead = _FORM[self.case.lang].format(title=comment(self.case.title))
        empty = (
            f"{key(each.name)} = {rows([[''] * len(row) for row in each.values])}"
            for each in self.case.stated
        )
        return "\n\n".join([lead, *empty]) + "\n"


_FORM = Bilingual(
    '# {title}\n# Write each number between its quotation marks: "3", "1/3", "0.333"; leave empty what '
    "you do not know.",
    '# {title}\n# 把每个数写在引号之间："3"、"1/3"、"0.333"。不会的留空。',
)


def exercise(seed: int, level: int, student: str = "", lang: str = "en") -> Exercise:
    """The exercise of a seed and a level (1 to 5), for a student one of their own.

    The same in both languages, and in every version of Python.
    """
    draw = LEVELS[level]
    # a string seeds by its SHA-512, whatever the version and the hashing of the process
    random = Random(f"{seed}/{level}/{unicodedata.normalize('NFC', student)}")
    for _ in range(TRIES):
        recipe = draw(random)
        case = _case(recipe, seed, level, lang)
        derivation = derive(attention(case), values(case))
        if _tidy(derivation, recipe.blanks):
            stated = tuple(_answers(derivation, name) for name in recipe.blanks)
            return Exercise(replace(case, stated=stated), derivation, recipe.attention, seed, level, student)
    raise AssertionError(f"no tidy exercise of level {level} for the seed {seed}")


def _case(recipe: Recipe, seed: int, level: int, lang: str) -> Case:
    title = Bilingual("Exercise {seed} (level {level}): {title}", "练习 {seed}（难度 {level}）：{title}")
    return case_of(
        {
            "title": title.format(level=level, seed=seed, title=recipe.title)[lang],
            "lang": lang,
            "given": recipe.given,
            "attention": recipe.attention,
        }
    )


def _answers(derivation: Derivation, name: str) -> Claim:
    """The right numbers of a quantity, each worth a point."""
    matrix = derivation[name]
    n, m = matrix.shape
    cells = tuple(tuple(plain(matrix[i, j]) for j in range(m)) for i in range(n))
    return Claim(name, cells, points=n * m)


def _tidy(derivation: Derivation, blanks: tuple[str, ...]) -> bool:
    """Whether every answer is a short fraction, and no matrix hides a mistake."""
    matrices = {name: derivation[name] for name in blanks}
    return (
        all(map(_short, matrices.values()))
        and all(_telling(matrix, base_name(name) == "A") for name, matrix in matrices.items())
        and not _hides(derivation, blanks)
    )


def _hides(derivation: Derivation, blanks: tuple[str, ...]) -> bool:
    """Whether a slip that people make in a step that is asked for would give its right numbers.

    The sums of the softmax are looked at too, but for a single row, which is the whole matrix.
    """
    known = dict(derivation.items())
    sums = [line for line in derivation if base_name(line.name) == "sum" and known[line.name].shape[0] > 1]
    for line in (*sums, *(line for line in derivation if line.name in blanks)):
        given = {name: matrix for name, matrix in known.items() if name != line.name}
        for slip in line.op.slips():
            try:
                wrong = derive((replace(line, op=slip.instead),), given)[line.name]
            except SymattnError:  # as a product that the shapes do not have
                continue
            if wrong == known[line.name]:
                return True
    return False


def _short(matrix: Matrix) -> bool:
    quotients = [x.rational for line in _lines(matrix) for x in line]
    return all(q is not None and abs(int(q.p)) <= LARGEST and int(q.q) <= FINEST for q in quotients)


def _telling(matrix: Matrix, weights: bool) -> bool:
    """Whether the rows differ, none is zero, and no row of weights is uniform: those would hide mistakes."""
    lines = _lines(matrix)
    uniform = weights and any(len({x for x in line if x}) == 1 < sum(map(bool, line)) for line in lines)
    return len(set(lines)) == len(lines) and all(map(any, lines)) and not uniform


def _lines(matrix: Matrix) -> list[tuple[Exact, ...]]:
    n, m = matrix.shape
    return [tuple(matrix[i, j] for j in range(m)) for i in range(n)]
