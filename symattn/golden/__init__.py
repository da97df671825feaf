"""Attention on floats, correctly rounded once, as a reference for implementations (docs/golden.md)."""
