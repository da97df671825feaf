"""The walk as a document tells it: which formulas, in which order; a form only says how they stand."""

from __future__ import annotations

from benchmarks.notes.paper import Block, Num, Pieces, joined
from benchmarks.notes.words import row_heading, say
from benchmarks.notes.writer import Writer


def tell(w: Writer) -> None:
    """Write the whole document."""
    d = w.draft
    w.heading("title")
    if d.world.positions is not None:
        _positions(w)
        return
    w.sentence(say(w.rng, "story", d.lang))
    w.sentence(_tokens(w))
    _inputs(w)
    _projections(w)
    if "Z" not in d.steps:
        return
    _scores(w)
    _scaled(w)
    _softmax(w)
    _outputs(w)


def _tokens(w: Writer) -> str:
    """The sentence, so that a label can stand for a row."""
    d = w.draft
    match w.rng.randrange(3):
        case 0:
            listed = ", ".join(f'"{token}"' for token in d.tokens)
            return f"序列长度：{len(d.tokens)}个词 [{listed}]" if d.zh else f"The tokens are [{listed}]."
        case 1:
            said = "".join(d.tokens) if d.zh else " ".join(d.tokens)
            words = (
                "、".join(f"“{token}”" for token in d.tokens)
                if d.zh
                else ", ".join(f'"{t}"' for t in d.tokens)
            )
            return (
                f"句子是“{said}”，各词依次为 {words}。"
                if d.zh
                else f'The sentence is "{said}" with the tokens {words}.'
            )
    listed = [f"- 词 {i + 1}: {t}" if d.zh else f"- Token {i + 1}: {t}" for i, t in enumerate(d.tokens)]
    return "\n".join(listed)


def _name(w: Writer, name: str) -> str:
    return w.dress.name(name)


def _inputs(w: Writer) -> None:
    d = w.draft
    w.heading("inputs" if "X" in d.world.given else "given")
    if "X" in d.world.given:
        if w.rng.random() < 0.3:
            w.group([[w.dress.vector("X", i), " = ", *w.vector(d.row("X", i))] for i in d.rows("X")])
        if w.rng.random() < 0.8 or not w.paper.found:
            w.group([[_name(w, "X"), " = ", w.block("X", True)]])
        if d.world.weights == "transposed":
            w.sentence(say(w.rng, "transposed", d.lang))
        w.heading("weights")
    names = [name for name in d.world.given if name != "X"]
    rows = [name for name in names if name in ("Q", "K", "V")]
    if rows and w.rng.random() < 0.4:
        for name in rows:
            w.group([[w.dress.vector(name, i), " = ", *w.vector(d.row(name, i))] for i in d.rows(name)])
        names = [name for name in names if name not in rows]
    together = [name for name in names if name.startswith("W_") and name != "W_O"] or rows
    if w.beside and set(together) <= set(names) and len(together) > 1 and w.rng.random() < 0.4:
        told: Pieces = []
        for name in together:
            told += [*([w.beside] if told else []), _name(w, name), " = ", w.block(name)]
        w.group([told])
        names = [name for name in names if name not in together]
    for name in names:
        w.group([[_name(w, name), " = ", w.block(name, name in rows)]])


def _times_weights(w: Writer, name: str, source: str) -> Pieces:
    weights = _name(w, f"W_{name if name in 'QKV' else 'O'}")
    turned = ("^T" if w.tex or w.rng.random() < 0.5 else "ᵀ") if w.draft.world.weights == "transposed" else ""
    if turned and w.tex:
        weights, turned = weights.replace("^", "_"), r"^T"
    bias = f" + b_{name}" if f"b_{name}" in w.draft.world.given else ""
    sign = " " if w.tex else w.dress.times if w.dress.times.strip() else " "
    return [_name(w, source), sign, weights, turned, bias]


def _projections(w: Writer) -> None:
    d = w.draft
    names = [name for name in ("Q", "K", "V") if name in d.steps and d.rows(name)]
    if names:
        w.heading("QKV")
    for name in names:
        _project(w, name, "X")


