"""Rollouts of Battleship in plain Python: the meaning of ``gpkit.games.battleship.kernel.counting``."""

from collections.abc import Sequence

from gpkit.games.battleship.rules import BattleshipRules, Placements, squares_of

Fleet = tuple[frozenset[int], ...]
"""The squares of each ship."""


Answer = tuple[int, ...]
"""The answer to a shot: (0,) a miss, (1,) a hit, (2, what is told of the length) that a ship sank."""


CLEARED = (3,)
"""The answer after which the game is over."""


def fleet_of(placements: Placements, rules: BattleshipRules) -> Fleet:
    """The squares of the ships of a fleet."""
    return tuple(
        frozenset(squares_of(placement, length, rules))
        for placement, length in zip(placements, rules.fleet, strict=True)
    )


def answer_of(fleet: Fleet, square: int, unshot: frozenset[int], rules: BattleshipRules) -> Answer:
    """The answer to a shot at a square, after which these are unshot."""
    ship = next((ship for ship in fleet if square in ship), None)
    if ship is None:
        return (0,)
    if not any(each & unshot for each in fleet):
        return CLEARED
    if ship & unshot or rules.announce == "hit":
        return (1,)
    return (2, len(ship) if rules.announce == "ship" else 0)


def counts_of(fleets: Sequence[Fleet], unshot: frozenset[int]) -> dict[int, int]:
    """The fleets with a ship on each unshot square."""
    return {
        square: sum(any(square in ship for ship in fleet) for fleet in fleets) for square in sorted(unshot)
    }


def parts_of(
    fleets: Sequence[Fleet], square: int, unshot: frozenset[int], rules: BattleshipRules
) -> dict[Answer, list[Fleet]]:
    """The fleets by their answers to a shot at a square, those that it clears left out."""
    parts: dict[Answer, list[Fleet]] = {}
    for fleet in fleets:
        answer = answer_of(fleet, square, unshot - {square}, rules)
        if answer != CLEARED:
            parts.setdefault(answer, []).append(fleet)
    return parts


def candidates_of(
    fleets: Sequence[Fleet], unshot: frozenset[int], most: int, margin: float
) -> tuple[int, ...]:
    """The squares that most fleets have, the best first; one that all have is the only one."""
    counts = counts_of(fleets, unshot)
    ranked = sorted((square for square in counts if counts[square]), key=lambda square: -counts[square])
    if counts[ranked[0]] == len(fleets):
        return (ranked[0],)
    least = counts[ranked[0]] - margin * len(fleets)
    return tuple(square for square in ranked[:most] if counts[square] >= least)


def misses_of(
    fleets: Sequence[Fleet],
    square: int,
    unshot: frozenset[int],
    rules: BattleshipRules,
    *,
    depth: int,
    most: int = 1,
    margin: float = 0.0,
) -> int:
    """Misses of a shot at a square and of all shots after it, summed over the fleets.

    Args:
        fleets: one of them is the hidden one.
        square: of the first shot.
        unshot: the squares that are not shot, that one included.
        rules: the rules.
        depth: shots after it are greedy (0), or chosen by rollouts of this depth less one.
        most, margin: of ``candidates_of``, for those rollouts.
    """
    misses = sum(not any(square in ship for ship in fleet) for fleet in fleets)
    for part in parts_of(fleets, square, unshot, rules).values():
        misses += least_misses(part, unshot - {square}, rules, depth=depth, most=most, margin=margin)[1]
    return misses


def least_misses(
    fleets: Sequence[Fleet],
    unshot: frozenset[int],
    rules: BattleshipRules,
    *,
    depth: int,
    most: int,
    margin: float,
) -> tuple[int, int]:
    """The shot that a policy chooses, and the misses until all fleets are cleared; as of ``misses_of``.

    With two fleets or fewer all policies are greedy.
    """
    squares = candidates_of(fleets, unshot, 1 if depth == 0 or len(fleets) <= 2 else most, margin)
    chosen = squares[0]
    if len(squares) > 1:
        chosen = min(
            squares,
            key=lambda each: misses_of(
                fleets, each, unshot, rules, depth=depth - 1, most=most, margin=margin
            ),
        )
    return chosen, misses_of(fleets, chosen, unshot, rules, depth=depth, most=most, margin=margin)
