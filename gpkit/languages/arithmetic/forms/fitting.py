"""Fits formulas to the rows of a table; the formulas predict numbers or classes."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache, partial, reduce

import numpy as np

from gpkit.core.arrays import Flags, Floats, Ints
from gpkit.core.errors import UsageError
from gpkit.core.primitives import GUARDED, OPERATORS, RANDOM, Alphabet, Operator
from gpkit.core.statistics import ROUNDING
from gpkit.data.features import PREFIX
from gpkit.data.first_look import WIDE, further_chances, likeliest_columns
from gpkit.data.losses import RowLoss
from gpkit.evolution.fitting import (
    FINAL_ROUNDS,
    ROUNDS,
    FittingProblem,
    Loss,
    Sample,
    evaluations_of,
    fitted_constants,
    least_loss,
    scales_of,
    standard_errors,
)
from gpkit.evolution.problem import WORST, Evaluation, Executor
from gpkit.evolution.shapes import POINTS, Shape, with_steps
from gpkit.genomes.tree import (
    LONE_SECTION,
    Function,
    Symbol,
    Tree,
    TreeProgram,
    constant_positions,
    functions_in,
    is_constant,
    leaf,
    node,
    round_digits,
    spares,
)
from gpkit.genomes.tree_breeding import PackedTrees, pack, place_of, words_of
from gpkit.langkit.foreign import raise_failure
from gpkit.langkit.formulas import print_formula
from gpkit.langkit.naming import written_name
from gpkit.langkit.operators import operators_named
from gpkit.languages.arithmetic.compiler import OPCODES, compile_tree
from gpkit.languages.arithmetic.forms.evolution import FormulaSettings, TreeRepresentation, check_names_apart
from gpkit.languages.arithmetic.intervals import boxes_of, proved
from gpkit.languages.arithmetic.kernel.walk import (
    CONSTANT,
    FIRST_INPUT,
    FUNCTION,
    IFLE,
    SQUARE,
    number_nodes,
    run_nodes,
    split_sums,
)
from gpkit.languages.arithmetic.simplify import folded
from gpkit.vm.isa import ADD, HALT, MOVE, OPCODE, OPCODE_BITS, SUB
from gpkit.vm.program import Program


def evaluate_terms(
    trees: Sequence[Tree], inputs: Sequence[str], columns: Floats, most: int
) -> tuple[Floats, Ints]:
    """The values of the terms that formulas add and subtract; ``compile_tree`` and the machine give the same values.

    Args:
        trees: formulas without ``math.random()``, at least one.
        inputs: the sensors in the order of the columns.
        columns: float64 (inputs, rows).
        most: the largest number of terms into which a formula is split; with 1, the whole formula is one term.

    Returns:
        The values, float64 (terms, rows), with the terms of each formula from left to right; and where the terms of
        each formula end, int64 (trees,).

    Raises:
        KeyError: a formula calls ``math.random()`` or reads a sensor that is not among the inputs.
    """
    packed = _packed(trees, inputs)
    nodes, lengths = packed.nodes, packed.ends - packed.starts
    formulas = (nodes.words, nodes.values.view(np.int64), packed.starts, packed.ends)
    meanings, functions, called = _meanings(packed, inputs)
    size = int(lengths.sum())
    more = size * int(called.max())  # the most rows that calls can add
    if more > MOST_SPARE:
        until = np.concatenate(
            [[0], called.take(nodes.words, mode="clip").cumsum()]
        )  # also words between formulas
        more = int((until[packed.ends] - until[packed.starts]).sum())
    count = 2 * size + more
    code, results = np.empty((count, 4), dtype=np.int64), np.empty(len(trees), dtype=np.int64)
    table = np.full(1 << (2 * count).bit_length(), -1, dtype=np.int64)
    made = np.empty(len(functions[0]), dtype=np.int64)
    scratch = (np.empty(1 + int(lengths.max()), dtype=np.int64), table, made)
    code = code[: number_nodes(formulas, meanings, functions, len(inputs), scratch, code, results)]
    terms, ends = np.empty(len(trees) * most, dtype=np.int64), np.empty(len(trees), dtype=np.int64)
    split_sums(code, results, len(inputs), most, np.empty(most, dtype=np.int64), terms, ends)
    terms = terms[: ends[-1]]
    rows, slots = columns.shape[1], len(inputs) + len(code)
    together = min(max(CACHED // slots, LEAST_BLOCK), MOST_BLOCK)
    memory = np.empty((slots, -(-rows // -(-rows // together))))
    values = np.empty((len(terms), rows))
    run_nodes(code, code.view(np.float64), terms, columns, memory, values)
    raise_failure()
    return values, ends


MOST_SPARE = 5_000
"""The largest number of rows that are made ready for calls without counting the calls."""

CACHED, LEAST_BLOCK, MOST_BLOCK = 1 << 16, 50, 500
"""The number of values that fit in the processor's L2 cache, and the minimum and maximum numbers of rows in a block.

