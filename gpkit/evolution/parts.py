"""Parts of evolution by kind and name. They are registered, installed with a distribution, or passed as arguments.

The same call registers gpkit's own parts and external parts. Another distribution provides a part as an entry point in
the group for the part's kind. gpkit imports no other code.
"""

import hashlib
import inspect
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from operator import attrgetter
from threading import RLock
from typing import Any

from gpkit.core.diagnostics import check_known, nearest, suggestion
from gpkit.core.errors import GpkitError, GuestError, UsageError, one_line
from gpkit.core.plugins import imported_file, installed, is_named, shown_path
from gpkit.core.timeouts import Stuck, watched

GROUPS = {
    "operator": "gpkit.operators",
    "selector": "gpkit.selectors",
    "scheme": "gpkit.schemes",
    "stop": "gpkit.stops",
    "initialiser": "gpkit.initialisers",
    "callback": "gpkit.callbacks",
    "objective": "gpkit.objectives",
    "loss": "gpkit.losses",
}
"""The kinds of parts, each with its group of entry points."""


SECONDS = 10.0
"""The time limit in seconds for one call of an external part, unless its kind has its own limit."""


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A part of evolution, such as an operator or a scheme; it can be sent to another process.

    Attributes:
        kind, name: the kind and the name, as in configurations.
        value: the value, in the form that its kind requires.
        version: for an external part, its distribution's name and version, or the SHA-256 of its source; empty for
            gpkit's own parts.
    """

    kind: str
    name: str
    value: Any
    version: str = ""

    @property
    def what(self) -> str:
        """The name of the part in messages."""
        return f"the {'stopping rule' if self.kind == 'stop' else self.kind} `{self.name}`"

    @contextmanager
    def blaming(self, function: object) -> Iterator[None]:
        """Turn an error in the block into an error that names the part, and the file and line of ``function``.

        Raises:
            GuestError: the block raised an error.
        """
        try:
            yield
        except (Exception, SystemExit) as error:
            raise blame(error, function, self.what) from error

    def call(
        self,
        function: Callable[..., object],
        *arguments: object,
        seconds: float | None = None,
    ) -> Any:
        """Call the part or one of its methods, with a time limit (by default ``SECONDS``), and return the result.

        Raises:
            GuestError: the call raises an error, or exceeds the time limit.
        """
        seconds = SECONDS if seconds is None else seconds
        try:
            with self.blaming(function), watched(seconds, lambda file: True):
                return function(*arguments)
        except Stuck:
            raise GuestError(f"{self.what} did not return within {seconds:g} seconds") from None

    def __reduce__(self) -> tuple[Any, ...]:
        """The pickled form: the path and the name for a function or class in a file, and otherwise the value itself."""
        module = sys.modules.get(str(getattr(self.value, "__module__", "")))
        file = str(
            getattr(module, "__file__", "") or getattr(getattr(module, "__spec__", None), "origin", "") or ""
        )
        name = getattr(self.value, "__qualname__", "<")
        if module is not None and is_named(file) and "<" not in name:
            return _in_file, (self.kind, self.name, file, name, self.version)
        return Part, (self.kind, self.name, self.value, self.version)


def _in_file(kind: str, name: str, path: str, qualified: str, version: str) -> Part:
    """The part whose value has this qualified name in the file."""
    return Part(kind, name, attrgetter(qualified)(imported_file(path)), version)


@dataclass(frozen=True, slots=True)
class Operator:
    """An operator that varies genomes; a genome is a value that the parser of a language returns.

    Attributes:
        parents: the number of parents, 1 or 2.
        apply: takes the representation, a random generator and the parents' genomes, and returns the child's genome, or
            a ``gpkit.Child``.
    """

    parents: int
    apply: Callable[[Any, Any, Any], Any]


_REGISTERED: dict[tuple[str, str], dict[str, Part]] = {}
"""The registered parts by name, for each kind and language; the language is empty for parts for all languages."""

_REGISTERING = RLock()
"""The lock for looking up a part and then registering it."""


def register(kind: str, name: str, value: object, *, language: str = "") -> None:
    """Register a part of evolution, so that configurations can name it. gpkit registers its own parts in the same way.

    Args:
        kind: ``operator``, ``selector``, ``scheme``, ``stop``, ``initialiser``, ``callback``, ``objective`` or
            ``loss``.
        name: the name in configurations.
        value: the value, in the form that its kind requires; the page "Extend gpkit from outside" has an example of
            each kind.
        language: the language to which an operator or initialiser is limited; empty for all languages.

    Raises:
        UsageError: there is no such kind, or another part has this name; registering the same part again is allowed.
    """
    with _REGISTERING:
        table = table_of(kind, language)
        module = str(getattr(_defined(value), "__module__", ""))
        part = Part(kind, name, value, "" if module.partition(".")[0] == "gpkit" else source_digest(value))
        if name in table and not (part.version and table[name].version == part.version):
            kind_of = f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"
            raise UsageError(
                f"there is {kind_of} `{name}` already; remove it first: gpkit.unregister({kind!r}, {name!r})"
            )
        table[name] = part


def unregister(kind: str, name: str, *, language: str = "") -> Any:
    """Remove a part, so that configurations can no longer name it, and return the registered value.

    Raises:
        UsageError: there is no such part.
    """
    table = table_of(kind, language)
    check_known(kind, name, table)
    return table.pop(name).value


def registered(kind: str, *, language: str = "") -> Mapping[str, Any]:
    """The registered parts of a kind, by name.

    Raises:
        UsageError: there is no such kind.
    """
    return {name: part.value for name, part in [*table_of(kind, language).items()]}


def table_of(kind: str, language: str) -> dict[str, Part]:
    """The registered parts of a kind by name, for programs in a language, or for every language if this is empty.

    Raises:
        UsageError: there is no such kind.
    """
    check_known("kind of part", kind, GROUPS)
    return _REGISTERED.setdefault((kind, language), {})


Wrap = Callable[[Any, Any, Mapping[str, str]], Any]
"""A function that makes the complete program for users, from a genome, a language and a header."""


@dataclass(frozen=True, slots=True)
class Parts:
    """Parts that were passed to a run as arguments, in addition to the registered and installed parts.

    Attributes:
        given: the values by kind and name.
        rules: stopping rules; they are not stored with the run.
        wrap: makes programs from genomes for external functions; None means that these functions get the genomes.
        are_of_fit: whether the run is a fit, which accepts parts only by name.
    """

    given: Mapping[tuple[str, str], Any] = field(default_factory=dict)
    rules: tuple[Callable[[Any], str | None], ...] = ()
    wrap: Wrap | None = None
    are_of_fit: bool = False

    def names(self, kind: str, language: str = "") -> list[str]:
        """The names of all parts of a kind."""
        taken = {**table_of(kind, ""), **table_of(kind, language)}
        found = [*taken, *(name for each, name in self.given if each == kind)]
        return [
            *found,
            *(entry.name for entry in installed(GROUPS[kind]) if entry.name not in found),
        ]

    def find(self, kind: str, name: str, language: str = "") -> Part:
        """The part with this kind and name.

        Raises:
            UsageError: there is no such part; the message explains how to provide one.
            GuestError: the part's distribution cannot be imported.
        """
        for table in (table_of(kind, language), table_of(kind, "")):
            if name in table:
                return table[name]
        if (kind, name) in self.given:
            value = self.given[kind, name]
            return Part(kind, name, value, source_digest(value))
        for entry in installed(GROUPS[kind]):
            if entry.name == name:
                return Part(kind, name, entry.load(), entry.origin)
        known = self.names(kind, language)
        way = "" if nearest(name, known) else f"; {way_to_give(kind, name, is_for_fit=self.are_of_fit)}"
        near = f"; {suggestion(name, known)}" if known else ""
        raise UsageError(f"there is no {kind} `{name}`{near}{way}")


NO_PARTS = Parts()


def way_to_give(kind: str, name: str, *, is_for_fit: bool = False) -> str:
    """Advice on how to pass your own part to ``gpkit.evolve`` or to a fit."""
    registered, group = f'gpkit.register("{kind}", "{name}", function)', GROUPS[kind]
    if is_for_fit:
        return (
            f"one of your own is registered in Python before gpkit.fit, {registered}, or installed ({group})"
        )
    how = {
        "operator": f'operators={{"{name}": (function, share)}}',
        "callback": "callbacks=[function]",
        "objective": "objectives=[function]",
    }
    argument = how.get(kind, f"{'selection' if kind == 'selector' else kind}={name}")
    return (
        f"one of your own is given in Python, gpkit.evolve(..., {argument}), registered by its file, {registered}, "
        f"or installed ({group})"
    )


# Parts from outside in messages, in other processes, and in the description of a run.


def name_of_part(value: object) -> str:
    """The name of a function or class, or of a value's class."""
    return str(getattr(value, "__name__", type(value).__name__)).strip("<>")


