"""The article's contrived population: four trees for five generations, to have as many blue nodes as possible.

Trees grow, shrink and change their colours on the engine that evolves players; there is no game in it. What became of
them is drawn as a family.
"""

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median_high
from types import MappingProxyType
from typing import Any

from gpkit.core.primitives import Alphabet, operators
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.problem import Evaluation, Executor, Individual, Population, Problem
from gpkit.evolution.schemes import Generational, Truncation
from gpkit.evolution.search import Parameters, Search
from gpkit.genomes.tree import LONE_SECTION, FlatTree, TreeProgram
from gpkit.languages.arithmetic.forms.evolution import FormulaSettings, TreeRepresentation
from gpkit.languages.arithmetic.text import print_program
from gpkit.show.graph import BLUE, FAINT, FONT, GREEN, INK, LINE, MIST, ORANGE, PALE, PAPER, VERMILLION
from gpkit_experiments.papers.courses import follow
from gpkit_experiments.papers.paper import Row, above
from gpkit_experiments.papers.units import paired_difference

WIDTH = 360
"""Width of a picture, in pixels as all lengths here; legible on a telephone."""
LEFT, TOP, FOOT = 24, 34, 38
ROW, BOX = 112, 76
"""From one generation to the next, and the height of the box of a tree; lines lead through what is between."""
GAP = 8
STEP, SIDE = 16, 5
"""From one leaf to the next, and from the centre of a leaf to its border."""

NODE_ROW = 17
"""From a node to its children."""

_MARKS = MappingProxyType(
    {
        "blue": (BLUE, '<circle cx="{x:g}" cy="{y:g}" r="6.5" fill="{fill}"/>'),
        "green": (GREEN, '<path d="M{x:g} {high:g}l6.5 11h-13z" fill="{fill}"/>'),
        "red": (VERMILLION, '<rect x="{left:g}" y="{up:g}" width="10" height="10" fill="{fill}"/>'),
        "yellow": (ORANGE, '<path d="M{x:g} {high:g}l6.5 6.5-6.5 6.5-6.5-6.5z" fill="{fill}"/>'),
    }
)
"""By name of a leaf its colour and its shape."""

MARKED = tuple(_MARKS)
"""Names of leaves that can be drawn."""


@dataclass(frozen=True, slots=True)
class Member:
    """A tree of a population: its leaves are of ``MARKED``.

    Attributes:
        number: by which its children know it.
        tree: itself.
        operator: that made it, and ``parents`` of which.
        parents: their numbers; of the generation before, or none.
        text: what is said below it, such as its score.
    """

    number: int
    tree: FlatTree[Any]
    operator: str
    parents: tuple[int, ...]
    text: str


def family_svg(title: str, generations: Sequence[Sequence[Member]]) -> str:
    """The populations of all generations, the best tree of each first, as one SVG document."""
    height = TOP + (len(generations) - 1) * ROW + BOX + FOOT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'height="{height}" font-family="{FONT}">',
        f"<title>{html.escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="{PAPER}"/>',
        f'<text x="{LEFT}" y="20" font-size="14" font-weight="bold" fill="{INK}">{html.escape(title)}</text>',
    ]
    places = [_places(members) for members in generations]
    for row, members in enumerate(generations[1:], start=1):
        parts += _descents(members, places[row], places[row - 1], TOP + row * ROW)
    for row, members in enumerate(generations):
        top = TOP + row * ROW
        parts.append(
            f'<text x="{LEFT / 2:g}" y="{top + BOX / 2 + 5:g}" font-size="14" text-anchor="middle" '
            f'fill="{FAINT}">{row}</text>'
        )
        for number, member in enumerate(members):
            parts += _box(member, places[row][member.number], top, _width(members), is_best=number == 0)
    return "\n".join([*parts, *_legend(height - 12), "</svg>", ""])


def _width(members: Sequence[Member]) -> float:
    """Width of the box of each of them."""
    return (WIDTH - LEFT - GAP) / len(members) - GAP


def _places(members: Sequence[Member]) -> dict[int, float]:
    """By number of a tree the middle of its box."""
    step = _width(members) + GAP
    return {member.number: LEFT + step * (place + 0.5) for place, member in enumerate(members)}


def _descents(
    members: Sequence[Member], places: dict[int, float], before: dict[int, float], top: float
) -> Iterator[str]:
    """Lines from the trees of the generation before to those made of them."""
    for member in members:
        look = f'stroke="{INK}" stroke-width="2.5"' if member.operator == "clone" else f'stroke="{LINE}"'
        for parent in member.parents:
            begin, end, middle = top - ROW + BOX, top, top - (ROW - BOX) / 2
            x, below = before[parent], places[member.number]
            yield f'<path d="M{x:g} {begin}C{x:g} {middle:g} {below:g} {middle:g} {below:g} {end}" fill="none" {look}/>'


def _box(member: Member, middle: float, top: float, width: float, *, is_best: bool) -> Iterator[str]:
    """The box of a tree: the tree, and below it what is said of it."""
    line = f'stroke="{BLUE}" stroke-width="2"' if is_best else f'stroke="{PALE}"'
    yield (
        f'<rect x="{middle - width / 2:g}" y="{top}" width="{width:g}" height="{BOX}" rx="6" fill="{MIST}" {line}/>'
    )
    deep = NODE_ROW * (max(member.tree.depths) - 1)
    yield from _tree(member.tree, middle, top + (BOX - 20 - deep) / 2)
    yield (
        f'<text x="{middle:g}" y="{top + BOX - 7}" font-size="11" text-anchor="middle" fill="{INK}">'
        f"{html.escape(member.text)}</text>"
    )


