"""Programs as values: when they are equal, the functions that they compute, and smaller equivalent programs."""

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Floats
from gpkit.core.diagnostics import nearest, shortened, unseen
from gpkit.core.errors import UsageError
from gpkit.core.primitives import PrimitiveSet, Sensor, offered
from gpkit.core.registry import is_game, language_entry, offers_of
from gpkit.core.rng import stream
from gpkit.genomes.tree import LONE_SECTION
from gpkit.langkit.foreign import raise_failure
from gpkit.langkit.language import Language, laid_out
from gpkit.playing.named import Named, offers_for
from gpkit.vm.isa import HALT, row_of, slots_of
from gpkit.vm.program import MOST_ROWS, Program


@dataclass(frozen=True, slots=True)
class Function:
    """The function that a program computes.

    Attributes:
        inputs: the names of the numbers that the program reads, in the order of their first use.
        parts: for each section, by name, a function of float64 (inputs, rows), which returns an array (rows,) of
            float64, or of the names of leaves.
        codes: the compiled sections by name, if the formulas draw no random numbers; otherwise None.
    """

    inputs: tuple[str, ...]
    parts: Mapping[str, Callable[[Floats], NDArray[Any]]]
    codes: Mapping[str, Program] | None = None

    def of(self, given: Mapping[str, Any]) -> Any:
        """The value for given numbers, or an array of values for given arrays, which are broadcast.

        If the program has several sections, the result is a mapping from their names.

        Args:
            given: the inputs by name, with or without the part of the name before the last dot; extra inputs are
                ignored.

        Raises:
            UsageError: an input is missing or not a number, or the shapes are not compatible.
        """
        read = [_numbers(name, given[_name_among(name, given)]) for name in self.inputs]
        try:
            shape = np.broadcast_shapes(*(np.shape(value) for value in (*given.values(), *read)))
            columns = np.array([np.broadcast_to(each, shape).reshape(-1) for each in read], dtype=np.float64)
            columns += 0.0  # -0.0 counts as 0.0, as in every export
        except ValueError as error:
            raise UsageError(f"the shapes of these values do not go together: {error}") from None
        columns = columns.reshape(len(read), int(np.prod(shape)))
        values = {name: part(columns).reshape(shape) for name, part in self.parts.items()}
        raise_failure()
        found = {name: value if shape else value.item() for name, value in values.items()}
        return found if len(found) > 1 else next(iter(found.values()))

    def resolved(self) -> Callable[[Mapping[str, Any]], Any]:
        """A version of ``of`` for many calls, which is fast if given exactly the inputs, as numbers or short arrays."""
        names, of, count = [name.rpartition(".")[2] for name in self.inputs], self.of, len(self.inputs)
        dotted = {*self.inputs}.difference(names)
        if not self.codes or len({*names}) < count:
            return of
        zeros = (0.0,) * count  # -0.0 counts as 0.0, as in every export
        codes = [(name, code, code.memory[count:]) for name, code in self.codes.items()]

        short: list[Sequence[tuple[str, list[float], Sequence[Step], int]]] = []

        def steps() -> Sequence[tuple[str, list[float], Sequence[Step], int]]:
            """The steps of each section, for numbers and not for arrays; empty if any section has no steps."""
            if not short:
                each = [(name, rest.tolist(), steps_of(code), code.result) for name, code, rest in codes]
                short.append([] if any(one[2] is None for one in each) else cast(Any, each))
            return short[0]

        def has_odd(given: Mapping[str, Any], kinds: frozenset[type]) -> bool:
            return not (kinds.issuperset(map(type, given.values())) and dotted.isdisjoint(given))

        def call(given: Mapping[str, Any]) -> Any:
            try:
                read: list[Any] = [*map(operator.add, map(given.__getitem__, names), zeros)]
            except (ArithmeticError, KeyError, TypeError):
                return of(given)  # which says what is wrong
            kinds, found = {*map(type, read)}, {}
            has_more = len(given) != count  # which may have a shape, or be the same by a longer name
            if kinds <= FLOAT and not (has_more and has_odd(given, NUMBER)) and steps():
                for section, rest, program, result in steps():
                    memory = read + rest
                    for function, target, first, second in program:
                        memory[target] = function(memory[first], memory[second])
                    found[section] = memory[result]
                return found if len(found) > 1 else memory[result]
            if not kinds <= FLOAT_OR_ARRAY or (has_more and has_odd(given, NUMBER_OR_ARRAY)):
                return of(given)
            arrays = [each for each in given.values() if type(each) is np.ndarray]
            shape = arrays[0].shape if arrays else (1,)
            if len(shape) != 1 or shape[0] > MOST_ROWS or any(each.shape != shape for each in arrays):
                return of(given)
            if any(type(each) is np.ndarray and each.dtype != np.float64 for each in read):
                return of(given)
            from gpkit.vm.machine import evaluate_rows  # with numba, which numbers do not need

            for section, code, others in codes:
                rows = np.empty((len(code.memory), *shape))
                rows[count:] = others[:, None]
                for place, each in enumerate(read):
                    rows[place] = each
                evaluate_rows(code.code, rows)
                found[section] = rows[code.result].copy() if arrays else float(rows[code.result, 0])
            raise_failure()
            return found if len(found) > 1 else next(iter(found.values()))

        return call


