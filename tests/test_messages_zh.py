"""Every message and every page of help is there in Chinese too, and `--lang` or the locale chooses it."""

from __future__ import annotations

import ast
import io
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from command import symattn

from symattn.attention.recipes.attention import attention
from symattn.cli import cli
from symattn.cli.commands import Command, Option
from symattn.cli.language import in_locale, language, use_arguments
from symattn.cli.progress import Progress
from symattn.exact.matrix import Matrix
from symattn.text import errors
from symattn.text.errors import ShapeMismatch, SymattnError
from tests.audit_cases import case

PACKAGE = Path(__file__).parent.parent / "symattn"
ERRORS = {
    name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, SymattnError)
}
ENGLISH = re.compile(r"[A-Za-z]{3,} [A-Za-z]{3,}")
CHINESE = re.compile("[\u4e00-\u9fff]")
TERMS = ("JSON Schema", "R Markdown", "TeX Live", "Noto Serif CJK SC")


def calls(names: set[str]) -> Iterator[tuple[str, ast.Call]]:
    """Every call of one of these names in the package, with its place."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
                yield f"{path.relative_to(PACKAGE)}:{node.lineno}", node


def template(node: ast.expr) -> str | None:
    """A written text with `{}` for what is filled in; None for what is computed."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in parts)
    return None


def english_left(words: str) -> list[str]:
    """What is English in words that should be Chinese, apart from what is typed or stands for it."""
    for term in TERMS:
        words = words.replace(term, "")
    return ENGLISH.findall(re.sub(r"`[^`]*`|symattn \w+|--[\w-]+|\b[A-Z]{3,}\b", "", words))


def test_no_error_is_raised_with_a_message_in_one_language() -> None:
    found = list(calls(ERRORS))
    assert len(found) > 150
    bare = [place for place, call in found for part in call.args if template(part) is not None]
    assert bare == []


def test_the_chinese_of_every_pair_is_chinese() -> None:
    pairs = [
        (place, *map(template, call.args)) for place, call in calls({"Bilingual"}) if len(call.args) == 2
    ]
    written = [(place, en, zh) for place, en, zh in pairs if en is not None and zh is not None]
    assert len(written) > 400
    assert [(place, zh) for place, _, zh in written if english_left(zh)] == []
    assert [(place, zh) for place, en, zh in written if ENGLISH.search(en) and not CHINESE.search(zh)] == []


def commands() -> Mapping[str, click.Command]:
    """Every command by what is typed for it; the group itself under ""."""
    context = click.Context(cli)
    named = {name: cli.get_command(context, name) for name in cli.list_commands(context)}
    return {"": cli} | {name: command for name, command in named.items() if command is not None}


@pytest.mark.parametrize("name", commands())
def test_every_command_and_option_has_its_help_in_both_languages(name: str) -> None:
    command = commands()[name]
    assert isinstance(command, Command)
    options = [each for each in command.params if isinstance(each, click.Option)]
    assert [each.name for each in options if not isinstance(each, Option)] == []
    texts = [command.text, *(each.text for each in options if isinstance(each, Option))]
    assert [text for text in texts if CHINESE.search(text.en) or not CHINESE.search(text.zh)] == []
    assert [text.zh for text in texts if english_left(text.zh)] == []


@pytest.mark.parametrize("name", commands())
def test_a_page_of_chinese_help_has_no_english_and_fits_the_terminal(name: str) -> None:
    from symattn.typeset.cjk import display_width

    page = (
        CliRunner()
        .invoke(cli, [*name.split(), "--help", "--lang", "zh"], prog_name="symattn", terminal_width=80)
        .output
    )
    assert page.startswith(f"用法：symattn {name}".rstrip())
    assert "选项：\n" in page
    assert english_left(page) == []
    assert [line for line in page.splitlines() if display_width(line) > 80] == []


