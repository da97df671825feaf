"""A formula as it is written, which tells names and formulas apart."""

from __future__ import annotations

from symattn.reading.notes.formulas.formula import (
    Binary,
    Call,
    Grid,
    Index,
    Name,
    Negate,
    Node,
    Num,
    Row,
    Transpose,
)


def lettered(node: Node) -> str:
    """A formula as it is written, without where it stands."""
    match node:
        case Name(text=text, subs=subs, aside=aside):
            return "_".join((text, *subs, *filter(None, (aside,))))
        case Num(text=text):
            return text
        case Binary(op=op, left=left, right=right):
            return f"({lettered(left)} {op} {lettered(right)})"
        case Negate(of=inner):
            return f"-{lettered(inner)}"
        case Transpose(of=inner):
            return f"{lettered(inner)}^T"
        case Call(function=function, argument=argument):
            return f"{function}({lettered(argument)})"
        case Index(of=inner, at=at):
            return f"{lettered(inner)}{list(at)}"
        case Row(items=cells) | Grid(rows=(cells,)):
            return f"[{', '.join(map(lettered, cells))}]"
    return "?"
