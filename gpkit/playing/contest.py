"""Contests: players meet on the same deals, and the totals can be read after every step.

Everything that measures strength uses the totals of a contest: matches and comparisons, tournaments and leagues, series
with memory, held-out tables, and the strengths that grow on a page.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gpkit.core.rng import stream
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.playing.match import BLOCK, BLOCK_OF_SEARCH, Match, Result, Watch
from gpkit.playing.series import Series


@dataclass(slots=True)
class Totals:
    """The games that the matches of a contest have played so far; they grow while the contest goes on.

    Attributes:
        whole: all games of each match; those that are still to be played have scores of 0.
        deals: the number of deals that all matches have played; in series of several games, the number of finished
            series.
        games: the number of games that all matches together have played.
    """

    whole: list[Series]
    deals: int = 0
    games: int = 0

    @property
    def series(self) -> list[Series]:
        """The games of each match so far; if games are single, every deal counts as a series."""
        return [each.up_to(self.deals) for each in self.whole]

    @property
    def results(self) -> list[Result]:
        """The result of each match so far."""
        return [each.up_to(self.deals).result() for each in self.whole]


def contest(
    game: Game, matches: Sequence[Match], *, rules: Any, seed: int, deals: range, series: int | None = None
) -> Iterator[Totals]:
    """Play every match on the same deals from every seating, and yield the totals after every step.

    In a series, players with a memory keep it from game to game, and after every game all players move on by one seat.

    Args:
        game: what is played.
        matches: who meets whom.
        rules: the rules of the game.
        seed: decides the deals, which are the same whoever plays, and however many there are.
        deals: the numbers of the deals, or of the series; if there are none, the game is only compiled.
        series: the number of games in a series, each on its own deal; None for single games.
    """
    seated = [match.players(game.players(rules)) for match in matches]
    totals = Totals(
        [
            _nothing(game, match, players, rules, len(deals), series)
            for match, players in zip(matches, seated, strict=True)
        ]
    )
    together = BLOCK_OF_SEARCH if any(each.is_slow for players in seated for each in players) else BLOCK
    last, memory = (series or 1) - 1, None if series is None else game.memory
    known: dict[tuple[int, int], Any] = {}  # what players remember, by match and place
    for place, number, dealt, begins in _steps(game, rules, seed, deals, series, together):
        for match, players in enumerate(seated):
            found, key = totals.whole[match], (match, place.start)
            if memory is None:
                scores = game.play(players, dealt, rules)
            else:
                before = known.pop(key) if number else memory.begin(players, len(dealt), rules)
                scores, after = memory.play_on(players, dealt, rules, before)
                if number < last:
                    known[key] = np.roll(after, 1, axis=1)
            found.scores[place, number] = np.roll(scores.values, -number, axis=1)
            courses = found.courses
            if begins is not None and courses is not None and game.courses is not None:
                block, drawn = begins
                alike = game.courses(players, drawn, rules)
                if alike is None:
                    courses = None
                else:
                    courses[block, number] = alike
            totals.whole[match] = replace(
                found,
                stalled=found.stalled + scores.stalled,
                invalid=found.invalid + scores.invalid,
                courses=courses,
            )
            totals.games += scores.values.size
            if number == last and match == len(seated) - 1:
                totals.deals = place.stop
            yield totals


def _nothing(
    game: Game, match: Match, players: Sequence[Player], rules: Any, deals: int, series: int | None
) -> Series:
    """The series of a match before the first game."""
    remembers = series is not None and any(player.remembers for player in players)
    shape = deals, series or 1, game.seatings(rules)
    return Series(
        first=match.program.name,
        second=",".join(player.name for player in match.opponents),
        game=game.name,
        metric=game.metric(rules),
        unit="series" if remembers else "deal",
        scores=np.zeros(shape),
        stalled=0,
        invalid=0,
        courses=None if remembers or game.courses is None else np.zeros(shape[:2], dtype=np.int64),
    )


def _steps(
    game: Game, rules: Any, seed: int, deals: range, series: int | None, together: int
) -> Iterator[tuple[slice, int, Any, tuple[slice, Any] | None]]:
    """The steps of a contest: the places of the deals, the number of the game in its series, and the deals.

    The first step on deals that were drawn together also has the places and the deals of all of them.
    """
    for block in range(deals.start // BLOCK, max(deals.start // BLOCK + 1, -(-deals.stop // BLOCK))):
        low, high = max(deals.start - block * BLOCK, 0), min(deals.stop - block * BLOCK, BLOCK)
        start, count = block * BLOCK + low - deals.start, high - low
        for number in range(series or 1):
            key = ("match", block) if series is None else ("series", number, block)
            drawn = game.deal(stream(seed, *key), max(high, 1), rules)[low:high]
            begins = slice(start, start + count), drawn
            for first in range(0, max(count, 1), together):
                end = min(first + together, count)
                places = slice(start + first, start + end)
                yield places, number, drawn[first:end], None if first else begins


def finished(running: Iterator[Totals], watch: Watch | None = None, before: int = 0) -> Totals:
    """Play a contest to its end, and give its totals.

    Args:
        running: the contest.
        watch: gets the number of games after every step, with the number of those played ``before``.
    """
    for totals in running:
        if watch is not None:
            watch(before + totals.games)
    return totals


def play_matches(
    game: Game, matches: Sequence[Match], *, rules: Any, seed: int, games: int, watch: Watch | None = None
) -> list[Result]:
    """The results of matches on the same deals.

    Args:
        games: how many games of each match at least; rounded up to whole deals, each played in every seating.
        watch: is told the number of games played in all, again and again.
    """
    deals = range(-(-games // game.seatings(rules)))
    totals = finished(contest(game, matches, rules=rules, seed=seed, deals=deals), watch)
    return [each.result() for each in totals.whole]


def play_match(
    game: Game,
    program: Player,
    opponents: Sequence[Player],
    *,
    rules: Any,
    seed: int,
    games: int,
    watch: Watch | None = None,
) -> Result:
    """Play a program against opponents, as one match of ``play_matches``."""
    match = Match(program, tuple(opponents))
    return play_matches(game, [match], rules=rules, seed=seed, games=games, watch=watch)[0]


def play_series(
    game: Game,
    players: Sequence[Player],
    *,
    rules: Any,
    seed: int,
    games: int,
    repeat: int,
    watch: Watch | None = None,
) -> Series:
    """Play series of ``games`` games, ``repeat`` of them from every seating of the players.

    The scores are those of the first player; the second one sits in all other seats.
    """
    match = Match(players[0], (players[1],))
    running = contest(game, [match], rules=rules, seed=seed, deals=range(repeat), series=games)
    return finished(running, watch).series[0]
