"""Entries of registries: what there is by name, imported only when it is asked for."""

import logging
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpkit.core.errors import GuestError, one_line

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a registry.

    Attributes:
        name: how people call it.
        module: the module that holds the value.
        attribute: its name there.
        title: what it is, in a few words.
        suffix: of a language's files, including the dot.
        origin: who brought it from outside, a file or a distribution; empty for what comes with the package.
        programs: the folder of its program files, for a game from outside; None if there is none.
        value: the value, where it has been made already.
        files: suffixes of further files of a game, which are drawn, including the dot.
        genome: the kind of program of a language, the name of a module of ``gpkit.genomes``; empty for its own.
        work: the schema of its own kind of long work in a folder; empty if it has none.
    """

    name: str
    module: str
    attribute: str
    title: str
    suffix: str = ""
    origin: str = ""
    programs: Path | None = None
    value: Any = None
    files: tuple[str, ...] = ()
    work: str = ""
    genome: str = ""

    def load(self) -> Any:
        """Import the module and return the value.

        Raises:
            GuestError: it comes from outside and cannot be imported.
        """
        if self.value is not None:
            return self.value
        try:
            return getattr(import_module(self.module), self.attribute)
        except BaseException as error:
            if not self.origin or isinstance(error, KeyboardInterrupt):
                raise
            raise GuestError(
                f"`{self.name}` of {self.origin} cannot be imported: {one_line(error)}"
            ) from error

    @property
    def folder(self) -> str:
        """The package that the module is in; empty if it is in none."""
        return self.module.rpartition(".")[0]

    def has_part(self, name: str) -> bool:
        """Whether there is a module of that name beside this one, such as ``view`` or ``forms.draw``."""
        return self.folder != "" and _spec(f"{self.folder}.{name}") is not None

    def file(self, name: str) -> Path | None:
        """The file of that name in the folder of the module; None if there is none."""
        spec = _spec(self.folder) if self.folder else None
        paths = [Path(each) / name for each in (spec and spec.submodule_search_locations) or ()]
        return next((each for each in paths if each.is_file()), None)

    def part(self, name: str) -> Any:
        """The module of that name beside this one."""
        return import_module(f"{self.folder}.{name}")


def _spec(name: str) -> ModuleSpec | None:
    """The place of a module, None if there is none; no package on the way is imported."""
    above = name.rpartition(".")[0]
    if not above:
        return find_spec(name)
    package = _spec(above)
    places = package.submodule_search_locations if package else None
    return PathFinder.find_spec(name, places) if places else None


def points_of(group: str) -> Iterator["EntryPoint"]:
    """The entry points of a group, without those of distributions whose table of entry points is damaged.

    If two distributions have the same name, the first one on the path counts.
    """
    from importlib.metadata import distributions, entry_points  # which takes its time

    with suppress(Exception):  # where a distribution is damaged
        yield from [
            point
            for point in entry_points(group=group)
            if point.dist is None or point.dist.metadata is not None
        ]
        return
    tables: dict[str, Any] = {}  # by name, which takes ten times as long to read
    for each in distributions():
        try:
            tables.setdefault(re.sub(r"[-_.]+", "-", each.name or str(id(each))).lower(), each.entry_points)
        except Exception as error:
            _LOG.info("the entry points of a distribution cannot be read: %s", one_line(error))
    yield from chain.from_iterable(points.select(group=group) for points in tables.values())
