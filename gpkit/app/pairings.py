"""Results of matches that are scheduled: played on the same deals, or computed."""

from collections.abc import Sequence

from gpkit.app.players import Pairing
from gpkit.core.wording import Tell
from gpkit.playing.match import Result, Watch, play_matches
from gpkit.playing.results import ExactResult, check_exact, expect_match


def played(scheduled: Sequence[Pairing], seed: int, games: int, watch: Watch | None = None) -> list[Result]:
    """The results of matches of one game by the same rules, which are played on the same deals."""
    matches, first = [each.match for each in scheduled], scheduled[0]
    return play_matches(first.game, matches, rules=first.rules, seed=seed, games=games, watch=watch)


def computed(scheduled: Sequence[Pairing], announce: Tell = str, tell: Tell = str) -> list[ExactResult]:
    """The exact results of matches; if one of them cannot be computed, none is.

    Args:
        scheduled: the matches.
        announce: called with the name of each game.
        tell: shows the number of positions looked at so far.

    Raises:
        UsageError: one of the results cannot be computed.
    """
    for each in scheduled:
        check_exact(each.game, each.match, each.rules)
    for name in {each.game.name: None for each in scheduled}:
        announce(name)
    return [
        expect_match(
            each.game,
            each.match,
            each.rules,
            lambda count: tell(f"looked at {count:,} positions of the game"),
        )
        for each in scheduled
    ]
