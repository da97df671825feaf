"""`symattn golden`: files of arrays, comparisons, refusals and exit statuses; and the same from Python."""

from __future__ import annotations

import json
import math
import struct
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from command import symattn as run
from jsonschema import Draft202012Validator

import symattn
from symattn.golden.files import read
from symattn.golden.formats import FORMATS
from symattn.golden.inputs import Array
from symattn.golden.safetensors import spelled

ONES: dict[str, Any] = {"q": [[0.0]], "k": [[0.0], [0.0]], "v": [[1.0], [2.0]]}


def npz(path: Path, form: str = "float16", **arrays: Any) -> Path:
    np.savez(path, **{name: np.asarray(x, form) for name, x in arrays.items()})
    return path


def test_outputs_are_written_with_the_settings(tmp_path: Path) -> None:
    done = run("golden", npz(tmp_path / "in.npz", **ONES), "-o", "out.npz", folder=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    with np.load(tmp_path / "out.npz") as found:
        assert (found["o"].dtype, found["o"].tolist()) == (np.float16, [[1.5]])
        assert (found["lse"].dtype, found["lse"].tolist()) == (np.float32, [float(np.float32(math.log(2)))])
        assert json.loads(str(found["settings"]))["scale"] == "exact"


@pytest.mark.parametrize("form", ["bfloat16", "float8_e4m3fn", "float8_e5m2"])
@pytest.mark.parametrize("ending", ["npz", "safetensors"])
def test_formats_that_numpy_lacks_are_written_and_read_again(tmp_path: Path, form: str, ending: str) -> None:
    npz(tmp_path / "in.npz", **ONES)
    run("golden", "in.npz", "--format", form, "-o", f"out.{ending}", folder=tmp_path)
    found = read(str(tmp_path / f"out.{ending}"), ["o"])["o"]
    assert (found.values.tolist(), found.format) == ([[1.5]], FORMATS[form])
    done = run("golden", "in.npz", "--format", form, "--compare", f"out.{ending}", folder=tmp_path)
    assert "o (" + form + "): largest error 0 ulp, mean 0 ulp, 1 of 1 correctly rounded" in done.stdout


def test_a_file_of_safetensors_has_a_header_of_names_types_shapes_and_places() -> None:
    half = FORMATS["float16"]
    content = spelled({"o": Array(np.array([[1.0, -2.0]]), half)}, {"format": "float16"})
    length = struct.unpack("<Q", content[:8])[0]
    assert json.loads(content[8 : 8 + length]) == {
        "__metadata__": {"format": "float16"},
        "o": {"dtype": "F16", "shape": [1, 2], "data_offsets": [0, 4]},
    }
    assert content[8 + length :] == b"\x00\x3c\x00\xc0"


def test_a_seed_makes_inputs_that_are_written_with_the_results(tmp_path: Path) -> None:
    for out in ("a.npz", "b.npz"):
        run("golden", "seed:3:2x4x3", "--format", "float16", "--causal", "-o", out, folder=tmp_path)
    first, second = (np.load(tmp_path / out) for out in ("a.npz", "b.npz"))
    assert all(np.array_equal(first[name], second[name]) for name in ("q", "k", "v", "o", "lse"))
    assert (first["q"].dtype, first["q"].shape) == (np.float16, (2, 4, 3))
    again = run("golden", "a.npz", "--causal", "--compare", "a.npz", folder=tmp_path)
    assert "24 of 24 correctly rounded" in again.stdout


def test_a_comparison_lists_the_worst_entries_with_the_scores_of_their_rows(tmp_path: Path) -> None:
    npz(tmp_path / "in.npz", q=[[2.0]], k=[[0.0], [3.0]], v=[[1.0], [1.0]])
    npz(tmp_path / "out.npz", o=[[1.0 + 3 * 2.0**-10]])
    done = run("golden", "in.npz", "--compare", "out.npz", "--within", "3", folder=tmp_path)
    assert done.returncode == 0
    assert done.stdout == (
        "o (float16): largest error 3 ulp, mean 3 ulp, 0 of 1 correctly rounded\n"
        "         2 – 4 ulp          1  ████████████████████████████████████████\n"
        "  [0, 0]: 3 ulp, 1.0029296875 instead of 1.0; largest scores (key): 6 (1), 0 (0)\n"
    )
    beyond = run("golden", "in.npz", "--compare", "out.npz", "--within", "2.9", "--json", folder=tmp_path)
    assert beyond.returncode == 1
    (result,) = json.loads(beyond.stdout)["results"]
    assert (result["largest_ulps"], result["worst"][0]["scores"][0]) == (3.0, {"key": 1, "score": 6.0})


def test_what_is_not_finite_is_counted_and_beyond_every_tolerance(tmp_path: Path) -> None:
    npz(tmp_path / "in.npz", **ONES)
    npz(tmp_path / "out.npz", o=[[np.nan]])
    done = run("golden", "in.npz", "--compare", "out.npz", "--within", "1e9", "--lang", "zh", folder=tmp_path)
    assert done.returncode == 1
    assert "有 1 个数为 NaN 或无穷大" in done.stdout


def test_a_picture_has_a_panel_for_each_result_with_its_bins_and_tokens(tmp_path: Path) -> None:
    right = {"o": np.tile([[1.5], [np.nan]], (150, 1)), "lse": [math.log(2)] * 300}
    npz(tmp_path / "in.npz", **ONES | {"q": np.zeros((300, 1))})
    npz(tmp_path / "out.npz", "float32", **right)
    svg = "{http://www.w3.org/2000/svg}"
    for lang, title in (("en", "o (float32): largest error inf"), ("zh", "o（float32）：最大误差 inf")):
        arguments = ["--format", "float32", "--compare", "out.npz", "--picture", "a.svg", "--lang", lang]
        assert run("golden", "in.npz", *arguments, folder=tmp_path).returncode == 0
        o, lse = ElementTree.parse(tmp_path / "a.svg").getroot().findall(f"{svg}g")
        texts = [text.text for text in o.iter(f"{svg}text")]
        assert (texts[0] or "").startswith(title)
        assert (texts.count("150"), "299" in texts) == (2, True)  # right ones and NaN
        fills = [[bar.get("fill") for bar in part.iter(f"{svg}rect")].count("#b3261e") for part in (o, lse)]
        assert (fills[0] > 100, fills[1]) == (True, 0)
    refused = run("golden", "seed:3:2x3x3", "--picture", "a.svg", "--tolerance", folder=tmp_path)
    assert (refused.returncode, "--picture needs --compare OUT" in refused.stderr) == (2, True)


def test_what_json_has_fits_the_schema_that_is_printed(tmp_path: Path) -> None:
    validator = Draft202012Validator(json.loads(run("schema", "golden", folder=tmp_path).stdout))
    arguments = ["golden", "seed:3:2x4x3", "--tolerance", "--json"]
    reports = [json.loads(run(*arguments, folder=tmp_path).stdout)]
    npz(tmp_path / "out.npz", "float32", o=np.full((2, 4, 3), np.nan))
    reports.append(json.loads(run(*arguments, "--compare", "out.npz", folder=tmp_path).stdout))
    assert all(map(validator.is_valid, reports))
    assert (reports[1]["results"][0]["largest_ulps"], reports[1]["tolerances"][0]["beyond"]) == ("inf", 24)
    for change in ({"results": [{}]}, {"schema": "symattn/golden/2"}):
        assert not validator.is_valid({**reports[0], **change})


def test_arrays_of_other_names_are_named(tmp_path: Path) -> None:
    npz(tmp_path / "in.npz", Q=[[0.0]], K=[[0.0]], V=[[4.0]], out=[[4.0]])
    done = run("golden", "in.npz", "--names", "q=Q,k=K,v=V,o=out", "--compare", "in.npz", folder=tmp_path)
    assert done.stdout.startswith("o (float16): largest error 0 ulp")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("in.npz", "Give -o OUTPUT, --compare OUT or --tolerance."),
        ("no.npz -o a.npz", "symattn: no.npz: No such file or directory"),
        ("in.toml -o a.npz", "symattn: in.toml: the name ends in none of .npz, .safetensors"),
        ("in.npz -o a.txt", "symattn: a.txt: the name ends in none of .npz, .safetensors"),
        ("bad.npz -o a.npz", "symattn: bad.npz: this is no .npz file, or a part of one"),
        ("bad.safetensors -o a.npz", "symattn: bad.safetensors: this is no file of safetensors"),
        ("objects.npz -o a.npz", "symattn: objects.npz: q: this is no array of numbers"),
        ("whole.npz -o a.npz", "symattn: whole.npz: q: the array is of int64"),
        ("in.npz --names q=Q -o a.npz", "symattn: in.npz: there is no array `q`"),
        ("in.npz --names x=Q -o a.npz", "--names takes `q=Q,o=out`"),
        ("in.npz --scale wide -o a.npz", "symattn: in.npz: the scale wide"),
        ("in.npz --scale 1e999999999 -o a.npz", "symattn: in.npz: the scale 1e999999999"),
        ("in.npz --compare whole.npz", "symattn: whole.npz: o: the array is of int64"),
        ("named.npz -o a.npz", "symattn: named.npz: q: this is no array of numbers"),
        ("in.npz --softcap -1 -o a.npz", "symattn: in.npz: the softcap -1.0"),
        ("in.npz --heads 2 -o a.npz", "symattn: in.npz: heads are given for arrays of 2 axes"),
        ("in.npz --compare in.npz", "symattn: in.npz: it has none of the arrays o, lse, dq, dk, dv"),
        ("in.npz --compare wrong.npz", "symattn: wrong.npz: the shape (1, 2) of the results is not (1, 1)"),
        ("seed:1 -o a.npz", "symattn: seed:1 has no seed and shape"),
        ("seed:1:0x2 -o a.npz", "symattn: seed:1:0x2 has no seed and shape"),
        ("seed:1:99999x99999 -o a.npz", "symattn: arrays of 99999x99999"),
    ],
)
def test_what_cannot_be_used_is_one_message_and_exit_status_2(
    tmp_path: Path, arguments: str, message: str
) -> None:
    npz(tmp_path / "in.npz", **ONES)
    npz(tmp_path / "wrong.npz", o=[[1.0, 2.0]])
    npz(tmp_path / "whole.npz", "int64", **ONES, o=[[1]])
    bits = np.zeros((1, 1), np.uint16)
    np.savez(tmp_path / "named.npz", q=bits, k=bits, v=bits, **{"q.dtype": np.array(None, object)})
    np.savez(tmp_path / "objects.npz", **{name: np.array([[None]], object) for name in "qkv"})
    for name in ("bad.npz", "bad.safetensors"):
        (tmp_path / name).write_bytes((tmp_path / "in.npz").read_bytes()[:100])
    done = run("golden", *arguments.split(), folder=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert not (tmp_path / "a.npz").exists()


def test_bits_need_a_format_of_their_width(tmp_path: Path) -> None:
    bits = {name: np.array([[0x3F80]], np.uint16) for name in "qkv"}
    for dtype, message in (
        ("bfloat16", ""),
        ("float8_e5m2", "q: uint16 for float8_e5m2"),
        ("half", "q.dtype"),
    ):
        np.savez(tmp_path / "in.npz", **bits, **{f"{name}.dtype": np.array(dtype) for name in "qkv"})
        done = run("golden", "in.npz", "-o", "out.npz", folder=tmp_path)
        assert (message in done.stderr, done.returncode) == (True, 2 if message else 0)
    with np.load(tmp_path / "out.npz") as found:
        assert (found["o"].tolist(), str(found["o.dtype"])) == ([[0x3F80]], "bfloat16")


def test_python_has_the_same_and_asserts_within_ulps() -> None:
    q, k, v = (np.float32(ONES[name]) for name in "qkv")
    golden = symattn.golden(q, k, v, format="float16")
    assert np.asarray(golden.o).tolist() == [[1.5]]
    assert golden.o.codes.tolist() == [[0x3E00]]
    assert symattn.ulp_error([[1.5 + 2.0**-10]], golden).tolist() == [[1.0]]
    symattn.assert_within_ulps([[1.5 + 2.0**-10]], golden, 1)
    with pytest.raises(AssertionError, match=r"1 ulp, and 0.5 are accepted\no \(float16\)"):
        symattn.assert_within_ulps([[1.5 + 2.0**-10]], golden, 0.5)
    with pytest.raises(symattn.SymattnError, match="the format float61\n  did you mean float64, float16"):
        symattn.golden(q, k, v, format="float61")


def test_errors_are_from_the_exact_value_in_its_unit() -> None:
    golden = symattn.golden([[1.0, 0.0, 0.0]], [[1.0, 0.0, 0.0]], [[1.0]], scale="1/3", format="float16")
    third = golden.lse
    assert symattn.ulp_error([1 / 3], third) == pytest.approx([0], abs=1e-8)
    assert symattn.ulp_error(third.values, third) == pytest.approx(abs(third.values - 1 / 3) / 2.0**-25)
    below = symattn.golden(
        np.float16([[0.0]]), np.float16([[0.0]] * 3), np.float16([[1], [1], [1 - 2.0**-11]])
    )
    assert below.o.values.tolist() == [[1.0]]
    assert symattn.ulp_error([[1.0]], below) == pytest.approx(1 / 3)