def _tree(tree: FlatTree[Any], middle: float, top: float) -> Iterator[str]:
    """A tree around a vertical line, its root in ``top``: leaves at equal distances, parents above their middle."""
    leaves = [place for place in range(len(tree)) if tree.sizes[place] == 1]
    first = middle - STEP * (len(leaves) - 1) / 2
    x = {place: first + STEP * number for number, place in enumerate(leaves)}
    for place in reversed(range(len(tree))):
        if place not in x:
            below = [x[child] for child in tree.children(place)]
            x[place] = sum(below) / len(below)
    y = [top + NODE_ROW * (depth - 1) for depth in tree.depths]
    for place in range(len(tree)):
        for child in tree.children(place):
            ends = f'x1="{x[place]:g}" y1="{y[place]:g}" x2="{x[child]:g}" y2="{y[child]:g}"'
            yield f'<line {ends} stroke="{LINE}" stroke-width="1.2"/>'
    for place in range(len(tree)):
        if tree.sizes[place] > 1:
            yield f'<circle cx="{x[place]:g}" cy="{y[place]:g}" r="3" fill="{LINE}"/>'
        else:
            yield _mark(tree.symbols[place], x[place], y[place])


def _mark(name: str, x: float, y: float) -> str:
    """A leaf."""
    fill, shape = _MARKS[name]
    return shape.format(x=x, y=y, left=x - SIDE, up=y - SIDE, high=y - 6.5, fill=fill)


def _legend(y: float) -> Iterator[str]:
    """The shapes with their names, and what the lines mean."""
    x = float(LEFT)
    for name in MARKED:
        yield _mark(name, x + 6, y - 4)
        yield f'<text x="{x + 17:g}" y="{y:g}" font-size="11" fill="{INK}">{name}</text>'
        x += 32 + 6 * len(name)
    yield f'<line x1="{x:g}" y1="{y - 4:g}" x2="{x + 18:g}" y2="{y - 4:g}" stroke="{INK}" stroke-width="2.5"/>'
    yield f'<text x="{x + 23:g}" y="{y:g}" font-size="11" fill="{INK}">cloned</text>'


History = dict[int, Population[TreeProgram]]
"""The populations of a run, by generation."""

BLUE = "blue"
POPULATION = 4
GENERATIONS = range(6)

BLUER = 0.5
"""Gain of a population that evolves towards blue; by chance it is 0.15."""

COLOURS = Alphabet("colours", (BLUE, "green", "red", "yellow"), operators("+"), constants=False)
"""The coloured nodes are the leaves; an inner node only holds them together."""


@dataclass(frozen=True, slots=True)
class BlueNodes(Problem[TreeProgram]):
    """The score of a tree is the number of its blue nodes."""

    def evaluate(
        self, genomes: Sequence[TreeProgram], seed: int, generation: int, executor: Executor
    ) -> list[Evaluation]:
        """The numbers of blue nodes; nothing else matters."""
        return [Evaluation(float(genome.trees[0].symbols.count(BLUE))) for genome in genomes]


def blue_search(seed: int) -> Search[TreeProgram]:
    """The best tree is cloned; the others are the better half with a new colour, a new branch, or a branch less."""
    return Search(
        BlueNodes(),
        TreeRepresentation(
            COLOURS, (LONE_SECTION,), FormulaSettings(shape="grow", low_depth=1, high_depth=2, keeps="values")
        ),
        Parameters(
            POPULATION,
            Generational((("point", 1.0), ("subtree", 1.0), ("shrink", 1.0)), Truncation(0.5), elites=1),
            attempts=5,
        ),
        seed,
    )


def histories(seeds: Sequence[int]) -> list[History]:
    """The populations of all generations of the runs of these seeds."""
    return [follow(blue_search(seed), GENERATIONS, SerialExecutor()).populations for seed in seeds]


def typical(runs: Sequence[History]) -> History:
    """The first of some runs whose best tree ends with as many blue nodes as the median run's."""
    ends = [run[max(run)][0].score for run in runs]
    return runs[ends.index(median_high(ends))]


def blue_row(runs: Sequence[History]) -> Row:
    """Row of the blue nodes that the best tree gains in all generations, a mean over runs."""
    first, last = (
        [run[generation][0].score for run in runs] for generation in (GENERATIONS[0], GENERATIONS[-1])
    )
    heading = f"Population of {POPULATION} for {GENERATIONS[-1]} generations, blue nodes of the best tree"
    return Row(heading, "gain", paired_difference(last, first), "runs", "evolves towards blue", above(BLUER))


def blue_text(history: History) -> str:
    """One such population as text: a line for each tree, with how it came about."""
    lines = []
    for generation, population in history.items():
        lines.append(f"generation {generation}")
        for individual in population:
            formula = print_program(individual.genome).strip()
            lines.append(f"  {individual.score:.0f} blue, {individual.origin.operator}: {formula}")
    return "\n".join(lines) + "\n"


def blue_svg(history: History) -> str:
    """One such population as a family picture."""
    members = [[_member(individual) for individual in population] for population in history.values()]
    return family_svg("Four trees evolve towards blue", members)


_DONE = {
    "create": "at random",
    "clone": "cloned",
    "point": "new colour",
    "subtree": "new branch",
    "shrink": "cut back",
}
"""By operator what it did to a tree, in words."""


def _member(individual: Individual[TreeProgram]) -> Member:
    origin = individual.origin
    (tree,) = individual.genome.trees
    return Member(individual.number, tree, origin.operator, origin.parents, _DONE[origin.operator])
