"""A case worked out, as Python programs get it: its matrices by name, what was proved, and its page."""

from __future__ import annotations

import pickle
from collections.abc import Collection, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack

from symattn import result
from symattn.attention import case as inner
from symattn.attention.runnable import asked
from symattn.casefile.given_files import Access
from symattn.library.case import Case
from symattn.library.facts import Fact
from symattn.library.inputs import Floats, raw
from symattn.library.matrix import Matrix
from symattn.many.workers import packed
from symattn.plans.derive import Derivation, Watch
from symattn.plans.plan import base_name
from symattn.text.bilingual import Bilingual
from symattn.text.suggest import near

if TYPE_CHECKING:
    from symattn.attention.recipes.cautions import Caution
    from symattn.attention.recipes.leftover import Leftover
    from symattn.checks.crosscheck import CrossCheck
    from symattn.checks.proofs import Proof
    from symattn.narrate.page import Detail
    from symattn.narrate.why import Why
    from symattn.text.document import Document
    from symattn.typeset.engines import Engine

Lang = Literal["en", "zh"]
MOST_SHOWN = 3
"""Entries of a matrix that the table of a result shows."""


class UnknownName(KeyError):
    """A result has no matrix of that name; the message lists those that may have been meant."""

    def __str__(self) -> str:
        return str(self.args[0])


class PageOptions(TypedDict, total=False):
    """What every format of a page can be asked for; each may be left out."""

    digits: int
    """Decimal places, 4 by default."""
    significant: int | None
    """Significant digits instead of decimal places."""
    lang: Lang | None
    """The language, by default that of the case."""
    only: str | Collection[str]
    """The names of the steps to show, `A` or `head1.A`; all by default."""
    detail: Detail
    """What is worked out: the "result" alone, one entry of each of the "steps" (the default), "some" entries
    of each step, or all "entries"."""
    every_entry: bool
    """Another name of detail="entries"."""


