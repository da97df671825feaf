"""Interval arithmetic with rigorous ends, for how far results move when their inputs move."""
