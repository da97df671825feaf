"""Hold the exact walk against the attention of real models, by their own code in transformers.

    python tools/compare_models.py            print the table
    python tools/compare_models.py --write    keep it in tools/models_seen.json, for docs/conformance.md

Neither transformers nor PyTorch is a dependency of the project. All inputs are dyadic rationals. The models
compute some parts (angles, norms) in float32 whatever the dtype, so distances are in epsilons of float32.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

HOME = Path(__file__).parent.parent
sys.path[:0] = [str(HOME), str(HOME / "tools")]

from compare_torch import EPSILON, distance, upper  # noqa: E402

from symattn.casefile.case_file import parse_case  # noqa: E402
from symattn.floats.from_exact import matrix_to_floats  # noqa: E402
from symattn.result import work  # noqa: E402

SEEN = HOME / "tools" / "models_seen.json"
SINGLE = 2.0**-23
FEW = 8.0
MISSING = "PyTorch and transformers are needed for the comparison: pip install torch transformers"
N, D = 3, 8

Tensors = Mapping[str, Any]
Shapes = Mapping[str, tuple[int, int]]
Peer = Callable[[Any, Any, Tensors], Any]
"""From torch, the modeling module and the inputs as tensors: the output of the model's attention."""


@dataclass(frozen=True)
class Model:
    """The attention of one model: its file, what a case gives, the settings, and how the model is asked."""

    name: str
    module: str
    shapes: Shapes
    settings: str
    peer: Peer

    @property
    def toml(self) -> str:
        """The case, its entries drawn by the name of the model."""
        draw = Random(self.name)
        lines = ["[given]"]
        for name, (rows, columns) in {"X": (N, D), **self.shapes}.items():
            entries = [[draw.randint(-6, 6) / 4 for _ in range(columns)] for _ in range(rows)]
            lines.append(f"{name} = {json.dumps(entries)}")
        return "\n".join([*lines, "[attention]", self.settings]) + "\n"


def shapes(q: int = D, kv: int = D, *, biases: bool = False, joined: int = D) -> Shapes:
    """W_Q, W_K, W_V and W_O, and their biases."""
    found = {"W_Q": (D, q), "W_K": (D, kv), "W_V": (D, kv), "W_O": (joined, D)}
    if biases:
        found |= {"b_Q": (1, q), "b_K": (1, kv), "b_V": (1, kv), "b_O": (1, D)}
    return found


def linear(x: Tensors, **names: str) -> dict[str, Any]:
    """The parameters of nn.Linear layers: the weights transposed, and the bias where there is one."""
    found = {}
    for layer, name in names.items():
        found[f"{layer}.weight"] = x[f"W_{name}"].T
        if f"b_{name}" in x:
            found[f"{layer}.bias"] = x[f"b_{name}"][0]
    return found


PROJECTIONS = {"q_proj": "Q", "k_proj": "K", "v_proj": "V", "o_proj": "O"}


def asked(torch: Any, attention: Any, parameters: Mapping[str, Any], x: Tensors, **more: Any) -> Any:
    """The output of a module for one sequence, with these parameters."""
    own = dict(attention.named_parameters()) | dict(parameters)
    made = torch.func.functional_call(attention.double(), own, (x["X"][None],), more)
    return made[0][0]


def causal(torch: Any) -> Any:
    """The additive mask that transformers makes: minus infinity above the diagonal."""
    return torch.where(upper(torch, N), -torch.inf, 0.0)[None, None].double()


def rotary_like(config: str, attention: str, rotary: str, **settings: Any) -> Peer:
    """A model with the layers of Llama: four projections and RoPE."""

    def peer(torch: Any, models: Any, x: Tensors) -> Any:
        made = getattr(models, config)(
            hidden_size=D, num_attention_heads=2, attn_implementation="eager", **settings
        )
        module = getattr(models, attention)(made, layer_idx=0)
        places = torch.arange(N)[None]
        turned = getattr(models, rotary)(made)(x["X"][None], places)
        own = linear(x, **PROJECTIONS)
        if "sink" in x:
            own["sinks"] = x["sink"][0]
        return asked(torch, module, own, x, position_embeddings=turned, attention_mask=causal(torch))

    return peer


