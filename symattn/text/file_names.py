"""Names of files as words that every stream and every format can hold."""

from __future__ import annotations


def shown(path: str) -> str:
    r"""The name of a file as words: UTF-8 whatever the locale says, and `\xff` for a byte that is none.

    Python hands undecodable bytes of a name over as lone surrogates (PEP 383). With those the system finds
    the file, but no encoding can write them.
    """
    return in_bytes(path).decode("utf-8", "backslashreplace")


def in_bytes(path: str) -> bytes:
    """The name of a file in UTF-8, with the bytes that are none as they are."""
    try:
        return path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # a surrogate that is no byte, as Windows allows
        return path.encode("utf-8", "surrogatepass")
