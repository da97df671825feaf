"""Typesetters: a neutral document becomes one string."""
