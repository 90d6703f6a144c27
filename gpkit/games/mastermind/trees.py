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

    def then(self, answer: Feedback) -> "Tree | None":
        """Subtree after an answer; None if the tree does not say it."""
        return dict(self.after).get(answer)

    @property
    def size(self) -> int:
        """Number of guesses that it names."""
        return 1 + sum(tree.size for _, tree in self.after)


@dataclass(frozen=True, slots=True)
class Follower:
    """Strategy that guesses as a tree says: an ``exact.Strategy``."""

    tree: Tree
    rules: Rules

    def __call__(self, turns: tuple[Turn, ...], left: NDArray[np.int32]) -> int:
        """The number of the code to guess; where the tree says nothing, the first that is left."""
        tree: Tree | None = self.tree
        for turn in turns:
            tree = tree.then(turn.feedback) if tree is not None and tree.guess == turn.guess else None
        return int(left[0]) if tree is None else number_of_code(tree.guess, self.rules)


@dataclass(frozen=True, slots=True)
class _Row:
    """A line: how far in it is, the answer in front, and the guess."""

    depth: int
    answer: Feedback | None
    guess: Code


def tree_of_text(text: str, rules: Rules) -> Tree:
    """The tree of a text; lines that begin with # and empty ones say nothing.

    Raises:
        UsageError: it is none; the message names the line.
    """
    rows: list[_Row] = []
    answers: list[set[Feedback | None]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            row = _row(line, len(answers), rules)
            del answers[row.depth + 1 :]
            answers += [set()] * (row.depth == len(answers))
            if row.answer in answers[row.depth]:
                raise UsageError("each answer can be there only once, and one guess comes first")
            answers[row.depth] = {*answers[row.depth], row.answer}
        except GpkitError as error:
            raise UsageError(f"line {number} of the tree, `{line.strip()[:40]}`: {error}") from error
        rows.append(row)
    if not rows:
        example = code_text(tuple(place % rules.colours for place in range(rules.length)), rules)
        raise UsageError(f"there is no tree; its first line is a guess, such as `{example}`")
    return _tree(rows, 0)[0]


def _row(line: str, deepest: int, rules: Rules) -> _Row:
    """Parsed line, if it may be indented so far."""
    found = re.fullmatch(r"( *)(?:(\d+b\d+w) +)?(\S+) *", line)
    if found is None:
        raise UsageError("expected an answer and a guess, such as `1b0w 1123`")
    depth = len(found[1])
    if depth > min(deepest, MAX_DEPTH):
        raise UsageError(f"it starts with {depth} spaces, expected at most {min(deepest, MAX_DEPTH)}")
    if (depth > 0) != (found[2] is not None):
        raise UsageError("every guess but the first has an answer in front, such as `1b0w`")
    answer = feedback_of_text(found[2], rules) if found[2] else None
    return _Row(depth, answer, code_of_text(found[3], rules))


def _tree(rows: list[_Row], start: int) -> tuple[Tree, int]:
    """The tree whose first row this is, and the place of the first row after it."""
    after: list[tuple[Feedback, Tree]] = []
    end = start + 1
    while end < len(rows) and rows[end].depth > rows[start].depth:
        answer = rows[end].answer
        assert answer is not None, "every row that is indented has one"
        tree, end = _tree(rows, end)
        after.append((answer, tree))
    return Tree(rows[start].guess, tuple(sorted(after, key=lambda branch: branch[0].number))), end


@cache
def tree_of_variant(name: str) -> Tree:
    """The strategy tree for a set of rules of ``options.VARIANTS``; the text tells how many guesses it needs.

    That of the classic game is optimal: nothing is better than 5625 guesses over all 1296 codes (Koyama and Lai, "An
    optimal Mastermind strategy", 1993).
    """
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    return tree_of_text(text, Rules.from_options(VARIANTS[name]))