def test_english_help_is_as_it_was() -> None:
    page = CliRunner().invoke(cli, ["new", "--help"], prog_name="symattn").output
    assert page.startswith("Usage: symattn new [OPTIONS] NAME\n\n  Print a commented case titled NAME")
    assert "Show this message and exit." in page


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("derive", "缺少参数 CASE"),
        ("check a.toml b.toml", "多余的参数：b.toml"),
        ("derive a.toml --digit 3", "没有选项 --digit。是不是 --digits"),
        ("derive a.toml --digits 500", "选项 --digits 的值应为 0 到 200 的整数，却是“500”"),
        ("derive a.toml --digits few", "选项 --digits 的值应为 0 到 200 的整数，却是“few”"),
        ("extract a.md --walk 0", "选项 --walk 的值应为不小于 1 的整数，却是“0”"),
        ("derive a.toml --steps most", "选项 --steps 的值应为 some、all 之一，却是“most”"),
        ("derive a.toml --html=3", "选项 --html 不带值"),
        ("derive a.toml --digits", "选项 --digits 需要一个值"),
        ("audti a.md", "没有命令“audti”。\n  是不是 audit？（`symattn --help` 列出全部命令）"),
    ],
)
def test_a_mistake_in_the_command_line_is_said_in_chinese(arguments: str, said: str) -> None:
    done = symattn("--lang", "zh", *arguments.split())
    assert done.returncode == 2
    assert done.stderr.startswith("用法：symattn")
    assert f"\n\n错误：{said}" in done.stderr
    assert english_left(done.stderr) == []