def source_digest(value: object) -> str:
    """The SHA-256 of the source of a function or class, or of a value's class: 64 hexadecimal digits.

    If the source is not available, for example at a prompt, it is the SHA-256 of the compiled code.
    """
    function = inspect.unwrap(getattr(_defined(value), "__func__", _defined(value)))
    part = function if inspect.isfunction(function) or inspect.isclass(function) else type(function)
    try:
        text = inspect.getsource(part)
    except (OSError, TypeError):
        text = "\n".join(_compiled(part))
    return hashlib.sha256(text.encode()).hexdigest()


def _defined(value: object) -> Any:
    """The function or value that defines the behaviour of a part."""
    value = value.apply if isinstance(value, Operator) else value
    value = value[0] if isinstance(value, tuple) else value  # a loss with its derivative
    return getattr(value, "func", value)


def _compiled(part: object) -> list[str]:
    """The compiled code of a function, or of a class's functions, as strings."""
    codes = [each.__code__ for each in (part, *vars(part).values()) if inspect.isfunction(each)]
    return [f"{code.co_name} {code.co_code.hex()} {code.co_names}" for code in codes] or [repr(part)]


def blame(error: BaseException, function: object, what: str) -> GuestError:
    """A message for an external function's error, with the line in the function's file.

    Args:
        error: the error that the function raised.
        function: the function that was called.
        what: the function's name in messages, such as "the operator `mine`".
    """
    function = _defined(function)
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    module = inspect.getmodule(type(function))
    file = code.co_filename if code is not None else getattr(module, "__file__", "")
    frames = traceback.extract_tb(error.__traceback__)
    place = next((each for each in reversed(frames) if each.filename == file), None)
    if place is None and code is not None and isinstance(error, GpkitError):  # of what it returned
        place = traceback.FrameSummary(code.co_filename, code.co_firstlineno, code.co_name, lookup_line=False)
    where = f"{shown_path(place.filename)}, line {place.lineno}, in {place.name}: " if place else ""
    words = str(error) if isinstance(error, Stuck | GpkitError) else one_line(error)
    if any(each in words for each in _ASSIGNED):
        words += "; programs and what they hold are values: return a new program, or its text"
    return GuestError(f"{what}: {where}{words}")


_ASSIGNED = ("FrozenInstanceError", "does not support item assignment", "super(type, obj)", "no setter")
"""Words in the errors that assignments to gpkit's values raise; the third is for new fields of classes with slots."""
