"""Givens from files: what they hold becomes exact, and what may not be read is refused before it is."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import command
import numpy as np
import pytest

import symattn
from symattn.golden.files import spelled
from symattn.golden.formats import FORMATS
from symattn.golden.inputs import Array

MATRIX = np.array([[0.1, 2.0]], dtype=np.float32)
BFLOAT16 = np.array([[0.10009765625, -3.0]])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of a case inside another, with a file of each kind in it and one outside."""
    inner = tmp_path / "case"
    inner.mkdir()
    np.save(inner / "x.npy", MATRIX)
    np.save(tmp_path / "outside.npy", MATRIX)
    odd = {"cube": np.array([[[1.5]]]), "nan": np.array([[1, 2], [0, np.nan]])}
    np.savez(inner / "x.npz", X=MATRIX, whole=np.array([[1, 2]]), **odd)
    half = Array(BFLOAT16, FORMATS["bfloat16"])
    for name in ("m.safetensors", "half.npz"):
        (inner / name).write_bytes(spelled(name, {"layers.0.wq": half}, {}))
    (inner / "x.csv").write_text('1/3,"1.10"\n', encoding="utf-8")
    (inner / "link.npy").symlink_to(tmp_path / "outside.npy")
    return inner


def read(folder: Path, given: str, floats: str | None = "printed", **options: bool) -> symattn.Case:
    lines = [f'floats = "{floats}"'] if floats else []
    path = folder / "case.toml"
    path.write_text("\n".join([*lines, "[given]", f"X = {json.dumps(given)}"]), encoding="utf-8")
    return symattn.read_case(path, **options)


def refusal(folder: Path, given: str, floats: str | None = "printed") -> str:
    with pytest.raises(symattn.SymattnError) as caught:
        read(folder, given, floats)
    return str(caught.value)


@pytest.mark.parametrize(
    ("given", "floats", "typed"),
    [
        ("x.npy", "printed", ("0.1", "2.0")),
        ("x.npz:X", "exact", ("13421773/134217728", "2")),
        ("x.npz:whole", None, ("1", "2")),
        ("x.csv", None, ("1/3", "1.10")),
        ("m.safetensors:layers.0.wq", "printed", ("0.1", "-3")),
        ("half.npz:layers.0.wq", "exact", ("205/2048", "-3")),
    ],
)
def test_what_a_file_holds_is_exact(
    folder: Path, given: str, floats: str | None, typed: tuple[str, ...]
) -> None:
    case = read(folder, given, floats)
    assert case.given["X"].typed == (typed,)
    assert case.files == {"X": given}


@pytest.mark.parametrize("given", ["../outside.npy", "link.npy", "../nowhere.npy"])
def test_nothing_outside_the_folder_is_read_unless_that_is_allowed(folder: Path, given: str) -> None:
    assert "outside the folder" in refusal(folder, given)
    if "nowhere" not in given:
        assert read(folder, given, allow_files=True).given["X"].typed == (("0.1", "2.0"),)


def test_an_absolute_path_is_refused_even_into_the_folder(folder: Path) -> None:
    assert "outside the folder" in refusal(folder, str(folder / "x.npy"))


@pytest.mark.parametrize(
    ("given", "floats", "said"),
    [
        ("x.npz", "printed", "there are X, whole, cube, nan"),
        ("x.npz:W", "printed", "one of: X, whole, cube, nan"),
        ("x.npz:nan", "printed", "row 2, column 2: NaN"),
        ("x.npy", None, 'floats="printed"'),
        ("x.csv", "exact", "no given is in a file with floats"),
        ("x.npy:X", "exact", "holds one"),
        ("x.npz:cube", "exact", "3 axes (1×1×1)"),
        ("none.npy", "exact", "none.npy"),
        (".", None, "where a matrix belongs"),
    ],
)
def test_what_cannot_be_used_is_said(folder: Path, given: str, floats: str | None, said: str) -> None:
    assert said in refusal(folder, given, floats)


