"""Every sentence of a page, in English and in Chinese, side by side: equals in what they say.

`{name}` marks where a formula or a word goes; both languages have the same marks. `[row|column]` marks what
reads differently where tokens are columns.
"""

from __future__ import annotations

from types import MappingProxyType

from symattn.narrate.words.conventions import CONVENTIONS
from symattn.narrate.words.findings import FINDINGS
from symattn.narrate.words.steps import STEPS
from symattn.narrate.words.table import Sentences

SENTENCES: Sentences = MappingProxyType({**CONVENTIONS, **STEPS, **FINDINGS})