def _project(w: Writer, name: str, source: str) -> None:
    d, weights = w.draft, f"W_{name if name in 'QKV' else 'O'}"
    formula = _times_weights(w, name, source)
    plain = d.world.weights == "right" and f"b_{name}" not in d.world.given
    ways = ["matrix", "matrix", "rows"]
    if d.works(name) and plain:
        ways += ["operands", "rows with operands", *(["cells"] if "cells" in w.workings else [])]
    way = w.rng.choice(ways)
    rows = d.rows(name)
    if way == "matrix":
        w.group([[_name(w, name), " = ", *formula, w.equals(), w.block(name, w.rng.random() < 0.5)]])
    elif way == "operands":
        sign = "" if w.tex and w.rng.random() < 0.5 else w.dress.times
        if w.operands(source).rows and w.tex:
            w.group(
                [
                    [
                        _name(w, name),
                        " = ",
                        *formula,
                        " = ",
                        w.operands(source),
                        sign,
                        w.operands(weights),
                        " = ",
                        w.block(name),
                    ]
                ]
            )
        else:
            w.group([[_name(w, name), " = ", *formula, " = ", w.block(name)]])
    elif way == "cells":
        cells = tuple(
            tuple(
                _Cell(w.products(d.operands(source, i), d.column(weights, j)))
                for j in range(d.world.shapes[name][1])
            )
            for i in rows
        )
        w.group([[_name(w, name), " = ", *formula, " = ", _cells(cells), " = ", w.block(name)]])
    else:
        head = [w.dress.indexed(name, i) if w.bracketed else w.dress.vector(name, i) for i in rows]
        first = [] if way == "rows" else [w.vector(d.operands(source, i)) for i in rows]
        sign = " " if w.tex else w.dress.times
        told: list[Pieces] = []
        for k, i in enumerate(rows):
            worked = [" = ", *first[k], sign, _name(w, weights)] if first else []
            told.append([head[k], *worked, " = ", *w.vector(d.row(name, i))])
        w.group(told)
        if w.rng.random() < 0.5:
            w.group([[_name(w, name), " = ", w.block(name, w.rng.random() < 0.5)]])


class _Cell(str):
    """A cell that is an expression; `pieces` are what stands in it."""

    pieces: Pieces

    def __new__(cls, pieces: Pieces) -> _Cell:
        made = super().__new__(cls, "".join(p.text if isinstance(p, Num) else str(p) for p in pieces))
        made.pieces = pieces
        return made


def _cells(rows: tuple[tuple[_Cell, ...], ...]) -> Block:
    return Block(rows)


def _scores(w: Writer) -> None:
    d, w_name = w.draft, _name(w, "scores")
    rows = d.rows("scores")
    if not rows:
        return
    w.heading("scores")
    formula = "Q K^T" if w.rng.random() < 0.5 else "QK^T"
    formula = f"{formula}" if w.tex or w.rng.random() < 0.6 else formula.replace("^T", "ᵀ")
    ways = ["matrix", "matrix"]
    if d.works("scores"):
        ways += [
            "entries",
            "entries",
            *(["operands"] if w.tex else []),
            *(["cells"] if "cells" in w.workings else []),
        ]
    way = w.rng.choice(ways)
    start: Pieces = (
        [w_name] if w_name.replace(" ", "") in ("QK^T", r"QK^{\top}", "QKᵀ") else [w_name, " = ", formula]
    )
    whole = d.whole("scores")
    if way == "entries":
        for i in rows:
            told: list[Pieces] = []
            for j in range(d.world.shapes["scores"][1]):
                told.append(_score(w, i, j))
            if w.rng.random() < 0.5 and len(rows) > 1:
                w.sentence(row_heading(w.rng, d.lang, i, d.tokens[i]))
            w.group(told)
        if whole and w.rng.random() < 0.7:
            w.group([[w_name, " = ", w.block("scores", w.rng.random() < 0.4)]])
    elif way == "operands" and whole:
        w.group(
            [
                [
                    *start,
                    " = ",
                    w.operands("Q"),
                    w.dress.times,
                    w.operands("K", turned=True),
                    " = ",
                    w.block("scores"),
                ]
            ]
        )
    elif way == "cells" and whole:
        cells = tuple(
            tuple(
                _Cell(w.products(d.operands("Q", i), d.operands("K", j)))
                for j in range(d.world.shapes["scores"][1])
            )
            for i in rows
        )
        w.group([[*start, " = ", _cells(cells), " = ", w.block("scores")]])
    elif whole:
        w.group([[*start, " = ", w.block("scores", w.rng.random() < 0.4)]])
    else:
        _rows(w, "scores")


