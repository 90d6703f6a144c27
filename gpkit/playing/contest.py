"""Contests: matches on the same deals, with intermediate results after every step.

Matches, comparisons, tournaments, leagues, series with memory, held-out tables and live results on a web page are all
contests.

A match pairs a program with its opponents, and its mean score has a 95% interval over deals. In a series, the same
players play several games and may remember earlier games. If any player has a memory, the interval is computed over
series instead of deals.

In a round robin, every program plays against copies of every other program on the same deals and in every seat.

In a league, each pair of players plays a series of games, and learners keep their memory throughout the series.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, permutations
from typing import Any

import numpy as np

from gpkit.core.arrays import Floats, Ints
from gpkit.core.errors import UsageError
from gpkit.core.layout import Sheet, Tabular
from gpkit.core.registry import game_of
from gpkit.core.rng import stream
from gpkit.core.statistics import Interval, mean_interval
from gpkit.gamekit.game import Game, Metric
from gpkit.gamekit.players import Player
from gpkit.langkit.foreign import raise_failure

Courses = Ints | None
"""Numbers that are equal for identical games; None if hardly any games are identical, or if this is unknown."""

BLOCK = 1024
"""The number of deals drawn and played together: enough to amortize the cost of a call, few enough to fit in memory."""


Watch = Callable[[int], object]
"""A function that is called repeatedly with the number of games played so far."""


@dataclass(frozen=True, slots=True)
class Result(Tabular):
    """The result of a program against an opponent.

    Attributes:
        by_deal: float64 (deals,): the mean score of each deal over its seatings, for paired comparisons; in a league,
            the mean score of each series.
        games: the number of games, deals times seatings.
        stalled: the number of games that reached the length limit.
        invalid: the number of games in which a program exceeded its step limit.
        courses: int64 (deals,): deals with the same number led to identical games (see ``Game.courses``); None if
            hardly any games are identical, or if this is unknown.
    """

    program: str
    game: str
    opponent: str
    metric: Metric
    by_deal: Floats
    games: int
    stalled: int
    invalid: int
    courses: Courses = None

    def __str__(self) -> str:
        """The result in one line."""
        interval = f", {self.interval.text}" if self.interval.units > 1 else ""
        number = self.different_games
        games = f"{self.games:,} games" if number is None else f"{number:,} different games"
        score = f"{self.metric.name} {self.mean:.4f}{interval}"
        return f"{self.program} against {self.opponent}: {score}, in {games} of {self.game}"

    @property
    def different_games(self) -> int | None:
        """The number of different games; None if hardly any games are identical, or if this is unknown."""
        if self.courses is None:
            return None
        return len(np.unique(self.courses)) * (self.games // len(self.by_deal))

    @property
    def interval(self) -> Interval:
        """The mean score with its 95% interval over deals; a deal's score is the mean over its seatings."""
        return mean_interval(self.by_deal, support=self.metric.support, courses=self.courses)

    @property
    def mean(self) -> float:
        """The mean score."""
        return self.interval.mean

    def to_json(self) -> dict[str, object]:
        """The fields of an entry in ``results`` except those that depend on timing."""
        return {
            "program": self.program,
            "game": self.game,
            "opponent": self.opponent,
            "metric": self.metric.name,
            "mean": self.interval.mean,
            "ci95": self.interval.ends,
            "games": self.games,
            "different_games": self.different_games,
            "stalled": self.stalled,
            "invalid": self.invalid,
        }


@dataclass(frozen=True, slots=True)
class Match:
    """A program and its opponents. A single opponent fills all other seats; several opponents take one seat each."""

    program: Player
    opponents: tuple[Player, ...]

    def players(self, seats: int) -> list[Player]:
        """The players in the order of their seats, the program first."""
        others = self.opponents * (seats - 1) if len(self.opponents) == 1 else self.opponents
        return [self.program, *others]


