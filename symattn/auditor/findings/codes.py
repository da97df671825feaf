"""The kinds of findings by their plain names, with their codes: `Finding.SLIP` is SA201."""

from __future__ import annotations

from enum import StrEnum


class Finding(StrEnum):
    """A kind of finding. Its value is its code in reports and options, which never changes its meaning."""

    INTERMEDIATE_ROUNDING = "SA101"
    HIDDEN_DIGITS = "SA102"
    TRUNCATED = "SA103"
    DOCUMENT_TRUNCATES = "SA104"
    EXACT_TIE = "SA105"
    ROOT_ROUNDED_FIRST = "SA106"
    TOO_WIDE_TO_DECIDE = "SA107"

    SLIP = "SA201"
    SLIP_WITH_CAUSE = "SA202"
    WRONG_WORKING = "SA203"
    TYPO = "SA204"
    NOT_ITS_WORKING = "SA205"
    DIFFERING_COPY = "SA206"
    ODD_ONE_OUT = "SA207"

    CARRIED_FORWARD = "SA301"

    UNDEFINED_PRODUCT = "SA401"

    FALSE_ORDER = "SA501"
    FALSE_ARGMAX = "SA502"
    ROWS_DIFFER = "SA503"
    DOES_NOT_SUM_TO_ONE = "SA504"
    FALSE_SHAPE = "SA505"
    FALSE_EQUALITY = "SA506"
    UNDECIDED_STATEMENT = "SA507"
    WRONG_WORD = "SA508"

    STEP_NOT_AS_DECLARED = "SA601"
    NO_SCALE_EXPLAINS = "SA602"
    CONVENTION_INFERRED = "SA603"
    CONVENTION_GIVEN = "SA604"

    SUPPRESSION_WITHOUT_REASON = "SA801"
    UNUSED_SUPPRESSION = "SA802"

    UNREADABLE_NUMERAL = "SA901"
    NO_SUCH_QUANTITY = "SA902"
    OUT_OF_RANGE = "SA903"
    SYMBOLIC_VALUE = "SA904"
    CANNOT_BE_RECOMPUTED = "SA905"
    DOUBT = "SA906"
