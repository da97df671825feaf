"""`symattn derive` and `check` as a user meets them: formats, options, exit status, messages."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
import sympy
from click.testing import CliRunner
from once import CASES, FOLDER, but_slow, work

from symattn.cli import cli, main

ROOT = Path(__file__).parent.parent
CASE = str(ROOT / "cases" / "thinking_machines.toml")


def run(*words: str) -> str:
    """The standard output of a verb that succeeds."""
    result = CliRunner().invoke(cli, list(words), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The message of a verb that refuses its input: status 2, nothing on standard output."""
    old, sys.argv = sys.argv, ["symattn", *words]
    try:
        with pytest.raises(SystemExit) as stop:
            main()
    finally:
        sys.argv = old
    assert stop.value.code == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    return printed.err


def test_a_fragment_of_html_has_the_page_without_its_frame(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("derive", CASE, "--html", "--fragment").startswith("<style>")
    assert "--fragment: it leaves the frame of HTML out" in refused(capsys, "derive", CASE, "--fragment")


def test_latex_is_a_fragment_and_standalone_a_document() -> None:
    assert r"\documentclass" not in run("derive", CASE, "--latex")
    assert run("derive", CASE, "--latex", "--standalone").lstrip().startswith(("%", r"\documentclass"))
    assert r"\end{document}" in run("derive", CASE, "--latex", "--standalone")


def test_every_format_shows_the_logistic_weight_and_its_decimal() -> None:
    assert r"\frac{1}{1 + e^{\sqrt{2}/2}}" in run("derive", CASE, "--latex")
    for form in ("--markdown", "--html", "--text", "--json"):
        assert "0.3302" in run("derive", CASE, form)


def test_json_keeps_its_contract() -> None:
    data = json.loads(run("derive", CASE, "--json"))
    assert data["schema"] == "symattn/derivation/1"
    assert data["tokens"] == ["Thinking", "Machines"]
    names = [step["name"] for step in data["steps"]]
    assert names == ["Q", "K", "V", "scores", "scaled", "exp", "sum", "A", "Z"]
    q, weights = data["steps"][0], data["steps"][7]
    assert q == {
        "name": "Q",
        "formula": "X W_Q",
        "shape": [2, 2],
        "exact": [["1", "1"], ["2", "1"]],
        "decimal": [["1.0000", "1.0000"], ["2.0000", "1.0000"]],
    }
    assert weights["decimal"] == [["0.3302", "0.6698"], ["0.3302", "0.6698"]]
    read_back = sympy.sympify(weights["exact"][0][0])
    assert read_back == 1 / (1 + sympy.exp(sympy.sqrt(2) / 2))
    assert {"kind": "equal-rows", "name": "A", "rows": [0, 1], "decided": True} in data["facts"]
    assert data["crosscheck"]["backend"] == "numpy"
    assert data["crosscheck"]["agrees"] is True


def flat(rows: list[list[str | None]]) -> list[str | None]:
    return [entry for row in rows for entry in row]


READ_BACK = [path for path in CASES if not path.stem.startswith("stacked")]
"""Those hold long definitions, some of which tests/test_stacked.py reads back."""


@pytest.mark.parametrize("path", but_slow(READ_BACK, "backward_layers", "encoder_pre_norm"))
def test_every_exact_string_of_a_case_is_read_back_by_sympy_to_its_decimal(path: Path) -> None:
    data = json.loads(work(path).json(significant=12))
    named: dict[sympy.Symbol, sympy.Expr] = {}
    for name, text in data.get("definitions", {}).items():
        named[sympy.Symbol(name)] = sympy.sympify(text).evalf(40, subs=named)

    @cache
    def read_back(exact: str) -> sympy.Expr:
        return sympy.sympify(exact).evalf(30, subs=named)

    for step in data["steps"]:
        for exact, decimal in zip(flat(step["exact"]), flat(step["decimal"]), strict=True):
            if decimal is None or exact == "-oo":
                continue
            error = abs(read_back(exact) - sympy.Float(decimal, 30))
            assert error <= abs(read_back(exact)) * sympy.Float("1e-11"), step["name"]


def test_digits_and_significant_digits_are_as_asked() -> None:
    deep = str(ROOT / "cases" / "softmax_saturation.toml")
    weights = json.loads(run("derive", deep, "--json", "--only", "A", "--significant", "3"))["steps"][0]
    assert weights["decimal"][0] == ["2.61e-17", "1.00"]
    six = json.loads(run("derive", CASE, "--json", "--only", "A", "--digits", "6"))["steps"][0]
    assert six["decimal"][0] == ["0.330238", "0.669762"]


def test_a_weight_that_is_not_zero_does_not_print_as_zero() -> None:
    assert "2.61" in run("derive", str(ROOT / "cases" / "softmax_saturation.toml"), "--text", "--only", "A")


def test_the_language_is_the_cases_unless_it_is_asked_for() -> None:
    chinese = str(ROOT / "cases" / "softmax_saturation.toml")
    assert "查询" in run("derive", chinese, "--text")
    assert "Queries" in run("derive", CASE, "--text")
    english = run("derive", chinese, "--text", "--lang", "en")
    assert "Queries" in english
    assert "查询" not in english


def test_output_goes_to_a_file_whole(tmp_path: Path) -> None:
    target = tmp_path / "notes.tex"
    assert run("derive", CASE, "--latex", "-o", str(target)) == ""
    assert target.read_text(encoding="utf-8") == run("derive", CASE, "--latex")
    assert [path.name for path in tmp_path.iterdir()] == ["notes.tex"]


def test_an_unwritable_output_leaves_nothing_behind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    message = refused(capsys, "derive", CASE, "-o", str(tmp_path / "missing" / "notes.tex"))
    assert "cannot write" in message
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_step_is_refused_with_some_names_and_what_lists_the_rest(
    capsys: pytest.CaptureFixture[str],
) -> None:
    message = refused(capsys, "derive", CASE, "--only", "B")
    assert 'no step named "B"' in message
    assert "such as Q, K, V, scores, scaled; `symattn check CASE` lists all steps" in message


@pytest.mark.parametrize("form", ["--text", "--html"])
def test_standalone_belongs_to_latex(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    message = refused(capsys, "derive", CASE, form, "--standalone")
    assert f"--standalone: it makes a whole LaTeX document, not {form[2:]}" in message
    assert "write --latex --standalone" in message


BAD = {
    "shape": ("X = [[1, 2, 3]]\nW_Q = [[1]]\nW_K = [[1], [1], [1]]", "3:7", "X is 1×3 and W_Q is 1×1"),
    "ragged": ("X = [[1, 2], [3]]", "2:14", "length 1"),
    "symbol": ('X = [["a"]]\nW_Q = [[1]]', "2:7", "not declared"),
    "nan": ("X = [[nan]]", "2:7", "nan"),
    "tower": ('X = [["9**9**9"]]', "2:7", "exponent"),
    "import": ("X = [[\"__import__('os')\"]]", "2:7", "__import__"),
    "division": ('X = [["1/0"]]', "2:7", "division by zero"),
    "scale": ('X = [[1]]\n[attention]\nscale = "0"', "4:9", "scale"),
    "key": ("Y = [[1]]", "2:1", "unknown"),
    "nothing": ("W_Q = [[1]]", "", "nothing can be computed"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_gets_one_message_with_its_place(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body, place, said = BAD[name]
    path = tmp_path / "bad.toml"
    path.write_text(f"[given]\n{body}\n", encoding="utf-8")
    message = refused(capsys, "derive", str(path), "--latex")
    assert f"bad.toml:{place}" if place else "bad.toml" in message
    assert f"{path}{':' + place if place else ''}" in message
    assert said in message
    assert len(message.strip().split("\n")) == 2  # what was found, and what would work


def test_a_missing_file_and_a_huge_file_are_refused_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "no such file" in refused(capsys, "derive", str(tmp_path / "none.toml"))
    huge = tmp_path / "huge.toml"
    huge.write_bytes(b"#" * 10_000_000)
    assert "10,000,000 bytes" in refused(capsys, "derive", str(huge))


def test_scores_beyond_all_floats_are_told_without_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "vast.toml"
    given = 'Q = [["1e20", 0], [1, 2]]\nK = [["1e20", 1], [0, 3]]\nV = [["1e30"], ["1e-30"]]'
    path.write_text(f'title = "v"\n[given]\n{given}\n')
    told = run("derive", str(path), "--text")
    assert "1e-30" in told
    assert "██ 1.0000" in told


def test_a_number_of_a_billion_digits_is_never_written_out(tmp_path: Path) -> None:
    path = tmp_path / "vast.toml"
    path.write_text(
        'title = "v"\n[given]\nscores = [[1000000000, 1]]\nV = [[1], [2]]\n[attention]\nscale = 1\n'
    )
    assert "434294482" in run("derive", str(path), "--text")
    steps = {step["name"]: step for step in json.loads(run("derive", str(path), "--json"))["steps"]}
    assert steps["exp"]["decimal"] == [["8.0030e434294481", "2.7183"]]


def test_check_reports_ulps_and_fails_on_nothing() -> None:
    table = run("check", CASE)
    assert "A " in table
    assert "agrees" in table
    assert "DISAGREES" not in table
    assert json.loads(run("check", CASE, "--json"))["agrees"] is True


def installed(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "symattn", *words]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, **environment}, timeout=60
    )


def test_what_is_piped_has_no_colour_and_the_program_runs_as_a_module() -> None:
    ran = installed("derive", CASE, "--text", PYTHONIOENCODING="utf-8")
    assert ran.returncode == 0
    assert "\x1b[" not in ran.stdout


def test_help_imports_neither_sympy_nor_numpy_nor_flint_nor_a_typesetter() -> None:
    probe = (
        "import sys; sys.argv = ['symattn', '--help']\n"
        "from symattn.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "typesetters = [f'symattn.typeset.{form}' for form in ('html', 'latex', 'markdown', 'text')]\n"
        "print([name for name in ('sympy', 'numpy', 'flint', *typesetters) if name in sys.modules])"
    )
    command = [sys.executable, "-c", probe]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert ran.stdout.strip().endswith("[]")


@pytest.mark.parametrize("case", ["thinking_machines.toml", "wo_ai_mao.toml"])
@pytest.mark.parametrize("form", ["--text", "--latex"])
def test_a_case_of_rationals_is_derived_and_checked_without_sympy(case: str, form: str) -> None:
    probe = (
        f"import sys; sys.argv = ['symattn', 'derive', {str(FOLDER / case)!r}, {form!r}]\n"
        "from symattn.cli import main\n"
        "try: main()\n"
        "except SystemExit as end: print(end.code, 'numpy' in sys.modules, 'sympy' in sys.modules)\n"
    )
    ran = subprocess.run([sys.executable, "-c", probe], capture_output=True, check=True, timeout=60)
    assert ran.stdout.split()[-3:] == [b"0", b"True", b"False"]


def test_closed_forms_that_would_fill_the_memory_are_refused_with_what_would_work(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("symattn.narrate.export.MOST_TERMS", 20)
    message = refused(capsys, "derive", CASE, "--json")
    assert "at most 20 are written out" in message
    assert "--only Q,K,scores,scaled,sum" in message
    assert json.loads(run("derive", CASE, "--json", "--only", "Q"))["steps"][0]["name"] == "Q"


@pytest.mark.parametrize(
    ("case", "tap", "step"),
    [
        ("softcap", "raw", "scaled"),
        ("softcap", "softcapped", "capped"),
        ("softcap", "biased", "masked"),
        ("softcap", "probabilities", "A"),
        ("additive_mask", "softcapped", "scaled"),
        ("temperature", "biased", "scaled"),
        ("alibi", "biased", "biased"),
    ],
)
def test_the_taps_of_onnx_name_the_steps_they_show(case: str, tap: str, step: str) -> None:
    """Where a step is left out, its tap shows the step before it."""
    path = ROOT / "cases" / "variants" / f"{case}.toml"
    steps = json.loads(run("derive", str(path), "--json", "--only", tap))["steps"]
    assert {each["name"].rpartition(".")[2] for each in steps} == {step}
    assert steps


def test_effort_decides_what_the_bound_on_work_leaves_open(tmp_path: Path) -> None:
    case = tmp_path / "case.toml"
    case.write_text(
        'title = "t"\n[given]\nscores = [["sqrt((2^(1/7)+3^(1/11))^2)", "2^(1/7)+3^(1/11)"]]\n'
        "V = [[1], [2]]\n"
        '[attention]\nscale = "1"\n',
        encoding="utf-8",
    )
    little = CliRunner().invoke(cli, ["derive", str(case), "--effort", "64"])
    much = CliRunner().invoke(cli, ["derive", str(case), "--effort", "100000"])
    assert "The order of the weights in row 1 could not be decided." in little.output
    assert (
        "an equality is undecided: its proof needs 616 bits, and the limit is 64; --effort 1000"
        in little.stderr
    )
    assert "row 1 attends to all keys equally" in much.output
