"""The shared library: found, loaded, and called so that failures become exceptions."""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from collections.abc import Callable
from ctypes import CDLL, byref, c_char_p, c_void_p
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from . import _abi as abi


class Error(Exception):
    """What went wrong, in the words of the library; the base of all exceptions of this package."""


class UsageError(Error, ValueError):
    """An argument makes no sense."""


class DataError(Error, ValueError):
    """The data are not what they should be."""


class FileError(Error, OSError):
    """The operating system refused: a missing file, a full disk."""


class OutOfMemoryError(Error, MemoryError):
    """Memory is short."""


class NotFittedError(Error, ValueError, AttributeError):
    """The estimator has to be fitted first."""


_ERRORS: dict[int, type[Error]] = {
    abi.RG_EFAIL: Error,
    abi.RG_EUSAGE: UsageError,
    abi.RG_EDATA: DataError,
    abi.RG_EIO: FileError,
    abi.RG_ENOMEM: OutOfMemoryError,
}


def _places() -> list[str]:
    """Where the library may lie: named, in the package, in the build tree of a clone, in the system."""
    here = Path(__file__).resolve().parent
    named = os.environ.get("REGULA_LIBRARY")
    if named:
        return [named]
    return [
        str(here / "libregula.so"),
        str(here.parents[1] / "build" / "libregula.so"),
        f"libregula.so.{abi.RG_VERSION_MAJOR}",
    ]


def _load() -> CDLL:
    missing = []
    for place in _places():
        if "/" in place and not os.path.exists(place):
            missing.append(place)
            continue
        try:
            library = CDLL(place)
        except OSError as error:
            missing.append(f"{place} ({error})")
            continue
        for name, (result, parameters) in abi.FUNCTIONS.items():
            try:
                function = getattr(library, name)
            except AttributeError:
                continue  # a build without that part; calling it says so
            function.restype = result
            function.argtypes = parameters
        return library
    raise ImportError("regula: the shared library was not found: " + ", ".join(missing))


lib = _load()


def check(status: int, error: abi.rg_error) -> None:
    """Raises the exception that belongs to a status, with the message of the library."""
    if status == abi.RG_OK:
        return
    message = bytes(error.message).split(b"\0", 1)[0].decode("utf-8", "replace")
    raise _ERRORS.get(status, Error)(message)


def call(name: str, *arguments: Any) -> None:
    """Calls a function whose last parameter is the error."""
    error = abi.rg_error()
    check(getattr(lib, name)(*arguments, byref(error)), error)


def create(name: str, *arguments: Any) -> int:
    """Calls a function whose first parameter is an object that the caller will own."""
    out = c_void_p()
    call(name, byref(out), *arguments)
    assert out.value is not None
    return out.value


Struct = TypeVar("Struct", bound=ctypes.Structure)


def sized(kind: type[Struct]) -> Struct:
    """A struct that says how long it is, and is empty otherwise."""
    out: Any = kind()
    out.size = ctypes.sizeof(kind)
    return cast(Struct, out)


def defaults(kind: type[Struct]) -> Struct:
    """Options, each with its default."""
    out = kind()
    getattr(lib, kind.__name__ + "_init")(byref(out), ctypes.sizeof(kind))
    return out


def create_text(name: str, *arguments: Any) -> str | None:
    """Calls a function that gives a text that the caller owns."""
    out = c_char_p()
    call(name, ctypes.cast(byref(out), abi.FUNCTIONS[name][1][0]), *arguments)
    if out.value is None:
        return None
    text = out.value.decode("utf-8", "surrogateescape")
    lib.rg_text_free(out)
    return text


def encode(text: str | os.PathLike[str]) -> bytes:
    """A text or path as C takes it."""
    path = os.fspath(text)
    if "\0" in path:
        raise UsageError("found a text with a zero byte, expected none")
    return path.encode("utf-8", "surrogateescape")


def decode(text: bytes | None) -> str | None:
    return None if text is None else text.decode("utf-8", "replace")


def callback(struct: type[ctypes.Structure], field: str, function: Callable[..., Any] | None) -> Any:
    """A Python function as a field of a struct of options takes it."""
    kind: Any = {part[0]: part[1] for part in struct._fields_}[field]
    return kind(function) if function else kind()


class Stoppable:
    """A call of the library that Ctrl-C stops within 100 ms.

    Python raises what signals mean in the main thread, at any instruction: also inside a callback, where it
    would be lost. So the main thread waits, and another one calls; it is asked every few milliseconds."""

    def __init__(self) -> None:
        self.raised: BaseException | None = None

    def arm(self, options: Any) -> None:
        """Puts the question whether to stop into the options of the call."""
        options.cancel = callback(type(options), "cancel", lambda context: int(self.raised is not None))

    def run(self, work: Callable[[], int]) -> int:
        """The status of the call; `raised` is set if it was stopped."""
        if threading.current_thread() is not threading.main_thread():
            return work()
        status: list[int] = []
        over = threading.Event()

        def call_it() -> None:
            try:
                status.append(work())
            finally:
                over.set()

        worker = threading.Thread(target=call_it, name="regula", daemon=True)
        worker.start()
        while not over.is_set():
            try:
                over.wait()
            except BaseException as error:
                self.raised = error
        worker.join()
        return status[0]

    def call(self, name: str, *arguments: Any) -> None:
        """As `call`; what stopped it is raised again."""
        error = abi.rg_error()
        status = self.run(lambda: int(getattr(lib, name)(*arguments, byref(error))))
        if self.raised is not None:
            raise self.raised
        check(status, error)


def view(address: int | None, dtype: npt.DTypeLike, n: int, owner: object) -> npt.NDArray[Any]:
    """An array of the library, read-only and without a copy; it keeps its owner alive."""
    kind = np.dtype(dtype)
    if not address or not n:
        return np.empty(0, kind)
    buffer: Any = (ctypes.c_char * (n * kind.itemsize)).from_address(address)
    buffer.owner = owner
    array = np.frombuffer(buffer, kind)
    array.flags.writeable = False
    return array


def version() -> str:
    """The version of the library.

    >>> version().count('.')
    2
    """
    return str(decode(lib.rg_version()))


def address_of(array: npt.NDArray[Any]) -> int:
    return array.__array_interface__["data"][0]  # type: ignore[no-any-return]


if sys.byteorder != "little":  # pragma: no cover
    raise ImportError("regula: only little-endian processors are supported")
