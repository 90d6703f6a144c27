"""The same formulas, and the same kind of evolution, in DEAP: the only module that imports it.

F.-A. Fortin et al., "DEAP: Evolutionary Algorithms Made Easy", JMLR 13, 2012. DEAP comes with the extra ``[dev]``.
"""

import math
import operator
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from gpkit.core.arrays import Floats
from gpkit.core.errors import UsageError
from gpkit.core.wording import install_command
from gpkit.genomes.tree import Tree
from gpkit.vm import isa
from gpkit_experiments.bench.pagie import INPUTS, OPERATORS, Counted, Setting

try:
    from deap import algorithms, base, creator, gp, tools
except ImportError as missing:
    raise UsageError(
        f"comparing gpkit with DEAP needs the package deap: {install_command('dev')}"
    ) from missing

Functions = Mapping[str, Callable[..., Any]]
"""Implementations of the operators of formulas, by symbol."""

ON_NUMBERS: Functions = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": isa.div,
    "min": isa.minimum,
    "max": isa.maximum,
}
"""On Python floats."""


def _divide(a: Floats, b: Floats) -> Floats:
    quotient = np.divide(a, b)
    quotient[b == 0.0] = 1.0
    return quotient


ON_ARRAYS: Functions = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": _divide}
"""On float64 arrays, the protected division in the quickest way that numpy has."""

NAMES = {"+": "add", "-": "sub", "*": "mul", "/": "div", "min": "least", "max": "most"}
"""Names of the operators in DEAP's expressions, which are Python's."""

creator.create("Fitness", base.Fitness, weights=(-1.0,))
creator.create("Formula", gp.PrimitiveTree, fitness=creator.Fitness)


def primitives(inputs: Sequence[str], functions: Functions) -> Any:
    """DEAP's set of primitives with these inputs and operators of two operands."""
    names = gp.PrimitiveSet("formula", len(inputs), prefix="input")
    for symbol, function in functions.items():
        names.addPrimitive(function, 2, name=NAMES[symbol])
    return names


def expression(tree: Tree, inputs: Sequence[str], names: Any) -> Any:
    """A formula as DEAP's tree."""
    arguments = {name: f"input{number}" for number, name in enumerate(inputs)}
    nodes = []
    for symbol in tree.symbols:
        if isinstance(symbol, float):
            nodes.append(gp.Terminal(symbol, False, object))
        else:
            nodes.append(names.mapping[arguments.get(symbol) or NAMES[symbol]])
    return gp.PrimitiveTree(nodes)


def compiled(tree: Tree, inputs: Sequence[str], functions: Functions) -> Callable[..., Any]:
    """A formula as the lambda that DEAP makes of it, of one argument for each input."""
    names = primitives(inputs, functions)
    function: Callable[..., Any] = gp.compile(expression(tree, inputs, names), names)
    return function


def evolve(data: Counted, setting: Setting, seed: int) -> float:
    """Evolve formulas for the data by ``eaSimple``; the least error that the last generation has.

    Args:
        data: what to fit; the nodes that are evaluated are counted.
        setting: how large everything is.
        seed: of Python's own generator, which DEAP draws from.
    """
    random.seed(seed)
    names = primitives(INPUTS, {symbol: ON_ARRAYS[symbol] for symbol in OPERATORS})
    columns, targets = tuple(data.columns), data.targets

    def error(individual: Any) -> tuple[float]:
        data.count([individual])
        errors = gp.compile(individual, names)(*columns) - targets
        errors *= errors
        value = math.sqrt(np.add.reduce(errors) / len(errors))
        return (math.inf if math.isnan(value) else value,)

    box = base.Toolbox()
    box.register("expression", gp.genHalfAndHalf, pset=names, min_=setting.deap_low, max_=setting.deap_high)
    box.register("individual", tools.initIterate, creator.Formula, box.expression)
    box.register("population", tools.initRepeat, list, box.individual)
    box.register("evaluate", error)
    box.register("select", tools.selTournament, tournsize=setting.tournament)
    box.register("mate", gp.cxOnePoint)
    box.register("branch", gp.genFull, min_=0, max_=2)
    box.register("mutate", gp.mutUniform, expr=box.branch, pset=names)
    for name in ("mate", "mutate"):
        box.decorate(name, gp.staticLimit(operator.attrgetter("height"), setting.levels - 1))
    with np.errstate(all="ignore"):
        population, _ = algorithms.eaSimple(
            box.population(setting.size),
            box,
            setting.crossover,
            setting.mutation,
            setting.generations,
            verbose=False,
        )
    return float(min(individual.fitness.values[0] for individual in population))