def gpt2(torch: Any, models: Any, x: Tensors) -> Any:
    config = models.GPT2Config(n_embd=D, n_head=2, attn_implementation="eager")
    own = {
        "c_attn.weight": torch.cat([x["W_Q"], x["W_K"], x["W_V"]], dim=1),
        "c_attn.bias": torch.cat([x["b_Q"], x["b_K"], x["b_V"]], dim=1)[0],
        "c_proj.weight": x["W_O"],
        "c_proj.bias": x["b_O"][0],
    }
    attention = models.GPT2Attention(config, layer_idx=0).eval()
    return asked(torch, attention, own, x, attention_mask=causal(torch))


def bert(torch: Any, models: Any, x: Tensors) -> Any:
    config = models.BertConfig(hidden_size=D, num_attention_heads=2, attn_implementation="eager")
    own = linear(x, query="Q", key="K", value="V")
    return asked(torch, models.BertSelfAttention(config).eval(), own, x) @ x["W_O"] + x["b_O"]


def bloom(torch: Any, models: Any, x: Tensors) -> Any:
    config = models.BloomConfig(hidden_size=D, n_head=2, hidden_dropout=0.0, attention_dropout=0.0)
    weights = [x[f"W_{name}"].T.reshape(2, D // 2, D) for name in "QKV"]
    biases = [x[f"b_{name}"].reshape(2, D // 2) for name in "QKV"]
    own = {
        "query_key_value.weight": torch.stack(weights, dim=1).reshape(3 * D, D),
        "query_key_value.bias": torch.stack(biases, dim=1).reshape(3 * D),
        **linear(x, dense="O"),
    }
    bias = models.build_alibi_tensor(torch.ones(1, N), 2, torch.float64)
    attention = models.BloomAttention(config, layer_idx=0).eval()
    residual = torch.zeros(1, N, D, dtype=torch.float64)
    return asked(torch, attention, own, x, residual=residual, alibi=bias, attention_mask=causal(torch))


def differential(torch: Any, models: Any, x: Tensors) -> Any:
    """DiffLlama pairs head i with head i + h/2; here the two stand next to each other."""
    width = 2
    config = models.DiffLlamaConfig(
        hidden_size=D,
        num_attention_heads=4,
        num_key_value_heads=4,
        rms_norm_eps=0.25,
        attn_implementation="eager",
    )
    attention = models.DiffLlamaAttention(config, layer_idx=0)
    order = [
        c
        for half in (0, 1)
        for pair in (0, 1)
        for c in range((2 * pair + half) * width, (2 * pair + half + 1) * width)
    ]
    own = {f"{layer}.weight": x[f"W_{name}"].T[order] for layer, name in PROJECTIONS.items() if name != "O"}
    own |= {"o_proj.weight": x["W_O"].T} | {
        f"lambda_{half}{i}": x[f"lambda_{half}{i}"][0] for half in "qk" for i in (1, 2)
    }
    turned = models.DiffLlamaRotaryEmbedding(config)(x["X"][None], torch.arange(N)[None])
    return asked(torch, attention, own, x, position_embeddings=turned, attention_mask=causal(torch))


def gated(torch: Any, models: Any, x: Tensors) -> Any:
    """Qwen3-Next has queries and gate of a head in one matrix, and 1 + the weight in its norms."""
    config = models.Qwen3NextConfig(
        hidden_size=D,
        num_attention_heads=2,
        num_key_value_heads=2,
        head_dim=4,
        rms_norm_eps=0.0,
        partial_rotary_factor=1.0,
        rope_parameters={"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 1.0},
        attn_implementation="eager",
    )
    both = torch.cat([x[name].T.reshape(2, 4, D) for name in ("W_Q", "W_G")], dim=1).reshape(4 * D // 2, D)
    own = {
        "q_proj.weight": both,
        **{f"{layer}.weight": x[f"W_{name}"].T for layer, name in PROJECTIONS.items() if name != "Q"},
        "q_norm.weight": torch.zeros(4, dtype=torch.float64),
        "k_norm.weight": torch.zeros(4, dtype=torch.float64),
    }
    turned = models.Qwen3NextRotaryEmbedding(config)(x["X"][None], torch.arange(N)[None])
    attention = models.Qwen3NextAttention(config, layer_idx=0)
    return asked(torch, attention, own, x, position_embeddings=turned, attention_mask=causal(torch))


def cosine(torch: Any, models: Any, x: Tensors) -> Any:
    """Swin v2 multiplies by the inverse of a temperature for each head; the bias is the same for all keys."""
    config = models.Swinv2Config(attention_probs_dropout_prob=0.0)
    attention = models.Swinv2SelfAttention(config, D, 2, (1, N)).eval()
    own = linear(x, query="Q", key="K", value="V")
    own["logit_scale"] = torch.log(torch.tensor([10.0, 5.0], dtype=torch.float64)).reshape(2, 1, 1)
    own["continuous_position_bias_mlp.2.weight"] = torch.zeros(2, 512, dtype=torch.float64)
    return asked(torch, attention, own, x) @ x["W_O"]


def latent(torch: Any, models: Any, x: Tensors) -> Any:
    """DeepSeek-V2 joins W_DKV with W_KR, and of each head W_UQ with W_QR and W_UK with W_UV."""
    config = models.DeepseekV2Config(
        hidden_size=D,
        num_attention_heads=2,
        num_key_value_heads=2,
        q_lora_rank=3,
        kv_lora_rank=4,
        qk_nope_head_dim=2,
        qk_rope_head_dim=2,
        v_head_dim=3,
        attn_implementation="eager",
    )
    attention = models.DeepseekV2Attention(config, layer_idx=0)

    def by_head(*names: str) -> Any:
        parts = [x[name].T.reshape(2, -1, x[name].shape[0]) for name in names]
        return torch.cat(parts, dim=1).reshape(-1, parts[0].shape[2])

    own = {
        "q_a_proj.weight": x["W_DQ"].T,
        "q_a_layernorm.weight": x["gamma_Q"][0],
        "q_b_proj.weight": by_head("W_UQ", "W_QR"),
        "kv_a_proj_with_mqa.weight": torch.cat([x["W_DKV"], x["W_KR"]], dim=1).T,
        "kv_a_layernorm.weight": x["gamma_KV"][0],
        "kv_b_proj.weight": by_head("W_UK", "W_UV"),
        "o_proj.weight": x["W_O"].T,
    }
    turned = models.DeepseekV2RotaryEmbedding(config)(x["X"][None], torch.arange(N)[None])
    return asked(torch, attention, own, x, position_embeddings=turned, attention_mask=causal(torch))


ROPE = 'heads = 2\nmask = "causal"\npositions = "rope"\npairs = "half"'
LATENT = {
    "W_DQ": (D, 3),
    "W_UQ": (3, 4),
    "W_QR": (3, 4),
    "W_DKV": (D, 4),
    "W_UK": (4, 4),
    "W_KR": (D, 2),
    "W_UV": (4, 6),
    "W_O": (6, D),
    "gamma_Q": (1, 3),
    "gamma_KV": (1, 4),
}
MODELS = (
    Model("GPT-2", "gpt2", shapes(biases=True), 'heads = 2\nmask = "causal"', gpt2),
    Model("BERT", "bert", shapes(biases=True), "heads = 2", bert),
    Model(
        "Llama (RoPE by halves, grouped queries)",
        "llama",
        shapes(kv=4),
        f"{ROPE}\nkv_heads = 1",
        rotary_like("LlamaConfig", "LlamaAttention", "LlamaRotaryEmbedding", num_key_value_heads=1),
    ),
    Model(
        "Qwen2 (biases)",
        "qwen2",
        {**shapes(), "b_Q": (1, D), "b_K": (1, D), "b_V": (1, D)},
        ROPE,
        rotary_like("Qwen2Config", "Qwen2Attention", "Qwen2RotaryEmbedding", num_key_value_heads=2),
    ),
    Model(
        "Gemma 2 (softcap)",
        "gemma2",
        shapes(),
        f'{ROPE}\nsoftcap = 3\nscale = "1/2"',
        rotary_like(
            "Gemma2Config",
            "Gemma2Attention",
            "Gemma2RotaryEmbedding",
            num_key_value_heads=2,
            head_dim=4,
            query_pre_attn_scalar=4,
            attn_logit_softcapping=3.0,
        ),
    ),
    Model(
        "gpt-oss (sinks)",
        "gpt_oss",
        {**shapes(biases=True), "sink": (1, 2)},
        f"{ROPE}\nrotary_base = 10000",
        rotary_like(
            "GptOssConfig",
            "GptOssAttention",
            "GptOssRotaryEmbedding",
            num_key_value_heads=2,
            head_dim=4,
            attention_bias=True,
            layer_types=["full_attention"],
            num_hidden_layers=1,
            rope_parameters={"rope_type": "default", "rope_theta": 10000.0},
        ),
    ),
    Model(
        "BLOOM (ALiBi)",
        "bloom",
        shapes(biases=True),
        'heads = 2\nmask = "causal"\npositions = "alibi"',
        bloom,
    ),
    Model(
        "DiffLlama (differential attention)",
        "diffllama",
        {**shapes(), **{f"lambda_{half}{i}": (1, 2) for half in "qk" for i in (1, 2)}},
        f'{ROPE}\nhead_norm = "rms"\nepsilon = 0.25',
        differential,
    ),
    Model(
        "DeepSeek-V2 (latent attention)",
        "deepseek_v2",
        LATENT,
        'heads = 2\nmask = "causal"\npositions = "rope"\nlatent_norm = "rms"\nepsilon = 0.000001',
        latent,
    ),
    Model(
        "Qwen3-Next (output gate, norm of Q and K)",
        "qwen3_next",
        {**shapes(), "W_G": (D, D)},
        f'{ROPE}\nqk_norm = "rms"',
        gated,
    ),
    Model(
        "Swin v2 (cosine attention)",
        "swinv2",
        {**shapes(), "b_Q": (1, D), "b_V": (1, D)},
        'heads = 2\nscale = "1"\nqk_norm = "unit"\ntemperature = ["1/10", "1/5"]',
        cosine,
    ),
)


def compared(torch: Any, model: Model) -> float:
    """How far the output of the model is from the exact one, in epsilons of float32."""
    derivation = work(parse_case(model.toml)).derivation
    tensors = {name: torch.tensor(matrix_to_floats(matrix)) for name, matrix in derivation.given.items()}
    models = import_module(f"transformers.models.{model.module}.modeling_{model.module}")
    with torch.no_grad():
        made = model.peer(torch, models, tensors)
    return distance(derivation["output"], made) * EPSILON / SINGLE


def rows(torch: Any) -> list[dict[str, str]]:
    """The table, a row a model. Raises SystemExit where one is more than a few epsilons away."""
    found = []
    for model in MODELS:
        far = compared(torch, model)
        found.append({"name": model.name, "distance": f"{far:.2g}"})
        print(f"{model.name:45} {far:8.2g}", flush=True)
        if not far <= FEW:
            raise SystemExit(f"{model.name} disagrees: {far}")
    return found


def section(seen: Mapping[str, Any]) -> str:
    """The comparison as a section of docs/conformance.md."""
    lines = [
        "## Models, as seen once",
        "",
        f"`python tools/compare_models.py` with transformers {seen['transformers']} and torch",
        f"{seen['torch']} on {seen['date']}; not part of the tests. The attention module of each",
        "model, of small sizes and with dyadic weights, is run by its own code in float64; parts that a",
        "model computes in float32 whatever the dtype (angles, norms) set the limit. The distance of the",
        "output is in epsilons of float32 (2^-23), relative to the largest magnitude of the matrix",
        "(at least 1).",
        "",
        "| model | distance |",
        "|---|---|",
        *(f"| {row['name']} | {row['distance']} |" for row in seen["rows"]),
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true", help=f"keep the table in {SEEN.name}")
    arguments = parser.parse_args()
    try:
        import torch
        import transformers
    except ImportError:
        raise SystemExit(MISSING) from None
    found = rows(torch)
    if arguments.write:
        versions = {"torch": torch.__version__.partition("+")[0], "transformers": transformers.__version__}
        seen = {**versions, "date": f"{datetime.now(UTC):%Y-%m-%d}", "rows": found}
        SEEN.write_text(json.dumps(seen, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
