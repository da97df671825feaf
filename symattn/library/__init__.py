"""The values that Python programs get: numbers, matrices and results that behave as Python's own do."""
