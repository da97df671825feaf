"""The verdict on each printed number: the walks that go on from what was printed, and the rules."""
