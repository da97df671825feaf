"""Work for the workers of a dask cluster that runs already (extra `cluster`).

Its workers have the same symattn installed, and see the same files under the same paths. Work whose
worker ends is done again by dask, as often as its `allowed-failures` say.
"""

from __future__ import annotations

import logging
import os
import pickle
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from symattn.text.bilingual import Bilingual, both
from symattn.text.errors import NotInstalled, SymattnError, UnusableValue
from symattn.text.version import version

if TYPE_CHECKING:
    from distributed import Client

T = TypeVar("T")
R = TypeVar("R")

OPTION = "--scheduler"
PATIENCE = 10
"""Seconds until a scheduler has answered."""
LONGEST = 200
"""So many characters of an error of dask are shown."""
_ALONE = threading.Lock()
"""The precision of exact numbers and the folder are those of a process, and a worker may have threads."""


def by_cluster(work: Callable[[T], R], things: Sequence[T], address: str) -> Iterator[R | None]:
    """What the work makes of each thing, in their order; None for one that dask gave up.

    Raises NotInstalled without dask, UnusableValue for a cluster that cannot be used.
    """
    try:
        from distributed import KilledWorker
    except ImportError:
        raise NotInstalled(
            Bilingual("dask's distributed is not installed", "没有安装 dask 的 distributed"),
            both("pip install 'symattn[cluster]'"),
        ).at(key=OPTION) from None
    with _quiet(), _connected(address) as client:
        try:
            calls = [pickle.dumps(_Call(_done, work, os.getcwd(), version(), thing)) for thing in things]
            waiting = client.map(pickle.loads, calls, pure=False)
            for at in range(len(things)):
                try:
                    found = waiting[at].result()
                except KilledWorker:
                    found = None
                waiting[at] = None  # its worker may forget it
                yield found
        except SymattnError as error:
            raise error.at(key=OPTION) from None
        except Exception as error:  # the scheduler is gone, or a worker cannot read the work
            raise _failed(address, error) from None
        finally:
            client.cancel([each for each in waiting if each is not None], force=True)


class _Call:
    """A call that is carried out where it is unpickled, as a worker does: one without symattn reports that.

    It would not survive a task of dask that names a function of a module which it has not.
    """

    def __init__(self, function: Callable[..., Any], *arguments: object) -> None:
        self.call = function, arguments

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[object, ...]]:
        return self.call


def _done(work: Callable[[T], R], folder: str, needed: str, thing: T) -> R:
    """The work done by a worker, in the folder of the command."""
    if version() != needed:
        raise UnusableValue(
            Bilingual(
                f"a worker has symattn {version()}, and this is {needed}",
                f"有 worker 的 symattn 版本是 {version()}，而这里是 {needed}",
            )
        )
    with _ALONE:
        before = os.getcwd()
        try:
            os.chdir(folder)
        except OSError:
            raise UnusableValue(
                Bilingual(f"a worker does not see the folder {folder}", f"有 worker 看不到文件夹 {folder}"),
                Bilingual("share it between the machines", "请让各台机器共享这个文件夹"),
            ) from None
        try:
            return work(thing)
        finally:
            os.chdir(before)


def _connected(address: str) -> Client:
    from distributed import Client
    from distributed.comm import resolve_address

    try:
        resolve_address(address)  # a client with a wrong one takes long to close
        return Client(address, timeout=PATIENCE, set_as_default=False)
    except Exception as error:  # by what is wrong: OSError, ValueError, TypeError, ImportError, ...
        raise UnusableValue(
            Bilingual(
                f"no dask scheduler answers at {address} ({_line(error)})",
                f"{address} 处没有 dask 调度器应答（{_line(error)}）",
            ),
            Bilingual(
                "give the address that it printed, such as tcp://10.0.0.1:8786",
                "请写出它启动时显示的地址，如 tcp://10.0.0.1:8786",
            ),
        ).at(key=OPTION) from None


def _failed(address: str, error: Exception) -> UnusableValue:
    return UnusableValue(
        Bilingual(
            f"the cluster at {address} gave no result ({_line(error)})",
            f"{address} 处的集群没有给出结果（{_line(error)}）",
        ),
        Bilingual(
            f"its scheduler must run on, and its workers need symattn {version()}",
            f"调度器须一直运行，各 worker 都须装有 symattn {version()}",
        ),
    ).at(key=OPTION)


def _line(error: Exception) -> str:
    return " ".join([f"{type(error).__name__}:", *str(error).split()])[:LONGEST]


@contextmanager
def _quiet() -> Iterator[None]:
    """What dask logs and warns of stays out of standard error."""
    before = logging.root.manager.disable
    logging.disable()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)
