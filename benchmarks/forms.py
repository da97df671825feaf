"""Are closed forms right, alike for equal values, free of common factors, short and quick?

    python benchmarks/forms.py [--random 500] [--seed 1] [CASE ...]

Every form that the pages of the cases ask for (all shipped ones by default), and random quotients of sums of
exponentials, some with square roots among their coefficients, each also times a common factor. A form is
evaluated from its printed formula to 60 digits by code that the package does not use, and compared with
SymPy's value of the number. Common factors are sought over Q, and in quotients with roots of integers and one
exponential over Q with these roots. `characters` are those of the text pages without spaces, to compare two
versions. Exit status 1 where anything is wrong.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from math import lcm
from pathlib import Path
from typing import Any

import sympy
from mpmath import mp, mpf

import symattn
from symattn.exact.decision import sign
from symattn.exact.functions import exp, log, sqrt
from symattn.exact.named import Named
from symattn.exact.number import Exact, Infinite
from symattn.exact.spell import spell
from symattn.exact.surd import Surd
from symattn.narrate import numbers
from symattn.text.notation import (
    Call,
    Entry,
    Formula,
    Negative,
    Number,
    Power,
    Product,
    Quotient,
    Root,
    Sum,
    Symbol,
    parts,
)

mp.dps = 75
ALIKE = mpf(10) ** -60
LARGEST_DEGREE = 40
CASES = Path(__file__).parent.parent / "cases"
FUNCTIONS = {
    "ln": mp.log,
    "sin": mp.sin,
    "cos": mp.cos,
    "tanh": mp.tanh,
    "exp": mp.exp,
    "erf": mp.erf,
    "max": max,
}


class Unreadable(ValueError):
    """A formula with something in it that has no number, such as an entry by its name."""


def value(form: Formula) -> Any:
    """The number that the printed formula is; a symbol counts as a number that follows from its name."""
    match form:
        case Number(digits):
            return mpf(Fraction(digits).numerator) / Fraction(digits).denominator
        case Symbol("e", None, None):
            return mp.e
        case Symbol("pi", None, None):
            return mp.pi
        case Symbol():
            return point(name_of(form))
        case Sum(terms):
            return mp.fsum(map(value, terms))
        case Negative(term):
            return -value(term)
        case Product(factors):
            return mp.fprod(map(value, factors))
        case Quotient(over, under):
            return value(over) / value(under)
        case Power(base, exponent):
            return mp.power(value(base), value(exponent))
        case Root(inside):
            return mp.sqrt(value(inside))
        case Entry(Symbol() as matrix, row, col):
            return point(f"{name_of(matrix)}_{row - 1}_{(col or 1) - 1}")
        case Call(name, arguments) if name in FUNCTIONS:
            return FUNCTIONS[name](*map(value, arguments))
    raise Unreadable(str(form))


def name_of(symbol: Symbol) -> str:
    """The name that the symbol has in SymPy."""
    below = symbol.sub
    index = below.name if isinstance(below, Symbol) else below.digits if isinstance(below, Number) else ""
    return f"{symbol.name}_{index}" if index else symbol.name


def point(name: str) -> Any:
    """A positive number for a symbol, between 1/2 and 3/2."""
    return mpf(nanos(name)) / 10**9


def nanos(name: str) -> int:
    """That number times 10^9."""
    return random.Random(name).randint(5 * 10**8, 15 * 10**8)


def expected(x: Exact) -> Any:
    """SymPy's value of the number."""
    tree = x.to_sympy()
    names = {s: str(s) for s in tree.free_symbols}
    names |= {s: f"{s.name}_{s.row}_{s.col}" for s in tree.atoms(Named)}
    at = {
        s: sympy.Rational(random.Random(name).randint(5 * 10**8, 15 * 10**8), 10**9)
        for s, name in names.items()
    }
    return mp.mpmathify(sympy.N(tree.xreplace(at), 75, maxn=400))


def quotients(form: Formula) -> Iterator[Quotient]:
    """The quotients of a formula that are no fraction of integers."""
    for part in parts(form):
        if isinstance(part, Quotient) and not (
            isinstance(part.over, Number) and isinstance(part.under, Number)
        ):
            yield part


