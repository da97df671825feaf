"""Remarks about two ways to one result: proved to agree, refuted with a witness, or undecided."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from symattn.document import Block, Inline, Maths, Prose, Remark
from symattn.narrate.names import entry, symbol
from symattn.narrate.page import Page
from symattn.notation import Chain, Symbol
from symattn.plan import base_name

if TYPE_CHECKING:
    from symattn.proofs import Proof

WALKS = {"cached": "by-cache", "online": "by-blocks", "linear": "by-linearity", "columns": "by-columns"}


def proved(page: Page, proofs: Sequence[Proof]) -> Iterator[Block]:
    """What was compared, for the results that the page shows: proved gradients stand together."""
    shown = [proof for proof in proofs if page.shows(proof.name)]
    gradients = [proof for proof in shown if proof.evaluation == "derivative" and proof.equal]
    for said, of_a_row in (("gradients-agree", False), ("jacobians-agree", True)):
        told = [proof for proof in gradients if base_name(proof.name).startswith("J") == of_a_row]
        if told:
            names: list[Prose] = [(Maths(symbol(proof.name)),) for proof in told]
            words = page.voice.say(said, names=page.voice.listed(names), t=Maths(Symbol("t")))
            yield Remark(str(page.voice.say("proved")[0]), words, "proved")
    for proof in shown:
        if proof not in gradients:
            yield _remark(page, proof)


def _remark(page: Page, proof: Proof) -> Remark:
    say, differ, undecided = page.voice.say, "walks-differ", "walks-undecided"
    parts: dict[str, Inline | Prose] = {"name": Maths(symbol(proof.name))}
    if proof.evaluation == "derivative":
        differ, undecided = "gradient-differs", "gradient-undecided"
    else:
        parts["walk"] = say(WALKS[proof.evaluation])
        parts["other"] = say("the-transpose" if proof.evaluation == "columns" else "the-direct")
    if proof.witness is not None:
        at = proof.witness
        pair = Chain(page.numbers.exact(at.left), (("≠", page.numbers.exact(at.right)),))
        place = Maths(entry(proof.name, at.row, at.col))
        said = say(differ, entry=place, pair=Maths(pair), **parts)
        return Remark(str(say("check")[0]), said, "warning")
    if not proof.decided:
        return Remark(str(say("note")[0]), say(undecided, **parts), "note")
    return Remark(str(say("proved")[0]), say("walks-agree", **parts), "proved")
