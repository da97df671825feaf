"""Remarks about two ways to one result: proved to agree, refuted with a witness, or undecided."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from symattn.narrate.names import entry, symbol
from symattn.narrate.page import Page
from symattn.plans.plan import base_name
from symattn.text.bilingual import Bilingual
from symattn.text.document import Block, Inline, Maths, Prose, Remark
from symattn.text.notation import Chain, Symbol

if TYPE_CHECKING:
    from symattn.checks.proofs import Proof

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
    undecided: dict[tuple[str, Bilingual | None], list[Prose]] = {}
    for proof in shown:
        if proof.decided and proof not in gradients:
            yield _remark(page, proof)
        elif not proof.decided:
            alike = undecided.setdefault((proof.evaluation, proof.reason), [])
            alike.append((Maths(symbol(proof.name)),))
    for (evaluation, reason), names in undecided.items():
        yield _undecided(page, evaluation, reason, names)


def _undecided(page: Page, evaluation: str, reason: Bilingual | None, names: list[Prose]) -> Remark:
    say, which = page.voice.say, "gradient-undecided" if evaluation == "derivative" else "walks-undecided"
    why: Prose = () if reason is None else (*say("because"), *say(reason))
    parts = {"names": page.voice.listed(names), "why": why, **_compared(page, evaluation)}
    return Remark(str(say("note")[0]), page.voice.sentence(say(which, **parts)), "note")


def _compared(page: Page, evaluation: str) -> dict[str, Inline | Prose]:
    """How two results of one name were computed; nothing for a gradient, which has a definition."""
    say = page.voice.say
    if evaluation == "derivative":
        return {}
    other = say("the-transpose" if evaluation == "columns" else "the-direct")
    return {"walk": say(WALKS[evaluation]), "other": other}


def _remark(page: Page, proof: Proof) -> Remark:
    say, parts = page.voice.say, _compared(page, proof.evaluation)
    parts["name"] = Maths(symbol(proof.name))
    if proof.witness is None:
        return Remark(str(say("proved")[0]), say("walks-agree", **parts), "proved")
    at, differ = proof.witness, "gradient-differs" if proof.evaluation == "derivative" else "walks-differ"
    numbers = page.of(proof.name)
    pair = Chain(numbers.exact(at.left), (("≠", numbers.exact(at.right)),))
    place = Maths(entry(proof.name, at.row, at.col))
    return Remark(str(say("check")[0]), say(differ, entry=place, pair=Maths(pair), **parts), "warning")
