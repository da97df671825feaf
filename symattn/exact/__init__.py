"""Exact numbers: literals, matrices, quotients of exponential sums, decisions, decimals."""
