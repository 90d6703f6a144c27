"""The posterior of Battleship by its definition: every legal fleet, asked for its answer to every shot."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
from every_fleet import legal_fleets
from numpy.typing import NDArray

from gpkit.games.battleship.fleets import squares_of
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.rules import Board, announced

NEVER = 1_000


@lru_cache(maxsize=8)
def covers_of(rules: Rules) -> NDArray[np.bool_]:
    """The squares of every ship of every legal fleet by the usual announcements: bool (fleets, ships, squares)."""
    fleets = list(legal_fleets(rules))
    covers = np.zeros((len(fleets), len(rules.fleet), rules.squares), dtype=np.bool_)
    for row, fleet in zip(covers, fleets, strict=True):
        for ship, (placement, length) in enumerate(zip(fleet, rules.fleet, strict=True)):
            row[ship, list(squares_of(placement, length, rules))] = True
    return covers


def consistent_covers(board: Board) -> NDArray[np.bool_]:
    """The fleets whose answers to the shots at a board are those that were given: bool (fleets, ships, squares)."""
    rules = board.rules
    covers = covers_of(replace(rules, announce="ship"))
    lengths = np.array(rules.fleet)
    times = np.full(rules.squares, NEVER)
    for turn, shot in enumerate(board.shots):
        times[shot.square] = turn
    ends = np.where(covers, times, -1).max(axis=2)
    agrees = np.ones(len(covers), dtype=np.bool_)
    for turn, shot in enumerate(board.shots):
        hits, sinks = covers[:, :, shot.square].any(axis=1), ends == turn
        length = np.where(sinks, lengths, 0).sum(axis=1)
        told = announced(shot, rules)
        agrees &= hits == shot.hit
        if rules.announce == "ship":
            agrees &= length == (told or 0)
        elif rules.announce == "sunk":
            agrees &= (length > 0) == (told is not None)
    return covers[agrees]


def chances_of(covers: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The share of fleets with a ship on each square: float64 (squares,)."""
    return covers.any(axis=1).mean(axis=0)
