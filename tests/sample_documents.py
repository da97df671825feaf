"""Two derivations for the typesetters' tests, with every block and every notation.

The matrices and weights are those of their cases. The audit at the end of each is made up, and so are
the formulas about x, theta, scores and S, which are there for their notation.
"""

from __future__ import annotations

from symattn.text.document import (
    Bullets,
    Code,
    Display,
    Document,
    Heading,
    Heatmap,
    Maths,
    Paragraph,
    Remark,
    Strong,
    Table,
    Verdict,
)
from symattn.text.notation import (
    Absolute,
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
    equation,
    named,
)


def grid(rows: str, labels: tuple[str, ...] = (), names: tuple[str, ...] = ()) -> Grid:
    """`"1.0 0.5; 0.2 1.2"` as a written-out matrix."""
    return Grid(tuple(tuple(map(Number, row.split())) for row in rows.split(";")), labels, names)


def dot(*pairs: tuple[str, str]) -> Sum:
    """A worked inner product."""
    return Sum(tuple(Product((Number(a), Number(b)), "dot") for a, b in pairs))


X, Q, K, V, A, Z, S, e = (Symbol(name) for name in "XQKVAZSe")
W_Q, W_K, W_V = (named(f"W_{name}") for name in "QKV")
d_k = Symbol("d", Symbol("k"))
THINKING = ("Thinking", "Machines")
SCALED = Quotient(Product((Q, Transpose(K))), Root(d_k))

SUM_OVER_J = Series("sum", Symbol("j"), Number("1"), Symbol("n"), Symbol("A", Text("1j")))


def exp(power: str) -> Formula:
    return Power(e, Number(power))


SCORE_11, SCORE_12 = (
    Power(e, Quotient(Number(score), Root(Number("2")), flat=True)) for score in ("1.5", "2.5")
)

ENGLISH = Document(
    "Thinking Machines",
    (
        Paragraph(
            (
                "Rows are tokens; ",
                Maths(equation(d_k, Number("2"))),
                ", one head, no mask, scores divided by ",
                Maths(Root(d_k)),
                ". Every value is ",
                Strong("exact"),
                "; decimals are correctly rounded to 4 places. The case is ",
                Code("cases/thinking_machines.toml"),
                ".",
            )
        ),
        Heading(("1  Queries ", Maths(equation(Q, Product((X, W_Q)))))),
        Display(
            (
                equation(
                    Q,
                    Product((X, W_Q)),
                    Product((grid("1.0 0.5; 0.2 1.2", THINKING), grid("1 0.5; 0 1"))),
                    grid("1.0 1.0; 0.2 1.3", THINKING),
                ),
            )
        ),
        Display(
            (
                equation(Entry(Q, 1, 1), dot(("1.0", "1"), ("0.5", "0")), Number("1")),
                equation(Entry(Q, 2, 2), dot(("0.2", "0.5"), ("1.2", "1")), Number("1.3")),
                equation(
                    Entry(V, 1, 2),
                    dot(("1.0", "-1"), ("0.5", "0")),
                    Sum((Number("0"), Number("-1")), spelled=True),
                    Number("-1"),
                ),
            )
        ),
        Heading(("2  Scaled scores ", Maths(SCALED))),
        Display(
            (
                equation(
                    SCALED,
                    Product(
                        (
                            Quotient(Number("1"), Root(Number("2"))),
                            grid("1.5 2.5; 0.85 1.82", *[THINKING] * 2),
                        )
                    ),
                ),
                Chain(
                    Call("softmax", (SCALED,)),
                    (("≈", grid("0.3302 0.6698; 0.3349 0.6651", THINKING)),),
                ),
            )
        ),
        Heading(("The weights of ", Verdict("Thinking", "token")), level=2),
        Display(
            (
                equation(
                    Entry(A, 1, 1),
                    Quotient(SCORE_11, Sum((SCORE_11, SCORE_12))),
                    Quotient(
                        Number("1"),
                        Sum((Number("1"), Power(e, Quotient(Root(Number("2")), Number("2"), flat=True)))),
                    ),
                ),
                Chain(Symbol(""), (("≈", Number("0.3302")),)),
                Chain(
                    Sum(tuple(Entry(A, 1, j) for j in (1, 2))),
                    (
                        ("=", SUM_OVER_J),
                        ("=", Number("1")),
                    ),
                ),
                Chain(Absolute(Sum((Symbol("x"), Negative(Symbol("theta"))))), (("≤", Number("2.61e-17")),)),
                Chain(
                    Negative(Infinity()), (("<", Inverse(named("head1.A"))), ("≠", Call("max", (S, Dots()))))
                ),
                equation(
                    Product((Symbol("scores"), Symbol("mask")), "circle"),
                    Grid(
                        (
                            (Entry(S, 1, 1), Dots(), Entry(S, 1, 12)),
                            (Dots("down"), Dots("diagonal"), Dots("down")),
                            (Entry(S, 9, 1), Dots(), Quotient(Root(Number("2")), Number("2"))),
                        )
                    ),
                ),
            )
        ),
        Heatmap(
            ((0.3302, 0.6698), (0.3349, 0.6651)),
            (("0.3302", "0.6698"), ("0.3349", "0.6651")),
            THINKING,
            THINKING,
        ),
        Remark(
            "Order",
            (
                "both rows give ",
                Verdict("Machines", "token"),
                " the larger weight, because ",
                Maths(Chain(Entry(S, 1, 1), (("<", Entry(S, 1, 2)),))),
                ".",
            ),
        ),
        Remark("Cross-check", ("NumPy float64 agrees in all 9 steps; largest error 1.5 ulp in Z.",), "check"),
        Heading(("3  What was printed",)),
        Display(
            (
                equation(
                    Q,
                    Grid(
                        (
                            (Marked(Number("1.14"), "slip", Number("1.09")), Number("0.54")),
                            (
                                Marked(Number("2.29"), "carried", Number("2.06")),
                                Marked(Number("0.33"), "rounding"),
                            ),
                            (Marked(Number("0.70"), "undecided"), Marked(Number("1.30"), "right")),
                        ),
                        ("a", "bc", "def"),
                    ),
                ),
            )
        ),
        Table(
            (("where",), ("printed",), ("verdict",), ("right",)),
            (
                ((Maths(Entry(Q, 1, 1)),), ("1.14",), (Verdict("slip", "slip"),), ("1.09",)),
                ((Maths(Entry(Q, 2, 1)),), ("12.29",), (Verdict("carried forward", "carried"),), ("2.06",)),
                ((Maths(Entry(Q, 2, 2)),), ("0.33",), (Verdict("rounding", "rounding"),), ("0.34",)),
                ((Maths(Entry(Q, 3, 1)),), ("0.70",), (Verdict("undecided", "undecided"),), ("",)),
                ((Maths(Entry(Q, 3, 2)),), ("1.30",), (Verdict("right", "right"),), ("1.30",)),
            ),
            "lrlr",
        ),
        Bullets(
            (
                ("the first column of ", Maths(W_Q), " was taken for its first row;"),
                ("everything after it follows from ", Maths(Entry(Q, 1, 1)), "."),
            )
        ),
        Remark(
            "Scaling",
            (
                "the text says that ",
                Maths(Root(d_k)),
                " is skipped.",
            ),
            "note",
        ),
        Remark("Unread", ("line 9 holds a matrix with rows of different length.",), "warning"),
    ),
)

