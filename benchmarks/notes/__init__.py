"""Measuring the reader of notes: random worked examples written as documents, with the truth of every numeral."""
