"""Random attacks on the exact core, each with an oracle in mpmath that shares no code with it."""
