"""Boards of Battleship in the middle of games."""

from collections.abc import Iterator

from gpkit.core.rng import stream
from gpkit.games.battleship.arena import running_sums
from gpkit.games.battleship.fleets import draw_fleet
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.rules import Board


def positions(rules: Rules, count: int) -> Iterator[Board]:
    """Boards under fire: some shots at random, every fourth of them at a ship."""
    rng = stream(7_301, "positions", *rules.fleet)
    for key, extra, _ in GAME.deal(rng, count, rules).keys[:, 1].tolist():
        board = Board.of(draw_fleet(key, extra, running_sums("uniform", rules), rules), rules)
        for _ in range(int(rng.integers(1, 2 * rules.squares // 3))):
            unshot = [square for square, known in enumerate(board.known) if known == "unshot"]
            ships = [square for square in unshot if board.ship_at(square) >= 0]
            after = board.shoot(int(rng.choice(ships if rng.random() < 0.25 else unshot)))
            if after.status == "playing":
                board = after
        yield board
