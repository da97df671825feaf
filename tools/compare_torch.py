"""Hold the exact walk against PyTorch in float64: attention, its modules, and the gradients of autograd.

    python tools/compare_torch.py            print the table
    python tools/compare_torch.py --write    keep it in tools/torch_seen.json, for docs/conformance.md

PyTorch is no dependency of the project; a wheel for the CPU is enough. Every input is a dyadic rational,
so that both sides start from the same numbers.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

HOME = Path(__file__).parent.parent
sys.path[:0] = [str(HOME)]

from symattn.attention.case import Case  # noqa: E402
from symattn.casefile.case_file import parse_case  # noqa: E402
from symattn.exact.matrix import Matrix  # noqa: E402
from symattn.floats.from_exact import matrix_to_floats  # noqa: E402
from symattn.plans.derive import Derivation  # noqa: E402
from symattn.result import work  # noqa: E402

SEEN = HOME / "tools" / "torch_seen.json"
BITS = 128
EPSILON = 2.0**-52
FEW = 8.0
MISSING = """PyTorch is not installed, and the comparison needs it: pip install torch
(a wheel for the CPU is enough; nothing else of the project uses it)"""

QKV = """
[given]
Q = [[1, 0.5], [-0.25, 2]]
K = [[0.5, 1], [1.5, -1], [0, 0.75]]
V = [[1, 2], [0.5, -1], [3, 0.25]]
dZ = [[1, -0.5], [0.25, 2]]
[attention]
"""
GROUPED = """
[given]
Q = [[1, 0.5, -1, 0.25, 0.75, 1, 0, 2], [-0.25, 2, 1, 1, 0.5, -1, 1.5, 0]]
K = [[0.5, 1, 0.25, -1], [1.5, -1, 1, 0.5]]
V = [[1, 2, 0.5, 1], [0.5, -1, 2, 0]]
dconcat = [[1, -0.5, 2, 1, 0, 0.25, 1, 1], [0.25, 2, 1, -1, 1, 0.5, 0, 1]]
[attention]
heads = 4
kv_heads = 2
"""
MODULE = """
[given]
X = [[1, 0.5, -1, 0.25], [-0.25, 2, 0.5, 1]]
W_Q = [[0.5, 0.25, 0, 1], [0, 0.5, -0.25, 0], [1, 0, 0.5, 0.25], [0.25, -0.5, 0, 0.5]]
W_K = [[0.25, 0, 1, 0.5], [0.5, -0.5, 0, 0.25], [0, 1, 0.5, 0], [-0.25, 0.25, 0, 0.5]]
W_V = [[1, 0, 0.5, -0.5], [0.25, 1, 0, 0.5], [0, 0.5, -1, 0.25], [0.5, 0, 0.25, 1]]
W_O = [[0.5, 1, 0, 0.25], [0, -0.5, 1, 0.5], [0.25, 0, 0.5, 1], [1, 0.25, 0, -0.5]]
b_Q = [0.25, 0, -0.5, 1]
b_K = [0, 0.5, 0.25, 0]
b_V = [1, -0.25, 0, 0.5]
b_O = [0.5, 0, 0.25, -1]
"""
SLOPE = "doutput = [[1, -0.5, 0.25, 0], [0.5, 1, 0, 2]]\n"
MEMORY = "memory = [[0.5, 1, 0, -0.25], [1, 0.25, 0.5, 0], [0, -1, 1, 0.5]]\n"
LAYER = """
W_1 = [[0.5, 1, -0.25], [0, 0.5, 1], [1, -0.5, 0.25], [0.25, 0, 0.5]]
b_1 = [0.25, -0.5, 1]
W_2 = [[1, 0.25, 0, 0.5], [0.5, 0, -1, 0.25], [0, 1, 0.5, -0.25]]
b_2 = [0, 0.5, 0.25, -0.5]
gamma_1 = [1, 0.5, 2, 1.5]
beta_1 = [0.25, 0, -0.5, 0]
gamma_2 = [0.5, 1, 1, 2]
beta_2 = [0, 0.25, 0, 0.5]
"""
HEADS = "[attention]\nheads = 2\n"

Floats = Mapping[str, Any]
Peer = Callable[[Any, Case, Floats], Floats]
"""From the torch module, the case and its inputs as tensors: what torch makes, by the names of the walk."""


@dataclass(frozen=True)
class Comparison:
    """One case, and how PyTorch is asked for the same."""

    name: str
    toml: str
    peer: Peer

    @property
    def case(self) -> Case:
        return parse_case(self.toml)


def dot_product(torch: Any, case: Case, x: Floats) -> Floats:
    """torch.nn.functional.scaled_dot_product_attention, its heads along the first axis."""
    settings = case.settings
    heads, shared = settings.heads, settings.kv_heads or settings.heads
    q, k, v = (by_head(x[name], count) for name, count in (("Q", heads), ("K", shared), ("V", shared)))
    z = torch.nn.functional.scaled_dot_product_attention(
        q,
        k,
        v,
        attn_mask=mask_of(torch, case),
        is_causal=settings.mask == "causal",
        scale=None if settings.scale == "1/sqrt(d_k)" else float(settings.scale),
        enable_gqa=shared != heads,
    )
    return {"Z" if heads == 1 else "concat": z.transpose(0, 1).reshape(z.shape[1], -1)}


def module(torch: Any, case: Case, x: Floats) -> Floats:
    """torch.nn.MultiheadAttention."""
    width, heads = x["X"].shape[1], case.settings.heads
    attention = torch.nn.MultiheadAttention(width, heads, batch_first=True, dtype=torch.float64)
    source = x.get("memory", x["X"])[None]
    parameters = attention_parameters(torch, x, "")
    hidden = upper(torch, len(x["X"])) if case.settings.mask == "causal" else None
    made, _ = torch.func.functional_call(
        attention, parameters, (x["X"][None], source, source), {"attn_mask": hidden}
    )
    return {"output": made[0]}


def encoder(torch: Any, case: Case, x: Floats) -> Floats:
    """torch.nn.TransformerEncoderLayer."""
    settings, width = case.settings, x["X"].shape[1]
    first = settings.layer == "pre-norm"
    layer = torch.nn.TransformerEncoderLayer(
        width,
        settings.heads,
        x["W_1"].shape[1],
        dropout=0.0,
        activation=settings.activation,
        layer_norm_eps=0.25,
        batch_first=True,
        norm_first=first,
        dtype=torch.float64,
    )
    parameters = attention_parameters(torch, x, "self_attn.")
    for number in ("1", "2"):
        parameters |= {
            f"linear{number}.weight": x[f"W_{number}"].T,
            f"linear{number}.bias": x[f"b_{number}"][0],
            f"norm{number}.weight": x[f"gamma_{number}"][0],
            f"norm{number}.bias": x[f"beta_{number}"][0],
        }
    made = torch.func.functional_call(layer, parameters, (x["X"][None],))
    return {"residual_2" if first else "norm_2": made[0]}


def attention_parameters(torch: Any, x: Floats, prefix: str) -> dict[str, Any]:
    """The parameters of MultiheadAttention, which stacks W_Q, W_K and W_V transposed."""
    return {
        f"{prefix}in_proj_weight": torch.cat([x[f"W_{name}"].T for name in "QKV"]),
        f"{prefix}in_proj_bias": torch.cat([x[f"b_{name}"][0] for name in "QKV"]),
        f"{prefix}out_proj.weight": x["W_O"].T,
        f"{prefix}out_proj.bias": x["b_O"][0],
    }


def by_head(x: Any, heads: int) -> Any:
    """(heads, n, d) of (n, heads d)."""
    return x.reshape(x.shape[0], heads, -1).transpose(0, 1)


def upper(torch: Any, n: int) -> Any:
    """The causal mask of MultiheadAttention, true where a key is hidden."""
    return torch.ones(n, n, dtype=torch.bool).triu(1)


def mask_of(torch: Any, case: Case) -> Any | None:
    """The given mask: true where 1 shows a key, or numbers that are added."""
    mask = case.settings.mask
    if isinstance(mask, str):
        return None
    tensor = torch.tensor(matrix_to_floats(mask.values))
    shows = bool(((tensor == 0) | (tensor == 1)).all())
    return tensor == 1 if shows else tensor


def encoded(layer: str, activation: str, slope: str = "") -> str:
    """A case with an encoder layer around one head, and the gradient named `slope` of what it makes."""
    given = SLOPE.replace("doutput", slope) if slope else ""
    return f'''{MODULE}{LAYER}{given}
[attention]
layer = "{layer}"
activation = "{activation}"
epsilon = "1/4"
'''


COMPARISONS = (
    Comparison("scaled_dot_product_attention", QKV, dot_product),
    Comparison("… causal", QKV + 'mask = "causal"\nalign = "top-left"\n', dot_product),
    Comparison("… boolean mask", QKV + "mask = [[1, 0, 1], [1, 1, 0]]\n", dot_product),
    Comparison("… additive mask", QKV + "mask = [[0, -0.5, 1.25], [0.5, '-inf', 2]]\n", dot_product),
    Comparison("… scale", QKV + 'scale = "0.375"\n', dot_product),
    Comparison("… grouped-query", GROUPED, dot_product),
    Comparison("MultiheadAttention", MODULE + SLOPE, module),
    Comparison("… two heads", MODULE + SLOPE + HEADS, module),
    Comparison("… two heads, causal", MODULE + SLOPE + HEADS + 'mask = "causal"\n', module),
    Comparison("… two heads, cross-attention", MODULE + SLOPE + MEMORY + HEADS, module),
    Comparison("TransformerEncoderLayer, post-norm, relu", encoded("post-norm", "relu", "dnorm_2"), encoder),
    Comparison("… pre-norm, relu", encoded("pre-norm", "relu", "dresidual_2"), encoder),
    Comparison("… post-norm, gelu", encoded("post-norm", "gelu", "dnorm_2"), encoder),
    Comparison("… pre-norm, gelu", encoded("pre-norm", "gelu", "dresidual_2"), encoder),
)


def distance(matrix: Matrix, found: Any) -> float:
    """How far floats are from the exact matrix: in epsilons of float64, relative to the largest magnitude."""
    balls = matrix.enclosures(BITS)
    largest = max(1.0, *(abs(float(ball.mid())) for row in balls for ball in row))
    far = max(
        float(abs(ball - float(value)).upper())
        for row, values in zip(balls, found.tolist(), strict=True)
        for ball, value in zip(row, values, strict=True)
    )
    return far / (EPSILON * largest)


def compared(torch: Any, comparison: Comparison) -> dict[str, float]:
    """The distance of everything that torch makes, and of the gradients where the case has one."""
    case = comparison.case
    derivation: Derivation = work(case).derivation
    tensors = {
        name: torch.tensor(matrix_to_floats(matrix), requires_grad=True)
        for name, matrix in derivation.given.items()
    }
    made = comparison.peer(torch, case, tensors)
    far = {name: distance(derivation[name], tensor.detach()) for name, tensor in made.items()}
    for name, tensor in made.items():
        if f"d{name}" in tensors:
            tensor.backward(tensors[f"d{name}"].detach())
    for name, tensor in tensors.items():
        if tensor.grad is not None:
            far[f"d{name}"] = distance(derivation[f"d{name}"], tensor.grad)
    return far


def rows(torch: Any) -> list[dict[str, str]]:
    """The table, a row a comparison. Raises SystemExit where torch is more than a few epsilons away."""
    found = []
    for comparison in COMPARISONS:
        far = compared(torch, comparison)
        found.append(
            {
                "name": comparison.name,
                "values": ", ".join(far),
                "distance": f"{max(far.values()):.2f}",
            }
        )
        print(f"{comparison.name:45} {max(far.values()):6.2f}  {', '.join(far)}", flush=True)
        if max(far.values()) > FEW:
            raise SystemExit(f"{comparison.name} disagrees: {far}")
    return found


def section(seen: Mapping[str, Any]) -> str:
    """The comparison as a section of docs/conformance.md."""
    lines = [
        "## PyTorch, as seen once",
        "",
        f"`python tools/compare_torch.py` with torch {seen['torch']} on {seen['date']}, in float64; not",
        "part of the tests. The inputs are dyadic rationals, so both sides start from the same numbers. The",
        "distance is the largest of the values named, in epsilons of float64 (2^-52) relative to the largest",
        "magnitude of the matrix (at least 1). Names with a d are gradients: by autograd there, by the exact",
        "backward pass here.",
        "",
        "| torch | values | largest distance |",
        "|---|---|---|",
        *(f"| {row['name']} | {row['values']} | {row['distance']} |" for row in seen["rows"]),
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true", help=f"keep the table in {SEEN.name}")
    arguments = parser.parse_args()
    try:
        import torch
    except ImportError:
        raise SystemExit(MISSING) from None
    found = rows(torch)
    if arguments.write:
        seen = {"torch": torch.__version__, "date": f"{datetime.now(UTC):%Y-%m-%d}", "rows": found}
        SEEN.write_text(json.dumps(seen, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
