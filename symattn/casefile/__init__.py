"""Reading: text becomes cases and claims."""
