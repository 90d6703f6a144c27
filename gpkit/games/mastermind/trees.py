"""Strategy trees: a guess, and what to guess after each answer; as values, of text, and as strategies."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gpkit.core.errors import GpkitError, UsageError
from gpkit.games.mastermind.board import feedback_of_text
from gpkit.games.mastermind.codes import Code, code_of_text, code_text, number_of_code
from gpkit.games.mastermind.options import VARIANTS, Rules
from gpkit.games.mastermind.rules import Feedback, Turn

FOLDER = Path(__file__).parent / "strategies"
"""Strategy trees that ``gpkit_experiments.mastermind_trees`` found, as text: one for each of ``options.VARIANTS``."""

MAX_DEPTH = 99
"""The most answers that a tree of a text may follow one after the other."""


@dataclass(frozen=True, slots=True)
class Tree:
    """A strategy from some point of the game on.

    Attributes:
        guess: what to guess.
        after: by answer what to do then, in the order of the answers. After an answer that is not there the first code
            that can be the secret is guessed: nothing better can be done where there are at most two.
    """

    guess: Code
    after: tuple[tuple[Feedback, "Tree"], ...] = ()


def follow_tree(tree: Tree | None, rules: Rules, turns: tuple[Turn, ...], left: NDArray[np.int32]) -> int:
    """The number of the code that a tree (an ``exact.Strategy``) guesses, or of the first code left if it has none.

    Args:
        tree: of the whole game; None says nothing.
        rules: the rules.
        turns: the guesses so far.
        left: int32 (left,): the codes that can be the secret, ascending.
    """
    for turn in turns:
        tree = dict(tree.after).get(turn.feedback) if tree is not None and tree.guess == turn.guess else None
    return int(left[0]) if tree is None else number_of_code(tree.guess, rules)


_Node = tuple[Code, dict[Feedback | None, "_Node"]]
"""A guess, and by answer the guess after it; the first guess comes after no answer."""


def tree_of_text(text: str, rules: Rules) -> Tree:
    """The tree of a text; lines that begin with # and empty ones say nothing.

    Raises:
        UsageError: it is none; the message names the line.
    """
    first: dict[Feedback | None, _Node] = {}
    way: list[_Node] = []  # from the first guess to that of the last line
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            depth, answer, guess = _row(line, len(way), rules)
            beside = way[depth - 1][1] if depth else first
            if answer in beside:
                raise UsageError("each answer can be there only once, and one guess comes first")
        except GpkitError as error:
            raise UsageError(f"line {number} of the tree, `{line.strip()[:40]}`: {error}") from error
        beside[answer] = guess, {}
        way[depth:] = [beside[answer]]
    if not first:
        example = code_text(tuple(place % rules.colours for place in range(rules.length)), rules)
        raise UsageError(f"there is no tree; its first line is a guess, such as `{example}`")
    return _tree(way[0])


def _row(line: str, deepest: int, rules: Rules) -> tuple[int, Feedback | None, Code]:
    """The depth of a line, the answer in front, and the guess; a line that is indented too far is an error."""
    found = re.fullmatch(r"( *)(?:(\d+b\d+w) +)?(\S+) *", line)
    if found is None:
        raise UsageError("expected an answer and a guess, such as `1b0w 1123`")
    depth = len(found[1])
    if depth > min(deepest, MAX_DEPTH):
        raise UsageError(f"it starts with {depth} spaces, expected at most {min(deepest, MAX_DEPTH)}")
    if (depth > 0) != (found[2] is not None):
        raise UsageError("every guess but the first has an answer in front, such as `1b0w`")
    return depth, feedback_of_text(found[2], rules) if found[2] else None, code_of_text(found[3], rules)


def _tree(node: _Node) -> Tree:
    """The tree from a guess on, its branches in the order of their answers."""
    guess, after = node
    known = sorted((answer.number, answer) for answer in after if answer is not None)
    return Tree(guess, tuple((answer, _tree(after[answer])) for _, answer in known))


@cache
def tree_of_variant(name: str) -> Tree:
    """The strategy tree for a set of rules of ``options.VARIANTS``; the text tells how many guesses it needs.

    That of the classic game is optimal: nothing is better than 5625 guesses over all 1296 codes (Koyama and Lai, "An
    optimal Mastermind strategy", 1993).
    """
    path = FOLDER / f"{name}.txt"
    return tree_of_text(path.read_text(encoding="utf-8"), Rules.from_options(VARIANTS[name]))
