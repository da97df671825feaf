"""Greek names, as `Symbol.name` spells them, and their letters."""

from __future__ import annotations

GREEK: dict[str, str] = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "zeta": "ζ", "eta": "η",
    "theta": "θ", "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ",
    "omicron": "ο", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "upsilon": "υ", "phi": "φ",
    "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ",
    "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Upsilon": "Υ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
}  # fmt: skip


def varied(stem: str) -> str:
    """What the d of a gradient stands before: `Z` in `dZ`, `gamma` in `dgamma`; "" for any other name."""
    rest = stem[1:] if stem.startswith("d") else ""
    return rest if rest in GREEK or (len(rest) == 1 and rest.isascii() and rest.isalpha()) else ""