class Worked(Mapping[str, Matrix]):
    """A case and its exact derivation: a mapping from names to matrices, in the order of the computation.

    >>> import symattn
    >>> worked = symattn.work("cases/thinking_machines.toml")
    >>> worked["A"][0, 0]
    Exact(1/(1 + exp(sqrt(2)/2)))
    >>> "Z" in worked, list(worked)[:4]
    (True, ['X', 'W_Q', 'W_K', 'W_V'])

    Two results are equal where their names and all their matrices are. Immutable, and can be pickled.
    """

    __slots__ = ("_inner",)
    _inner: result.Worked

    def __init__(self, inner: result.Worked) -> None:
        object.__setattr__(self, "_inner", inner)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a result is immutable")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a result is immutable")

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (packed((self._inner.case, self.derivation)),)

    def __getitem__(self, name: str) -> Matrix:
        """The exact matrix of that name. Raises UnknownName, a KeyError that lists near names."""
        if name not in self.derivation:
            raise UnknownName(_no_such_name(name, list(self)))
        return Matrix.of(self.derivation[name])

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self.derivation.items())

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        return name in self.derivation

    @property
    def case(self) -> Case:
        """The case: what is given and the conventions in force."""
        return Case.of(self._inner.case)

    @property
    def derivation(self) -> Derivation:
        """The derivation as the computation has it: its plan, and values of `symattn.exact`."""
        return self._inner.derivation

    @property
    def facts(self) -> tuple[Fact, ...]:
        """What was proved about the matrices; `str` of one is a sentence."""
        return tuple(map(Fact.of, self._inner.facts))

    @property
    def leftover(self) -> Leftover:
        """The result that was not reached, with what it needs, and the givens that nothing uses."""
        return self._inner.leftover

    @property
    def cautions(self) -> tuple[Caution, ...]:
        """How keys are read that may have been meant otherwise."""
        return self._inner.cautions

    @property
    def check(self) -> CrossCheck:
        """The independent NumPy computation."""
        return self._inner.check

    @property
    def proofs(self) -> tuple[Proof, ...]:
        """That two evaluations give one value, and that gradients are derivatives."""
        return self._inner.proofs

    def document(self, **options: Unpack[PageOptions]) -> Document:
        """The neutral page, which a typesetter turns into one of the formats below."""
        return self._inner.document(**self._asked_for(options))

    def latex(self, *, standalone: bool = False, width: float = 170.0, **options: Unpack[PageOptions]) -> str:
        """The page as LaTeX: a fragment for lines of `width` mm, or a document that xelatex compiles."""
        return self._inner.latex(standalone=standalone, width=width, **self._asked_for(options))

    def typst(self, **options: Unpack[PageOptions]) -> str:
        """The page as source for typst, a whole document."""
        return self._inner.typst(**self._asked_for(options))

    def pdf(self, *, engine: Engine | None = None, **options: Unpack[PageOptions]) -> bytes:
        """The page as PDF, by `engine` ("xelatex" or "typst"), or by the first of them that is there."""
        return self._inner.pdf(engine=engine, **self._asked_for(options))

    def markdown(self, **options: Unpack[PageOptions]) -> str:
        """The page as Markdown with `$` and `$$` mathematics."""
        return self._inner.markdown(**self._asked_for(options))

    def html(self, *, standalone: bool = True, static: bool = False, **options: Unpack[PageOptions]) -> str:
        """The page as HTML with MathML, on which every entry answers what it was made of.

        A `static` page has no script; nor has one with `detail`, `every_entry` or `significant`, which say
        what is worked out and how.
        """
        return self._inner.html(standalone=standalone, static=static, **self._asked_for(options))

    def text(self, *, width: int = 100, colour: bool = False, **options: Unpack[PageOptions]) -> str:
        """The page for a terminal."""
        return self._inner.text(width=width, colour=colour, **self._asked_for(options))

    def data(
        self, *, digits: int = 4, significant: int | None = None, only: str | Collection[str] = ()
    ) -> dict[str, Any]:
        """The JSON contract `symattn/derivation/1` as plain values."""
        return self._inner.data(digits=digits, significant=significant, only=self._asked(only))

    def json(
        self, *, digits: int = 4, significant: int | None = None, only: str | Collection[str] = ()
    ) -> str:
        """`data` as JSON text."""
        return self._inner.json(digits=digits, significant=significant, only=self._asked(only))

    def why(
        self, name: str, row: int = 0, col: int = 0, *, steps: int | None = None, hint: bool = False
    ) -> Why:
        """Why an entry has its value: the chain from the givens to it, worked out.

        >>> import symattn
        >>> worked = symattn.work("cases/thinking_machines.toml")
        >>> print(worked.why("scores", 0, 1, steps=1).text().splitlines()[5])
            S₁₂ = Q₁₁·K₂₁ + Q₁₂·K₂₂ = 1·1 + 1·2 = 1 + 2 = 3

        `row` and `col` count from 0, as in `worked["A"][0, 0]`; the text counts from 1, as every page does.
        `steps` is how many entries are worked out, by default as many as fit on a screen; with `hint` the
        formula and its numbers are shown, and the result is kept back. What is returned has `text`,
        `markdown`, `latex`, `html` and `json`, with `lang` and `digits`. Raises UnknownName and IndexError.
        """
        rows, cols = self[name].shape
        self[name][row, col]  # raises what is wrong with them
        return self._inner.why(name, row % rows, col % cols, steps=steps, hint=hint)

    def _asked_for(self, options: PageOptions) -> dict[str, Any]:
        return {**options, "only": self._asked(options.get("only", ()))}

    def _asked(self, only: str | Collection[str]) -> tuple[str, ...]:
        """The names of steps; one string is one name. Raises UnusableValue for one that is no step."""
        names = (only,) if isinstance(only, str) else tuple(only)
        asked(self.derivation.plan, names, "only=", _ALL_STEPS)
        return names

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        """A table of names, shapes and first values."""
        rows = [(name, _spelled(matrix.shape), _first(matrix)) for name, matrix in self.items()]
        wide, high = max(len(name) for name, _, _ in rows), max(len(shape) for _, shape, _ in rows)
        lines = [f"  {name:{wide}}  {shape:{high}}  {first}" for name, shape, first in rows]
        return "\n".join([f"Worked: {self.case.title}", *lines])

    def _repr_html_(self) -> str:
        return self.html(standalone=False)

    def _repr_latex_(self) -> str:
        return self.latex()

    def _repr_markdown_(self) -> str:
        return self.markdown()

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)


