"""Measuring the reader of notes: random worked examples as documents, with the truth of every numeral."""
