"""The sizes of a case, as far as its givens tell them: d_k, d_model, n (keys) and n_q (queries)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from symattn.attention.case import Case
from symattn.attention.quantities import QUANTITIES
from symattn.attention.quantities.quantity import Quantity
from symattn.exact.matrix import Matrix
from symattn.plans.plan import head_of
from symattn.text.bilingual import Bilingual, Count, oriented
from symattn.text.errors import ShapeMismatch, UnusableValue

Sizes = Mapping[str, int]
SIZES = ("d_k", "d_model", "n")


def key_heads(case: Case) -> int:
    """The number of heads of K and V: all of them, unless queries share (`kv_heads`)."""
    return case.settings.kv_heads or case.settings.heads


def shares(case: Case, name: str) -> int:
    """Into how many parts the heads divide the columns of Q, K or V."""
    return key_heads(case) if QUANTITIES[name].per_key else case.settings.heads


def width(case: Case, given: Mapping[str, Matrix], name: str) -> int | None:
    """The number of columns of Q, K or V, from the matrix itself or from its weights."""
    if name in given:
        return given[name].shape[1]
    weights = given.get(f"W_{name}")
    if weights is None:
        return None
    return weights.shape[0 if case.settings.transposes_weights else 1]


def evenly(case: Case, name: str, columns: int, parts: int) -> int:
    """How many of the columns of a matrix each of so many heads has. Raises ShapeMismatch for a remainder."""
    if columns % parts:
        raise ShapeMismatch(
            oriented(
                f"{name} has {Count(columns):[column|row]}, which {parts} heads cannot share evenly",
                f"{name} 有 {columns} [列|行]，不能平均分给 {parts} 个头",
            ),
            Bilingual(f"heads must divide {columns}", f"heads 必须整除 {columns}"),
        ).at(**case.at("attention.heads"))
    return columns // parts


def given_to(given: Mapping[str, Matrix], tag: str) -> Mapping[str, Matrix]:
    """What one head starts from, by plain names: its own (`head1.Q` for the tag `head1.`) before that of all.

    With an empty tag, for the only head of a case, what is given for all is its own.
    """
    if not tag:
        return given
    names = (name for name, quantity in QUANTITIES.items() if quantity.of_a_head)
    own = {name: given[tag + name] for name in names if tag + name in given}
    return MappingProxyType({**given, **own}) if own else given


def sizes_of(case: Case, given: Mapping[str, Matrix]) -> Sizes:
    """The sizes of a case; of heads that are given apart, the largest of each."""
    tags = dict.fromkeys(f"{tag}." for tag in map(head_of, given) if tag.startswith("head"))
    sizes = dict(sizes_of_head(case, given))
    for tag in tags:
        for size, number in sizes_of_head(case, given, tag).items():
            sizes[size] = max(number, sizes.get(size, number))
    return MappingProxyType(sizes)


def sizes_of_head(case: Case, given: Mapping[str, Matrix], tag: str = "") -> Sizes:
    """d_k, d_model, n (keys) and n_q of one head, as far as they follow from what is given to it."""
    here = given_to(given, tag)
    sizes: dict[str, int] = {}
    for name in QUANTITIES["scores"].made_of:
        columns = width(case, here, name)
        if columns is not None:
            apart = tag and (tag + name in given or f"{tag}W_{name}" in given)
            sizes.setdefault("d_k", columns if apart else max(columns // shares(case, name), 1))
    if "X" in given:
        sizes["d_model"] = given["X"].shape[1]
    elif case.settings.d_model is not None:
        sizes["d_model"] = case.settings.d_model
    known = sorted(
        ((quantity, here[name]) for name, quantity in QUANTITIES.items() if name in here),
        key=lambda each: each[0].source,
    )
    past = here["past_K"].shape[0] if "past_K" in here else 0
    for size, rows, earlier in (("n", "n_k", past), ("n_q", "n_q", 0)):
        counted = _rows(known, rows, earlier)
        if counted is not None:
            sizes[size] = counted
    for quantity, matrix in known:
        if quantity.square:
            sizes["n_q"], sizes["n"] = matrix.shape
    if "n_q" not in sizes and case.tokens:
        sizes["n_q"] = len(case.tokens)
    return MappingProxyType(sizes)


def _rows(known: Sequence[tuple[Quantity, Matrix]], rows: str, past: int) -> int | None:
    """How many queries (`n_q`) or keys (`n_k`) there are: rows of Q, K, V and so on, or else of the inputs.

    `known` has the inputs last.
    Keys of `past` tokens stand before those that the inputs make.
    """
    for counted in (rows, "n"):
        for quantity, matrix in known:
            if (quantity.source or quantity.of_a_head) and quantity.shape[0] == counted:
                return matrix.shape[0] + past * quantity.source
    return None


def offset(case: Case, sizes: Sizes, what: Bilingual) -> int:
    """How many keys stand before the first query: 0, or n_k - n_q where the last ones are aligned.

    Raises UnusableValue where n_q and n_k differ and the case does not choose (`align`).
    """
    n_q, n = sizes.get("n_q"), sizes.get("n")
    # without a known size no scores can be computed to, and the line is left out
    if n_q is None or n is None or n_q == n or case.settings.align == "top-left":
        return 0
    if case.settings.align == "bottom-right":
        return n - n_q
    raise (
        UnusableValue(
            Bilingual(
                f"{what.en} with n_q = {n_q} and n_k = {n}, and nothing says how queries and keys align",
                f"{what.zh}：{n_q} 个查询对 {n} 个键，而没有说明它们怎样对齐",
            ),
            Bilingual(
                'choose under [attention]: align = "top-left" aligns the first query with the first key, '
                'align = "bottom-right" the last with the last, as when keys come from a cache',
                '请在 [attention] 中选择：align = "top-left" 使第一个查询对齐第一个键，'
                'align = "bottom-right" 使最后一个对齐最后一个（例如键来自缓存时）',
            ),
        )
        .at(key="attention.align")
        .at(**case.at("attention.mask"))
    )