def joint(courses: Ints) -> Ints:
    """One number for each row of courses, equal for equal rows: int64 (deals,), computed from int64 (deals, games).

    All numbers are 0 if all courses are 0.
    """
    numbers: Ints = np.unique(courses, axis=0, return_inverse=True)[1].reshape(-1)
    return numbers + int(courses.any())


def deal_of(game: Game, rules: object, seed: int, number: int) -> Any:
    """The deal with this number (from 0) in matches with this seed, as a sequence of one deal."""
    block, place = divmod(number, BLOCK)
    return game.deal(stream(seed, "match", block), place + 1, rules)[place:]


def repeats_told(results: Iterable[Any], game: Game) -> Iterator[str]:
    """Yield a note if a table contains repeated games, with the options that would prevent them.

    Args:
        results: the result in each row of the table, with ``games`` and ``different_games``.
        game: the game that was played.
    """
    from gpkit.user_games.rules import OPENING

    found = [(each.different_games, each.games) for each in results]
    few = [different for different, games in found if different is not None and different < games]
    if not few:
        return
    least, most = min(few), max(few)
    if most == 1:
        yield "all games are the same, as nothing is random"
        return
    number = f"{most:,}" if least == most else f"{least:,} to {most:,}"
    lines = "" if len(few) == len(found) else f" in {len(few)} of {len(found)} rows"
    ways = ["--rules opening=N"] if any(each.name == OPENING for each in game.all_options) else []
    if game.exact is not None:
        ways.append("--exact")
    yield f"{number} different games{lines}{'; use ' if ways else ''}{' or '.join(ways)}"


@dataclass(frozen=True, slots=True)
class SeriesTally:
    """The results of the first player in a set of games.

    Attributes:
        games: the number of games.
        interval: the mean score with its 95% interval.
        wins: the number of games won outright; None if the score does not measure a share of a win.
    """

    games: int
    interval: Interval
    wins: int | None

    def to_json(self) -> dict[str, object]:
        """The fields of an entry in ``results``; ``share`` is the mean score if the score is a share of a win."""
        mean = self.interval.mean
        return {
            "games": self.games,
            "mean": mean,
            "ci95": self.interval.ends,
            "wins": self.wins,
            "share": None if self.wins is None else mean,
        }


