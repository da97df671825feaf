"""Keys that a case has elsewhere, or under another name: `mask` above `[given]`, `num_heads`, `W_Q1`."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from types import MappingProxyType

from symattn.casefile import keys
from symattn.text.bilingual import Bilingual
from symattn.text.suggest import near

TABLES = {"": keys.CASE, "given": keys.GIVEN, "attention": keys.ATTENTION}
_TITLES = {
    "": Bilingual("in the first lines of the file", "文件的开头"),
    "given": Bilingual("under [given]", " [given] 下"),
    "attention": Bilingual("under [attention]", " [attention] 下"),
}


def _line(table: str, line: str) -> Bilingual:
    title = _TITLES[table]
    return Bilingual(f"write {title.en}: {line}", f"请在{title.zh}写：{line}")


_HEADS = _line("attention", "heads = 2")
_ROPE = _line("attention", 'positions = "sinusoidal"')
_TOKENS = _line("", 'tokens = ["the", "cat"]')
_DROPOUT = Bilingual(
    "dropout is not computed, as it is not in evaluation: leave it out",
    "推断时没有 dropout，这里不计算它：请去掉",
)
_SIZE = Bilingual("sizes follow from the matrices: leave it out", "维数由矩阵的形状得出：请去掉")
_MATRICES = (
    *zip(("embeddings", "embedding", "inputs", "input"), "XXXX", strict=True),
    *zip(("queries", "query", "keys", "key", "values", "value"), "QQKKVV", strict=True),
    *zip(("attention_weights", "attn_weights"), "AA", strict=True),
)
_BY_ANOTHER_NAME: Mapping[str, Bilingual] = MappingProxyType(
    {
        **dict.fromkeys(
            ("causal", "is_causal", "causal_mask", "triu", "tril"), _line("attention", 'mask = "causal"')
        ),
        **dict.fromkeys(("dropout", "dropout_p", "attn_dropout"), _DROPOUT),
        **dict.fromkeys(("num_heads", "n_heads", "n_head", "nhead", "h"), _HEADS),
        **dict.fromkeys(("d_k", "d_v", "d_q", "head_dim", "seq_len", "n", "embed_dim"), _SIZE),
        **dict.fromkeys(("positional_encoding", "pos_encoding", "pe"), _ROPE),
        **dict.fromkeys(("attn_mask", "attention_mask"), _line("attention", "mask = [[1, 0], [1, 1]]")),
        **dict.fromkeys(("temperature", "scaling", "scaled"), _line("attention", 'scale = "1/sqrt(d_k)"')),
        **dict.fromkeys(("words", "labels", "sentence"), _TOKENS),
        **dict.fromkeys(("name", "heading"), _line("", 'title = "..."')),
        **{other: _line("given", f"{name} = [[1, 0], [0, 1]]") for other, name in _MATRICES},
    }
)
"""What people call the settings of attention, in lower case, and how a case writes them."""
_OF_A_HEAD = re.compile(r"([A-Za-z_]+?)_?(?:h|head)?([1-9][0-9]?)")


def elsewhere(name: str, path: str, known: Collection[str]) -> Bilingual | None:
    """The remedy for a key that the table at `path` lacks and a case has; None where it has none."""
    if path not in TABLES or any(_bare(name) == _bare(each) for each in known):
        return None
    for table, its in TABLES.items():
        if table != path and name in (key.name for key in its):
            return Bilingual(f"it belongs {_TITLES[table].en}", f"它应写在{_TITLES[table].zh}")
    if said := _BY_ANOTHER_NAME.get(name.lower()):
        return said
    if path == "given" and (numbered := _OF_A_HEAD.fullmatch(name)) and numbered[1] in keys.OF_A_HEAD:
        base, number = numbered.groups()
        return Bilingual(
            f"what one head has of its own is written [given.head{number}] {base} = ..., "
            "with heads = 2 or more under [attention]",
            f"单个头的量写作 [given.head{number}] {base} = ...，并在 [attention] 下写 heads = 2 或更多",
        )
    if near(name, known):
        return None
    table_of = {key.name: table for table, its in TABLES.items() for key in its}
    if close := near(name, table_of):
        title = _TITLES[table_of[close[0]]]
        return Bilingual(f"did you mean {close[0]}, {title.en}?", f"是不是{title.zh}的 {close[0]}？")
    return None


def _bare(name: str) -> str:
    return re.sub(r"[\s_-]", "", name).lower()