CATS = ("我", "爱", "猫咪")
WEIGHTS = "0.2234 0.3245 0.4521; 0.1460 0.3824 0.4716; 0.1048 0.2546 0.6406"
CHINESE = Document(
    "我爱猫咪",
    (
        Paragraph(
            (
                "词向量为行向量，",
                Maths(equation(d_k, Number("4"))),
                "，单头，无掩码，得分除以",
                Maths(equation(Root(d_k), Number("2"))),
                "。所有数值都是",
                Strong("精确"),
                "的；小数均正确舍入到四位。等号之后是精确值，约等号之后是舍入后的值；凡是证明了的事实，都写在它所属的那一步里，并给出理由。",
            )
        ),
        Heading(("1  查询 ", Maths(equation(Q, Product((X, W_Q)))))),
        Display(
            (
                equation(
                    Q,
                    Product((X, W_Q)),
                    Product(
                        (
                            grid("1.0 0.5 0.2 0.1; 0.3 1.2 0.8 0.4; 0.6 0.1 1.5 0.9", CATS),
                            grid("1.0 0.0 0.5 0.2; 0.1 1.0 0.3 0.1; 0.2 0.1 1.0 0.4; 0.0 0.2 0.1 1.0"),
                        )
                    ),
                    grid("1.09 0.54 0.86 0.43; 0.58 1.36 1.35 0.90; 0.91 0.43 1.92 1.63", CATS),
                ),
                equation(
                    Entry(Q, 1, 1),
                    dot(("1.0", "1.0"), ("0.5", "0.1"), ("0.2", "0.2"), ("0.1", "0.0")),
                    Number("1.09"),
                ),
                equation(
                    Entry(Q, 1, 2),
                    dot(("1.0", "0.0"), ("0.5", "1.0"), ("0.2", "0.1"), ("0.1", "0.2")),
                    Number("0.54"),
                ),
            )
        ),
        Heading(("2  权重 ", Maths(equation(A, Call("softmax", (SCALED,)))))),
        Display(
            (
                Chain(
                    Symbol("Z", Number("1")),
                    (
                        ("=", Sum(tuple(map(exp, ("1.0302", "1.4037", "1.7351"))))),
                        ("≈", Sum(tuple(map(Number, ("2.8016", "4.0702", "5.6695"))))),
                        ("≈", Number("12.5414")),
                    ),
                ),
                Chain(
                    Entry(A, 1, 1),
                    (("=", Quotient(exp("1.0302"), Symbol("Z", Number("1")))), ("≈", Number("0.2234"))),
                ),
                Chain(
                    A,
                    (
                        (
                            "≈",
                            grid(
                                "0.2409 0.3654 0.3937; 0.1600 0.3900 0.4500; 0.0900 0.2900 0.6200", CATS, CATS
                            ),
                        ),
                    ),
                ),
            )
        ),
        Heatmap(
            ((0.2234, 0.3245, 0.4521), (0.1460, 0.3824, 0.4716), (0.1048, 0.2546, 0.6406)),
            (("0.2234", "0.3245", "0.4521"), ("0.1460", "0.3824", "0.4716"), ("0.1048", "0.2546", "0.6406")),
            CATS,
            CATS,
        ),
        Remark(
            "顺序",
            (
                "每一行里「猫咪」的权重都最大，因为",
                Maths(Chain(Entry(S, 1, 2), (("<", Entry(S, 1, 3)),))),
                "。",
            ),
        ),
        Remark("核对", ("NumPy 双精度在全部 9 步中都一致；最大误差为 1.5 ulp。",), "check"),
        Table(
            (("位置",), ("写的",), ("判定",), ("正确值",)),
            (
                (("我",), ("1.14",), (Verdict("算错", "slip"),), ("1.09",)),
                (("猫咪",), ("12.9",), (Verdict("沿用前面的错误", "carried"),), ("2.06",)),
            ),
            "lrlr",
        ),
        Bullets((("「我」最关注", Verdict("猫咪", "token"), "；"), ("「猫咪」最关注自己。",))),
    ),
    lang="zh",
)
