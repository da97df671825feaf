"""Why numbers went wrong: slips evaluated out, and weighed against chance and against each other."""
