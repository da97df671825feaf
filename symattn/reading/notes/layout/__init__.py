"""What the page says around the formulas: context, captions, tables, matrices drawn or flattened."""
