"""Which of many rules match in which of many positions, and the images of their actions: compiled."""

import numpy as np
from numpy.typing import NDArray

from gpkit.matching.kernel import layout as at
from gpkit.matching.kernel import tables
from gpkit.matching.plan import Plan, kinds
from gpkit.matching.positions import Positions


def match(plan: Plan, positions: Positions) -> NDArray[np.uint8]:
    """Which rules match in which positions: uint8 (positions, rules), 1 for those that do.

    The same as ``gpkit.matching.reference.is_matched`` for each pair.
    """
    matched = np.empty((len(positions), len(plan)), dtype=np.uint8)
    tables.match(
        plan.matching,
        plan.signatures,
        positions.nodes,
        positions.neighbours,
        positions.starts,
        positions.signatures,
        *scratch(plan),
        matched,
    )
    return matched


def match_by_search(plan: Plan, positions: Positions) -> NDArray[np.uint8]:
    """The same as ``match`` without a look at signatures, which is slower."""
    matched = np.empty((len(positions), len(plan)), dtype=np.uint8)
    tables.match_by_search(
        plan.matching, positions.nodes, positions.neighbours, positions.starts, *scratch(plan), matched
    )
    return matched


def find_images(plan: Plan, positions: Positions) -> NDArray[np.uint64]:
    """The images of the actions of rules in positions: uint64 (positions, rules).

    A bit for each string of the position in the order of ``gpkit.matching.strings.strings``, 0 if the rule does not
    match. The same as ``gpkit.matching.reference.images`` for each pair.
    """
    found = np.empty((len(positions), len(plan)), dtype=np.uint64)
    tables.find_images(
        plan.imaging,
        plan.signatures,
        positions.nodes,
        positions.neighbours,
        positions.ends,
        positions.starts,
        positions.signatures,
        *scratch(plan),
        np.empty(len(plan), dtype=np.uint8),
        found,
    )
    return found


def scratch(plan: Plan) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Room for the kernels to work in: domains uint64 (kinds,), and the stack uint64 (STACK, places + 1)."""
    places = (plan.matching.shape[1] - at.PLACES) // at.PLACE
    return np.zeros(kinds(plan.longest), dtype=np.uint64), np.zeros((at.STACK, places + 1), dtype=np.uint64)
