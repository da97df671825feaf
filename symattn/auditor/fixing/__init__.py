"""What a fix writes: numbers in their place and notation, and the workings that rest on them."""
