"""Numpy archives from elsewhere: nothing is taken in that is larger than the reader expects, whatever a header claims.

An archive holds vectors of numbers, each as numpy writes it (``numpy.lib.format``, version 1.0), stored or deflated.
"""

import io
import re
import struct
import zipfile
import zlib
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

HEADER = re.compile(
    rb"\x93NUMPY\x01\x00(..)\{'descr': '([<|][a-z][0-9])', 'fortran_order': False, 'shape': \(([0-9]{1,12}),\), \} *\n",
    re.DOTALL,
)
"""The beginning of a vector: the length of what follows, the numbers' type, and how many there are."""

MAX_HEADER = 1000
"""Bytes of a header, at most."""

METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
ENCRYPTED = 1
"""The flag of a member that needs a password."""


class Archive:
    """An archive that is read vector by vector; to be closed after use, so use it in a ``with``."""

    def __init__(self, content: bytes) -> None:
        """Read the table of contents.

        Raises:
            ValueError: the bytes are not an archive of that form.
        """
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(content))
        except _FAULTS as error:
            raise ValueError(f"it is no archive: {error}") from error
        members = self._zip.infolist()
        self._members = {member.filename: member for member in members}
        if len(self._members) < len(members):
            raise ValueError("a name is there twice")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._zip.close()

    @property
    def names(self) -> set[str]:
        """The names of the vectors."""
        return {name.removesuffix(".npy") for name in self._members}

    def read(self, name: str, kind: str, most: int) -> NDArray[Any]:
        """The vector of that name.

        Args:
            name: of the vector.
            kind: the type of its numbers, as numpy calls it.
            most: how many numbers it has, at most.

        Raises:
            ValueError: there is none, it is damaged, its numbers are of another type, or there are more.
        """
        dtype = np.dtype(kind)
        content = self._content(name, most * dtype.itemsize + MAX_HEADER)
        found = HEADER.match(content)
        if found is None or found.end() != 10 + int.from_bytes(found[1], "little"):
            raise ValueError(f"{name} is not a vector of numbers")
        if found[2].decode() != dtype.str:
            raise ValueError(f"the array {name} is of {found[2].decode()!r}, not of {dtype.str!r}")
        count = int(found[3])
        if count > most or len(content) - found.end() != count * dtype.itemsize:
            raise ValueError(f"the array {name} claims {count:,} numbers; expected at most {most:,}")
        return np.frombuffer(content, dtype, offset=found.end())

    def _content(self, name: str, most: int) -> bytes:
        """The bytes of a member, of which no more are decompressed than there may be."""
        member = self._members.get(f"{name}.npy")
        if member is None:
            raise ValueError(f"the array {name} is missing")
        if member.compress_type not in METHODS or member.flag_bits & ENCRYPTED:
            raise ValueError(f"{name} is packed in a way that is not read")
        try:
            with self._zip.open(member) as file:
                content = file.read(most + 1)
        except _FAULTS as error:
            raise ValueError(f"{name} is damaged: {error}") from error
        if len(content) > most:
            raise ValueError(f"{name} has more than {most:,} bytes")
        return content


_FAULTS = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    OSError,
    EOFError,
    RuntimeError,
    ValueError,
    OverflowError,
)
"""Exceptions of ``zipfile`` for an archive that is damaged, or packed in a way that it cannot read."""