The maximum is not a power of two, because slots that are a power of two apart would evict each other from the cache.
"""


def _packed(trees: Sequence[Tree], inputs: Sequence[str]) -> PackedTrees:
    """Packed formulas, which share the first formula's word table if that table has a word for every symbol."""
    place = place_of(trees[0])
    if place is not None:
        with suppress(KeyError):
            return pack(trees, place[0].table)
    called = tuple(Operator(function, len(function.parameters)) for function in functions_in(*trees))
    return pack(trees, words_of(Alphabet("inputs", tuple(inputs), (*OPERATORS, *called))))


FunctionCode = tuple[Ints, Ints]
"""The rows of functions, and the end of each function's rows, in the form that ``number_nodes`` takes."""


def _meanings(packed: PackedTrees, inputs: Sequence[str]) -> tuple[Ints, FunctionCode, Ints]:
    """The ``meanings`` and ``functions`` for ``number_nodes``, and the number of rows of each function.

    The meanings are int64 (words,). The numbers of rows are also int64 (words,), with 0 for words that are not
    functions.

    Raises:
        KeyError: a formula reads a sensor that is not among the inputs.
    """
    symbols, words = packed.nodes.table.symbols, packed.nodes.words
    meanings, functions, called, unknown = _meanings_of(symbols, tuple(inputs))
    for word in unknown:
        if any(
            (words[start:end] == word).any() for start, end in zip(packed.starts, packed.ends, strict=True)
        ):
            raise KeyError(symbols[word])
    return meanings, functions, called


@lru_cache(maxsize=64)
def _meanings_of(
    symbols: tuple[Symbol, ...], inputs: tuple[str, ...]
) -> tuple[Ints, FunctionCode, Ints, tuple[int, ...]]:
    """The results of ``_meanings`` for words with these symbols, and the words without a meaning."""
    functions = tuple(each for each in symbols if isinstance(each, Function))
    known: dict[Symbol, int] = {**OPCODES, "ifle": IFLE, "square": SQUARE}
    known |= {name: FIRST_INPUT + number for number, name in enumerate(inputs)}
    known |= {function: FUNCTION - number for number, function in enumerate(functions)}
    meanings = np.array([*(known.get(symbol, CONSTANT) for symbol in symbols), CONSTANT], dtype=np.int64)
    unknown = tuple(word for word, symbol in enumerate(symbols) if symbol not in known)
    rows, ends = _function_code(functions)
    called = np.zeros(len(meanings), dtype=np.int64)
    called[[symbols.index(each) for each in functions]] = np.diff(ends[:, 0], prepend=0)
    return meanings, (rows, ends), called, unknown


def _function_code(functions: tuple[Function, ...]) -> FunctionCode:
    rows: list[tuple[int, ...]] = []
    ends: list[tuple[int, int]] = []
    for function in functions:
        start, count = len(rows), len(function.parameters)
        program = compile_tree(function.body, function.parameters)
        found = {slot: -1 - slot for slot in range(count)}  # the row that computes each slot
        bits = program.memory.view(np.int64).tolist()
        code = [row for row in program.code.tolist() if row[0] != HALT]
        if not code or code[-1][0] in (ADD, SUB) or code[-1][1] != program.result:
            code.append([MOVE, len(bits), program.result, 0, 0])  # terms do not reach into a function
        written = {row[1] for row in code}
        for slot in range(count, len(bits)):
            if slot not in written:
                found[slot] = len(rows) - start
                rows.append((CONSTANT, bits[slot], 0, 0))
        for opcode, target, *operands in code:
            word = found[(opcode >> OPCODE_BITS) - 1] + 1 << OPCODE_BITS if opcode > OPCODE else opcode
            rows.append((word, *(found.get(each, 0) for each in operands)))
            found[target] = len(rows) - 1 - start
        ends.append((len(rows), count))
    return np.array(rows, dtype=np.int64).reshape(-1, 4), np.array(ends, dtype=np.int64).reshape(-1, 2)


