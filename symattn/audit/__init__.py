"""The auditor: judge, diagnose, report."""
