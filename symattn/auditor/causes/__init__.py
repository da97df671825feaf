"""Why numbers went wrong: slips are worked out, and weighed against chance and against each other."""
