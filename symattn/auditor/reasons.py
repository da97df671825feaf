"""Why a numeral got no verdict, in both languages: one table of phrases.

The reader and the errors of the library say it in English; the table holds every such phrase as a template,
and its Chinese twin. A phrase that the table does not know stays as it is.
"""

from __future__ import annotations

import re
from functools import cache

from symattn.auditor.findings.rule import Lang, Words

PHRASES = (
    Words("no quantity of the walk could be tied to it", "推导中没有能与它对应的量"),
    Words(
        "a share of attention, and nothing printed that it could be computed from",
        "注意力的比例，但没有印出可供计算的量",
    ),
    Words(
        "nothing that {name} is computed from is given or printed",
        "计算 {name} 所需的量既没有给出，也没有印出",
    ),
    Words(
        "the formula beside it comes to other numbers with those that are printed for its names",
        "按其中各名称所印的数，旁边的公式得出的是另一些数",
    ),
    Words(
        "no number of this example is right, so its letters probably mean something else",
        "这个例子中没有一个数是对的，其中的字母可能另有所指",
    ),
    Words(
        "most of these numbers follow from something that was not read",
        "这些数大多由未能读取的内容得出",
    ),
    Words(
        "most of these numbers were printed otherwise before, so they are probably of another example",
        "这些数大多与前面所印的不同，可能属于另一个例子",
    ),
    Words(
        "these numbers were printed otherwise before, and are those of another row",
        "这些数与前面所印的不同，却正是另一行的数",
    ),
    Words(
        "none of these numbers is right, and what is printed elsewhere speaks against them",
        "这些数没有一个正确，而别处所印的数与它们不符",
    ),
    Words(
        "these numbers have more decimals than what they would be a copy of",
        "这些数的小数位比它们所抄的数还多",
    ),
    Words(
        "these numbers follow from numbers above them that were not read",
        "这些数由上文未能读取的数得出",
    ),
    Words(
        "the same numbers are right as a row of the walk",
        "同样的数作为推导中的一行是正确的",
    ),
    Words(
        "the text around says that these numbers are of something else",
        "上下文说明这些数另有所指",
    ),
    Words(
        "a decimal was printed before, so this whole number probably counts something",
        "前面印的是小数，这个整数大概只是编号",
    ),
    Words(
        "there are more numbers than entries, so they are probably of something else",
        "数的个数多于该量的元素，大概另有所指",
    ),
    Words(
        "these numbers stand above an input of theirs, which is of something else",
        "这些数位于其输入之前，该输入大概属于别处",
    ),
    Words(
        "this root is right, and of another number than the length of the keys",
        "这个根号算得对，但并非键的长度的根",
    ),
    Words("these numbers begin an example with other inputs", "这些数是另一个例子的输入"),
    Words(
        "the right numbers stand elsewhere, so these are probably those of a variant",
        "正确的数印在别处，这些大概属于另一种做法",
    ),
    Words("most numbers beside these are of something else", "旁边的数大多另有所指"),
    Words("these numbers follow a mask that is shown nowhere", "这些数取决于没有给出的掩码"),
    Words(
        "most numbers of several projections follow from an input that was not read",
        "几个投影的数大多由未能读取的输入得出",
    ),
    Words(
        "these numbers are off by the same in every row, as by a bias that was not read",
        "这些数在每一行都相差同样多，像是有未能读取的偏置",
    ),
    Words(
        "these numbers are right where a step that was not read was rounded",
        "若未能读取的一步经过舍入，这些数就是对的",
    ),
    Words(
        "it follows without the scale, which stands only further on",
        "它不经缩放得出，而缩放在后文才出现",
    ),
    Words("there is no walk for this head", "这个头没有可走的推导"),
    Words("{count} heads do not share the columns evenly", "{count} 个头无法平分各列"),
    Words(
        "the walk has no quantity {name}; it has {names} and others, which `symattn check` lists",
        "推导中没有 {name} 这个量，有 {names} 等，check 命令列出全部",
    ),
    Words("the walk has no quantity {name}; it has {names}", "推导中没有 {name} 这个量，只有 {names}"),
    Words(
        "{name} is {shape}, so it has no entry in row {row}, column {col}",
        "{name} 是 {shape} 矩阵，没有第 {row} 行第 {col} 列",
    ),
    Words("its working {work} has no value", "它的算式 {work} 没有值"),
    Words("X is {x} and W is {w}, so {product} is undefined", "X 是 {x}，W 是 {w}，{product} 没有定义"),
    Words("A is {a} and V is {v}, so A V is undefined", "A 是 {a}，V 是 {v}，A V 没有定义"),
    Words(
        "{left} is {a} and {right} is {b}, so their dot products are undefined",
        "{left} 是 {a}，{right} 是 {b}，两者的点积没有定义",
    ),
    Words("a product of {a} and {b} is undefined", "{a} 与 {b} 的乘积没有定义"),
    Words("{a} and {b} cannot be added", "{a} 与 {b} 不能相加"),
    Words("{a} and {b} cannot be combined entry by entry", "{a} 与 {b} 不能逐项运算"),
    Words("{a} and {b} cannot stand side by side", "{a} 与 {b} 不能左右并列"),
    Words("heads of {a} and {b} cannot stand side by side", "{a} 与 {b} 的头不能左右并列"),
    Words("columns {a} to {b} of a {shape} matrix", "{shape} 矩阵没有第 {a} 至 {b} 列"),
    Words("rows {a} to {b} of a {shape} matrix", "{shape} 矩阵没有第 {a} 至 {b} 行"),
    Words("the mask is {mask}, the scores are {scores}", "掩码是 {mask}，得分是 {scores}"),
    Words("the bias is {shape}", "偏置是 {shape}，形状不合"),
    Words("the list of padding is {shape}", "填充表是 {shape}，形状不合"),
    Words("the exponentials are {a}, their sums {b}", "指数是 {a}，其和是 {b}"),
    Words("row {row} of the softmax has no visible key", "softmax 的第 {row} 行没有可见的键"),
    Words("nothing can be computed from what is given ({names})", "由所给的量（{names}）什么也算不出"),
    Words("nothing can be computed from what is given (the table is empty)", "什么也没有给出"),
    Words("the scale is 0, so every score would vanish", "缩放因子是 0，得分会全部消失"),
    Words(
        'the scale is "{scale}", and nothing given says how large {size} is',
        "缩放因子是“{scale}”，而没有给出 {size} 的大小",
    ),
    Words("the base of the softmax is {base}", "softmax 的底是 {base}"),
    Words(
        "{mask} for {queries} queries and {keys} keys, and no word on which of them stand side by side",
        "{queries} 个查询对 {keys} 个键，而没有说明它们怎样对齐",
    ),
    Words("a division by zero", "除数为 0"),
    Words("a division by minus infinity", "除以负无穷"),
    Words("the square root of a negative number", "负数的平方根"),
    Words("the logarithm of a number that is not positive", "非正数的对数"),
    Words("a power with a fractional exponent and a base that is not positive", "底数非正而指数为分数的幂"),
    Words("a power of {exponent}", "指数 {exponent} 过大"),
    Words("the {degree}th root", "{degree} 次方根"),
    Words("a number too long to write down", "这个数太长，写不下来"),
    Words("{text}: not a decimal number", "{text} 不是小数"),
    Words("minus infinity is no number to compare with", "负无穷不是可比较的数"),
    Words("{text} is not a printed number", "{text} 不是印出的数"),
    Words("{text}: {count} characters", "{text} 有 {count} 个字符"),
    Words("{text}: an expression of {count} characters", "{text} 是 {count} 个字符的式子"),
    Words("{text}: a numeral of {count} digits at column {column}", "{text} 第 {column} 列的数有 {count} 位"),
    Words("{phrase} at column {column}", "第 {column} 列：{phrase}"),
    Words("{text}: {phrase}", "{text}：{phrase}"),
)


def reason(why: str, lang: Lang) -> str:
    """Why, in one language; a phrase inside a phrase is said in it too."""
    if lang == "en":
        return why
    for words in PHRASES:
        found = _pattern(words.en).fullmatch(why)
        if found is not None:
            values = found.groupdict()
            if "phrase" in values:
                inner = reason(values["phrase"], lang)
                if inner == values["phrase"]:
                    continue
                values["phrase"] = inner
            return words.zh.format(**values)
    return why


@cache
def _pattern(template: str) -> re.Pattern[str]:
    parts = enumerate(re.split(r"\{(\w+)\}", template))
    return re.compile("".join(f"(?P<{part}>.+?)" if k % 2 else re.escape(part) for k, part in parts))