@dataclass(frozen=True, slots=True)
class Series(Tabular):
    """The scores of the first player in repeated series of games.

    Attributes:
        first, second: the names of the players; the second player fills all other seats.
        game: the name of the game.
        metric: the score.
        unit: the sampling unit of intervals: ``series`` if a player has a memory, otherwise ``deal``.
        scores: float64 (repeats, games, seatings): each series is played once in every seating, on the same deals;
            after each game, all players move to the next seat.
        stalled: the number of games that reached the length limit.
        invalid: the number of games in which a program exceeded its step limit.
        courses: int64 (repeats, games): deals with the same number led to identical games; None if hardly any games are
            identical, or if this is unknown.
        rules: the rules that the user set, as strings.
    """

    first: str
    second: str
    game: str
    metric: Metric
    unit: str
    scores: Floats
    stalled: int
    invalid: int
    courses: Courses = None
    rules: Mapping[str, str] = field(default_factory=dict)

    is_timed = True

    @property
    def games(self) -> int:
        """The number of games."""
        return self.scores.size

    @property
    def different_games(self) -> int | None:
        """The number of different games; None if hardly any games are identical, or if this is unknown."""
        return None if self.courses is None else len(np.unique(self.courses)) * self.scores.shape[2]

    def result(self) -> Result:
        """The result of the first player; its interval is computed over series, or over deals for single games."""
        scores, courses = self.scores.mean(axis=(1, 2)), self.courses
        if courses is not None:
            courses = courses[:, 0] if courses.shape[1] == 1 else joint(courses)
            _, firsts, places = np.unique(courses, return_index=True, return_inverse=True)
            if not np.array_equal(scores, scores[firsts][places]):
                courses = None  # a function in the game's file draws random numbers
        names = self.first, self.game, self.second
        return Result(*names, self.metric, scores, self.scores.size, self.stalled, self.invalid, courses)

    def tally(self) -> SeriesTally:
        """The results of all games."""
        by_deal = self.scores.mean(axis=2)
        courses = None if self.courses is None else self.courses.ravel()
        units = by_deal.mean(axis=1) if self.unit == "series" else by_deal.ravel()
        return self._tally(self.scores, units, courses)

    def tally_of(self, game: int) -> SeriesTally:
        """The results of game number ``game``, counted from 0, in all series."""
        scores = self.scores[:, game]
        courses = None if self.courses is None else self.courses[:, game]
        return self._tally(scores, scores.mean(axis=1), courses)

    def _tally(self, scores: Floats, units: Floats, courses: Courses) -> SeriesTally:
        wins = int((scores == self.metric.high).sum()) if self.metric.is_share else None
        return SeriesTally(
            scores.size, mean_interval(units, support=self.metric.support, courses=courses), wins
        )

    @property
    def mean(self) -> float:
        """The mean score of all games."""
        return self.tally().interval.mean

    def __str__(self) -> str:
        """The result of all games in one line."""
        found = self.tally()
        interval = f", {found.interval.text}" if found.interval.units > 1 else ""
        score = f"{self.metric.name} {found.interval.mean:.4f}{interval}"
        return f"{self.first} against {self.second}: {score}, in {found.games:,} games of {self.game}"

    def to_rows(self) -> list[dict[str, object]]:
        """The results by game number within the series."""
        numbers = range(self.scores.shape[1])
        return [{"number": number + 1, **self.tally_of(number).to_json()} for number in numbers]

    def to_json(self) -> dict[str, object]:
        """The entry in ``results``: all games together, then by game number within the series."""
        return {
            "first": self.first,
            "second": self.second,
            "game": self.game,
            "metric": self.metric.name,
            "unit": self.unit,
            **self.tally().to_json(),
            "stalled": self.stalled,
            "invalid": self.invalid,
            "by_game": self.to_rows(),
        }

    def document(self) -> dict[str, object]:
        """The rules, and the series as the only entry of ``results``."""
        return {"rules": self.rules, "results": [self.to_json()]}

    def told(self) -> Iterator[str | Sheet]:
        """The results by game number (a selection if the series is long), and a last row for all games together."""
        games = self.scores.shape[1]
        shown = [n for n in range(1, games + 1) if games <= len(SHOWN) or n in (*SHOWN, games)]
        lines = [_cells(str(number), self.tally_of(number - 1)) for number in shown]
        columns = ("game", "games", "wins", "mean", "95% interval")
        yield Sheet(
            columns, [*lines, _cells("all", self.tally())], right=columns, leave_out=("games", "wins")
        )
        yield (
            f"{self.metric.name} of {self.first} against {self.second}; the unit is the {self.unit}; "
            f"{self.stalled:,} games stalled, {self.invalid:,} invalid"
        )
        yield from repeats_told([self], game_of(self.game))


SHOWN = (1, 2, 3, 4, 5, 6, 8, 11, 15, 21, 31, 51, 101, 201, 501, 1001, 2001, 5001)
"""The numbers of the games that the table of a long series shows, in addition to the last game."""


def _cells(number: str, tally: SeriesTally) -> tuple[str, ...]:
    wins = "" if tally.wins is None else f"{tally.wins:,}"
    return number, f"{tally.games:,}", wins, f"{tally.interval.mean:.4f}", tally.interval.text


def joined(parts: Sequence[Series]) -> Series:
    """Join several series between the same players into one."""
    known = [part.courses for part in parts if part.courses is not None]
    return replace(
        parts[0],
        scores=np.concatenate([part.scores for part in parts]),
        stalled=sum(part.stalled for part in parts),
        invalid=sum(part.invalid for part in parts),
        courses=np.concatenate(known) if len(known) == len(parts) else None,
    )


