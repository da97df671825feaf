"""Closed forms as a person would print them: a normal form, and the shortest of its writings."""
