"""Variants of attention, each in a file with all that concerns it; `symattn.attention.registry` lists them."""
