"""From claims to cases: where the walk starts, which conventions it follows, what its sentences state."""
