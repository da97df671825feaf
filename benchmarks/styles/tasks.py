"""What an example is about: sizes, decimals, the kind of attention, what is printed."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.injection.author import STYLES as AUTHORS


@dataclass(frozen=True)
class Task:
    """Each field lists what is drawn from; `steps` names what the walk is made of, see walks.py.

    `inputs` are the decimals of the inputs, `places` those of the results. Exponentials with their sums, and
    the root of d_k, are held but not printed where `exp` and `root` say so; `silent` names other such steps.
    """

    steps: tuple[str, ...] = ("attention",)
    n: tuple[int, ...] = (2, 3, 3, 3)
    d_model: tuple[int, ...] = (2, 3, 4)
    d_k: tuple[int, ...] = (2, 2, 3, 4)
    d_v: tuple[int, ...] = (0,)  # 0: as d_k
    inputs: tuple[int, ...] = (0,)
    places: tuple[int, ...] = (2, 3, 3, 4)
    authors: tuple[str, ...] = AUTHORS
    stripped: tuple[bool, ...] = (False,)
    scaled: tuple[bool, ...] = (True,)
    causal: bool = False
    biased: tuple[bool, ...] = (False,)
    turned: bool = False  # W x instead of x W
    exp: tuple[bool, ...] = (False,)
    root: tuple[bool, ...] = (False,)
    percent: bool = False
    start: tuple[int, ...] = (0, 1)  # of the positions
    silent: tuple[str, ...] = ()


USUAL = Task()
KEPT = ("keeps",)
"""Programs keep every digit."""
