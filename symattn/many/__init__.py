"""One work on many things: in this process, in several, or on the workers of a cluster."""
