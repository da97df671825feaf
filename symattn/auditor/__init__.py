"""The auditor: printed numbers are judged one by one against the exact derivation."""
