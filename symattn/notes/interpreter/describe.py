"""How a value was made, as one line: `softmax(Q·K^T/√2)`, with what is printed by its name or line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from symattn.notes.interpreter.values import Made, Value

Label = Callable[[Made], str]

_INFIX: Mapping[str, str] = MappingProxyType(
    {"add": " + ", "subtract": " - ", "times": "·", "over": "/", "matmul": "·", "power": "^"}
)
_AS_THEY_ARE = ("reshaped", "upright")


def described(value: Value, label: Label) -> str:
    """The text of a value; `label` names the literals that it is made of."""
    made = value.made
    parts = [described(arg, label) for arg in made.args]
    if made.step == "print":
        return label(made)
    if made.step == "constant":
        return f"{made.option:g}"
    if made.step in _INFIX:
        joined = _INFIX[made.step].join(parts)
        return f"({joined})" if made.step in ("add", "subtract") else joined
    if made.step == "transposed":
        return f"{parts[0]}^T"
    if made.step == "root":
        return f"√{parts[0]}"
    if made.step in _AS_THEY_ARE:
        return parts[0]
    if made.step == "row":
        return f"{parts[0]}[{made.option + 1}]"
    if made.step == "rows":
        return f"{parts[0]}[1:{made.option}]"
    if made.step == "columns":
        return f"{parts[0]}[:, {made.option[0] + 1}:{made.option[1]}]"
    if made.step in ("together", "beside"):
        return f"[{('; ' if made.step == 'together' else ', ').join(parts)}]"
    name = {"normalised": str(made.option), "operation": type(made.option).__name__.lower()}
    return f"{name.get(made.step, made.step)}({', '.join(parts)})"
