"""Fitting formulas to rows: many formulas over many rows at once, and the constants of one."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce

import numpy as np

from gpkit.evolution.fitting import (
    FittingProblem,
    Sample,
    evaluations_of,
    fitted_constants,
    least_loss,
    scales_of,
)
from gpkit.evolution.individual import Evaluation
from gpkit.genomes.tree import Symbol, Tree, TreeProgram, constant_positions, is_constant, leaf, node
from gpkit.languages.arithmetic.compiler import compile_tree
from gpkit.languages.arithmetic.regression import VALUES_AT_ONCE, evaluate_terms
from gpkit.vm.program import Program

TERMS = 8
"""The most terms of a formula that have slopes of their own."""


@dataclass(frozen=True, slots=True, eq=False)
class FormulaFitting(FittingProblem[TreeProgram]):
    """Problem of fitting formulas; if a program has several, each of them tells one class from all others."""

    seconds = (5e-5, 2e-9)

    def measured(self, genomes: Sequence[TreeProgram]) -> list[Evaluation]:
        """The evaluation of each program, whatever the others are."""
        samples = self.samples(len(genomes[0].trees))
        whole = sum(least_loss(sample, self.loss) for sample in samples)
        together = max(1, VALUES_AT_ONCE // len(self.sample.targets))
        evaluations = []
        for start in range(0, len(genomes), together):
            losses = np.zeros((len(genomes[start : start + together]), self.blocks))
            for place, sample in enumerate(samples):
                trees = [genome.trees[place] for genome in genomes[start : start + together]]
                values = evaluate_terms(trees, sample.inputs, sample.columns, TERMS)
                losses += scales_of(values, sample, self.loss, self.blocks)[1][:, 1:]
            evaluations += evaluations_of(losses, whole)
        return evaluations

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
        intercept, slopes, terms = self._scale(tree, sample)
        whole = reduce(
            partial(node, "+"), [node("*", leaf(s), t) for s, t in zip(slopes, terms, strict=True)]
        )
        program, slots = with_parameters(whole, sample.inputs)
        scale = np.array([intercept, 1.0])
        constants = fitted_constants(program, slots, scale, sample, self.loss, self.steps)
        found = iter(constants)
        symbols = list(tree.symbols)
        places = iter(positions)
        for term in terms:
            next(found)  # a slope
            for _ in constant_positions(term):
                symbols[next(places)] = next(found)
        return Tree(tuple(symbols), tree.sizes)

    def written(self, genome: TreeProgram) -> TreeProgram:
        """The program that computes the predictions: intercept + slope · term + ..., without what changes nothing."""
        samples = self.samples(len(genome.trees))
        trees = [self._written(tree, sample) for tree, sample in zip(genome.trees, samples, strict=True)]
        return TreeProgram(genome.names, tuple(trees))

    def _written(self, tree: Tree, sample: Sample) -> Tree:
        intercept, slopes, terms = self._scale(tree, sample)
        if not (math.isfinite(intercept) and all(map(math.isfinite, slopes))):
            return tree
        whole = None if intercept == 0.0 else leaf(intercept)
        for slope, term in zip(slopes, terms, strict=True):
            if slope == 0.0:
                continue
            factor, others = product_of(slope, term)
            size = factor if whole is None else abs(factor)
            parts = others if size == 1.0 and others else [leaf(size), *others]
            part = reduce(partial(node, "*"), parts)
            whole = part if whole is None else node("+" if factor > 0.0 else "-", whole, part)
        return leaf(0.0) if whole is None else whole

    def _scale(self, tree: Tree, sample: Sample) -> tuple[float, list[float], list[Tree]]:
        """Intercept, slopes, and the terms that they belong to."""
        values = evaluate_terms([tree], sample.inputs, sample.columns, TERMS)
        slopes, found = scales_of(values, sample, self.loss)
        return float(found[0, 0]), slopes.tolist(), terms_of(tree)


def product_of(slope: float, term: Tree) -> tuple[float, list[Tree]]:
    """The number and the other factors of which slope · term is the product, in their order."""
    factors: list[Tree] = []
    pending = [term]
    while pending:
        part = pending.pop()
        number = part.symbols[0]
        if number == "*":
            pending += reversed([part.subtree(child) for child in part.children(0)])
        elif is_constant(number) and 0.0 < abs(slope * number) < math.inf:
            slope *= number
        else:
            factors.append(part)
    return slope, factors


def terms_of(tree: Tree) -> list[Tree]:
    """The parts that a formula adds and subtracts, from left to right; ``TERMS`` at most."""
    terms: list[Tree] = []
    pending = [0]
    while pending:
        place = pending.pop()
        if tree.symbols[place] in ("+", "-") and len(terms) + len(pending) + 2 <= TERMS:
            pending += reversed(list(tree.children(place)))
        else:
            terms.append(tree.subtree(place))
    return terms


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
