"""Variants of attention, each in a file with all that concerns it; `symattn.registry` lists them."""