def contest(
    game: Game,
    matches: Sequence[Match],
    *,
    rules: object,
    seed: int,
    deals: range,
    series: int | None = None,
    watch: Watch | None = None,
    before: int = 0,
) -> list[Series]:
    """Play every match on the same deals in every seating, and return the scores of each match.

    In a series, players with a memory keep it from game to game, and all players move to the next seat after every
    game. For single games, every deal counts as a series.

    Args:
        game: the game to play.
        matches: the players of each match.
        rules: the rules of the game.
        seed: the seed of the deals; the deals depend neither on the players nor on the number of deals.
        deals: the range of deal numbers, or of series numbers; if it is empty, the game is compiled but not played.
        series: the number of games in a series, each on a different deal; None for single games.
        watch: called after every step with the number of games played so far, plus ``before``.
    """
    seated = [match.players(game.players(rules)) for match in matches]
    whole = [
        _nothing(game, match, players, rules, len(deals), series)
        for match, players in zip(matches, seated, strict=True)
    ]
    searches = any(each.is_slow for players in seated for each in players)  # at least a thousand times slower
    together = 1 if searches else BLOCK
    last, memory = (series or 1) - 1, None if series is None else game.memory
    known: dict[tuple[int, int], Any] = {}  # what players remember, by match and place
    for place, number, dealt, begins in _steps(game, rules, seed, deals, series, together):
        for match, players in enumerate(seated):
            found, key = whole[match], (match, place.start)
            if memory is None:
                scores = game.play(players, dealt, rules)
                raise_failure()
            else:
                kept = known.pop(key) if number else memory.begin(players, len(dealt), rules)
                scores, after = memory.play_on(players, dealt, rules, kept)
                if number < last:
                    known[key] = np.roll(after, 1, axis=1)
            found.scores[place, number] = np.roll(scores.values, -number, axis=1)
            whole[match] = replace(
                found,
                stalled=found.stalled + scores.stalled,
                invalid=found.invalid + scores.invalid,
                courses=None
                if found.courses is None
                else _courses(game, players, rules, begins, number, found.courses),
            )
            before += scores.values.size
            if watch is not None:
                watch(before)
    return whole


def _courses(
    game: Game,
    players: Sequence[Player],
    rules: object,
    begins: tuple[slice, Any] | None,
    number: int,
    courses: Any,
) -> Any:
    """The courses of a match with the next games added; None if the game cannot determine which games are identical."""
    if begins is None or game.courses is None:
        return courses
    block, dealt = begins
    alike = game.courses(players, dealt, rules)
    if alike is None:
        return None
    courses[block, number] = alike
    return courses


