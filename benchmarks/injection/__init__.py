"""Measuring the auditor on documents with known slips; none of this shares arithmetic with the package."""