def _score(w: Writer, i: int, j: int) -> Pieces:
    """One score with its working."""
    d, name = w.draft, _name(w, "scores")
    a, b = w.dress.vector("Q", i), w.dress.vector("K", j)
    dot = r" \cdot " if w.tex else w.rng.choice((" · ", "·"))
    works = w.products(d.operands("Q", i), d.operands("K", j))
    end: Pieces = [w.equals(), d.num("scores", i, j)]
    match 1 if w.bracketed else w.rng.choice((0, 2, 3)):
        case 0:
            return [f"{a}{dot}{b} = ", *works, *end]
        case 1:
            f = w.dress.first
            q, k = w.dress.indexed("Q", i), w.dress.indexed("K", j)
            return [f"{name}[{i + f},{j + f}] = {q}{dot}{k} = ", *works, *end]
        case 2:
            left, right = w.vector(d.operands("Q", i)), w.vector(d.operands("K", j))
            return [f"{a}{dot}{b} = ", *left, dot, *right, " = ", *works, *end]
    return [f"{w.dress.score(i, j)} = {a}{dot}{b} = ", *works, *end]


def _rows(w: Writer, name: str) -> None:
    """The printed rows of a quantity that is not printed whole."""
    d = w.draft
    for i in d.rows(name):
        head = (
            f"{_name(w, name)}_{i + 1}"
            if w.tex and "{" not in _name(w, name) and "^" not in _name(w, name)
            else ""
        )
        if not w.tex and name in ("Q", "K", "V", "Z"):
            head = w.dress.indexed(name, i)
        if not head:
            w.sentence(row_heading(w.rng, d.lang, i, d.tokens[i]))
            label = {
                "scores": ("scores", "分数"),
                "scaled": ("scaled scores", "缩放后的分数"),
                "A": ("attention weights", "注意力权重"),
            }
            said = label.get(name, (name, name))[d.zh]
            head = rf"\text{{{said}}}" if w.tex else said
            w.group([[head, " = ", *w.vector(d.row(name, i))]])
        else:
            w.group([[head, " = ", *w.vector(d.row(name, i))]])


