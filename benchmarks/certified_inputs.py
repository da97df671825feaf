"""Inputs for benchmarks/certified.py: as matrices of the package, and as balls of python-flint alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import arb, arb_mat, fmpq, fmpz_mat

from symattn.exact.functions import sqrt
from symattn.exact.masked import mask_of, with_mask
from symattn.exact.matrix import Matrix
from symattn.exact.names import Names
from symattn.exact.number import Exact
from symattn.exact.weighted import Weighted
from symattn.plans.base import Base
from symattn.plans.ops.softmax_backward import SoftmaxBackward

BITS = 200
Rows = list[list[int]]
Balls = list[list[arb]]


@dataclass(frozen=True)
class Sample:
    """Integers Q (n, d), K (m, d), V (m, e); logits unit sqrt(root) Q K^T, values V / denominator.

    A sink is q sqrt(m) for (q, m). A bias, integers over the denominator, is added to the outputs.
    """

    name: str
    q: Rows
    k: Rows
    v: Rows
    unit: fmpq
    root: int = 1
    denominator: int = 10_000
    places: int = 15
    visible: Sequence[bytes] | None = None
    sink: tuple[fmpq, int] | None = None
    base: fmpq | None = None
    bias: list[int] | None = None

    def matrices(self) -> list[Matrix]:
        """A and Z."""
        logits = (Matrix.rational(self.q) @ Matrix.rational(self.k).T).scaled(
            Exact.of(self.unit) * sqrt(Exact.of(self.root))
        )
        if self.visible is not None:
            masked = with_mask(logits, mask_of(self.visible))
            assert masked is not None
            logits = masked
        base = None if self.base is None else Exact.of(self.base)
        powers = Weighted(logits, normalised=False, base=base)
        sums = powers.row_sums()
        if self.sink is not None:
            sums = powers.sums_with(Exact.of(self.sink[0]) * sqrt(Exact.of(self.sink[1])))
        weights = powers.over(sums)
        outputs = weights @ over(self.v, self.denominator)
        if self.bias is not None:
            outputs = outputs + over([self.bias], self.denominator)
        assert isinstance(outputs, Weighted)
        return [weights, outputs]

    def constant(self, at: int, j: int) -> fmpq | None:
        """What the column j of Z is, where it is that of V and all weights sum to 1."""
        if at == 0 or self.sink is not None or len({row[j] for row in self.v}) > 1:
            return None
        return fmpq(self.v[0][j] + (self.bias[j] if self.bias else 0), self.denominator)

    def weights(self) -> Balls:
        """A, at the precision of `flint.ctx`."""
        scores = (fmpz_mat(self.q) * fmpz_mat(self.k).transpose()).tolist()
        rate = arb(1) if self.base is None else arb(self.base).log()
        factor, found = arb(self.unit) * arb(self.root).sqrt() * rate, []
        for i, row in enumerate(scores):
            seen = self.visible[i] if self.visible is not None else b"\1" * len(row)
            top = max(s for s, there in zip(row, seen, strict=True) if there)
            powers = [
                (factor * (s - top)).exp() if there else arb(0) for s, there in zip(row, seen, strict=True)
            ]
            whole = sum(powers, arb(0))
            if self.sink is not None:
                whole += (arb(self.sink[0]) * arb(self.sink[1]).sqrt() * rate - factor * top).exp()
            found.append([power / whole for power in powers])
        return found

    def balls(self) -> list[Balls]:
        """A and Z, at the precision of `flint.ctx`."""
        weights = self.weights()
        mixed, bias = arb_mat(weights) * arb_mat(fmpz_mat(self.v)), self.bias or [0] * len(self.v[0])
        return [
            weights,
            [[(z + b) / self.denominator for z, b in zip(row, bias, strict=True)] for row in mixed.tolist()],
        ]


@dataclass(frozen=True)
class Heads:
    """The outputs of some heads side by side times integers W_O over a denominator, with a bias over it."""

    name: str
    heads: Sequence[Sample]
    w_o: Rows
    denominator: int = 1
    bias: list[int] | None = None
    places: int = 15

    def constant(self, at: int, j: int) -> fmpq | None:
        return None

    def matrices(self) -> list[Matrix]:
        whole, *others = (head.matrices()[1] for head in self.heads)
        for other in others:
            whole = whole.beside(other)
        outputs = whole @ over(self.w_o, self.denominator)
        return [outputs if self.bias is None else outputs + over([self.bias], self.denominator)]

    def balls(self) -> list[Balls]:
        whole, at = None, 0
        for head in self.heads:
            width = len(head.v[0])
            block = arb_mat(head.balls()[1]) * arb_mat(fmpz_mat(self.w_o[at : at + width]))
            whole, at = block if whole is None else whole + block, at + width
        assert whole is not None
        bias = self.bias or [0] * len(self.w_o[0])
        return [[[(z + b) / self.denominator for z, b in zip(r, bias, strict=True)] for r in whole.tolist()]]


@dataclass(frozen=True)
class Gradients:
    """dS, dQ, dK and dV of a sample for a gradient of its outputs, integers over the denominator."""

    name: str
    sample: Sample
    dz: Rows
    places: int = 15

    def constant(self, at: int, j: int) -> fmpq | None:
        return None

    def matrices(self) -> list[Matrix]:
        sample, names = self.sample, Names()
        dz, v = over(self.dz, sample.denominator), over(sample.v, sample.denominator)
        weights = names.seen("A", sample.matrices()[0], 0, carry=True)
        base = None if sample.base is None else Exact.of(sample.base)
        slopes = SoftmaxBackward(Base(base)).exact(weights, dz @ v.T)
        scaled = slopes.scaled(Exact.of(sample.unit) * sqrt(Exact.of(sample.root)))
        seen = names.seen("dS", scaled, 0, carry=True)
        q, k = Matrix.rational(sample.q), Matrix.rational(sample.k)
        return [slopes, seen @ k, seen.T @ q, weights.T @ dz]

    def balls(self) -> list[Balls]:
        sample = self.sample
        dz, v = arb_mat(fmpz_mat(self.dz)), arb_mat(fmpz_mat(sample.v)).transpose()
        rate = arb(1) if sample.base is None else arb(sample.base).log()
        weights, slopes = sample.weights(), []
        over_both = rate / sample.denominator**2
        for row, line in zip(weights, (dz * v).tolist(), strict=True):
            mean = sum((a * d for a, d in zip(row, line, strict=True)), arb(0))
            slopes.append([a * (d - mean) * over_both for a, d in zip(row, line, strict=True)])
        scaled = arb_mat(slopes) * (arb(sample.unit) * arb(sample.root).sqrt())
        q, k = (arb_mat(fmpz_mat(x)) for x in (sample.q, sample.k))
        values = arb_mat(weights).transpose() * dz * (arb(1) / sample.denominator)
        return [slopes, *(made.tolist() for made in (scaled * k, scaled.transpose() * q, values))]


def over(integers: Rows, denominator: int) -> Matrix:
    return Matrix.rational(integers).scaled(Exact.of(fmpq(1, denominator)))
