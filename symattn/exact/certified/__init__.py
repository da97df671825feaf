"""Certified decimals of softmax weights and outputs in double-double arithmetic.

docs/certified-decimals.md derives the bounds.
"""
