"""A traced game of a program."""

from collections.abc import Sequence

from gpkit.app.game_setup import seat_all
from gpkit.app.players import Named, game_for
from gpkit.core.errors import EXIT_FINDINGS, GpkitError
from gpkit.playing.conditions import read_condition
from gpkit.playing.default_trace import trace_game
from gpkit.playing.match import deal_of
from gpkit.playing.players import player_of_source
from gpkit.playing.trace import Step, until


class HoldsNowhereError(GpkitError):
    """A condition holds in no step of a game."""

    exit_code = EXIT_FINDINGS


def followed_steps(
    named: Named,
    *,
    condition: str | None,
    opponents: Sequence[str],
    seed: int,
    deal: int,
) -> list[Step]:
    """The steps of a game of a program.

    Args:
        named: the program file; it sits in the first seat.
        condition: follow the game as far as the first step where it holds; None is to the end.
        opponents: who sits in the other seats; none stands for the game's first opponent.
        seed, deal: which of the deals of ``gpkit run``.

    Raises:
        UsageError: the game or an opponent is not known, or the condition is wrong.
        HoldsNowhereError: the condition holds in no step.
        SourceError: the program has an error for the game.
    """
    game = game_for([named], None)
    seating = seat_all(None, opponents, game=game.name, language=None, players=None, rules=())
    player = player_of_source(named.source, game, language=named.language)
    deals = deal_of(game, seating.rules, seed, deal)
    trace = trace_game(game.name, (player, *seating.players), deals, seating.rules)
    awaited = None if condition is None else read_condition(condition, trace.vocabulary)
    found = list(trace.steps if awaited is None else until(trace.steps, awaited))
    if awaited is not None and not awaited.holds(found[-1].values):
        raise HoldsNowhereError(f"{condition} holds in no step")
    return found