FLOAT, FLOAT_OR_ARRAY = frozenset((float,)), frozenset((float, np.ndarray))
NUMBER, NUMBER_OR_ARRAY = FLOAT | {int}, FLOAT_OR_ARRAY | {int}
"""The types of numbers that need no further check."""

MOST_STEPS = 24
"""The largest number of instructions for which plain Python is faster than a call to compiled code."""

Step = tuple[Callable[[float, float], float], int, int, int]
"""A function, with the memory positions of its result and its operands."""


def steps_of(program: Program) -> Sequence[Step] | None:
    """The instructions of a short straight-line program as steps; None if it is longer, or has other instructions.

    The functions are those of the readable machine, so the values are identical, bit for bit.
    """
    found: list[Step] = []
    for words in program.code.tolist():
        row = row_of(words[0])
        slots = slots_of(words, row)
        if words[0] == HALT:
            return found
        if row.function is None or not 1 <= len(slots) <= 2 or len(found) == MOST_STEPS:
            break
        function = row.function if len(slots) == 2 else partial(_of_first, row.function)
        found.append((function, words[1], slots[0], slots[-1]))
    return None


def _of_first(function: Callable[[float], float], first: float, second: float) -> float:
    return function(first)


class BuiltSource:
    """The source of a program that was not read from text; gpkit prints and parses its text only when needed.

    Attributes:
        program: the program.
        header: the lines of the program's header, by key.
    """

    __slots__ = ("_language", "_printed", "_read", "header", "program")

    def __init__(self, program: object, language: Language, header: Mapping[str, str]) -> None:
        """Make the source of a program in a language."""
        self.program, self.header = program, header
        self._language, self._read, self._printed = language, None, ""

    @property
    def text(self) -> str:
        """The printed text of the program, in canonical layout."""
        if not self._printed:
            self._printed = self._language.print_program(self.program, self.header)
        return self._printed

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the source, which gpkit gets by parsing the printed text."""
        if name.startswith("__"):
            raise AttributeError(name)
        if self._read is None:
            self._read = self._language.parse(self.text, "program")
        return getattr(self._read, name)


def canonical(named: Named) -> str:
    """The text of a program in canonical layout, with its comments."""
    source = named.source
    return (
        source.text if isinstance(source, BuiltSource) else laid_out(named.language, source.text, named.spec)
    )


def meant(named: Named) -> Named:
    """The translation of a program in a user-defined language; other programs stay unchanged.

    Raises:
        SourceError: the program's text is not valid in that language.
    """
    if named.language is None or named.language.into is None:
        return named
    program = named.language.into(named.source.program)
    known = language_entry(program.language).load()
    return Named(named.spec, BuiltSource(program, known, named.source.header), known)


def function_of(named: Named, fitted: Callable[..., Floats] | None = None) -> Function:
    """The function of a program.

    Args:
        named: the program.
        fitted: a function that evaluates a formula of a fit, so that gpkit does not compile it; its arguments are a
            program with one section, the names that the program reads, and float64 (names, rows).

    Raises:
        UsageError: programs in its language do not compute values.
    """
    if (
        named.language is not None
        and named.language.code
        and (code := named.language.code(named.source.program))
    ):
        return Function(code.inputs, {LONE_SECTION: partial(_computed, code)}, {LONE_SECTION: code})
    named = meant(named)
    language, program = named.language, named.source.program
    if language.valuing is None:
        raise UsageError(
            f"programs in {language.name} act and compute no value: gpkit.actions gives the actions of {named.spec}"
            if "game" not in named.source.header and language.acting() is not None
            else f"programs in {language.name} act in a game and compute no value; gpkit.play plays {named.spec}"
        )
    inputs = tuple(dict.fromkeys(name for tree in program.trees for name in tree.reads))
    valued = fitted if language.classify is None else partial(_leaves, language.classify)
    if valued is not None:
        lone = {name: type(program)((name,), (tree,)) for name, tree in program.parts.items()}
        return Function(inputs, {name: partial(valued, one, inputs) for name, one in lone.items()})
    sensors = tuple(Sensor(name, "", -np.inf, np.inf, integer=False) for name in inputs)
    compiled = language.compile(program, named.source.header, PrimitiveSet("", program.names, sensors, ()))
    parts = {name: partial(_computed, code) for name, code in zip(program.names, compiled, strict=True)}
    draws = any(len(code.inputs) > len(inputs) for code in compiled)
    return Function(inputs, parts, None if draws else dict(zip(program.names, compiled, strict=True)))


def content_of(named: Named) -> tuple[object, ...]:
    """The language of a program, its text without the header, and the header lines that are relevant for equality."""
    header, language = named.source.header, named.language
    game = header.get("game") if language.switches else None
    primitives = offered(offers_of(game), language.name) if game and is_game(game) else None
    switches = (*language.switches, *(primitives.switches if primitives else ()))
    counted = {"game", "dialect", *(switch.name for switch in switches)}
    lines = tuple(sorted((key, value) for key, value in header.items() if key in counted))
    return language.name, language.print_program(named.source.program, None), lines


def simplified(named: Named) -> Any:
    """An equivalent program that may be smaller.

    Raises:
        UsageError: gpkit cannot simplify programs of the language, or the game of the program is unknown.
    """
    language, source = named.language, named.source
    if language.simplify is None:
        raise UsageError(f"gpkit cannot simplify programs in {language.name}")
    is_of_game = language.needs_game or is_game(source.header.get("game", ""))
    primitives = offered(offers_for(named), language.name) if is_of_game else None
    return language.simplify(source.program, source.header, primitives)


def columns_in(rows: object, names: Sequence[str], inputs: Sequence[str]) -> Mapping[str, Any]:
    """The columns of a table, by name.

    Args:
        rows: columns by name, a sequence of mappings, a data frame, or an array (rows, columns) or (rows,).
        names: the names of an array's columns; a single column needs no name if there is only one input.
        inputs: the names that the program reads.

    Raises:
        UsageError: the rows have none of these types, or their columns do not match the names.
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


