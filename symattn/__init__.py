"""The exact calculator and proofreader of attention."""
