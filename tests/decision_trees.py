"""Decision trees drawn at random with every kind of node, and texts around them; for tests."""

from collections.abc import Sequence
from random import Random

from case_files import case_text

from gpkit.genomes.comparisons import HOLDS, Comparison
from gpkit.genomes.decision import Chance, DecisionProgram, DecisionTree, Switch, inner, leaf
from gpkit.languages.decision.text import READING, print_program

FEATURES = ("env.depth", "env.dist", "env.safe", "env.hand")
NUMBERS = (0.0, 1.0, 2.0, 3.5, -1.0, 1e-7, 1e300, 5e-324)


EVERY_NODE = case_text("games/every_node.decide")
"""Program with every kind of node, and a leaf that no game comes to."""


def seeded(seed: int) -> Random:
    """Random numbers of a seed."""
    return Random(seed)  # noqa: S311 - nothing here is secret


def random_tree(
    rng: Random, depth: int = 4, features: Sequence[str] = FEATURES, *, chances: bool = True
) -> DecisionTree:
    """A tree of at most so many levels of inner nodes, whose leaves are values."""
    if depth == 0 or rng.random() < 0.2:
        return leaf(rng.choice((rng.randint(-3, 3) / 2.0 + 0.0, rng.choice(NUMBERS))))
    kind = rng.random()

    def below() -> DecisionTree:
        return random_tree(rng, depth - 1, features, chances=chances)

    if kind < 0.15 and chances:
        return inner(Chance(rng.choice((0.0, 0.25, 0.5, 1.0, rng.random()))), below(), below())
    feature = rng.choice(features)
    if kind < 0.3:
        bounds = sorted(rng.sample(range(-2, 9), rng.randint(1, 5)))
        return inner(Switch(feature, tuple(map(float, bounds))), *(below() for _ in range(len(bounds) + 1)))
    threshold = rng.choice((float(rng.randint(-1, 8)), rng.randint(0, 7) + 0.5))
    return inner(Comparison(feature, rng.choice(list(HOLDS)), threshold), below(), below())


def random_program(rng: Random, depth: int = 4) -> DecisionProgram:
    """A program for Sevens."""
    return DecisionProgram(("play", "send"), (random_tree(rng, depth), random_tree(rng, depth)))


def commented(rng: Random, program: DecisionProgram) -> str:
    """The text of a program with numbered comments, and with line ends, anywhere between its words."""
    pieces: list[str] = []
    for number, token in enumerate(READING.tokens(print_program(program))):
        if token.type != "BLANK":
            pieces.append(str(token))
        elif rng.random() < 0.2:
            pieces.append(
                rng.choice(("", "\n", "\n\n", "  ")) + f" // comment {number}\n" + rng.choice(("", "\n"))
            )
        else:
            pieces.append(rng.choice((" ", "\n  ", "\t", "\n\n\n")))
    return "".join(pieces)
