"""The case that `symattn new NAME` writes: small, commented, and ready to derive."""

from __future__ import annotations

import json
from collections.abc import Mapping

from symattn.casefile.tables import plain_words
from symattn.text.bilingual import Bilingual
from symattn.text.errors import UnusableValue

_ENGLISH = """\
# A case of symattn. `symattn derive` works it out, `symattn audit` judges what is stated below.
# A number is exact as it is typed: 0.1 is one tenth. Expressions stand in quotes: "1/3", "sqrt(2)".

title = {title}
lang = "en"
# source = "..."           # where the numbers come from; also author, date and note
tokens = ["the", "cat"]    # one label for each row of X
# symbols = ["a"]          # free symbols that entries may use

[given]
X   = [[1, 2], [2, 1]]     # one row a token
W_Q = [[0.5, 1], [1, 0.5]]
W_K = [["1/2", 1], [1, -1]]
W_V = [[1, 2], ["1/2", 1]]
# b_Q = [0, 1]             # biases, one row; or give Q, K and V, and the computation starts there

[attention]
weights = "right"          # right: X W; transposed: X W^T; left: W x for each token
# tokens_as = "columns"    # every matrix above transposed, and Q = W_Q X (leave weights out)
scale = "1/sqrt(d_k)"      # "1" for none; any expression in d_k, d_model and n
# shift = "max"            # exponentials of the scores minus the row maximum, exp(s - max)
mask = "none"              # none, causal, or a matrix of 0 and 1
heads = 1
positions = "none"         # none, sinusoidal

# What the source printed, digit for digit. Rows and columns count from 0.
[[stated]]
name = "Q"
values = [[2.5, 2.0], [2.0, 2.5]]

[[stated]]
name = "scores"
row = 1
col = 0
values = 2.5
work = "2*2.5 + 2.5*(-1)"  # the working printed beside it

# What the source says in words.
[[statement]]
kind = "order"             # order, argmax, equal-rows, sums-to-one, shape, equal
name = "A"
row = 0
value = ["cat", "the"]     # the largest first
"""

_CHINESE = """\
# symattn 的一个算例。`symattn derive` 写出推导，`symattn audit` 核对下面抄录的数字。
# 数字按键入的字符精确读取：0.1 就是十分之一。表达式放在引号里："1/3"、"sqrt(2)"。

title = {title}
lang = "zh"
# source = "……"            # 数字的出处；还有 author、date 和 note
tokens = ["小", "猫"]        # X 的每一行一个标签
# symbols = ["a"]          # 矩阵元素里可以使用的自由符号

[given]
X   = [[1, 2], [2, 1]]     # 每个词一行
W_Q = [[0.5, 1], [1, 0.5]]
W_K = [["1/2", 1], [1, -1]]
W_V = [[1, 2], ["1/2", 1]]
# b_Q = [0, 1]             # 偏置，一行；也可以直接给出 Q、K、V，从那里开始计算

[attention]
weights = "right"          # right 表示 X W；transposed 表示 X W^T；left 表示逐个词元 W x
# tokens_as = "columns"    # 以上矩阵全部转置，Q = W_Q X（此时不写 weights）
scale = "1/sqrt(d_k)"      # 不缩放写 "1"；可以是 d_k、d_model、n 的任何表达式
# shift = "max"            # 取指数之前减去该行的最大得分，即 exp(s - max)
mask = "none"              # none、causal，或由 0 和 1 组成的矩阵
heads = 1
positions = "none"         # none、sinusoidal

# 原文印出的数字，逐位照抄。行和列从 0 数起。
[[stated]]
name = "Q"
values = [[2.5, 2.0], [2.0, 2.5]]

[[stated]]
name = "scores"
row = 1
col = 0
values = 2.5
work = "2*2.5 + 2.5*(-1)"  # 原文在旁边写出的算式

# 原文用文字作出的论断。
[[statement]]
kind = "order"             # order、argmax、equal-rows、sums-to-one、shape、equal
name = "A"
row = 0
value = ["猫", "小"]         # 最大的在前
"""

_BY_LANGUAGE: Mapping[str, str] = {"en": _ENGLISH, "zh": _CHINESE}


def template(name: str, lang: str = "en") -> str:
    """A commented case with the title `name`, in English or Chinese; it reads back as a case.

    Raises UnusableValue for a name with control characters or another language.
    """
    if lang not in _BY_LANGUAGE:
        raise UnusableValue(
            Bilingual(f"the language {lang}", f"语言 {lang}"),
            Bilingual(f"one of: {', '.join(_BY_LANGUAGE)}", f"可用：{'、'.join(_BY_LANGUAGE)}"),
        ).at(key="lang")
    title = json.dumps(plain_words(name, "title"), ensure_ascii=False)
    return _BY_LANGUAGE[lang].replace("{title}", title, 1)
