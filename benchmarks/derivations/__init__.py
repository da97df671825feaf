"""Whole derivations against a program in mpmath that shares no code with the package."""