def common_factor(quotient: Quotient) -> str:
    """Over which field both sides have a factor in common as polynomials in the independent exponentials."""
    both = [sympy.expand(tree(side), power_base=False, log=False) for side in (quotient.over, quotient.under)]
    powers = {power for side in both for power in side.atoms(sympy.exp)} | {sympy.E}
    pieces: dict[Any, list[Any]] = defaultdict(list)
    for power in powers:
        for piece in sympy.Add.make_args(sympy.expand(power.as_base_exp()[1])):
            content, rest = piece.as_coeff_Mul()
            pieces[rest].append(content)
    grid = {rest: lcm(*(int(c.q) for c in contents)) for rest, contents in pieces.items()}
    generator = {rest: sympy.Dummy(f"x{k}", positive=True) for k, rest in enumerate(pieces)}
    table = {}
    for power in powers:
        factors = (
            generator[rest] ** (content * grid[rest])
            for content, rest in (
                piece.as_coeff_Mul() for piece in sympy.Add.make_args(sympy.expand(power.as_base_exp()[1]))
            )
        )
        table[power] = sympy.Mul(*factors)
    both = [side.xreplace(table) for side in both]
    roots = {r for side in both for r in side.atoms(sympy.Pow) if r.exp == sympy.S.Half}
    symbols = both[0].free_symbols | both[1].free_symbols
    if roots and len(symbols) == 1 and all(r.base.is_Integer for r in roots):
        return "Q with roots" if share_over_roots(both, roots, symbols.pop()) else ""
    dummies = {root: sympy.Dummy(str(root), positive=True) for root in roots}
    sides = [numerator(sympy.expand(side.xreplace(dummies))) for side in both]
    common = sympy.gcd(*sides)
    return "Q" if common.free_symbols else ""


def share_over_roots(both: list[Any], roots: set[Any], x: Any) -> bool:
    """Whether two sums in x have a factor in common over Q with the roots of two primes at most."""
    primes = {p for root in roots for p in sympy.factorint(root.base)}
    degree = max(sympy.degree(numerator(side), x) for side in both)
    if len(primes) > 2 or degree > LARGEST_DEGREE:
        return False
    field = sympy.QQ.algebraic_field(*map(sympy.sqrt, sorted(primes)))
    over, under = (sympy.Poly(numerator(side), x, domain=field) for side in both)
    return bool(over.gcd(under).degree() > 0)


def numerator(side: Any) -> Any:
    """A sum times the powers that its terms are over."""
    return sympy.together(side).as_numer_denom()[0]


def tree(form: Formula) -> Any:
    """The formula as a SymPy tree."""
    match form:
        case Number(digits):
            return sympy.Rational(digits)
        case Symbol("e", None, None):
            return sympy.E
        case Symbol("pi", None, None):
            return sympy.pi
        case Symbol():
            return sympy.Symbol(name_of(form), positive=True)
        case Sum(terms):
            return sympy.Add(*map(tree, terms))
        case Negative(term):
            return -tree(term)
        case Product(factors):
            return sympy.Mul(*map(tree, factors))
        case Quotient(over, under):
            return tree(over) / tree(under)
        case Power(base, exponent):
            return tree(base) ** tree(exponent)
        case Root(inside):
            return sympy.sqrt(tree(inside))
        case Entry(Symbol() as matrix, row, col):
            return sympy.Symbol(f"{name_of(matrix)}_{row}_{col}", positive=True)
        case Call(name, arguments) if name in FUNCTIONS:
            return getattr(sympy, {"ln": "log", "max": "Max"}.get(name, name))(*map(tree, arguments))
    raise Unreadable(type(form).__name__)


class Count:
    """What was found so far."""

    def __init__(self) -> None:
        self.forms = self.unread = self.characters = 0
        self.wrong: list[str] = []
        self.alike: list[str] = []
        self.common: list[str] = []
        self.seconds: list[float] = []

    def form(self, x: Exact, form: Formula, seconds: float, where: str) -> Any:
        """Check one form; returns its value, None where it is not read."""
        self.forms += 1
        self.seconds.append(seconds)
        try:
            found = value(form)
        except Unreadable:
            self.unread += 1
            return None
        right = expected(x)
        if abs(found - right) > ALIKE * max(abs(right), 1):
            self.wrong.append(f"{where}: {form}")
        return found

    def uncancelled(self, form: Formula, where: str) -> None:
        """Note the quotients of a form that have a common factor."""
        found = filter(None, map(common_factor, quotients(form)))
        self.common += [f"{where}, over {field}: {form}" for field in found]


