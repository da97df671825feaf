"""Documents in styles in which people write: each lays an example out from scratch, in a way of its own."""
