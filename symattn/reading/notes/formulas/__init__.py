"""From characters to formulas: segments, tokens, a small parser, and chains of formulas in order."""