def test_a_cell_of_a_table_is_named_by_row_and_column(folder: Path) -> None:
    (folder / "bad.csv").write_text("1,2\n\n3,y\n", encoding="utf-8")
    assert 'bad.csv: row 2, column 2: "y"' in refusal(folder, "bad.csv", None)
    (folder / "ragged.csv").write_text("1,2\n3\n", encoding="utf-8")
    assert "ragged.csv: row 2: " in refusal(folder, "ragged.csv", None)


def header(shape: str, descr: str = "<f8") -> bytes:
    text = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}}}\n".encode()
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


def test_absurd_sizes_are_refused_by_the_header(folder: Path) -> None:
    (folder / "big.npy").write_bytes(header("(1000000, 1000000)"))
    assert "1000000×1000000" in refusal(folder, "big.npy")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as bomb:
        bomb.writestr("X.npy", header("(4096, 4096)") + bytes(1 << 20))
    (folder / "bomb.npz").write_bytes(packed.getvalue())
    assert "4096×4096" in refusal(folder, "bomb.npz:X")
    entry = {"X": {"dtype": "F32", "shape": [1 << 40], "data_offsets": [0, 1 << 42]}}
    text = json.dumps(entry).encode()
    (folder / "big.safetensors").write_bytes(len(text).to_bytes(8, "little") + text)
    assert f"{1 << 40}" in refusal(folder, "big.safetensors:X")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x93NUMPY",
        b"\x93NUMPY\x01\x00\xff\xff{",
        header("(2, 2)")[:-9],
        header("(2, 2)") + bytes(8),
        header("(-1, -1)"),
        header("(True, 'a')"),
        header("(1, 1)", "zzz"),
    ],
)
@pytest.mark.parametrize("kind", ["npy", "npz", "safetensors"])
def test_a_broken_file_is_one_message(folder: Path, content: bytes, kind: str) -> None:
    (folder / f"broken.{kind}").write_bytes(content)
    assert f"no whole file .{kind}" in refusal(folder, f"broken.{kind}")


def test_objects_are_never_unpickled(folder: Path) -> None:
    np.save(folder / "object.npy", np.array([[{}]], dtype=object), allow_pickle=True)
    assert "an array of object" in refusal(folder, "object.npy")


def test_reports_and_json_name_the_file(folder: Path) -> None:
    path = folder / "case.toml"
    path.write_text(
        '[given]\nX = "x.csv"\nW_Q = "identity"\n[[stated]]\nname = "Q"\nvalues = [["1/3", "1.10"]]\n',
        encoding="utf-8",
    )
    assert json.loads(command.symattn("derive", path, "--json").stdout)["files"] == {"X": "x.csv"}
    assert "X (1×2, x.csv)" in command.symattn("audit", path).stdout
    audited = json.loads(command.symattn("audit", path, "--format", "json").stdout)
    assert audited["files"][0]["given_files"] == {"X": "x.csv"}


def test_the_commands_read_elsewhere_where_that_is_allowed(folder: Path) -> None:
    path = folder / "case.toml"
    path.write_text(
        'floats = "exact"\n[given]\nX = "../outside.npy"\nW_Q = "identity"\n'
        '[[stated]]\nname = "Q"\nvalues = [["0.1", "2"]]\n',
        encoding="utf-8",
    )
    for verb in ("derive", "check", "audit"):
        assert command.symattn(verb, path).returncode == 2
        assert command.symattn(verb, path, "--allow-files").returncode == 0, verb


def test_python_names_files_in_a_folder(folder: Path) -> None:
    worked = symattn.attention(X="x.npy", W_Q="identity", floats="printed", folder=folder)
    assert worked["Q"][0, 0] == worked["X"][0, 0] == symattn.Exact("1/10")
    with pytest.raises(symattn.SymattnError, match="in no folder"):
        symattn.attention(X="x.npy", W_Q="identity", floats="printed")
