"""Fitting formulas to rows: many formulas over many rows at once, and the constants of one."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from gpkit.evolution.fitting import Floats, Loss, Sample, evaluations_of, fitted_constants, scales_of
from gpkit.evolution.individual import WORST, Evaluation
from gpkit.evolution.problem import Executor, Lost, Problem
from gpkit.genomes.tree import Symbol, Tree, TreeProgram, leaf, node
from gpkit.genomes.tree_operators import constant_positions
from gpkit.languages.arithmetic.compiler import compile_tree
from gpkit.languages.arithmetic.regression import SECONDS_PER_VALUE, VALUES_AT_ONCE, evaluate_trees
from gpkit.vm.program import Program


@dataclass(frozen=True, slots=True, eq=False)
class FormulaFitting(Problem[TreeProgram]):
    """Fit programs of one formula to a sample; the score is that of ``gpkit.evolution.fitting.evaluations_of``.

    Attributes:
        sample: the rows.
        loss: the loss of a row.
        blocks: parts of the rows, which are cases of their own where there are several.
        steps: the most steps in which constants are fitted.
    """

    sample: Sample
    loss: Loss = "squares"
    blocks: int = 1
    steps: int = 10

    def evaluate(
        self, genomes: Sequence[TreeProgram], seed: int, generation: int, executor: Executor
    ) -> list[Evaluation]:
        """The evaluations of the genomes; the seed and the generation change nothing."""
        trees = [genome.trees[0] for genome in genomes]
        seconds = [len(tree) * len(self.sample.targets) * SECONDS_PER_VALUE + 5e-5 for tree in trees]
        results = executor.run(partial(fit_all, self), trees, seconds)
        return [Evaluation(WORST, note=r.reason) if isinstance(r, Lost) else r for r in results]

    def fitted(self, genome: TreeProgram) -> TreeProgram:
        """The program with constants that fit better; itself if it has none, or none are."""
        (tree,), sample = genome.trees, self.sample
        positions = constant_positions(tree)
        if not positions or not self.steps:
            return genome
        program, slots = with_parameters(tree, sample.inputs)
        constants = fitted_constants(program, slots, self._scale(tree), sample, self.loss, self.steps)
        symbols = list(tree.symbols)
        for position, constant in zip(positions, constants, strict=True):
            symbols[position] = constant
        return TreeProgram(genome.names, (Tree(tuple(symbols), tree.sizes),))

    def written(self, genome: TreeProgram) -> TreeProgram:
        """The program that computes the predictions: intercept + slope · formula, without parts that change nothing."""
        (tree,) = genome.trees
        intercept, slope = self._scale(tree).tolist()
        if slope == 0.0:
            return TreeProgram(genome.names, (leaf(intercept + 0.0),))
        if slope != 1.0:
            tree = node("*", leaf(slope), tree)
        return TreeProgram(genome.names, (tree if intercept == 0.0 else node("+", leaf(intercept), tree),))

    def _scale(self, tree: Tree) -> Floats:
        """Intercept and slope of a formula: float64 (2,)."""
        values = evaluate_trees([tree], self.sample.inputs, self.sample.columns)
        return scales_of(values, self.sample, self.loss)[0, :2]


def fit_all(problem: FormulaFitting, trees: Sequence[Tree]) -> list[Evaluation]:
    """The evaluation of each formula, whatever the others are."""
    sample = problem.sample
    together = max(1, VALUES_AT_ONCE // len(sample.targets))
    evaluations = []
    for start in range(0, len(trees), together):
        values = evaluate_trees(trees[start : start + together], sample.inputs, sample.columns)
        evaluations += evaluations_of(values, sample, problem.loss, problem.blocks)
    return evaluations


def with_parameters(tree: Tree, inputs: Sequence[str]) -> tuple[Program, list[int]]:
    """A formula as code in which each constant has a slot of its own behind the inputs, and these slots, in order."""
    symbols: list[Symbol] = list(tree.symbols)
    positions = constant_positions(tree)
    names = [f"#{number}" for number in range(len(positions))]
    for position, name in zip(positions, names, strict=True):
        symbols[position] = name
    code = compile_tree(Tree(tuple(symbols), tree.sizes), (*inputs, *names))
    slots = [len(inputs) + number for number in range(len(names))]
    memory = code.memory.copy()
    memory[slots] = [tree.symbols[position] for position in positions]
    return Program(code.code, memory, tuple(inputs), code.result), slots