VALUES_AT_ONCE = 1 << 19
"""The number of values (formulas times rows) to compute together, chosen so that they fit in the processor's cache."""


ALIKE = 1e-9
"""Two formulas are equal up to rounding if their values differ by no more than this fraction of the largest value."""

TERMS = 8
"""The maximum number of terms in a formula that have their own slopes."""

FEW = 5
"""Evolution checks a shape at every fifth point, but it checks programs that join the front at all points."""

PROVED, UNPROVED = "proved over the ranges of the columns", f"true at {POINTS:,} points, not proved"
"""The verdicts on a shape that is satisfied at all points that were checked."""


@dataclass(frozen=True, slots=True, eq=False)
class FormulaFitting(FittingProblem[TreeProgram]):
    """The problem of fitting formulas; if there are several formulas, each separates one class from the others."""

    seconds = (5e-5, 2e-9)

    def measured(self, genomes: Sequence[TreeProgram]) -> list[Evaluation]:
        """The evaluation of each program, which does not depend on the other programs."""
        samples = self.samples(len(genomes[0].trees))
        whole = sum(least_loss(sample, self.loss) for sample in samples)
        points = 0 if self.shape is None else self.shape.points.shape[1] // FEW
        together = max(1, VALUES_AT_ONCE // max(points, len(self.sample.targets)))
        evaluations = []
        for start in range(0, len(genomes), together):
            losses = np.zeros((len(genomes[start : start + together]), self.blocks))
            for place, sample in enumerate(samples):
                trees = [genome.trees[place] for genome in genomes[start : start + together]]
                values = evaluate_terms(trees, sample.inputs, sample.columns, TERMS)
                slopes, found = scales_of(values, sample, self.loss, self.blocks)
                losses += found[:, 1:]
                if self.shape is not None:
                    losses[self._breaks(trees, slopes, found[:, 0], self.shape)] = np.nan
            evaluations += evaluations_of(losses, whole)
        return evaluations

    def _breaks(self, trees: Sequence[Tree], slopes: Floats, intercepts: Floats, shape: Shape) -> Flags:
        """Whether each formula, with its slopes and intercept, breaks the shape: bool (trees,)."""
        terms, ends = evaluate_terms(
            trees, self.sample.inputs, np.ascontiguousarray(shape.points[:, ::FEW]), TERMS
        )
        with np.errstate(all="ignore"):
            parts = np.add.reduceat(terms * slopes[:, None], np.concatenate([[0], ends[:-1]]), axis=0)
            predicted = parts + intercepts[:, None]
            if isinstance(self.loss, RowLoss):
                predicted = self.loss.predicted(predicted)
            broken = shape.breaks(predicted)
        return np.asarray(np.concatenate(broken, axis=1).any(axis=1))

    def evaluate(
        self, genomes: Sequence[TreeProgram], seed: int, generation: int, executor: Executor
    ) -> list[Evaluation]:
        """The evaluations of the genomes.

        Raises:
            UsageError: all genomes of the first generation break the shape.
        """
        found = FittingProblem.evaluate(self, genomes, seed, generation, executor)
        if self.shape is not None and not generation and all(one.score == WORST for one in found):
            raise UsageError(
                f"no formula of the first generation has the shape: {', '.join(self.shape.sentences)}; the mean of the "
                f"targets is {np.average(self.sample.targets, weights=self.sample.weights):.4g}: relax the shape"
            )
        return found

    def validate(
        self, genomes: Sequence[TreeProgram], seed: int, occasion: int, executor: Executor
    ) -> list[Evaluation]:
        """The evaluations of the genomes; a genome whose written program breaks the shape gets the worst score."""
        found = self.evaluate(genomes, seed, occasion, executor)
        if self.shape is None:
            return found
        return [
            one if one.score == WORST or not any(self._witnesses(self.written(genome))) else Evaluation(WORST)
            for one, genome in zip(found, genomes, strict=True)
        ]

    def verdicts(self, program: TreeProgram) -> tuple[str, ...]:
        """For each part of the shape, a sentence that says whether a program from ``written`` satisfies it."""
        if (shape := self.shape) is None:
            return ()
        proofs, broken = proved(program.trees[0], shape), self._witnesses(program)
        return tuple(
            f"{part}: {f'broken, {witness}' if witness else PROVED if proof else UNPROVED}"
            for part, proof, witness in zip(shape.sentences, proofs, broken, strict=True)
        )

    def _witnesses(self, program: TreeProgram) -> list[str]:
        """For each part of the shape, the points at which a program breaks it, as a phrase; empty if there are none."""
        if (shape := self.shape) is None:
            return []
        tree, found = program.trees[0], [""] * len(shape.sentences)
        for points in (shape.points, with_steps(shape, *boxes_of(tree, shape))):
            more = shape.witnesses(points, values(program, shape.inputs, points), tree.symbols)
            found = [one or other for one, other in zip(found, more, strict=True)]
        return found

    def samples(self, formulas: int) -> list[Sample]:
        """A sample for each formula; with several, its targets are 1 for the formula's class and 0 for the others."""
        sample = self.sample
        if formulas == 1:
            return [sample]
        ones = [(sample.targets == place).astype(np.float64) for place in range(formulas)]
        return [replace(sample, targets=one) for one in ones]

    def fitted(self, genome: TreeProgram) -> TreeProgram:
        """The program with better constants; the same program if it has no constants or no better ones are found."""
        samples = self.samples(len(genome.trees))
        trees = tuple(self._fitted(tree, sample) for tree, sample in zip(genome.trees, samples, strict=True))
        return genome if trees == genome.trees else TreeProgram(genome.names, trees)

    def _fitted(self, tree: Tree, sample: Sample) -> Tree:
        positions = constant_positions(tree)
        if not positions or not self.steps:
            return tree
        intercept, slopes, terms, _ = self._scale(tree, sample)
        program, slots = with_parameters(
            reduce(partial(node, "+"), [node("*", leaf(s), t) for s, t in zip(slopes, terms, strict=True)]),
            sample.inputs,
        )
        found = iter(
            fitted_constants(program, slots, np.array([intercept, 1.0]), sample, self.loss, self.steps)
        )
        symbols = list(tree.symbols)
        places = iter(positions)
        for term in terms:
            next(found)  # a slope
            for _ in constant_positions(term):
                symbols[next(places)] = next(found)
        return Tree(tuple(symbols), tree.sizes)

    def written(self, genome: TreeProgram) -> TreeProgram:
        """The program that computes the predictions, as intercept + slope · term + ..., without redundant parts."""
        samples = self.samples(len(genome.trees))
        trees = tuple(self._written(tree, sample) for tree, sample in zip(genome.trees, samples, strict=True))
        is_log = isinstance(self.loss, RowLoss) and self.loss.is_log
        return TreeProgram(genome.names, tuple(node("exp", tree) for tree in trees) if is_log else trees)

    def constants(self, written: TreeProgram) -> list[tuple[str, Floats, Floats]]:
        """The constants of a written program, and their standard errors, as in ``FittingProblem.constants``."""
        found = []
        samples = self.samples(len(written.trees))
        if not {name for tree in written.trees for name in tree.reads} <= {*self.sample.inputs}:
            return []
        for name, tree, sample in zip(written.names, written.trees, samples, strict=True):
            program, slots = with_parameters(tree, sample.inputs)
            if slots:
                found.append(
                    (name, program.memory[slots], standard_errors(program, slots, sample, self.loss))
                )
        return found

    def _written(self, tree: Tree, sample: Sample) -> Tree:
        """The whole formula, with its constants combined if its values for these rows stay the same up to rounding."""
        indicators, plain, short = indicators_of(sample), self._whole(tree, sample), folded(tree)
        joined = folded(plain if short == tree else self._whole(short, sample))
        if len(joined) > len(plain) or (spares(plain, indicators) and not spares(joined, indicators)):
            return plain
        (first, second), _ = evaluate_terms([plain, joined], sample.inputs, sample.columns, 1)
        with np.errstate(invalid="ignore"):
            is_alike = np.abs(first - second).max() <= ALIKE * np.abs(first).max()
        return joined if is_alike else plain

    def _whole(self, tree: Tree, sample: Sample) -> Tree:
        """The formula intercept + slope · term + ...; parts that are constant up to rounding join the intercept."""
        intercept, slopes, terms, values = self._scale(tree, sample, FINAL_ROUNDS)
        if not np.isfinite([intercept, *slopes]).all():
            return tree
        with np.errstate(all="ignore"):
            parts = np.where(np.array(slopes) == 0.0, 0.0, values.T * slopes).T
            least = ROUNDING * np.abs(intercept + parts.sum(axis=0)).max()
            is_idle = np.ptp(parts, axis=1) <= least
        intercept += float(parts[is_idle].mean(axis=1).sum())
        whole = leaf(intercept) if abs(intercept) > least else None
        for idle, slope, term in zip(is_idle.tolist(), slopes, terms, strict=True):
            if idle or slope == 0.0:
                continue
            factor, others = product_of(slope, term)
            size = factor if whole is None else abs(factor)
            parts_of = others if size == 1.0 and others else [leaf(size), *others]
            part = reduce(partial(node, "*"), parts_of)
            whole = part if whole is None else node("+" if factor > 0.0 else "-", whole, part)
        return leaf(0.0) if whole is None else whole

    def _scale(
        self, tree: Tree, sample: Sample, rounds: int = ROUNDS
    ) -> tuple[float, list[float], list[Tree], Floats]:
        """The intercept, the slopes, their terms, and the values of the terms: float64 (terms, rows)."""
        values = evaluate_terms([tree], sample.inputs, sample.columns, TERMS)
        slopes, found = scales_of(values, sample, self.loss, rounds=rounds)
        return float(found[0, 0]), slopes.tolist(), terms_of(tree), values[0]


def product_of(slope: float, term: Tree) -> tuple[float, list[Tree]]:
    """The factors of slope · term: a single number, and all other factors in order."""
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
    """The terms that a formula adds and subtracts, from left to right; at most ``TERMS``."""
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
    """A formula as code, and the slots of its constants. Each constant has its own slot after the inputs."""
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


SETTINGS = FormulaSettings(
    low_depth=2, high_depth=6, max_depth=12, subtree_depth=3, octaves=1.0, constants="one", keeps="values"
)
"""Settings for fitting, where every value matters, and not only which value is the largest."""


def check_names(names: Sequence[str]) -> None:
    """Check that formulas can use these column names.

    Raises:
        UsageError: formulas cannot use one of the names.
    """
    for name in names:
        if name.startswith(PREFIX):
            raise UsageError(
                f"a formula cannot name {name!r}: rename the column, without `{PREFIX}` before it"
            )
        if written_name(name, is_taken=True) != f'"{name}"':
            raise UsageError(
                f"a formula cannot name {name!r}: rename the column, without quotation marks and invisible characters"
            )


def representation_of_columns(
    sample: Sample,
    operator_names: Sequence[str],
    settings: FormulaSettings | None,
    max_size: int | None,
    classes: Sequence[str] = (),
) -> TreeRepresentation:
    """Formulas over the inputs and constants; ``gpkit.evolution.fitting.Fitting`` explains the arguments.

    Raises:
        UsageError: formulas cannot use the name of a column, or there is no such operator.
    """
    check_names(sample.inputs)
    chosen = operators_named(operator_names)
    check_names_apart([*sample.inputs], chosen)
    settings, sections, inputs = settings or SETTINGS, sections_of(classes), _said(sample).inputs
    indicators = indicators_of(_said(sample)) if settings.spares else frozenset()
    if len(indicators) == len(inputs):  # guarded operators need an input that is not an indicator
        chosen = tuple(each for each in chosen if each.name not in GUARDED) or chosen
    alphabet = Alphabet(
        "columns",
        inputs,
        chosen,
        indicators=indicators,
        again=_again(sample, len(classes)),
    )
    return TreeRepresentation(alphabet, sections, settings, max_size)


def indicators_of(sample: Sample) -> frozenset[str]:
    """The columns of a sample that contain only 0 and 1, such as columns that encode words."""
    is_bit = ((sample.columns == 0.0) | (sample.columns == 1.0)).all(axis=1)
    return frozenset(name for name, alone in zip(sample.inputs, is_bit.tolist(), strict=True) if alone)


def _again(sample: Sample, classes: int) -> tuple[int, ...]:
    """``Alphabet.again`` for the columns of a wide table; constants get as many extra chances as the best column."""
    if len(sample.inputs) <= WIDE:
        return ()
    targets = sample.targets
    marks = np.arange(classes)[:, None] == targets if classes > 2 else targets[None, :]
    order = likeliest_columns(sample.columns, marks.astype(np.float64))
    found = further_chances(order)
    return found + (len(sample.inputs),) * found.count(int(order[0]))


def said(name: str) -> str:
    """The name of a column in formulas, with ``env.`` before it if an operator has the same name."""
    return f"{PREFIX}{name}" if name == RANDOM or name in (each.name for each in OPERATORS) else name


def _said(sample: Sample) -> Sample:
    """The sample with the names that its inputs have in formulas."""
    return replace(sample, inputs=tuple(map(said, sample.inputs)))


def sections_of(classes: Sequence[str]) -> tuple[str, ...]:
    """The section names of a program: one for each class if there are more than two, else a single one."""
    if len(classes) <= 2:
        return (LONE_SECTION,)
    names: list[str] = []
    for place, name in enumerate(classes):
        word = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_").lower()
        word = word if re.match("[a-z]", word) else f"class_{word or place}"
        names.append(word if word not in names else f"{word}_{place}")
    return tuple(names)


def fitting_problem(
    sample: Sample, loss: Loss = "squares", blocks: int = 1, steps: int = 10, classes: Sequence[str] = ()
) -> FormulaFitting:
    """The problem for a sample; ``gpkit.evolution.fitting.Fitting`` explains the arguments."""
    return FormulaFitting(_said(sample), loss, blocks, steps)


def scaling(program: TreeProgram) -> int:
    """The number of nodes of a written program that belong to its intercept and slopes, including their operators."""
    count = 0
    for tree in program.trees:
        pending = [int(tree.symbols[0] == "exp")]  # for counts, the root applies exp to the scaled formula
        while pending:
            place = pending.pop()
            if tree.symbols[place] in ("+", "-"):
                pending += tree.children(place)
                continue
            while tree.symbols[place] == "*":
                place += 1
            count += 2 * is_constant(tree.symbols[place])
    return count


def finished(program: TreeProgram, ends: tuple[float, float] | None, digits: int | None) -> TreeProgram:
    """A formula that predicts numbers, with its values clipped to ``ends`` and its constants rounded to ``digits``."""
    trees = program.trees
    if ends is not None:
        trees = tuple(node("max", leaf(ends[0]), node("min", leaf(ends[1]), tree)) for tree in trees)
    if digits is not None:
        trees = tuple(round_digits(tree, digits) for tree in trees)
    return TreeProgram(program.names, trees)


UNDEFINED: Mapping[str, Callable[..., Flags]] = {
    "/": lambda a, b: b == 0.0,
    "sqrt": lambda a: a < 0.0,
    "log": lambda a: a <= 0.0,
    "exp": lambda a: np.isinf(np.exp(a)),
    "pow": lambda a, b: (a == 0.0) & (b < 0.0) | (a < 0.0) & (b % 1.0 != 0.0),
}
"""Functions that return whether a protected operator substitutes another value for these operands, float64 (rows,)."""


def protected(program: TreeProgram, sample: Sample) -> dict[str, Flags]:
    """The protected operations that return substitute values, each with the rows where they do so: bool (rows,)."""
    sample, found = _said(sample), dict[str, Flags]()
    for tree in program.trees:
        for place, symbol in enumerate(tree.symbols):
            if symbol in UNDEFINED:
                values, _ = evaluate_terms(
                    [tree.subtree(child) for child in tree.children(place)], sample.inputs, sample.columns, 1
                )
                with np.errstate(all="ignore"):
                    rows = UNDEFINED[str(symbol)](*values)
                if rows.any():
                    found[print_formula(tree.subtree(place))] = rows
    return found


def values(program: TreeProgram, inputs: Sequence[str], columns: Floats) -> Floats:
    """The numbers, float64 (rows,), that a formula computes from columns, float64 (inputs, rows)."""
    terms, _ = evaluate_terms(program.trees, inputs, columns, 1)
    first: Floats = terms[0]
    return first
