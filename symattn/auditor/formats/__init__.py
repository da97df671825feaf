"""How a report is printed: one file a format. A format only reads reports."""
