"""Recipes: from a case to a plan."""