def pages(paths: list[Path], count: Count) -> None:
    """The forms that the pages ask for; common factors are sought in those that are printed."""
    for path in paths:
        made: dict[tuple[Exact, str], tuple[Formula, float]] = {}

        def recorded(x: Exact, style: Any = "fraction", made: Any = made) -> Formula:
            start = time.perf_counter()
            form = spell(x, style)
            made.setdefault((x, style), (form, time.perf_counter() - start))
            return form

        numbers.spell = recorded
        try:
            worked = symattn.work(str(path))
            document = worked.document(detail="entries")
            count.characters += sum(not c.isspace() for c in worked.text(detail="entries"))
        finally:
            numbers.spell = spell
        printed = {part for part in parts(document) if isinstance(part, Quotient | Sum | Product | Power)}
        by_value: dict[tuple[str, str], set[Formula]] = defaultdict(set)
        for (x, style), (form, seconds) in made.items():
            if isinstance(x, Infinite) or isinstance(x.algebraic, Surd):
                continue
            found = count.form(x, form, seconds, path.stem)
            if found is not None and not any(
                isinstance(p, Call) and p.function == "max" for p in parts(form)
            ):
                by_value[style, mp.nstr(found, 55)].add(form)
            if form in printed:
                count.uncancelled(form, path.stem)
        count.alike += [f"{path.stem}: {forms}" for forms in by_value.values() if len(forms) > 1]
        print(f"{path.stem}: {len(made)} forms", file=sys.stderr, flush=True)


def sum_with_roots(draw: random.Random) -> Exact:
    """Two or three terms (a + b sqrt(2) + c sqrt(3)) e^k."""
    total = Exact.of(0)
    for k in range(draw.randint(2, 3)):
        c = Exact.of(draw.randint(1, 3))
        for m in (2, 3):
            c = c + Exact.of(Surd.root(m)) * Exact.of(draw.randint(-1, 1))
        total = total + c * exp(Exact.of(k))
    return total


def random_sum(draw: random.Random) -> Exact:
    """Up to four terms c e^(p + q sqrt(m))."""
    total = Exact.of(0)
    for _ in range(draw.randint(1, 4)):
        c = Fraction(draw.choice([-3, -2, -1, 1, 2, 3, 4]), draw.choice([1, 1, 2, 5]))
        root = Exact.of(Surd.root(draw.choice([2, 3]))) * Exact.of(Fraction(draw.randint(0, 1), 2))
        total = total + Exact.of(c) * exp(Exact.of(draw.randint(-3, 3)) + root)
    return total


def random_forms(number: int, seed: int, count: Count) -> None:
    """Quotients, roots and logarithms of sums of exponentials, each also made another way."""
    draw = random.Random(seed)
    for at in range(number):
        made = sum_with_roots if at % 3 == 2 else random_sum
        over, under, factor = made(draw), made(draw), made(draw)
        if not (over and under and factor):
            continue
        over, under, factor = (x if sign(x) == 1 else -x for x in (over, under, factor))
        x, same = over / under, (over * factor) / (under * factor)
        if at % 4 == 1:
            x, same = sqrt(over * over) / under, x
        if at % 4 == 3:
            x, same = log(over * over) + Exact.of(1), log(over) + log(over) + Exact.of(1)
        start = time.perf_counter()
        form = spell(x)
        count.form(x, form, time.perf_counter() - start, f"random {at}")
        count.uncancelled(form, f"random {at}")
        if spell(same) != form:
            count.alike.append(f"random {at}: {form} {spell(same)}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cases", nargs="*", type=Path, metavar="CASE")
    parser.add_argument("--random", type=int, default=500, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    count = Count()
    random_forms(options.random, options.seed, count)
    print(f"{count.forms} random forms", file=sys.stderr, flush=True)
    pages(options.cases or sorted(CASES.rglob("*.toml")), count)
    print(f"forms                        {count.forms}, of them {count.unread} with names of entries in them")
    print(f"not SymPy's number           {len(count.wrong)}")
    print(f"equal values, two writings   {len(count.alike)}")
    with_roots = sum("over Q with roots:" in found for found in count.common)
    print(f"printed with a common factor {len(count.common)}, of them {with_roots} over Q with roots")
    print(f"median milliseconds a form   {1000 * statistics.median(count.seconds):.2f}")
    print(f"characters of the pages      {count.characters}")
    for found in (count.wrong, count.alike, count.common):
        for each in found[:10]:
            print(each[:400])
    sys.exit(1 if count.wrong or count.alike or count.common else 0)


if __name__ == "__main__":
    main()
