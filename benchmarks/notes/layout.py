"""Matrices laid out in characters: nested lists, and several on the same text lines."""

from __future__ import annotations

from benchmarks.notes.paper import Block, Num, Piece, Pieces
from benchmarks.notes.writer import Writer


def parts(cell: Num | str) -> list[str | Num]:
    pieces: list[Piece] = getattr(cell, "pieces", [cell])
    return [piece for piece in pieces if not isinstance(piece, Block)]


def said(cell: Num | str) -> str:
    return cell.text if isinstance(cell, Num) else str(cell)


def padded(block: Block, left: bool = False) -> list[list[list[str | Num]]]:
    """Cells with the blanks that make columns straight."""
    widths = [max(len(said(row[j])) for row in block.rows) for j in range(len(block.rows[0]))]
    return [
        [[" " * (widths[j] - len(said(cell))), *parts(cell)] for j, cell in enumerate(row)]
        for row in block.rows
    ]


def nested(block: Block, column: int, comments: bool, separator: str = ", ") -> list[str | Num]:
    """`[[a, b],` over several lines, with a comment behind each row where there are labels."""
    told: list[str | Num] = []
    rows = padded(block)
    for i, row in enumerate(rows):
        told.append("[[" if i == 0 else " " * (column + 1) + "[")
        for j, cell in enumerate(row):
            told += [separator if j else "", *cell]
        last = i == len(rows) - 1
        told.append("]]" if last else "],")
        if comments and block.labels:
            told.append(f'    # "{block.labels[i]}"')
        told.append("" if last else "\n")
    return told


def beside(
    w: Writer,
    formula: Pieces,
    opens: tuple[str, str],
    closes: tuple[str, str],
    separator: str,
    indent: str = "",
) -> None:
    """Matrices on the same text lines, each laid out over its own columns; words stand on the middle line.

    `opens` begin the first row and the others, `closes` end all rows but the last, and the last.
    """
    blocks = [piece for piece in formula if isinstance(piece, Block)]
    height = max(len(block.rows) for block in blocks)
    middle = 0 if opens[0] != opens[1] else (height - 1) // 2
    for line in range(height):
        for piece in formula:
            if not isinstance(piece, Block):
                w.paper.write(piece if line == middle else " " * len(said(piece)))
                continue
            rows = padded(piece)
            at = line - (middle - (len(rows) - 1) // 2 if middle else 0)
            width = sum(len(said(part)) for cell in rows[0] for part in cell)
            width += len(opens[0]) + len(closes[0]) + len(separator) * (len(rows[0]) - 1)
            if not 0 <= at < len(rows):
                w.paper.write(" " * width)
                continue
            told: list[str | Num] = [opens[0] if at == 0 else opens[1]]
            for j, cell in enumerate(rows[at]):
                told += [separator if j else "", *cell]
            w.paper.write(*w.flat([*told, closes[at == len(rows) - 1]], 0))
        if line < height - 1:
            w.paper.write("\n", indent)


def ampersands(block: Block) -> list[str | Num]:
    r"""The cells of a matrix in TeX: `&` between the columns, `\\` between the rows."""
    told: list[str | Num] = []
    for i, row in enumerate(block.rows):
        told.append(r" \\ " if i else "")
        for j, cell in enumerate(row):
            told += [" & " if j else "", *parts(cell)]
    return told
