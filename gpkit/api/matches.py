"""Matches in Python code."""

import os
from collections.abc import Callable, Mapping

from gpkit.api.games import GameLike, name_of
from gpkit.api.programs import NO_RULES, Program
from gpkit.app.players import Named, game_for, read_one, seat
from gpkit.core.errors import UsageError
from gpkit.gamekit.options import Value, text_of
from gpkit.playing.match import Result, play_match

PlayerLike = Program | str | os.PathLike[str]
"""A program, or what the command line takes for a player: a file, a shipped program, ``random``, ``pimc:100``."""


def play(
    program: PlayerLike,
    opponent: PlayerLike,
    *,
    game: GameLike | None = None,
    games: int = 10_000,
    seed: int = 0,
    rules: Mapping[str, Value] = NO_RULES,
    callback: Callable[[int], object] | None = None,
) -> Result:
    """Play a program against an opponent: on the same deals as ``gpkit run``, each in every seat.

    >>> import gpkit
    >>> from gpkit.core.registry import data_folder
    >>> tic_tac_toe = data_folder("programs") / "games" / "tic_tac_toe.py"
    >>> result = gpkit.play("greedy", "random", game=tic_tac_toe, games=200)
    >>> print(result)
    greedy against random: win_share 0.8650, 0.8185 to 0.9115, in 200 games of tic_tac_toe
    >>> result.by_deal[:3].tolist()
    [1.0, 0.5, 0.5]

    Args:
        program: whose score is measured.
        opponent: sits in all other seats.
        game: that they play, if the programs do not say it.
        games: at least so many, rounded up to whole deals.
        seed: of all chance; the same seed gives the same result.
        rules: options of the game that differ from the defaults.
        callback: called again and again with the number of games played.

    Returns:
        ``mean``; ``interval`` with ``low`` and ``high``, the bounds of the mean at 95 % with the deal as the unit;
        ``by_deal``, float64 (deals,), for comparisons; ``games``, ``stalled`` and ``invalid``; ``metric``.

    Raises:
        UsageError: there is no such program, player, game or rule, or they do not go together.
        SourceError: a program does not parse, or has an error for this game.
        GuestError: a fault of a game of one's own; the message names the line.
    """
    if games < 1 or seed < 0:
        raise UsageError(f"games={games}, seed={seed}: expected at least 1 game, and a seed of at least 0")
    name = name_of(game)
    named = [_named(each, name) for each in (program, opponent)]
    meant = game_for(named, name)
    known_rules = meant.make_rules({key: text_of(value) for key, value in rules.items()})
    first, other = (seat(each, meant) for each in named)
    return play_match(meant, first, [other], rules=known_rules, seed=seed, games=games, watch=callback)


def _named(player: PlayerLike, game: str | None) -> Named:
    return player.named if isinstance(player, Program) else read_one(os.fspath(player), None, {}, game)