def _scaled(w: Writer) -> None:
    d = w.draft
    if d.world.scale == "1":
        w.sentence(say(w.rng, "no scale", d.lang))
        return
    rows, name = d.rows("scaled"), _name(w, "scaled")
    w.heading("scaled")
    d_k = d.world.shapes["Q"][1]
    if "sqrt(d_k)" in d.author.places:
        root: Pieces = [rf"$\sqrt{{d_k}} = \sqrt{{{d_k}}} \approx ", d.num("sqrt(d_k)", 0, 0), "$"]
        if not w.tex:
            root = [
                w.rng.choice((f"√d_k = √{d_k} ≈ ", f"√dₖ = √{d_k} ≈ ", f"sqrt(d_k) = sqrt({d_k}) ≈ ")),
                d.num("sqrt(d_k)", 0, 0),
            ]
        before, after = (
            (f"d_k = {d_k}，所以除以 ", "。") if d.zh else (f"With d_k = {d_k} we divide by ", ".")
        )
        if w.tex:
            before = before.replace("d_k", "$d_k$", 1)
        w.spoken([before, *root, after])
    if not rows:
        return
    whole = d.whole("scaled") and d.whole("scores")
    ways = ["matrix", "matrix"] if whole else []
    if d.works("scaled"):
        ways += ["rows", "entries"] if "sqrt(d_k)" in d.author.places or not w.tex else ["rows"]
    way = w.rng.choice(ways) if ways else "plain rows"
    if way == "matrix":
        w.group([[name, w.equals(about=True), w.block("scaled", w.rng.random() < 0.3)]])
    elif way == "plain rows":
        if d.whole("scaled"):
            w.group([[name, w.equals(about=True), w.block("scaled")]])
        else:
            _rows(w, "scaled")
    else:
        printed = "sqrt(d_k)" in d.author.places and w.rng.random() < 0.6
        for i in rows:
            if not all(
                ("scores", i, j) in d.run.texts or "scores" in d.world.given
                for j in range(d.world.shapes["scores"][1])
            ):
                continue
            if way == "rows":
                under: Pieces = [d.operand("sqrt(d_k)", 0, 0)] if printed else [w.root()]
                over = w.vector(d.operands("scores", i))
                slash = [r"\frac{", *over, "}{", *under, "}"] if w.tex else [*over, " / ", *under]
                w.group([[*slash, w.equals(about=True), *w.vector(d.row("scaled", i))]])
            else:
                told = []
                for j in range(d.world.shapes["scaled"][1]):
                    part: Num | str = d.operand("sqrt(d_k)", 0, 0) if printed else w.root()
                    told.append(
                        [
                            *w.quotient(d.operand("scores", i, j), part),
                            w.equals(about=True),
                            d.num("scaled", i, j),
                        ]
                    )
                if len(rows) > 1:
                    w.sentence(row_heading(w.rng, d.lang, i, d.tokens[i]))
                w.group(told)
        if d.whole("scaled") and w.rng.random() < 0.6:
            w.group([[name, " = ", w.block("scaled", w.rng.random() < 0.3)]])


def _logits(w: Writer) -> str | None:
    """What goes into the softmax, if it is printed."""
    d = w.draft
    if d.world.scale == "1":
        return "scores" if d.rows("scores") else None
    return "scaled" if d.rows("scaled") else None


def _softmax(w: Writer) -> None:
    d = w.draft
    if not (d.rows("exp") or d.rows("sum") or d.rows("A")):
        return
    if d.world.mask == "causal":
        w.sentence(say(w.rng, "causal", d.lang))
        _masked(w)
    w.heading("A")
    if w.rng.random() < 0.5:
        w.sentence(say(w.rng, "row sums", d.lang))
    rows = d.rows("A") or d.rows("exp") or d.rows("sum")
    alone = d.whole("A") and not d.rows("exp") and not d.rows("sum")
    if alone and w.rng.random() < 0.6:
        w.group([[_name(w, "A"), w.equals(about=True), w.block("A", w.rng.random() < 0.5)]])
        return
    for i in rows:
        w.sentence(row_heading(w.rng, d.lang, i, d.tokens[i]))
        w.group(_softmax_row(w, i))
    if d.whole("A") and w.rng.random() < 0.75:
        w.group([[_name(w, "A"), " = ", w.block("A", w.rng.random() < 0.5)]])
    _in_words(w)


def _masked(w: Writer) -> None:
    d, name = w.draft, _logits(w)
    if name is None or not d.whole(name) or w.rng.random() < 0.4:
        return
    hidden = r"-\infty" if w.tex else w.rng.choice(("-∞", "-inf"))
    rows = tuple(
        tuple(d.num(name, i, j) if j <= i else hidden for j in range(len(d.rows(name)))) for i in d.rows(name)
    )
    w.group([[_name(w, "masked"), " = ", Block(rows)]])


