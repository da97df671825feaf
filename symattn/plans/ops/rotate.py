"""Rotary positions (RoPE): pairs of columns turned by an angle that grows with the position.

Su et al. 2021 (RoFormer), eq. (15) and (34). Pairs are neighbours (interleaved, as in the paper) or
column j and column j + half (as in LLaMA checkpoints); the columns beyond the pairs stay as they are.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar

from msgspec.structs import replace

from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.shapes import Shape, require
from symattn.floats.arrays import Floats, np
from symattn.floats.from_exact import matrix_to_floats
from symattn.plans.gradient import Differentiable, Forward, Share, Shares
from symattn.plans.kinds import Rotation
from symattn.plans.operation import Operation, Slip, Working
from symattn.plans.plan import Line
from symattn.plans.rules import Ruled, cos, like, sin
from symattn.plans.slips import mistake
from symattn.text.notation import Call, Formula


class Rotate(Ruled, Rotation, Differentiable, frozen=True):
    """Q (n, d) with the pairs of its columns turned: row i by (start + i) theta_p, theta (1, pairs).

    `sense` is 1, or -1 for the other way, as gradients are turned back; 0 not at all is a mistake. The first
    `past` rows come from a cache, and stay as they are where `turns_past` is 0: they are turned already.
    """

    working: ClassVar[Working] = "rule"
    sense: int = 1
    past: int = 0
    turns_past: int = 1

    @property
    def _pairs(self) -> int:
        return self.angles.shape[1]

    def shape(self, *shapes: Shape) -> Shape:
        require(
            shapes[0][1] >= 2 * self._pairs,
            (self._pairs, shapes[0]),
            "{0:pair} of [columns|rows] in a {1} matrix",
            "{1} 矩阵中没有 {0} 对[列|行]",
            "every angle turns two [columns|rows]",
            "每个角旋转两[列|行]",
        )
        return shapes[0]

    def _pair(self, j: int) -> tuple[int, int, int] | None:
        """The pair p of column j with its two columns, or None for a column that stays."""
        if j >= 2 * self._pairs:
            return None
        p = j // 2 if self.interleaved else j % self._pairs
        return (p, 2 * p, 2 * p + 1) if self.interleaved else (p, p, p + self._pairs)

    def turns(self, i: int) -> int:
        return self.sense * (self.start + i) * (self.turns_past if i < self.past else 1)

    def by(self, turns: int) -> Operation:
        return replace(self, start=turns, sense=1, past=0)

    def _angle(self, i: int, p: int) -> Exact:
        return self.angles[0, p] * Exact.of(self.turns(i))

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        (x,) = arguments
        pair = self._pair(j)
        if pair is None or not self.turns(i):
            return x[i, j]
        p, a, b = pair
        angle = like(x[i, j], self._angle(i, p))
        if j == a:
            return x[i, a] * cos(angle) - x[i, b] * sin(angle)
        return x[i, a] * sin(angle) + x[i, b] * cos(angle)

    def floats(self, *arguments: Floats) -> Floats:
        (x,) = arguments
        positions = np.array([[float(self.turns(i))] for i in range(x.shape[0])])
        turned, angles = x.copy(), positions * matrix_to_floats(self.angles)
        c, s = np.cos(angles), np.sin(angles)
        a, b = self._columns()
        turned[:, a] = x[:, a] * c - x[:, b] * s
        turned[:, b] = x[:, a] * s + x[:, b] * c
        return turned

    def _columns(self) -> tuple[slice, slice]:
        p = self._pairs
        return (slice(0, 2 * p, 2), slice(1, 2 * p, 2)) if self.interleaved else (slice(p), slice(p, 2 * p))

    def error(self, arguments: tuple[Floats, ...], errors: tuple[Floats, ...], result: Floats) -> Floats:
        from symattn.floats.bounded import TINY, UNIT

        (x,), (dx,) = arguments, errors
        positions = np.array([[float(self.turns(i))] for i in range(x.shape[0])])
        angles = positions * matrix_to_floats(self.angles)
        c, s = np.abs(np.cos(angles)), np.abs(np.sin(angles))
        a, b = self._columns()
        bound = dx.copy()
        # the angle is wrong by a rounding or two of itself, sine and cosine by an ulp more
        rounding = (4 * float(np.max(np.abs(angles))) + 12) * UNIT
        rest = (np.abs(x[:, a]) + np.abs(x[:, b]) + dx[:, a] + dx[:, b]) * rounding + 2 * TINY
        bound[:, a] = dx[:, a] * c + dx[:, b] * s + rest
        bound[:, b] = dx[:, a] * s + dx[:, b] * c + rest
        return bound

    def formula(self, *arguments: Formula) -> Formula:
        return Call("RoPE" if self.sense > 0 else "RoPE⁻¹", arguments)

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        """A rotation transposed is the rotation the other way."""
        return (Share(line.args[0], replace(self, sense=-self.sense), (g,)),)

    def slips(self) -> tuple[Slip, ...]:
        if not self.sense:
            return ()
        other = 1 - min(self.start, 1)
        found = [
            mistake("rotation-omitted", replace(self, sense=0)),
            mistake("rotation-reversed", replace(self, sense=-self.sense)),
            mistake("rotation-shifted", replace(self, start=other), made=other, due=self.start),
        ]
        if self._pairs > 1:
            other_pairs = "apart" if self.interleaved else "neighbours"
            found.append(
                mistake(f"rotation-pairs/{other_pairs}", replace(self, interleaved=not self.interleaved))
            )
        if self.past:
            turned = "not" if self.turns_past else "again"
            found.append(
                mistake(f"rotation-of-past-keys/{turned}", replace(self, turns_past=1 - self.turns_past))
            )
        return tuple(found)

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        angles = Matrix.rational([[1, Fraction(1, 3)]])
        return cls(angles), (Matrix.rational([[1, 2, 3, 4, 6], [3, 5, -1, 2, 7]]),)
