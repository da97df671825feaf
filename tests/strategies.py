"""Random formulas for property tests."""

from __future__ import annotations

from hypothesis import strategies as st

from symattn.text.notation import (
    Absolute,
    Blank,
    Call,
    Chain,
    Dots,
    Entry,
    Formula,
    Grid,
    Infinity,
    Inverse,
    Marked,
    Negative,
    Number,
    Power,
    Product,
    Quotient,
    Root,
    Series,
    Sum,
    Symbol,
    Text,
    Transpose,
)

any_words = st.text(max_size=8) | st.sampled_from(
    ["我爱", r"100%_\input{x}#$&~^{}", "}{", "\\", "$", "👍🏽", "á̈", "\x00"]
)
names = st.sampled_from(["Q", "theta", "scores", "d_k", "S'", "X+PE", "存钱"]) | any_words
numbers = st.sampled_from(["0", "-3", "0.50", "-1.2", "2.61e-17", "1,000", "25%", "−4"]).map(Number)
atoms: st.SearchStrategy[Formula] = st.one_of(
    numbers,
    names.map(Symbol),
    any_words.map(Text),
    st.just(Infinity()),
    st.builds(Blank, st.integers(1, 6)),
    st.builds(Dots, st.sampled_from(["across", "down", "diagonal"])),
)


@st.composite
def grids(draw: st.DrawFn, cells: st.SearchStrategy[Formula], most_columns: int = 4) -> Grid:
    """Grids of up to 3 rows, with or without labels."""
    n_rows, n_columns = draw(st.integers(1, 3)), draw(st.integers(1, most_columns))
    rows = tuple(tuple(draw(cells) for _ in range(n_columns)) for _ in range(n_rows))
    row_labels = draw(st.lists(any_words, min_size=n_rows, max_size=n_rows)) if draw(st.booleans()) else ()
    col_labels = (
        draw(st.lists(any_words, min_size=n_columns, max_size=n_columns)) if draw(st.booleans()) else ()
    )
    return Grid(rows, tuple(row_labels), tuple(col_labels))


def _larger(parts: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    several = st.lists(parts, min_size=0, max_size=4).map(tuple)
    maybe = st.none() | parts
    relations = st.sampled_from(["=", "≈", "<", ">", "≤", "≥", "≠", "→", ":=", "∈"])
    return st.one_of(
        st.builds(Symbol, names, maybe, maybe),
        st.builds(Sum, several, st.booleans()),
        st.builds(Negative, parts),
        st.builds(Product, several, st.sampled_from(["", "dot", "times", "circle"])),
        st.builds(Quotient, parts, parts, st.booleans()),
        st.builds(Power, parts, parts),
        st.builds(Root, parts, st.integers(2, 4)),
        st.builds(Call, names, several),
        st.builds(Transpose, parts),
        st.builds(Inverse, parts),
        st.builds(Entry, parts, st.integers(1, 12), st.none() | st.integers(1, 12)),
        grids(parts),
        st.builds(Series, st.sampled_from(["sum", "max", "prod"]), parts, maybe, maybe, parts),
        st.builds(Absolute, parts),
        st.builds(
            Marked,
            parts,
            st.sampled_from(["slip", "carried", "rounding", "undecided", "right", "token"]),
            maybe,
        ),
        st.builds(Chain, parts, st.lists(st.tuples(relations, parts), max_size=3).map(tuple)),
    )


formulas: st.SearchStrategy[Formula] = st.recursive(atoms, _larger, max_leaves=12)