def _softmax_row(w: Writer, i: int) -> list[Pieces]:
    """Input, exponentials, sum and weights of one row, as far as they are printed."""
    d, told = w.draft, []
    width = d.world.shapes["A"][1]
    seen = [j for j in range(width) if d.world.mask == "none" or j <= i]
    source = _logits(w)
    logits = (
        source
        if source and i in d.rows(source) and d.works("exp" if d.world.mask == "none" else "A")
        else None
    )
    exps, sums, weights = i in d.rows("exp"), i in d.rows("sum"), i in d.rows("A")
    zh, tex = d.zh, w.tex
    single = exps and logits is not None and len(seen) == width and w.rng.random() < 0.5
    if single:
        assert logits is not None
        told += [
            [*w.power(d.operand(logits, i, j)), w.equals(about=True), d.num("exp", i, j)]
            for j in range(width)
        ]
    elif exps:
        label = r"\exp" if tex else w.rng.choice(("exp值" if zh else "exp", "exp"))
        told.append([label, " = " if tex or w.rng.random() < 0.3 else ": ", *w.vector(d.row("exp", i))])
    if sums:
        label = "总和" if zh else w.rng.choice(("sum", "total"))
        label = rf"\text{{{label}}}" if tex else label
        adds = (
            joined(" + ", [[d.operand("exp", i, j)] for j in seen])
            if exps and d.works("sum") and w.rng.random() < 0.6
            else []
        )
        told.append(
            [
                label,
                " = " if tex or w.rng.random() < 0.5 else ": ",
                *adds,
                *([w.equals()] if adds else []),
                d.num("sum", i, 0),
            ]
        )
    if weights:
        told.append(_weights(w, i, seen, logits, exps and sums))
        percents = d.percent("A", i)
        if percents and not tex and w.rng.random() < 0.3:
            told[-1] += [" → ", *w.vector(percents)]
    return told


def _weights(w: Writer, i: int, seen: list[int], logits: str | None, worked: bool) -> Pieces:
    d, name = w.draft, "softmax"
    if w.tex:
        name = r"\text{softmax}"
    end: Pieces = [w.equals(about=True), *w.vector(d.row("A", i))]
    ways = ["plain"]
    whole = len(seen) == d.world.shapes["A"][1]
    if worked and whole and d.works("A"):
        ways += ["quotients", "quotients"]
    if logits is not None and whole and d.works("A"):
        ways += ["softmax", "softmax"]
    match w.rng.choice(ways):
        case "quotients":
            over = [[*w.quotient(d.operand("exp", i, j), d.operand("sum", i, 0))] for j in seen]
            left, right = w.dress.brackets
            return [name, " = " if w.tex else ": ", left, *joined(", ", over), right, *end]
        case "softmax":
            assert logits is not None
            said = r"\text{softmax}" if w.tex else w.rng.choice(("softmax", "Softmax"))
            return [said, "(", *w.vector(d.operands(logits, i)), ")", *end]
    return [name, *end] if w.tex else [name, ": ", *end[1:]]


def _in_words(w: Writer) -> None:
    """A sentence that repeats two weights as percentages."""
    d = w.draft
    rows = d.rows("A")
    percents = d.percent("A", rows[0]) if rows else None
    if percents is None or w.rng.random() > 0.15 or len(d.tokens) < 2:
        return
    i = rows[0]
    me, other = d.tokens[i], d.tokens[1 - i if i < 2 else 0]
    j = d.tokens.index(other)
    if d.zh:
        w.spoken([f"“{me}”对“{other}”的注意力权重是 ", percents[j], "。"])
    else:
        w.spoken([f'"{me}" gives "{other}" an attention weight of ', percents[j], "."])


def _outputs(w: Writer) -> None:
    d = w.draft
    if d.rows("Z"):
        w.heading("Z")
        _weighted(w)
    if d.rows("output"):
        w.heading("output")
        _project(w, "output", "Z")


