"""The page that answers, in a browser: a driver next to its script points at entries and notes what shows.

No browser is installed for these tests; where there is none they are skipped.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from fractions import Fraction
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import pytest
from conftest import ON_CI
from test_answers import CASES, solved

import symattn
from symattn.exact.decimal import printed, significant
from symattn.exact.number import Infinite

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None and not ON_CI, reason="no browser of the family of Chromium"),
]

DRIVER = """
const seen = [], wrong = [];
addEventListener("error", (event) => wrong.push(event.message));
const point = (td, kind = "pointerover") => td.dispatchEvent(new PointerEvent(kind, {bubbles: true}));
const all = (what, where = document) => [...where.querySelectorAll(what)];
const at = (key, cell) => document.querySelector(`.made table[data-m="${key}"] td[data-c="${cell}"]`);
const name = (td) => `${td.closest("table").dataset.m} ${td.dataset.c}`;
const lit = (mark) => [...new Set(all(`td.${mark}`).map(name))].sort();
const said = () => document.querySelector(".answer").textContent.replace(/[\\u2061\\u2062\\s]/g, "");
const choose = (name, value) => {
  const which = name === "count" ? "" : `[value=${value}]`;
  const input = document.querySelector(`[name=${name}]${which}`);
  if (name === "count") input.value = value; else input.checked = true;
  input.dispatchEvent(new Event("input", {bubbles: true}));
};
"""


@cache
def page(case: str) -> str:
    return solved(case).html()


def browsed(file: Path, folder: Path, width: int, *options: str) -> subprocess.CompletedProcess[str]:
    """What a browser makes of a file: the page as it is in the end, and what the browser logs."""
    assert CHROMIUM is not None
    command = [
        CHROMIUM,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        f"--window-size={width},900",
        *options,
    ]
    return subprocess.run(
        [*command, f"--user-data-dir={folder / 'profile'}", "--dump-dom", file.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )


def driven(case: str, steps: str, folder: Path, width: int = 1200) -> Any:
    """What `steps`, the body of a function, return in the page of a case."""
    html = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page(case))
    driver = f"<script>{DRIVER}const found = (() => {{ {steps} }})();"
    driver += 'const out = document.createElement("pre"); out.id = "found";'
    driver += "out.textContent = JSON.stringify([wrong, found]); document.body.append(out);</script>"
    file = folder / f"{case}.html"
    file.write_text(html.replace("</body>", f"{driver}</body>"), encoding="utf-8")
    made = browsed(file, folder, width)
    found = re.search(r'<pre id="found">(.*?)</pre>', made.stdout, re.DOTALL)
    assert found is not None, made.stdout[-300:]
    text = found[1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    wrong, answer = json.loads(text)
    assert wrong == []
    return answer


def test_pointing_lights_the_row_and_the_column_and_shows_the_working(tmp_path: Path) -> None:
    row, column, on, said = driven(
        "columns",
        """point(at("Q", "0,1")); return [lit("lit0"), lit("lit1"), lit("on"), said()];""",
        tmp_path,
    )
    assert (row, column, on) == (["X 0,1", "X 1,1"], ["W_Q 0,0", "W_Q 0,1"], ["Q 0,1"])
    assert "=1⋅0.5+(−2)⋅(−1)" in said
    assert "=0.5+2" in said
    assert "=2.5" in said


@pytest.mark.parametrize("case", CASES)
def test_every_entry_answers(case: str, tmp_path: Path) -> None:
    silent, count = driven(
        case,
        """const cells = all(".made td[data-c]");
        return [cells.filter((td) => { point(td); return !td.classList.contains("on") ||
          !document.querySelector(".answer .working li") }).map((td) => td.dataset.c), cells.length];""",
        tmp_path,
    )
    assert count > 0
    assert silent == []


@pytest.mark.parametrize("case", ["causal", "rotated"])
def test_digits_on_the_page_are_those_of_the_exact_numbers(case: str, tmp_path: Path) -> None:
    found = driven(
        case,
        """choose("show", "decimal");
        const of = (d) => [d.closest("table").dataset.m, d.closest("td").dataset.c, d.textContent];
        return [...Array(13).keys()].map((places) => { choose("count", places);
          return all(".made td[data-c] .d").map(of); });""",
        tmp_path,
    )
    derivation = solved(case).derivation
    for places, cells in enumerate(found):
        assert len(cells) > 40
        for name, cell, text in cells:
            x = derivation[name][tuple(map(int, cell.split(",")))]
            assert not isinstance(x, Infinite)
            if "×" not in text:
                assert Fraction(text.lstrip("=≈").replace("−", "-")) == Fraction(printed(x, places).digits)


@pytest.mark.parametrize("case", ["causal", "rotated"])
def test_significant_digits_are_those_of_the_exact_numbers(case: str, tmp_path: Path) -> None:
    found = driven(
        case,
        """choose("show", "decimal"); choose("rounding", "significant");
        const of = (d) => [d.closest("table").dataset.m, d.closest("td").dataset.c, d.textContent];
        return [...Array(12).keys()].map((n) => { choose("count", n + 1);
          return all(".made td[data-c] .d").map(of); });""",
        tmp_path,
    )
    derivation = solved(case).derivation
    for count, cells in enumerate(found, start=1):
        assert len(cells) > 40
        for name, cell, text in cells:
            x = derivation[name][tuple(map(int, cell.split(",")))]
            assert not isinstance(x, Infinite)
            decimal = significant(x, count)
            assert Fraction(text.lstrip("=≈").replace("−", "-").replace(" × 10", "e")) == Fraction(
                decimal.digits
            )
            assert text.startswith("≈") is not decimal.exact


def test_a_click_pins_and_a_button_goes_on_to_what_an_entry_is_used_for(tmp_path: Path) -> None:
    pinned, kept, used, released = driven(
        "causal",
        """at("V", "0,1").click(); const pinned = lit("on"); point(at("Q", "0,0")); const kept = lit("on");
        document.querySelectorAll(".uses button")[1].click(); const used = lit("on");
        document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape", bubbles: true}));
        point(at("Q", "0,0")); return [pinned, kept, used, lit("on")];""",
        tmp_path,
    )
    assert pinned == kept == ["V 0,1"]
    assert used == ["Z 0,1"]
    assert released == ["Q 0,0"]


def test_keys_move_in_a_matrix_with_one_tab_stop(tmp_path: Path) -> None:
    stops, there, aloud = driven(
        "causal",
        """const press = (key) =>
          document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
        at("Q", "0,0").focus(); press("ArrowRight"); press("ArrowDown");
        return [all("table.brackets").every((table) => all("td[tabindex='0']", table).length === 1),
          lit("on"), document.querySelector(".aloud").textContent];""",
        tmp_path,
    )
    assert stops
    assert there == ["Q 1,1"]
    assert "⋅" in aloud


@pytest.mark.parametrize("width", [1200, 500])
def test_nothing_is_cut_in_either_language(width: int, tmp_path: Path) -> None:
    cut = driven(
        "layer",
        """const found = [];
        for (const lang of ["zh", "en"]) { choose("lang", lang);
          for (const show of ["closed", "decimal", "both"]) { choose("show", show);
            found.push(document.documentElement.scrollWidth - innerWidth); } }
        return [Math.max(...found), document.querySelector(".answers").lang];""",
        tmp_path,
        width,
    )
    assert cut[0] <= 0
    assert cut[1] == "en"


def test_workings_unfold_at_the_digits_of_the_slider(tmp_path: Path) -> None:
    found = driven(
        "causal",
        """choose("count", 2);
        const step = document.querySelector("[data-step=A] .entries");
        step.open = true;
        choose("show", "decimal"); return step.textContent.replace(/\\s/g, "");""",
        tmp_path,
    )
    assert re.search(r"≈\d\.\d\d(?!\d)", found)


def test_numbers_that_end_are_put_in_once_as_they_were_typed(tmp_path: Path) -> None:
    said = driven("typed", """point(at("Q", "0,0")); return said();""", tmp_path)
    assert said.count("=1.0⋅2+0.50⋅1") == 1
    assert "=1⋅2+0.5⋅1" not in said


def test_paper_has_the_first_entries_and_the_screen_has_all_again(tmp_path: Path) -> None:
    printed, shown = driven(
        "causal",
        """const step = document.querySelector("[data-step=Q] .entries");
        step.open = true; document.querySelector("[data-step=K]").open = false;
        const count = () => all(".workings > div", step).length;
        dispatchEvent(new Event("beforeprint"));
        const onPaper = [count(), all("details:not([open])").length];
        dispatchEvent(new Event("afterprint"));
        return [onPaper, [count(), document.querySelector("[data-step=K]").open]];""",
        tmp_path,
    )
    assert printed == [4, 0]
    assert shown == [6, False]


def test_a_matrix_has_dark_ground_where_the_reader_chooses_dark(tmp_path: Path) -> None:
    grounds = driven(
        "causal",
        """return ["light", "dark"].map((theme) => { choose("theme", theme);
          return getComputedStyle(document.querySelector(".display")).backgroundColor; });""",
        tmp_path,
    )
    assert grounds == ["rgb(255, 255, 255)", "rgb(21, 24, 28)"]


def test_the_page_of_every_case_starts_without_an_error(tmp_path: Path) -> None:
    cases = Path(__file__).parent.parent / "cases"
    frames = "".join(
        f'<iframe title="{path.stem}" srcdoc="{escape(symattn.work(path).html())}"></iframe>'
        for path in sorted(cases.rglob("*.toml"))
    )
    script = """addEventListener("load", () => {
      const silent = [...document.querySelectorAll("iframe")].filter((frame) =>
        !frame.contentDocument.querySelector(".answers.live .made td[aria-label]"));
      document.body.innerHTML = `<pre id="found">${silent.map((frame) => frame.title)}</pre>`; });"""
    file = tmp_path / "all.html"
    file.write_text(f'<!DOCTYPE html><meta charset="utf-8"><body>{frames}<script>{script}</script>', "utf-8")
    made = browsed(file, tmp_path, 1200, "--enable-logging=stderr")
    assert '<pre id="found"></pre>' in made.stdout
    assert not re.findall(r".*CONSOLE.*", made.stderr)
