"""The verdict on each printed number: the evaluations that go on from what was printed, and the rules."""