def _weighted(w: Writer) -> None:
    d, name = w.draft, _name(w, "Z")
    formula = "A V" if w.tex else f"A{w.dress.times}V"
    ways = ["matrix"] if d.whole("Z") else ["rows"]
    if d.works("Z"):
        ways += ["sums", "sums", "entries", *(["operands"] if w.tex and d.whole("Z") else [])]
    way = w.rng.choice(ways)
    if way == "matrix":
        w.group([[name, " = ", formula, w.equals(), w.block("Z", w.rng.random() < 0.5)]])
    elif way == "rows":
        _rows(w, "Z")
    elif way == "operands":
        w.group([[name, " = ", formula, " = ", w.operands("A"), w.operands("V"), " = ", w.block("Z")]])
    else:
        for i in d.rows("Z"):
            if way == "sums":
                w.group([_sum(w, i)])
            else:
                weights = d.operands("A", i)
                head = [
                    f"z_{{{i + 1}{j + 1}}}" if w.tex else f"{name}[{i + w.dress.first}][{j + w.dress.first}]"
                    for j in range(d.world.shapes["Z"][1])
                ]
                w.group(
                    [
                        [head[j], " = ", *w.products(weights, d.column("V", j)), w.equals(), d.num("Z", i, j)]
                        for j in range(d.world.shapes["Z"][1])
                    ]
                )
        if d.whole("Z") and w.rng.random() < 0.6:
            w.group([[name, " = ", w.block("Z", w.rng.random() < 0.5)]])


def _sum(w: Writer, i: int) -> Pieces:
    """A weighted sum of vectors, with or without the weighted vectors written out."""
    d = w.draft
    keys = range(d.world.shapes["V"][0])
    head = w.dress.indexed("Z", i) if w.bracketed else w.dress.vector("Z", i)
    sign = w.dress.times if w.tex or w.rng.random() < 0.8 or w.dress.brackets == "[]" else ""
    weights = [w.factor(d.operand("A", i, k)) for k in keys]
    named = joined(" + ", [[*weights[k], sign or " ", w.dress.vector("V", k)] for k in keys])
    spelled = joined(" + ", [[*weights[k], sign, *w.vector(d.operands("V", k))] for k in keys])
    told: Pieces = [head, " = "]
    which = w.rng.randrange(3)
    told += named if which == 0 else [*named, " = ", *spelled] if which == 1 else spelled
    if w.rng.random() < 0.4:
        width = d.world.shapes["Z"][1]
        told += [" = ", *joined(" + ", [w.vector([d.term(i, k, j) for j in range(width)]) for k in keys])]
    return [*told, w.equals(about=True), *w.vector(d.row("Z", i))]


def _positions(w: Writer) -> None:
    """A sinusoidal encoding: each entry with its angle, row by row, or as a matrix."""
    d = w.draft
    assert d.world.positions is not None
    n, width, start = d.world.positions
    w.heading("PE")
    w.sentence(f"d_model = {width}" if not w.tex else f"$d_{{model}} = {width}$")
    way = w.rng.choice(("entries", "rows", "matrix"))
    if way == "entries":
        for i in range(n):
            w.group([_encoded(w, start + i, i, j, width) for j in range(width)])
    elif way == "rows":
        w.group([[f"PE({start + i})", " = ", *w.vector(d.row("PE", i))] for i in range(n)])
    if way == "matrix" or w.rng.random() < 0.4:
        w.group([["PE", " = ", w.block("PE")]])


def _encoded(w: Writer, position: int, i: int, j: int, width: int) -> Pieces:
    angle = (
        f"{position}/10000^{{{j - j % 2}/{width}}}" if w.tex else f"{position} / 10000^({j - j % 2}/{width})"
    )
    wave = ("sin", "cos")[j % 2]
    head = f"PE_{{({position},{j})}} = \\{wave}" if w.tex else f"PE({position},{j}) = {wave}"
    return [f"{head}({angle})", w.equals(about=True), w.draft.num("PE", i, j)]
