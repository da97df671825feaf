"""The kinds of finding, one file a family; `symattn.auditor.catalogue` is the table of them all."""
