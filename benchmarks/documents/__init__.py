"""Random worked examples of attention in the forms that people write, with the truth of each number."""
