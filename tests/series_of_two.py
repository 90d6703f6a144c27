"""Series between two players as one value."""

from collections.abc import Sequence

from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.playing.contest import Match, Series, Watch, contest


def play_series(
    game: Game,
    players: Sequence[Player],
    *,
    rules: object,
    seed: int,
    games: int,
    repeat: int,
    watch: Watch | None = None,
) -> Series:
    """Series of the first player against the second one, who sits in all other seats."""
    match = Match(players[0], (players[1],))
    return contest(game, [match], rules=rules, seed=seed, deals=range(repeat), series=games, watch=watch)[0]
