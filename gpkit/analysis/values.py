"""Programs as values: what makes two of them equal, what they compute from numbers, and smaller ones."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.diagnostics import nearest, shortened, unseen
from gpkit.core.errors import UsageError
from gpkit.core.primitives import PrimitiveSet, Sensor, offered
from gpkit.core.registry import is_game, offers_of
from gpkit.core.rng import stream
from gpkit.langkit.language import laid_out
from gpkit.playing.named import Named, offers_for
from gpkit.vm import machine
from gpkit.vm.program import Program

Part = Callable[[NDArray[np.float64]], NDArray[Any]]
"""Values of a section from float64 (inputs, rows): an array (rows,) of float64, or of the names of leaves."""


@dataclass(frozen=True, slots=True)
class Function:
    """Function that a program computes.

    Attributes:
        inputs: names of the numbers that it reads, in the order of their first places.
        parts: what each section computes, by name.
        codes: the compiled sections, by name, of formulas that draw no random numbers; None of others.
    """

    inputs: tuple[str, ...]
    parts: Mapping[str, Part]
    codes: Mapping[str, Program] | None = None

    def of(self, given: Mapping[str, Any]) -> Any:
        """The value for numbers, or the array for arrays, which are broadcast; several sections give one by name.

        Args:
            given: by name what is read, with or without what stands before its last point; more does no harm.

        Raises:
            UsageError: something that is read is missing or no number, or shapes do not go together.
        """
        if self.codes is not None and set(map(type, given.values())) <= {float, int}:
            with suppress(OverflowError):  # which is told below
                floats, results = [given[_name_among(name, given)] for name in self.inputs], {}
                for name, code in self.codes.items():  # without a detour by arrays
                    memory = code.memory.copy()[:, None]
                    memory[: len(floats), 0] = floats
                    memory[: len(floats), 0] += 0.0
                    machine.evaluate_rows(code.code, memory)
                    results[name] = float(memory[code.result, 0])
                return results if len(results) > 1 else next(iter(results.values()))
        read = [_numbers(name, given[_name_among(name, given)]) for name in self.inputs]
        try:
            shape = np.broadcast_shapes(*(np.shape(value) for value in (*given.values(), *read)))
            columns = np.array([np.broadcast_to(each, shape).reshape(-1) for each in read], dtype=np.float64)
            columns += 0.0  # -0.0 counts as 0.0, as in every export
        except ValueError as error:
            raise UsageError(f"the shapes of these values do not go together: {error}") from None
        columns = columns.reshape(len(read), int(np.prod(shape)))
        values = {name: part(columns).reshape(shape) for name, part in self.parts.items()}
        found = {name: value if shape else value.item() for name, value in values.items()}
        return found if len(found) > 1 else next(iter(found.values()))


class BuiltSource:
    """The source of a program that no text was read for: its text is printed, and read, when it is asked for.

    Attributes:
        program: the program.
        header: lines of its header, by key.
    """

    __slots__ = ("_language", "_printed", "_read", "header", "program")

    def __init__(self, program: Any, language: Any, header: Mapping[str, str]) -> None:
        """A program in a language."""
        self.program, self.header = program, header
        self._language, self._read, self._printed = language, None, ""

    @property
    def text(self) -> str:
        """The printed text, which is laid out in the canonical way."""
        if not self._printed:
            self._printed = self._language.print_program(self.program, self.header)
        return self._printed

    def __getattr__(self, name: str) -> Any:
        """An attribute of the source of the printed text."""
        if name.startswith("__"):
            raise AttributeError(name)
        if self._read is None:
            self._read = self._language.parse(self.text, "program")
        return getattr(self._read, name)


def canonical(named: Named) -> str:
    """The text of a program in canonical layout, with its comments; printed text is laid out so already."""
    source = named.source
    return (
        source.text if isinstance(source, BuiltSource) else laid_out(named.language, source.text, named.spec)
    )


def function_of(named: Named, fitted: Callable[..., NDArray[np.float64]] | None = None) -> Function:
    """The function of a program.

    Args:
        named: the program.
        fitted: what a formula of a fit is evaluated by, instead of being compiled: takes a program of one section, the
            names that it reads, and float64 (names, rows).

    Raises:
        UsageError: its language has none.
    """
    language, program = named.language, named.source.program
    if language.valuing is None:
        raise UsageError(
            f"programs in {language.name} act in a game and compute no value; gpkit.play plays {named.spec}"
        )
    inputs = tuple(dict.fromkeys(name for tree in program.trees for name in tree.reads))
    valued = fitted if language.classify is None else partial(_leaves, language.classify)
    if valued is not None:
        pairs = zip(program.names, program.trees, strict=True)
        lone = {name: type(program)((name,), (tree,)) for name, tree in pairs}
        return Function(inputs, {name: partial(valued, one, inputs) for name, one in lone.items()})
    sensors = tuple(Sensor(name, "", -np.inf, np.inf, integer=False) for name in inputs)
    compiled = language.compile(program, named.source.header, PrimitiveSet("", program.names, sensors, ()))
    parts = {name: partial(_computed, code) for name, code in zip(program.names, compiled, strict=True)}
    draws = any(len(code.inputs) > len(inputs) for code in compiled)
    return Function(inputs, parts, None if draws else dict(zip(program.names, compiled, strict=True)))


def content_of(named: Named) -> tuple[object, ...]:
    """The language of a program, its text without a header, and the lines of its header that count."""
    header, language = named.source.header, named.language
    game = header.get("game") if language.switches else None
    primitives = offered(offers_of(game), language.name) if game and is_game(game) else None
    switches = (*language.switches, *(primitives.switches if primitives else ()))
    counted = {"game", "dialect", *(switch.name for switch in switches)}
    lines = tuple(sorted((key, value) for key, value in header.items() if key in counted))
    return language.name, language.print_program(named.source.program, None), lines


def simplified(named: Named) -> Any:
    """A program that computes the same, or plays the same, perhaps smaller.

    Raises:
        UsageError: programs of the language cannot be simplified, or need a game that nobody names.
    """
    language, source = named.language, named.source
    if language.simplify is None:
        raise UsageError(f"gpkit cannot simplify programs in {language.name}")
    is_of_game = language.needs_game or is_game(source.header.get("game", ""))
    primitives = offered(offers_for(named), language.name) if is_of_game else None
    return language.simplify(source.program, source.header, primitives)


def columns_in(rows: Any, names: Sequence[str], inputs: Sequence[str]) -> Mapping[str, Any]:
    """The columns of a table by name.

    Args:
        rows: by name, mappings one by one, a data frame, or an array (rows, columns) or (rows,).
        names: of the columns of an array; of a single one it is the only input.
        inputs: names of what is read.

    Raises:
        UsageError: it is none of these, or has other columns.
    """
    if isinstance(rows, Mapping):
        return rows
    if hasattr(rows, "columns") and hasattr(rows, "__getitem__"):
        return {str(name): rows[name] for name in rows.columns}
    if isinstance(rows, Sequence) and rows and all(isinstance(row, Mapping) for row in rows):
        return {name: [row[_name_among(name, row)] for row in rows] for name in (inputs or list(rows[0])[:1])}
    table = _numbers("rows", rows)
    columns = table.T if table.ndim == 2 else table[None] if table.ndim == 1 else None
    known = tuple(names) or tuple(inputs[:1] if len(inputs) <= 1 else ())
    if columns is None or len(columns) != len(known or inputs):
        raise UsageError(
            f"an array of shape {table.shape} for {', '.join(known or inputs) or 'no input'}; expected one column each"
        )
    if not known and inputs:
        raise UsageError(f"name the columns of the array, such as columns={list(inputs)}")
    return dict(zip(known, columns, strict=True))


def _name_among(name: str, given: Mapping[str, Any]) -> str:
    """The name by which a number is given.

    Raises:
        UsageError: it is not.
    """
    short = name.rpartition(".")[2]
    for each in (name, short):
        if each in given:
            return each
    close = nearest(short, map(str, given))
    fix = f"; is `{close}` a misspelling of it?{unseen(short, close)}" if close else ""
    raise UsageError(f"the program reads `{name}`, which is not given: add {short}=...{fix}")


def _numbers(name: str, value: Any) -> NDArray[np.float64]:
    """A number or numbers as an array.

    Raises:
        UsageError: they are none.
    """
    try:
        array = np.asarray(value)
        if array.dtype.kind in "biuf" or (array.dtype.kind == "O" and None not in array.reshape(-1).tolist()):
            return array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        pass
    raise UsageError(f"{name}={shortened(repr(value))} is not a number or an array of numbers")


def _computed(program: Program, columns: NDArray[np.float64]) -> NDArray[np.float64]:
    """The values of a formula; each ``math.random()`` is a column of its own, the same for as many rows."""
    draws = len(program.inputs) - len(columns)
    if draws:
        columns = np.vstack([columns, stream(0, "values").random((draws, columns.shape[1]))])
    return machine.evaluate(program, columns)


def _leaves(classify: Any, program: Any, inputs: Sequence[str], columns: NDArray[np.float64]) -> NDArray[Any]:
    """The leaves of a decision tree, as numbers if all of its leaves are."""
    names, chosen = classify(program, inputs, columns)
    leaves = [names[number] for number in chosen.tolist()]
    numeric = not any(isinstance(each, str) for each in leaves)
    return np.array(leaves, dtype=np.float64 if numeric else object)
