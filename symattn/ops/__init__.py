"""Operations: one file an operation."""