def _spelled(shape: tuple[int, int]) -> str:
    return f"{shape[0]}×{shape[1]}"


def _first(matrix: Matrix) -> str:
    """The first entries of a matrix as decimals."""
    from symattn.exact.rounding import Undecided
    from symattn.library.values import shown

    entries = []
    columns = min(MOST_SHOWN, matrix.shape[1])
    for j in range(columns):
        x = matrix[0, j]
        try:
            entries.append(str(x) if x.is_rational and len(str(x)) < 8 else x.decimal())
        except (TypeError, Undecided):
            entries.append(shown(x._value))
    more = matrix.shape[0] > 1 or matrix.shape[1] > columns
    return "  ".join([*entries, *(["…"] if more else [])])


def _no_such_name(name: object, names: list[str]) -> str:
    """What a result has instead: the heads' own, the near names, or all of them where they are few."""
    tagged = [each for each in names if base_name(each) == name]
    meant = tagged or near(str(name), names)
    if meant:
        listed = ", ".join(meant[:MOST_NAMED]) + (", …" if len(meant) > MOST_NAMED else "")
        return f"there is no {name!r} here; did you mean {listed}?"
    return f"there is no {name!r} here; list(worked) has the names: {', '.join(names[:MOST_NAMED])}, …"


MOST_NAMED = 8
_ALL_STEPS = Bilingual(
    "list(worked) has all steps, after the givens", "list(worked) 先列给定的量，再列全部步骤"
)


def work(
    case: inner.Case | str | Path | Mapping[str, object],
    watch: Watch = iter,
    *,
    floats: Floats | None = None,
    folder: str | PathLike[str] | None = None,
    allow_files: bool = False,
) -> Worked:
    """Derive a case exactly: a Case, the path of a case file, its tables as dictionaries, or TOML of several
    lines.

    >>> import symattn
    >>> given = {"Q": [[1]], "K": [[1], [2]], "V": [[3], ["1/2"]]}
    >>> symattn.work({"given": given, "attention": {"base": 2}})["Z"]
    Matrix([[4/3]])

    `watch` sees each step before it is computed; `floats` is that of `symattn.attention`. Files that the
    case names for its givens are in the folder of its file, or in `folder`, unless `allow_files` lets them be
    anywhere. Raises SymattnError for bad input, and for what a case states without an effect.
    """
    if isinstance(case, Mapping):
        return solved(raw(case, floats), watch, folder=folder, allow_files=allow_files)
    if not isinstance(case, inner.Case):
        if not isinstance(case, str | PathLike):
            raise TypeError(
                f"work takes a Case, the path of one, its tables or TOML, not {type(case).__name__}: "
                "symattn.attention(X=..., W_Q=..., ...) takes matrices"
            )
        from symattn.casefile.case_file import parsed, read_case

        if isinstance(case, str) and "\n" in case:
            case = parsed(case, None, Access.to(folder, allow_files))
        else:
            case = read_case(case, allow_files=allow_files)
    return Worked(result.work(case, watch))


def solved(
    content: Mapping[str, object],
    watch: Watch = iter,
    *,
    folder: str | PathLike[str] | None = None,
    allow_files: bool = False,
) -> Worked:
    """The case of these tables derived."""
    from symattn.casefile.case_file import case_of

    return Worked(result.work(case_of(content, Access.to(folder, allow_files)), watch))


def _unpickled(data: bytes) -> Worked:
    return Worked(result.Worked(*pickle.loads(data)))
