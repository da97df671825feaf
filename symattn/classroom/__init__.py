"""Exercises with their keys, and the marking of answers."""
