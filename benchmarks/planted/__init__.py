"""Kernels of attention, sound and deliberately wrong."""
