"""Compiled matcher of many rules in many positions, and of the images of their actions."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gpkit.matching.kernel import batch
from gpkit.matching.kernel import layout as at
from gpkit.matching.kernel.layout import Positions
from gpkit.matching.plan import Plan, kinds


def match(plan: Plan, positions: Positions, scores: ArrayLike = 0) -> NDArray[np.uint8]:
    """Match rules in positions: uint8 (positions, rules), 1 for the rules that may act.

    The same as ``gpkit.matching.reference.may_act`` for each pair, unless a search is given up: see ``layout.CHOICES``.

    Args:
        plan: the rules.
        positions: the positions.
        scores: of all positions or of each, boxes of whoever is to draw less those of the other; only comparisons ask.
    """
    matched = np.empty((len(positions.left), len(plan)), dtype=np.uint8)
    batch.match(
        at.Searches(plan.matching, plan.absent, plan.signatures),
        positions,
        numbers(positions, scores),
        search_scratch(plan.longest, plan.places),
        matched,
    )
    return matched


def match_by_search(plan: Plan, positions: Positions, scores: ArrayLike = 0) -> NDArray[np.uint8]:
    """The same as ``match`` without a look at signatures, which is slower."""
    matched = np.empty((len(positions.left), len(plan)), dtype=np.uint8)
    batch.match_by_search(
        at.Searches(plan.matching, plan.absent, plan.signatures),
        positions,
        numbers(positions, scores),
        search_scratch(plan.longest, plan.places),
        matched,
    )
    return matched


def find_images(plan: Plan, positions: Positions, scores: ArrayLike = 0) -> NDArray[np.uint64]:
    """The images of the actions of rules in positions: uint64 (positions, rules).

    A bit for each edge of the position in the order of ``gpkit.matching.edges.edges``, 0 if the rule may not act.
    The same as ``gpkit.matching.reference.images`` for each pair; arguments as of ``match``.
    """
    found = np.empty((len(positions.left), len(plan)), dtype=np.uint64)
    batch.find_images(
        at.Searches(plan.imaging, plan.absent, plan.signatures),
        positions,
        numbers(positions, scores),
        search_scratch(plan.longest, plan.places),
        np.empty(len(plan), dtype=np.uint8),
        found,
    )
    return found


def numbers(positions: Positions, scores: ArrayLike) -> NDArray[np.int16]:
    """Numbers of positions that comparisons ask for: int16 (positions, NUMBERS_OF_POSITION)."""
    about = np.empty((len(positions.left), at.NUMBERS_OF_POSITION), dtype=np.int16)
    about[:, at.OF_SCORE] = scores
    about[:, at.OF_LEFT] = positions.left
    return about


def search_scratch(longest: int, places: int) -> at.Scratch:
    """Scratch arrays of a search for the kernels."""
    domains = np.zeros(kinds(longest), dtype=np.uint64)
    return at.Scratch(domains, np.zeros((at.STACK, places + 1), dtype=np.uint64))
