"""Why a finding has no fix, in words that go after "no fix: "."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from symattn.auditor.findings.codes import Finding
from symattn.auditor.findings.conventions import CONVENTIONS
from symattn.auditor.findings.shapes import SHAPES
from symattn.auditor.report import Judgement, Remark
from symattn.text.bilingual import Bilingual

UNDEFINED = Bilingual("changing a number cannot make the product defined", "改数字不能使乘积有定义")
SENTENCE = Bilingual("a sentence must be rewritten by its author", "语句须由作者改写")
NUMBERS = Bilingual("the wrong numbers are separate findings", "错的数另有条目")
REMARKS: Mapping[Finding, Bilingual] = MappingProxyType(
    {rule.code: words for rules, words in ((SHAPES, UNDEFINED), (CONVENTIONS, NUMBERS)) for rule in rules}
)
"""Why a finding that is not about a single number has none, where it is not about a sentence."""

CLOSED = Bilingual("the right value has no closed form of this kind", "正确值没有同样的精确写法")
FRACTION = Bilingual("the right value is not a fraction", "正确值不是分数")
ROUNDED = Bilingual("the right value cannot be written with the digits shown", "正确值无法用所印的位数写出")
NOWHERE = Bilingual("its place in the file is unknown", "不知道它印在何处")
DISAGREES = Bilingual("the corrected text would contradict its context", "改写后仍与上下文不一致")


def why_unfixed(finding: Judgement | Remark) -> Bilingual:
    """The reason that a finding is still there after its fixes, or has none."""
    if isinstance(finding, Remark):
        return DISAGREES if finding.fix else REMARKS.get(finding.code, SENTENCE)
    number = finding.printed
    if finding.fix is not None:
        return NOWHERE if number.place is None else DISAGREES
    if number.numeral.closed:
        return CLOSED
    if number.numeral.exact:
        return FRACTION
    return ROUNDED
