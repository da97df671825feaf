"""Roots of integers that are too long to be split into primes have one form each."""

from __future__ import annotations

import pickle
import random
from collections import Counter
from math import prod

import mpmath
import pytest
from flint import fmpq

from symattn.exact import radicand
from symattn.exact.expression import number, product, root, total
from symattn.exact.number import Exact
from symattn.exact.radicand import LARGEST_FACTORED
from symattn.exact.surd import ONE, ZERO, Surd
from symattn.exact.surds import Product, Surds
from symattn.exact.zero import is_zero
from symattn.many.workers import packed

P, Q, R = 10**22 + 9, 10**30 + 57, 10**26 + 67
"""Primes that nobody finds in their products, such as P * P * Q."""
PRIMES = (2, 3, 7, P, Q, R)


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    forget(monkeypatch)


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(radicand, "_CLASSES", {})
    radicand.split_square.cache_clear()
    radicand.product_of_roots.cache_clear()


@pytest.mark.parametrize("first", [Q, P * P * Q])
def test_a_square_that_nobody_finds_leaves_the_root_in_every_order(first: int) -> None:
    assert Surd.root(first)
    assert Surd.root(P * P * Q) == Surd.of(P) * Surd.root(Q)
    assert Surd.root(P * P * Q) - Surd.of(P) * Surd.root(Q) == ZERO
    assert Surd.root(P * P * Q) != Surd.of(P + 1) * Surd.root(Q)


def test_roots_are_multiplied_as_if_their_primes_were_known() -> None:
    rng = random.Random(1)
    for _ in range(300):
        drawn = [Counter(rng.choices(PRIMES, k=rng.randint(2, 6))) for _ in range(3)]
        a, b, c = (Surd.root(prod(p**k for p, k in powers.items())) for powers in drawn)
        odd = sorted(p for p in PRIMES if sum(powers[p] for powers in drawn) % 2)
        whole = prod(p ** (sum(powers[p] for powers in drawn) // 2) for p in PRIMES)
        assert a * b * c == c * (b * a) == Surd.of(whole) * Surd.root(prod(odd))
        assert ((a * b * c).rational is not None) == (not odd)


def test_the_decision_on_nodes_knows_them_too() -> None:
    hidden, plain = root(number(P * P * Q), 2), product(number(P), root(number(Q), 2))
    assert is_zero(total(hidden, product(number(-1), plain))) is True
    assert is_zero(total(hidden, product(number(-1), plain), number(fmpq(1, 10**90)))) is False


def test_sums_of_long_roots_have_inverses() -> None:
    x = ONE + Surd.root(P * P * Q) + Surd.root(Q * R) + Surd.root(P * R) + Surd.root(6)
    assert x * x.inverse() == ONE
    assert not x.has_more_roots(4)
    assert x.has_more_roots(3)


def test_tables_multiply_long_roots_as_numbers_do() -> None:
    a, b = Surd.root(P * P * Q) + ONE, Surd.root(Q) + Surd.root(Q * R)
    assert Product(Surds.of_surds([[a]]), Surds.of_surds([[b]])).multiplied_out[0, 0] == a * b


def test_a_root_from_another_process_takes_the_form_that_is_known_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    x = Surd.root(P * P * Q) + ONE
    number, table = packed(Exact.of(x)), packed(Surds.of_surds([[x, ZERO]]))
    forget(monkeypatch)
    known = Surd.root(Q) * Surd.of(P) + ONE
    assert pickle.loads(number) == Exact.of(known)
    assert hash(pickle.loads(number)) == hash(Exact.of(known))
    assert pickle.loads(table)[0, 0] == known


def test_a_long_root_without_squares_is_itself() -> None:
    n = 10**59 + 7
    assert n > LARGEST_FACTORED
    ((m, q),) = Surd.root(fmpq(n, 3 * 49)).terms
    with mpmath.workdps(90):
        assert mpmath.almosteq(
            mpmath.sqrt(mpmath.mpf(n) / 147), mpmath.mpf(int(q.p)) / int(q.q) * mpmath.sqrt(m)
        )
