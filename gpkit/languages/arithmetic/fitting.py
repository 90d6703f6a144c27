"""Fitting formulas to rows: many formulas over many rows at once, and the constants of one."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from gpkit.evolution.fitting import (
    Floats,
    Loss,
    Sample,
    evaluations_of,
    fitted_constants,
    least_loss,
    scales_of,
)
from gpkit.evolution.individual import WORST, Evaluation
from gpkit.evolution.problem import Executor, Lost, Problem
from gpkit.genomes.tree import Symbol, Tree, TreeProgram, leaf, node
from gpkit.genomes.tree_operators import constant_positions
from gpkit.languages.arithmetic.compiler import compile_tree
from gpkit.languages.arithmetic.regression import SECONDS_PER_VALUE, VALUES_AT_ONCE, evaluate_trees
from gpkit.vm.program import Program


@dataclass(frozen=True, slots=True, eq=False)
class FormulaFitting(Problem[TreeProgram]):
    """Fit programs to a sample; the score is that of ``gpkit.evolution.fitting.evaluations_of``.

    A program of several formulas has one for each class, which tells it from all others.

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
        seconds = [len(one) * len(self.sample.targets) * SECONDS_PER_VALUE + 5e-5 for one in genomes]
        results = executor.run(partial(fit_all, self), genomes, seconds)
        return [Evaluation(WORST, note=r.reason) if isinstance(r, Lost) else r for r in results]

    def samples(self, formulas: int) -> list[Sample]:
        """The sample of each formula of a program: of one all rows, of several its class against all others."""
        sample = self.sample
        if formulas == 1:
            return [sample]
        ones = [(sample.targets == place).astype(np.float64) for place in range(formulas)]
        return [replace(sample, targets=one) for one in ones]

    def fitted(self, genome: TreeProgram) -> TreeProgram:
        """The program with constants that fit better; itself if it has none, or none are."""
        samples = self.samples(len(genome.trees))
        trees = tuple(self._fitted(tree, sample) for tree, sample in zip(genome.trees, samples, strict=True))
        return genome if trees == genome.trees else TreeProgram(genome.names, trees)

    def _fitted(self, tree: Tree, sample: Sample) -> Tree:
        positions = constant_positions(tree)
        if not positions or not self.steps:
            return tree
        program, slots = with_parameters(tree, sample.inputs)
        scale = self._scale(tree, sample)
        constants = fitted_constants(program, slots, scale, sample, self.loss, self.steps)
        symbols = list(tree.symbols)
        for position, constant in zip(positions, constants, strict=True):
            symbols[position] = constant
        return Tree(tuple(symbols), tree.sizes)

    def written(self, genome: TreeProgram) -> TreeProgram:
        """The program that computes the predictions: intercept + slope · formula, without parts that change nothing."""
        samples = self.samples(len(genome.trees))
        trees = [self._written(tree, sample) for tree, sample in zip(genome.trees, samples, strict=True)]
        return TreeProgram(genome.names, tuple(trees))

    def _written(self, tree: Tree, sample: Sample) -> Tree:
        intercept, slope = self._scale(tree, sample).tolist()
        if not (math.isfinite(intercept) and math.isfinite(slope)):
            return tree
        if slope == 0.0:
            return leaf(intercept + 0.0)
        if slope != 1.0:
            tree = node("*", leaf(slope), tree)
        return tree if intercept == 0.0 else node("+", leaf(intercept), tree)

    def _scale(self, tree: Tree, sample: Sample) -> Floats:
        """Intercept and slope of a formula: float64 (2,)."""
        values = evaluate_trees([tree], sample.inputs, sample.columns)
        return scales_of(values, sample, self.loss)[0, :2]


def fit_all(problem: FormulaFitting, genomes: Sequence[TreeProgram]) -> list[Evaluation]:
    """The evaluation of each program, whatever the others are."""
    samples = problem.samples(len(genomes[0].trees))
    whole = sum(least_loss(sample, problem.loss) for sample in samples)
    together = max(1, VALUES_AT_ONCE // len(problem.sample.targets))
    evaluations = []
    for start in range(0, len(genomes), together):
        losses = np.zeros((len(genomes[start : start + together]), problem.blocks))
        for place, sample in enumerate(samples):
            trees = [genome.trees[place] for genome in genomes[start : start + together]]
            values = evaluate_trees(trees, sample.inputs, sample.columns)
            losses += scales_of(values, sample, problem.loss, problem.blocks)[:, 2:]
        evaluations += evaluations_of(losses, whole)
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
