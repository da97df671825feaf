"""Remarks about two walks of one result: proved to agree, refuted with a witness, or undecided."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from symattn.document import Block, Maths, Remark
from symattn.narrate.names import entry, symbol
from symattn.narrate.page import Page
from symattn.notation import Chain

if TYPE_CHECKING:
    from symattn.proofs import Proof

WALKS = {"cached": "by-cache", "online": "by-blocks", "linear": "by-linearity", "columns": "by-columns"}


def proved(page: Page, proofs: Sequence[Proof]) -> Iterator[Block]:
    """One remark a proof, for the results that the page shows."""
    for proof in proofs:
        if page.shows(proof.name):
            yield _remark(page, proof)


def _remark(page: Page, proof: Proof) -> Remark:
    say, name = page.voice.say, Maths(symbol(proof.name))
    walk = say(WALKS[proof.walk])
    other = say("the-transpose" if proof.walk == "columns" else "the-direct")
    if proof.witness is not None:
        at = proof.witness
        pair = Chain(page.numbers.exact(at.left), (("≠", page.numbers.exact(at.right)),))
        place = Maths(entry(proof.name, at.row, at.col))
        said = say("walks-differ", name=name, walk=walk, other=other, entry=place, pair=Maths(pair))
        return Remark(str(say("check")[0]), said, "warning")
    if not proof.decided:
        return Remark(str(say("note")[0]), say("walks-undecided", name=name, walk=walk, other=other), "note")
    return Remark(str(say("proved")[0]), say("walks-agree", name=name, walk=walk, other=other), "proved")
