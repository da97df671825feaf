"""Which version of the package this is."""

from __future__ import annotations


def version() -> str:
    """As it was installed; "0" for files that were not."""
    from importlib import metadata

    try:
        return metadata.version("symattn")
    except metadata.PackageNotFoundError:
        return "0"