def _name_among(name: str, given: Mapping[str, object]) -> str:
    """The key in ``given`` of an input, with or without the part of its name before the last dot.

    Raises:
        UsageError: the input is not given.
    """
    from gpkit.data.features import IS  # with tables, which games do not need

    short = name.rpartition(".")[2]
    for each in (name, short):
        if each in given:
            return each
    close = nearest(short, map(str, given))
    if (words := short.partition(IS)[0]) != short and words in given:
        raise UsageError(
            f"the program reads `{name}`, a word of `{words}`: gpkit.predict reads rows with words"
        )
    fix = f"; is `{close}` a misspelling of it?{unseen(short, close)}" if close else ""
    raise UsageError(f"the program reads `{name}`, which is not given: add {short}=...{fix}")


def _numbers(name: str, value: object) -> Floats:
    """One or more numbers as a float64 array.

    Raises:
        UsageError: the value is not numeric.
    """
    try:
        array = np.asarray(value)
        if array.dtype.kind in "biuf" or (array.dtype.kind == "O" and None not in array.reshape(-1).tolist()):
            return array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        pass
    raise UsageError(f"{name}={shortened(repr(value))} is not a number or an array of numbers")


def _computed(program: Program, columns: Floats) -> Floats:
    """The values of a formula; each ``math.random()`` has its own column, which depends only on the number of rows."""
    from gpkit.vm import machine

    draws = len(program.inputs) - len(columns)
    if draws:
        columns = np.vstack([columns, stream(0, "values").random((draws, columns.shape[1]))])
    return machine.evaluate(program, columns)


def _leaves(classify: Any, program: Any, inputs: Sequence[str], columns: Floats) -> NDArray[Any]:
    """The leaves that a decision tree reaches, converted to numbers if all of them are numbers."""
    names, chosen = classify(program, inputs, columns)
    leaves = [names[number] for number in chosen.tolist()]
    numeric = not any(isinstance(each, str) for each in leaves)
    return np.array(leaves, dtype=np.float64 if numeric else object)
