"""Why numbers went wrong: slips walked out, and weighed against chance and against each other."""