def _nothing(
    game: Game, match: Match, players: Sequence[Player], rules: object, deals: int, series: int | None
) -> Series:
    """The empty series of a match, before its first game."""
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
    game: Game, rules: object, seed: int, deals: range, series: int | None, together: int
) -> Iterator[tuple[slice, int, Any, tuple[slice, Any] | None]]:
    """Yield the steps of a contest: the positions of the deals, the number of the game in the series, and the deals.

    The first step of a block also contains the positions and the deals of the whole block.
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


def play_matches(
    game: Game,
    matches: Sequence[Match],
    *,
    rules: object,
    seed: int,
    games: int,
    watch: Watch | None = None,
    before: int = 0,
) -> list[Result]:
    """Play matches on the same deals, and return their results.

    Args:
        games: the minimum number of games in each match, rounded up to complete deals, each played in every seating.
        watch, before: the same as in ``contest``.
    """
    played = contest(
        game,
        matches,
        rules=rules,
        seed=seed,
        deals=range(-(-games // game.seatings(rules))),
        watch=watch,
        before=before,
    )
    return [each.result() for each in played]


def play_match(
    game: Game,
    program: Player,
    opponents: Sequence[Player],
    *,
    rules: object,
    seed: int,
    games: int,
    watch: Watch | None = None,
) -> Result:
    """Play one match of a program against opponents, as in ``play_matches``."""
    match = Match(program, tuple(opponents))
    return play_matches(game, [match], rules=rules, seed=seed, games=games, watch=watch)[0]


@dataclass(frozen=True, slots=True)
class Tournament:
    """The cross table of a round robin.

    Attributes:
        players: the number of seats.
        programs: the names of the programs, in the order of the rows and columns.
        cells: ``cells[i][j]`` is the result of program i with copies of program j in all the other seats; None if i =
            j. All cells use the same deals.
    """

    game: str
    metric: Metric
    players: int
    programs: tuple[str, ...]
    cells: tuple[tuple[Result | None, ...], ...]

    @property
    def results(self) -> list[Result]:
        """All results, row by row; there are none on the diagonal."""
        return [cell for row in self.cells for cell in row if cell is not None]

    def by_deal(self) -> Floats:
        """The scores on each deal: float64 (programs, programs, deals), averaged over seatings; NaN on the diagonal."""
        none = np.full(len(self.results[0].by_deal), np.nan)
        return np.array([[none if cell is None else cell.by_deal for cell in row] for row in self.cells])


def play_tournament(
    game: Game,
    players: Sequence[Player],
    *,
    rules: object,
    seed: int,
    games: int,
    watch: Watch | None = None,
) -> Tournament:
    """Play a match for every ordered pair of players.

    Args:
        players: at least two players.
        games: the minimum number of games for each ordered pair, rounded up to complete deals.
        watch: called repeatedly with the total number of games so far.
    """
    pairs = list(permutations(range(len(players)), 2))
    matches = [Match(players[i], (players[j],)) for i, j in pairs]
    results = play_matches(game, matches, rules=rules, seed=seed, games=games, watch=watch)
    return _table(game, players, rules, dict(zip(pairs, results, strict=True)))


def play_league(
    game: Game,
    players: Sequence[Player],
    *,
    rules: object,
    seed: int,
    games: int,
    repeat: int,
    watch: Watch | None = None,
) -> Tournament:
    """Play series between each pair of players of a two-player game; each series counts as one deal in the result.

    One player's score determines the other player's score, so one result fills both cells of a pair.

    Args:
        players: at least two players.
        games: the number of games in a series.
        repeat: the number of series for each pair; each series is played in every seating.
        watch: called repeatedly with the total number of games so far.

    Raises:
        UsageError: the game is not a two-player game, or the sum of its scores is not constant.
    """
    metric = game.metric(rules)
    if game.players(rules) != 2 or metric.total is None:
        raise UsageError(
            f"a league needs a game for two players with a fixed total score, unlike {game.name}"
        )
    cells: dict[tuple[int, int], Result] = {}
    played = 0
    for i, j in combinations(range(len(players)), 2):
        match = Match(players[i], (players[j],))
        (series,) = contest(
            game,
            [match],
            rules=rules,
            seed=seed,
            deals=range(repeat),
            series=games,
            watch=watch,
            before=played,
        )
        found = series.result()
        played += found.games
        cells[i, j] = found
        cells[j, i] = replace(
            found, program=found.opponent, opponent=found.program, by_deal=metric.total - found.by_deal
        )
    return _table(game, players, rules, cells)


def _table(
    game: Game, players: Sequence[Player], rules: object, cells: Mapping[tuple[int, int], Result]
) -> Tournament:
    """The cross table with these cells."""
    places = range(len(players))
    return Tournament(
        game=game.name,
        metric=game.metric(rules),
        players=game.players(rules),
        programs=tuple(player.name for player in players),
        cells=tuple(tuple(cells.get((i, j)) for j in places) for i in places),
    )
