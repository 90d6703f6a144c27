"""Joins the compiled templates of operators, functions or alternatives into the machine code of one program."""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, compress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Floats, Ints
from gpkit.vm.isa import OPCODE, WIDTH
from gpkit.vm.program import MOST_ROWS, Program

MOST_ROOM = 100_000
"""The largest number of instructions for which the kernel gets room."""


def itself(node: object) -> object:
    """The same value."""
    return node


class Template(NamedTuple):
    """The compiled code of a template.

    Attributes:
        parts: the number of its parts, which are its first inputs.
        code: the code.
    """

    parts: int
    code: Program


class Spliced(NamedTuple):
    """The code of a program: the names and constants in its first slots, the code, its slots, and the value's slot."""

    names: list[str]
    constants: list[float]
    code: NDArray[np.uint32]
    size: int
    result: int


class Numbered(NamedTuple):
    """The codes of nodes as in ``gpkit.vm.kernel.splicing.splice``, their names and constants, and those of templates.

    Attributes:
        codes: int64 (nodes,).
        names, constants: the symbols that the codes number: the names, then the constants.
        leaves: int64 (leaves,): the numbers of the symbols of all templates.
    """

    codes: Ints
    names: list[str]
    constants: list[float]
    leaves: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Templates:
    """Compiled templates as in ``gpkit.vm.kernel.splicing.splice``.

    Attributes:
        heads, rows: the arrays for the kernel.
        own: the names and constants of each template, except its parts.
        most: the largest number of instructions of a template.
    """

    heads: Ints
    rows: Ints
    own: Sequence[Sequence[object]]
    most: int

    @classmethod
    def of(cls, templates: Iterable[Template]) -> "Templates | None":
        """The templates in this order; None if the code of a template calls a function by its address."""
        heads, rows, own = list[list[int]](), list[list[int]](), list[list[object]]()
        for parts, code in templates:
            found, inputs = code.code[:-1].tolist(), code.inputs
            constants = code.memory[len(inputs) : len(code.memory) - len({row[1] for row in found})]
            begin, before = len(rows), sum(map(len, own))
            own.append([*inputs[parts:], *constants.tolist()])
            rows += found
            heads.append([parts, begin, len(rows), before, len(own[-1]), code.result])
        if any(row[0] > OPCODE for row in rows):
            return None
        most = max(end - begin for _, begin, end, *_ in heads)
        return cls(np.array(heads), np.array(rows, dtype=np.int64).reshape(-1, WIDTH), own, most)

    def joined(
        self,
        nodes: Sequence[Any],
        numbers: Mapping[Any, int],
        reads: Sequence[str] | None = None,
        leaf: Callable[[Any], object] = itself,
    ) -> Spliced | None:
        """The code of a program; None if it cannot be joined from templates.

        Args:
            nodes: the nodes in prefix order.
            numbers: the template of each node that is not a leaf.
            reads: the names in the order of their slots; None for any order.
            leaf: the name or the constant of a leaf; None if it has none.
        """
        distinct = {node: place for place, node in enumerate(dict.fromkeys(nodes))}
        found = self.numbered([*distinct], numbers, reads, leaf)
        return found and self.written(found, [*map(distinct.__getitem__, nodes)])

    def numbered(
        self,
        distinct: Sequence[Any],
        numbers: Mapping[Any, int],
        reads: Sequence[str] | None,
        leaf: Callable[[Any], object],
    ) -> Numbered | None:
        """The codes of different nodes; the other arguments are those of ``joined``."""
        symbols = {node: leaf(node) for node in distinct if node not in numbers}
        own = [self.own[numbers[node]] for node in distinct if node in numbers]
        leaves = dict.fromkeys([*symbols.values(), *chain.from_iterable(own)])
        names: list[Any] = [each for each in leaves if each.__class__ is str]
        if reads is not None:
            if {*reads} != {*names}:
                return None  # a template drops a part
            names = [*dict.fromkeys(reads)]
        constants: list[Any] = [each for each in leaves if each.__class__ is float]
        places = {symbol: place for place, symbol in enumerate([*names, *constants])}
        if len(places) < len(leaves):
            return None
        codes = [numbers[node] if node in numbers else -1 - places[symbols[node]] for node in distinct]
        of_own = [places.get(symbol, 0) for symbol in chain.from_iterable(self.own)]
        return Numbered(np.array(codes, np.int64), names, constants, np.array(of_own, np.int64))

    def written(self, found: Numbered, places: Any) -> Spliced | None:
        """The code of the nodes whose codes are at these places; None if it is too long."""
        from gpkit.vm.kernel.splicing import splice

        codes, names, constants, leaves = found
        prefix = codes[places]
        if self.most * len(prefix) > MOST_ROOM:
            return None
        slots = np.empty(len(names) + len(constants), dtype=np.int64)
        code = np.empty((self.most * len(prefix) + 1, WIDTH), dtype=np.uint32)
        work = np.empty((3, len(prefix) + len(leaves) + len(code)), dtype=np.int64)
        length, size, result = splice(prefix, self.heads, self.rows, leaves, slots, code, work)
        used = (slots >= 0).tolist()
        if not all(used):
            names = [*compress(names, used)]
            constants = [*compress(constants, used[len(found.names) :])]
        return Spliced(names, constants, code[:length], size, result)


Join = Callable[[Any, Sequence[str] | None], Spliced | None]
"""A function that joins the code of a program, given the names that it reads in order, or None for any order."""


def program_of(join: Join, program: Any, reads: Callable[[], Sequence[str]]) -> Program | None:
    """The machine program for the value of a program; None if gpkit has to compile it."""
    if "numba" not in sys.modules or (found := join(program, reads())) is None:
        return None  # loading numba takes longer than compiling many programs
    memory = np.zeros(found.size)
    memory[len(found.names) : len(found.names) + len(found.constants)] = found.constants
    return Program(found.code, memory, tuple(found.names), found.result)


def values_of(join: Join, program: Any, given: Mapping[str, Any]) -> Floats | None:
    """The values of a program for arrays; None if gpkit has to compile the program or to convert values.

    Args:
        join: joins the code of the program.
        program: the program.
        given: the values by name; float64 (rows,) each.
    """
    shape: tuple[int, ...] = getattr(next(iter(given.values()), None), "shape", ())
    if len(shape) != 1 or shape[0] > MOST_ROWS or "numba" not in sys.modules:
        return None
    for each in given.values():
        if each.__class__ is not np.ndarray or each.shape != shape or each.dtype != np.float64:
            return None
    if (found := join(program, None)) is None:
        return None
    arrays: list[Any] = [given.get(name) for name in found.names]
    if any(each is None for each in arrays):
        return None
    from gpkit.vm.machine import evaluate_rows

    memory = np.empty((found.size, *shape))
    for slot, array in enumerate(arrays):
        np.add(array, 0.0, out=memory[slot])  # -0.0 counts as 0.0, as in every export
    for slot, constant in enumerate(found.constants, len(arrays)):
        memory[slot] = constant
    evaluate_rows(found.code, memory)
    values: Floats = memory[found.result].copy()
    return values
