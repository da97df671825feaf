"""Random cases over the product of settings, every value and gradient held against PyTorch in float64.

    python tools/random_torch.py 300         so many cases; --seed S for others

The forward computation is written here again, from the definitions, and differentiated by autograd; PyTorch
is no dependency of the project. Inputs are dyadic rationals, so that both sides start from the same numbers.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

sys.path[:0] = [str(Path(__file__).parent.parent)]

import numpy as np  # noqa: E402

from symattn.casefile.case_file import parse_case  # noqa: E402
from symattn.exact.matrix import Matrix  # noqa: E402
from symattn.floats.from_exact import matrix_to_floats  # noqa: E402
from symattn.result import work  # noqa: E402
from symattn.text.errors import SymattnError  # noqa: E402

FAR = 1e-9
Case = tuple[dict[str, list[list[float]]], dict[str, Any]]
"""What is given, and the settings."""


def random_case(draw: Random) -> Case:
    """Settings drawn at random, and matrices that fit them."""

    def sometimes(p: float) -> bool:
        return draw.random() < p

    heads = draw.choice([1, 1, 2, 4])
    shared = draw.choice([k for k in (1, 2, 4) if heads % k == 0])
    layers = draw.choice([1, 1, 2])
    layer = draw.choice(["none", "none", "residual", "post-norm", "pre-norm"])
    if heads == 4:
        layers, layer = 1, draw.choice(["none", "residual"])
    d = 2 * heads if sometimes(0.5) or heads == 4 else 2 * max(heads, 2)
    n = draw.choice([1, 2, 2, 3]) if heads < 4 else 2

    def matrix(rows: int, columns: int) -> list[list[float]]:
        return [[draw.randint(-8, 8) / 8 for _ in range(columns)] for _ in range(rows)]

    kv = d // heads * shared
    given = {"X": matrix(n, d), "W_Q": matrix(d, d), "W_K": matrix(d, kv), "W_V": matrix(d, kv)}
    settings: dict[str, Any] = {"heads": heads, "layers": layers, "layer": layer, "scale": "1/2"}
    if shared != heads:
        settings["kv_heads"] = shared
    keys = n
    if sometimes(0.4):
        keys = draw.choice([1, 2, 3])
        given["memory"] = matrix(keys, d)
    if layer != "none" or layers > 1 or sometimes(0.4):
        given["W_O"] = matrix(d, d)
    for name, width in (("Q", d), ("K", kv), ("V", kv), ("O", d)):
        if sometimes(0.3) and f"W_{name}" in given:
            given[f"b_{name}"] = matrix(1, width)
    if layer in ("post-norm", "pre-norm"):
        given |= {"W_1": matrix(d, 3), "W_2": matrix(3, d)}
        settings |= {"epsilon": "1/4", "norm": draw.choice(["layer", "rms"])}
        settings["activation"] = draw.choice(["relu", "gelu"])
        if sometimes(0.5):
            given |= {"b_1": matrix(1, 3), "b_2": matrix(1, d)}
            for number in "12":
                given[f"gamma_{number}"] = matrix(1, d)
                if settings["norm"] == "layer":
                    given[f"beta_{number}"] = matrix(1, d)
    if layers == 2 and sometimes(0.4):
        given["layer2.W_V"] = matrix(d, kv)
    settings["positions"] = draw.choice(["none", "none", "rope", "alibi", "relative"])
    if settings["positions"] == "rope":
        settings |= {"pairs": draw.choice(["interleaved", "half"]), "angles": matrix(1, d // heads // 2)[0]}
    if settings["positions"] == "alibi":
        settings["slopes"] = matrix(1, heads)[0]
    if settings["positions"] == "relative":
        given["relative"] = matrix(1, 3)
    if sometimes(0.3):
        settings["mask"] = "causal"
    elif sometimes(0.3):
        settings["mask"] = [[1] + [draw.choice([0, 1]) for _ in range(keys - 1)] for _ in range(n)]
    if keys != n:
        settings["align"] = "top-left"
    if sometimes(0.25):
        settings["softcap"] = "3/2"
    if sometimes(0.2):
        settings["temperature"] = "5/4"
    if sometimes(0.15):
        settings["base"] = draw.choice(["2", "1/2"])
    if sometimes(0.25):
        given["sink"] = matrix(1, draw.choice([1, heads]))
    if sometimes(0.2):
        settings["qk_norm"] = "rms"
    settings["loss"] = draw.choice(["sum", "squared", "squared", "cross-entropy"])
    width = d
    if settings["loss"] == "squared":
        given["target"] = matrix(n, width)
    if settings["loss"] == "cross-entropy":
        given["target"] = [[float(j == i % width) for j in range(width)] for i in range(n)]
    walk = draw.choice(["direct", "direct", "online", "cached", "columns"])
    if walk == "cached" and settings.get("mask") == "causal" and keys >= n:
        settings |= {"evaluation": "cached"} | ({"align": "bottom-right"} if keys != n else {})
    elif walk == "online":
        settings |= {"evaluation": "online", "block": draw.choice([1, 2])}
    elif walk == "columns":
        settings |= {"tokens_as": "columns", "weights": "transposed"}
    return given, settings


def toml(case: Case) -> str:
    """The case as a file. With tokens as columns every matrix stands transposed; X^T W^T is W X."""
    given, settings = case
    columns = settings.get("tokens_as") == "columns"

    def typed(name: str, rows: list[list[float]]) -> Any:
        keep = name.rpartition(".")[2][:2] == "W_"
        return rows if not columns or keep else [list(row) for row in zip(*rows, strict=True)]

    lines = ["[given]", *(f'"{name}" = {json.dumps(typed(name, rows))}' for name, rows in given.items())]
    lines.append("[attention]")
    for key, value in settings.items():
        if key == "mask" and columns and not isinstance(value, str):
            value = [list(row) for row in zip(*value, strict=True)]
        lines.append(f"{key} = {json.dumps(value)}")
    return "\n".join(lines) + "\n"


def loss_of(torch: Any, x: dict[str, Any], settings: dict[str, Any]) -> Any:
    """The loss, computed in PyTorch from the definitions."""
    value = x["X"]
    for number in range(1, settings["layers"] + 1):
        value = layer_of(torch, value, {**x, **own(x, number)}, settings)
    match settings["loss"]:
        case "sum":
            return value.sum()
        case "squared":
            return ((value - x["target"]) ** 2).sum() / 2
    return -(x["target"] * torch.log_softmax(value, 1)).sum()


def own(x: dict[str, Any], number: int) -> dict[str, Any]:
    tag = f"layer{number}."
    return {name.removeprefix(tag): value for name, value in x.items() if name.startswith(tag)}


def layer_of(torch: Any, value: Any, x: dict[str, Any], settings: dict[str, Any]) -> Any:
    kind = settings["layer"]

    def normed(rows: Any, number: str) -> Any:
        apart = rows - rows.mean(1, keepdim=True) if settings["norm"] == "layer" else rows
        unit = apart / ((apart**2).mean(1, keepdim=True) + 0.25).sqrt()
        return unit * x.get(f"gamma_{number}", 1.0) + x.get(f"beta_{number}", 0.0)

    def widened(rows: Any) -> Any:
        act = torch.relu if settings["activation"] == "relu" else torch.nn.functional.gelu
        return act(rows @ x["W_1"] + x.get("b_1", 0.0)) @ x["W_2"] + x.get("b_2", 0.0)

    if kind == "pre-norm":
        first = value + attention_of(torch, normed(value, "1"), x, settings)
        return first + widened(normed(first, "2"))
    made = attention_of(torch, value, x, settings)
    if kind == "none":
        return made
    if kind == "residual":
        return value + made
    first = normed(value + made, "1")
    return normed(first + widened(first), "2")


def attention_of(torch: Any, source: Any, x: dict[str, Any], settings: dict[str, Any]) -> Any:
    memory = x.get("memory", source)
    heads, shared = settings["heads"], settings.get("kv_heads", settings["heads"])
    rows = {"Q": source, "K": memory, "V": memory}
    q, k, v = (
        (rows[name] @ x[f"W_{name}"] + x.get(f"b_{name}", 0.0)).chunk(count, 1)
        for name, count in (("Q", heads), ("K", shared), ("V", shared))
    )
    made = []
    for head in range(heads):
        group = head // (heads // shared)
        made.append(head_of(torch, q[head], k[group], v[group], head, x, settings))
    joined = torch.cat(made, 1)
    return joined @ x["W_O"] + x.get("b_O", 0.0) if "W_O" in x else joined


def head_of(
    torch: Any, q: Any, k: Any, v: Any, head: int, x: dict[str, Any], settings: dict[str, Any]
) -> Any:
    n, m = len(q), len(k)
    before = m - n if settings.get("align") == "bottom-right" else 0
    if settings.get("qk_norm") == "rms":
        q, k = (rows / (rows**2).mean(1, keepdim=True).sqrt() for rows in (q, k))
    if settings["positions"] == "rope":
        q, k = (rotated(torch, rows, start, settings) for rows, start in ((q, before), (k, 0)))
    scores = q @ k.T / 2
    if "softcap" in settings:
        scores = 1.5 * torch.tanh(scores / 1.5)
    distance = torch.arange(m)[None] - torch.arange(n)[:, None] - before
    if settings["positions"] == "alibi":
        scores = scores + settings["slopes"][head] * -abs(distance)
    if settings["positions"] == "relative":
        scores = scores + x["relative"][0][distance.clamp(-1, 1) + 1]
    mask = settings.get("mask")
    hidden = distance > 0 if mask == "causal" else torch.tensor(mask) == 0 if mask else distance != distance
    scores = scores / 1.25 if "temperature" in settings else scores
    rate = np.log({"2": 2.0, "1/2": 0.5}[settings["base"]]) if "base" in settings else 1.0
    powers = torch.where(hidden, 0.0, torch.exp(rate * scores))
    total = powers.sum(1, keepdim=True)
    if "sink" in x:
        total = total + torch.exp(rate * x["sink"][0][head if x["sink"].shape[1] > 1 else 0])
    return powers / total @ v


def rotated(torch: Any, rows: Any, start: int, settings: dict[str, Any]) -> Any:
    width = rows.shape[1]
    angles = (start + torch.arange(len(rows)))[:, None] * torch.tensor(
        settings["angles"], dtype=torch.float64
    )
    if settings["pairs"] == "interleaved":
        a, b = range(0, width, 2), range(1, width, 2)
    else:
        a, b = range(width // 2), range(width // 2, width)
    turned = torch.empty_like(rows)
    turned[:, a] = rows[:, a] * angles.cos() - rows[:, b] * angles.sin()
    turned[:, b] = rows[:, a] * angles.sin() + rows[:, b] * angles.cos()
    return turned


def apart(torch: Any, case: Case) -> tuple[dict[str, float], bool]:
    """How far loss and gradients are from those of PyTorch, relative to the largest entry or 1."""
    given, settings = case
    worked = work(parse_case(toml(case)))
    x = {
        name: torch.tensor(rows, dtype=torch.float64, requires_grad=name != "target")
        for name, rows in given.items()
    }
    loss = loss_of(torch, x, settings)
    loss.backward()
    expected = {"loss": loss.detach()[None, None]} | {
        (f"layer2.d{name[7:]}" if name.startswith("layer2.") else f"d{name}"): tensor.grad
        for name, tensor in x.items()
        if tensor.grad is not None
    }
    far = {}
    for name, tensor in expected.items():
        if name not in worked.derivation:
            if bool((tensor != 0).any()):
                far[name] = float("inf")
            continue
        found = matrix_to_floats(_on_rows(worked[name], name, settings))
        peer = tensor.numpy()
        far[name] = float(np.max(np.abs(found - peer)) / max(1.0, float(np.max(np.abs(peer)))))
    return far, worked.check.agrees


def _on_rows(matrix: Matrix, name: str, settings: dict[str, Any]) -> Matrix:
    keep = name.rpartition(".")[2][:3] == "dW_"
    return matrix.T if settings.get("tokens_as") == "columns" and not keep else matrix


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    try:
        import torch
    except ImportError:
        raise SystemExit("PyTorch is not installed: pip install torch") from None
    compared, values, largest, refused, wrong = 0, 0, 0.0, 0, 0
    for number in range(arguments.seed, arguments.seed + arguments.count):
        case, began = random_case(Random(number)), time.monotonic()
        try:
            far, agrees = apart(torch, case)
        except SymattnError as error:
            refused += 1
            print(f"seed {number}: {error}", flush=True)
            continue
        compared, values, largest = compared + 1, values + len(far), max(largest, *far.values())
        if max(far.values()) > FAR or not agrees:
            wrong += 1
            print(f"seed {number}: agrees: {agrees}, {far}\n{toml(case)}", flush=True)
        if time.monotonic() - began > 20:
            print(f"seed {number}: {time.monotonic() - began:.0f} s", flush=True)
    print(f"{compared} cases, {values} losses and gradients, largest distance {largest:.1e}")
    print(f"{wrong} disagree, {refused} were refused")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
