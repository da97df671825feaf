"""Where output goes: standard output, standard error, or a file that is written whole or not at all.

Documents (LaTeX, HTML, JSON, a diff, ...) and files are UTF-8 whatever the locale; text for a reader is in
the encoding of its stream, with ASCII forms of what that lacks (docs/decisions/0007-encodings-of-output.md).
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import IO, TYPE_CHECKING, TextIO

from symattn.cli.language import language
from symattn.text.bilingual import Bilingual, both
from symattn.text.errors import UnusableValue
from symattn.text.file_names import shown
from symattn.text.system_errors import why

if TYPE_CHECKING:
    from pathlib import Path

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_LONE = re.compile("[\ud800-\udc7f\udd00-\udfff]")


def emit(text: str | bytes, output: str | None, *, document: bool) -> None:
    """Print the text, or write it to the file `output`. Raises UnusableValue where that fails."""
    stream((text,), output, document=document)


def stream(chunks: Iterable[str | bytes], output: str | None, *, document: bool) -> None:
    """Print the chunks as they come, or write them to the file `output`. Raises UnusableValue."""
    if output is None or _is_standard_output(output):
        for chunk in chunks:
            _print(chunk, document or output is not None)
    else:
        write_file(output, chunks)


def say(words: str | Bilingual) -> None:
    """A line on standard error, in the language of messages; where nobody can read it, nothing happens."""
    if sys.stderr is None:
        return
    words = words if isinstance(words, str) else words[language()]
    try:
        sys.stderr.write(_encodable(words, sys.stderr) + "\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        _abandon(sys.stderr)


def _encodable(text: str, stream: TextIO) -> str:
    """The text in characters that the stream can show."""
    encoding = _encoding_of(stream)
    if encoding == "utf-8":
        return shown(text)
    from symattn.typeset.ascii import in_encoding

    return in_encoding(shown(text), encoding)


def write_file(
    path: str, chunks: Iterable[str | bytes], allowed: Callable[[Path], None] | None = None
) -> None:
    """Write the chunks to a file, text as UTF-8.

    A regular file is replaced when the new one is whole, with its permissions and where a symbolic link
    leads; what is not a regular file (a device, a pipe) is written to as it is. `allowed` may object to the
    replacement of a file by raising. Raises UnusableValue.
    """
    try:
        if is_regular(path):
            from pathlib import Path

            _replace(Path(os.path.realpath(path)), chunks, allowed)
        else:
            with open(path, "wb") as file:
                _write(file, chunks)
    except OSError as error:
        unchanged = Bilingual("; the old content is unchanged", "；原来的内容没有改动")
        kept = unchanged if error.errno in _NO_ROOM else both("")
        found = Bilingual("cannot write the file: {why}{kept}", "无法写入文件：{why}{kept}")
        raise UnusableValue(found.format(why=why(error), kept=kept)).at(file=path) from None


def colourful() -> bool:
    """Colour only on a terminal, and never under NO_COLOR (https://no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def goes_to_terminal(output: str | None) -> bool:
    """Whether what is printed, or written to the file `output`, appears on a terminal."""
    if output is None or _is_standard_output(output):
        return sys.stdout.isatty()
    try:
        if not stat.S_ISCHR(os.stat(output).st_mode):
            return False
        with open(output, "wb", buffering=0) as device:
            return device.isatty()
    except OSError:
        return False


def encoding(output: str | None) -> str:
    """The encoding of text that is printed, or written to the file `output`."""
    return "utf-8" if output is not None else _encoding_of(sys.stdout)


def use_standard_output() -> None:
    """Make a standard output that was closed (`>&-`), which Python leaves as None, fail where it is used."""
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), encoding="utf-8")


def standard_output_failed(error: OSError | ValueError) -> UnusableValue:
    """The message for what could not be printed; what was buffered is given up."""
    _abandon(sys.stdout)
    closed = Bilingual("it is closed", "它已经关闭")
    found = Bilingual("cannot write to standard output: {why}", "无法写到标准输出：{why}")
    return UnusableValue(
        found.format(why=why(error) if isinstance(error, OSError) and error.errno else closed)
    )


def _print(text: str | bytes, document: bool) -> None:
    out = sys.stdout
    try:
        if isinstance(text, bytes):
            out.flush()
            out.buffer.write(text)
        elif document and hasattr(out, "buffer") and not out.isatty():
            out.flush()
            out.buffer.write(_utf_8(text))
        else:
            out.write(_encodable(text, out))
        out.flush()
    except (OSError, ValueError) as error:
        raise standard_output_failed(error) from None


def _abandon(out: TextIO) -> None:
    """Let what is still buffered for a stream that failed go nowhere, so that the end of Python is quiet."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, out.fileno())
        os.close(nowhere)


def _encoding_of(out: TextIO) -> str:
    return getattr(out, "encoding", None) or "utf-8"


def _utf_8(text: str) -> bytes:
    """The text in UTF-8, with U+FFFD for halves of characters that a notebook or a file name may hold."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        whole = _LONE.sub("\ufffd", text).encode("utf-8", "surrogateescape")
        return whole.decode("utf-8", "replace").encode("utf-8")


def _write(file: IO[bytes], chunks: Iterable[str | bytes]) -> None:
    for chunk in chunks:
        file.write(chunk if isinstance(chunk, bytes) else _utf_8(chunk))


def is_regular(path: str) -> bool:
    """Whether a path is that of a regular file, or of none yet; an open file under /dev or /proc is not."""
    try:
        kind = os.stat(path).st_mode
    except FileNotFoundError:
        return True
    return stat.S_ISREG(kind) and not os.path.abspath(path).startswith(("/dev/", "/proc/"))


def _is_standard_output(path: str) -> bool:
    """Whether a path is that of the file to which standard output goes, as /dev/stdout is."""
    try:
        return os.path.samestat(os.stat(path), os.fstat(sys.stdout.fileno()))
    except (OSError, ValueError):
        return False


def _replace(real: Path, chunks: Iterable[str | bytes], allowed: Callable[[Path], None] | None) -> None:
    """Write a new file beside the old one, down to the disk, and give it the name of the old one."""
    before = real.stat() if real.exists() else None
    if before is not None and not os.access(real, os.W_OK):
        raise PermissionError(errno.EACCES, "it may not be written")
    import tempfile

    handle, name = tempfile.mkstemp(dir=real.parent, prefix=".symattn-", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            _write(file, chunks)
            file.flush()
            os.fsync(file.fileno())
        if before is not None and hasattr(os, "chown"):
            with suppress(OSError):
                os.chown(name, before.st_uid, before.st_gid)
        os.chmod(name, 0o666 & ~_umask() if before is None else stat.S_IMODE(before.st_mode))
        if allowed is not None:
            allowed(real)
        os.replace(name, real)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(name)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
