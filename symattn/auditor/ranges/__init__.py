"""How far a printed number may stand from what its author had in mind: intervals, rigorously."""