GIVEN = "[given]\nQ = [[1]]\nK = [[1]]\nV = [[1]]\n"
WRONG: Mapping[str, tuple[str, str]] = {
    "rows of two lengths": (
        "[given]\nX = [[1, 2], [3]]\n",
        "2:14: given.X[1]: 这一行有 1 个元素，而 given.X[0] 有 2 个\n  矩阵各行的元素个数相同",
    ),
    "an unknown key": (
        "[given]\nWQ = [[1]]\n",
        '2:1: given.WQ: 没有 "WQ" 这个键\n  是不是 W_Q？（`symattn schema` 列出全部键）',
    ),
    "a product that is not defined": (
        "[given]\nX = [[1, 2]]\nW_Q = [[1]]\nW_K = [[1], [2]]\nW_V = [[1]]\n",
        "3:7: 步骤 Q：X 是 1×2，W_Q 是 1×1，X W_Q 没有定义\n  W_Q 应有 2 行，与 X 的列数相同",
    ),
    "inputs that fit none of their weights": (
        "[given]\nX = [[1, 2]]\nW_Q = [[1]]\nW_K = [[1]]\nW_V = [[1]]\n",
        "2:5: given.X: X 有 2 列，而 W_Q、W_K 和 W_V 有 1 行\n  X 应有 1 列，或各权重应有 2 行",
    ),
    "the same with tokens as columns": (
        "[given]\nX = [[1], [2]]\nW_Q = [[1]]\nW_K = [[1]]\nW_V = [[1]]\n"
        "[attention]\ntokens_as = 'columns'\n",
        "2:5: given.X: X 有 2 行，而 W_Q、W_K 和 W_V 有 1 列\n  X 应有 1 行，或各权重应有 2 列",
    ),
    "a division by zero": (
        GIVEN.replace("V = [[1]]", "V = [['1/0']]"),
        '4:7: given.V[0][0]: "1/0"：第 2 列：除数为 0\n  只计算实数：除数不为 0，只对正数开方、取对数',
    ),
    "a word where a number belongs": (
        GIVEN + "[attention]\nheads = '2'\n",
        '6:9: attention.heads: 此处应为整数，却是文字 "2"\n  请只写数字，例如 heads = 1',
    ),
    "a division by zero within a scale, with tokens as columns": (
        GIVEN + "[attention]\nscale = '1/(n - 1)'\ntokens_as = 'columns'\n",
        '6:9: attention.scale: "1/(n - 1)"：第 2 列：除数为 0\n',
    ),
    "broken TOML": (
        "[given]\nX = [[1, 2]\n",
        "3:1: 不是有效的 TOML：数组没有结束\n  元素之间用逗号",
    ),
    "a given that nothing takes": (
        "[given]\nX = [[1]]\nW_Q = [[1]]\nW_K = [[1]]\nW_V = [[1]]\nb_O = [1]\n",
        "6:7: given.b_O: 给出了 b_O，而这个算例没有一步用到它\n  请去掉 b_O，或补上 [given] 中的 W_O",
    ),
    "what cannot be combined": (
        GIVEN + "sink = [[1]]\n[attention]\nnormaliser = 'relu'\n",
        '7:14: attention.normaliser: “normaliser = "relu"”不能与“汇点”同用\n  请去掉其中一个',
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_mistake_in_a_case_is_said_in_chinese(what: str, tmp_path: Path) -> None:
    text, said = WRONG[what]
    (tmp_path / "a.toml").write_text(text, encoding="utf-8")
    done = symattn("derive", "a.toml", "--lang", "zh", folder=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith(f"symattn: a.toml:{said}")
    assert english_left(done.stderr) == []


def test_an_audit_in_chinese_says_what_is_wrong_with_a_file_in_chinese(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("[given]\nX = [[1, 2], [3]]\n", encoding="utf-8")
    (tmp_path / "b.toml").write_text("[other]\n", encoding="utf-8")
    done = symattn("audit", ".", "--lang", "zh", folder=tmp_path)
    assert "symattn: 略过（没有 [given]，不是算例）：./b.toml\n" in done.stderr
    assert "a.toml:2:14: given.X[1]: 这一行有 1 个元素" in done.stderr


def test_a_chinese_locale_chooses_chinese_for_messages_and_not_for_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    (tmp_path / "a.toml").write_text(GIVEN + "K_extra = 1\n", encoding="utf-8")
    assert '没有 "K_extra" 这个键' in symattn("derive", "a.toml", folder=tmp_path).stderr
    (tmp_path / "b.toml").write_text(GIVEN + "W_Q = [[1]]\n", encoding="utf-8")
    done = symattn("derive", "b.toml", folder=tmp_path)
    assert "警告：已给出 W_Q，但未被使用" in done.stderr
    assert "Conventions" in done.stdout or not CHINESE.search(done.stdout)


@pytest.mark.parametrize(
    ("environment", "found"),
    [
        ({}, None),
        ({"LANG": "en_US.UTF-8"}, None),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "zh_TW.UTF-8"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "en_US.UTF-8"}, None),
        ({"LANG": "en_US.UTF-8", "LANGUAGE": "zh_CN:en"}, "zh"),
        ({"LANGUAGE": "zh"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LANGUAGE": "en:zh"}, None),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, None),
        ({"LC_ALL": "C", "LANGUAGE": "zh"}, None),
    ],
)
def test_the_locale_chooses_the_language_in_the_order_of_gettext(
    environment: Mapping[str, str], found: str | None
) -> None:
    assert in_locale(environment) == found


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (["derive", "a.toml", "--lang", "zh"], "zh"),
        (["--lang=zh", "derive", "a.toml"], "zh"),
        (["derive", "--lang", "zh", "--lang", "en"], "en"),
        (["new", "--", "--lang", "zh"], "en"),
        (["derive", "a.toml", "--lang"], "en"),
    ],
)
def test_lang_anywhere_among_the_arguments_chooses_the_language(
    arguments: list[str], found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    use_arguments(arguments)
    assert language() == found


def test_english_on_the_command_line_goes_before_a_chinese_locale(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    use_arguments([])
    assert language() == "zh"
    use_arguments(["--lang", "en"])
    assert language() == "en"


def test_for_library_users_an_error_is_english_and_has_its_chinese() -> None:
    with pytest.raises(ShapeMismatch) as caught:
        Matrix.rational([[1, 2]]) @ Matrix.rational([[1, 2]])
    error = caught.value.at(file="a.toml", line=3, column=5, step="Q")
    assert str(error).startswith("a.toml:3:5: step Q: a product of 1×2 and 1×2 is undefined\n  the columns")
    assert error.message.zh == "a.toml:3:5: 步骤 Q：1×2 与 1×2 的乘积没有定义\n  前者的列数必须等于后者的行数"


def test_progress_is_said_in_the_language_of_messages() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    use_arguments(["--lang", "zh"])
    screen, seconds = Terminal(), iter(range(0, 1000, 10))
    progress = Progress(screen, lambda: next(seconds))
    list(progress.steps(attention(case({"Q": [["1"]], "K": [["1"]], "V": [["1"]]}))))
    assert "symattn: 第 1/" in screen.getvalue()
    assert " 步：scores" in screen.getvalue()
