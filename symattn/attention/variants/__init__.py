"""Variants of attention, each in one file; `symattn.attention.registry` lists them."""
