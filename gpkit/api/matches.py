"""Matches in Python code: programs measured, compared, each against each, in series."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Literal, overload

from gpkit.api.arguments import Count, Seed, command
from gpkit.api.fits import Fitted, predictor_for
from gpkit.api.games import GameLike, name_of
from gpkit.api.players import PlayerLike, PlayersLike, one_player, opponents_of, read_players, texts_of
from gpkit.api.programs import NO_RULES
from gpkit.api.progress import watching
from gpkit.api.tables import DataLike, table_for
from gpkit.app.compared_rows import ComparedRows, compared_on
from gpkit.app.contests import Compared, League, check_plays, compared, entrants, held_league, pair_off
from gpkit.app.evaluation import ladder_of
from gpkit.app.game_setup import meeting, seat_named
from gpkit.app.players import computed, game_for, pair_up, played, seat
from gpkit.app.series_workers import plan_of, played_series
from gpkit.core.errors import UsageError
from gpkit.core.tabular import Table
from gpkit.core.wording import counting
from gpkit.evolution.pools import executor_for
from gpkit.gamekit.options import Value
from gpkit.playing.evaluation import LADDER_SEED, HeldOutTable
from gpkit.playing.match import Result, play_match
from gpkit.playing.results import ExactResult
from gpkit.playing.series import Series


@command
def play(
    program: PlayerLike,
    opponent: PlayerLike,
    *,
    game: GameLike | None = None,
    games: Count = 10_000,
    seed: Seed = 0,
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
    name = name_of(game)
    named = [one_player(each, name) for each in (program, opponent)]
    meant = game_for(named, name)
    known_rules = meant.make_rules(texts_of(rules))
    first, other = (seat(each, meant) for each in named)
    with watching() as tell:
        watch = callback if callback is not None else counting(tell, games)
        return play_match(meant, first, [other], rules=known_rules, seed=seed, games=games, watch=watch)


@command
def run(
    programs: PlayersLike,
    opponents: PlayersLike = (),
    *,
    game: GameLike | None = None,
    games: Count = 10_000,
    seed: Seed = 0,
    rules: Mapping[str, Value] = NO_RULES,
    exact: bool = False,
) -> Table[Result | ExactResult]:
    """Measure programs against opponents, as ``gpkit run`` does: every program against every opponent.

    >>> import gpkit
    >>> for result in gpkit.run("simple", ["random", "champion"], game="sevens", games=300):
    ...     print(result)
    simple against random: win_share 0.7700, 0.7283 to 0.8117, in 300 games of sevens
    simple against champion: win_share 0.2400, 0.2023 to 0.2777, in 300 games of sevens
    >>> print(gpkit.run("chain", "greedy", game="dots_and_boxes", exact=True, rules={"board": "2x2"}))
    chain against greedy: win_rate 0.7484, exactly, in dots_and_boxes

    Args:
        programs: whose scores are measured.
        opponents: each sits in all other seats; none stands for the default opponents of the game.
        game: that they play, if the programs do not say it.
        games: of each match at least, rounded up to whole deals; no meaning with ``exact``, as ``seed``.
        seed: of all chance; all matches are played on the same deals.
        rules: options of the game that differ from the defaults.
        exact: compute the expected results instead of playing games, where a game is small enough.

    Returns:
        The results, those of the first program in front; ``to_frame`` gives them as a data frame.

    Raises:
        UsageError: there is no such program, player, game or rule, they do not go together, or a result cannot be
            computed.
        SourceError: a program does not parse, or has an error for this game.
        GuestError: a fault of a game of one's own; the message names the line.
    """
    named, against, name = read_players(programs, opponents, game)
    scheduled = [pair for each in named for pair in pair_up(each, against, name, texts_of(rules))]
    if exact:
        with watching() as tell:
            return Table(computed(scheduled, tell=tell))
    found: list[Result] = []
    with watching() as tell:
        for each in scheduled:
            about = f"{each.match.program.name} against {each.match.opponents[0].name}: "
            found += played([each], seed, games, counting(tell, games, about))
    return Table(found)


@overload
def compare(
    first: PlayerLike,
    second: PlayerLike,
    opponents: PlayersLike = (),
    *,
    game: GameLike | None = None,
    games: Count = 10_000,
    seed: Seed = 0,
    rules: Mapping[str, Value] = NO_RULES,
    exact: bool = False,
) -> Compared: ...


@overload
def compare(
    first: PlayerLike | Fitted,
    second: PlayerLike | Fitted,
    *,
    data: DataLike,
    target: str,
    task: Literal["regression", "classification"] | None = None,
    words: tuple[str, ...] | list[str] = (),
) -> ComparedRows: ...


@command
def compare(
    first: Annotated[PlayerLike | Fitted, "a program, a file, the name of a player, or a fit"],
    second: Annotated[PlayerLike | Fitted, "a program, a file, the name of a player, or a fit"],
    opponents: PlayersLike = (),
    *,
    game: GameLike | None = None,
    games: Count = 10_000,
    seed: Seed = 0,
    rules: Mapping[str, Value] = NO_RULES,
    exact: bool = False,
    data: DataLike = None,
    target: str | None = None,
    task: Literal["regression", "classification"] | None = None,
    words: tuple[str, ...] | list[str] = (),
) -> Compared | ComparedRows:
    """Compare two programs on the same deals, or on the rows of a table, as ``gpkit compare`` does.

    >>> import gpkit
    >>> found = gpkit.compare("champion", "simple", "random", game="sevens", games=300)
    >>> print(found)
    champion is better than simple, by 0.0833
    >>> found.verdict, round(found.overall.difference.low, 4)
    ('better', 0.0389)

    Args:
        first, second: the programs.
        opponents: each sits in all other seats; none stands for the default opponents of the game.
        game, games, seed, rules, exact: as for ``run``.
        data, target, task, words: a table, and a column that both predict, as for ``predict``; no game is played.

    Returns:
        ``verdict``; ``overall``, the difference over all opponents; ``results``, one comparison for each opponent. Of a
        table ``verdict`` and ``differences``, one for each metric.

    Raises:
        UsageError, SourceError, GuestError: as for ``run`` or ``predict``.
    """
    if data is not None or target is not None or task is not None or words:
        if data is None or target is None:
            raise UsageError("rows are compared by a table and a column of it: data=..., target=...")
        if opponents or game or rules or exact or (games, seed) != (10_000, 0):
            raise UsageError(
                "data=... plays no games; leave out opponents, game, games, seed, rules and exact"
            )
        both, read = (predictor_for(first), predictor_for(second)), cache(partial(table_for, data, words))
        tables = tuple(read(each.words_for(target)) for each in both)
        return compared_on(*both, tables, target, task)
    if isinstance(first, Fitted) or isinstance(second, Fitted):
        raise UsageError("fits are compared on the rows of a table: data=..., target=...")
    name = name_of(game)
    mine, other = (one_player(each, name) for each in (first, second))
    check_plays((mine, other), "data=..., target=...")
    against = opponents_of(opponents, [mine, other], name)
    scheduled = pair_off(mine, other, against, name, texts_of(rules))
    if exact:
        with watching() as tell:
            return compared(computed(scheduled, tell=tell))
    with watching() as tell:
        return compared(played(scheduled, seed, games, counting(tell, games * len(scheduled))))


@command
def tournament(
    programs: Sequence[PlayerLike],
    *,
    game: GameLike | None = None,
    games: Count = 10_000,
    seed: Seed = 0,
    rules: Mapping[str, Value] = NO_RULES,
    series: Count | None = None,
) -> League:
    """Play every program against every other, as ``gpkit tournament`` does.

    >>> import gpkit
    >>> league = gpkit.tournament(["simple", "random", "champion"], game="sevens", games=150)
    >>> print(league)
    no cycle: champion beats simple beats random, and each also beats everyone after it
    >>> [each.program for each in league.ratings.ratings]
    ['champion', 'simple', 'random']

    Args:
        programs: two or more.
        game, seed, rules: as for ``run``.
        games: of each ordered pair at least.
        series: play a league: a series of so many games for each pair, in which players that learn keep their memory.

    Returns:
        ``table``, the cross table; ``ratings``, the best first; ``order`` with ``wins``, ``cycles`` and ``verdict``.

    Raises:
        UsageError, SourceError, GuestError: as for ``run``.
    """
    named, _, name = read_players(programs, (), game)
    entered = entrants(named, name, texts_of(rules))
    with watching() as tell:
        return held_league(entered, seed, games, series, tell)


@command
def series(
    first: PlayerLike,
    second: PlayerLike,
    *,
    game: GameLike | None = None,
    games: Count = 11,
    repeat: Count | None = None,
    memory: str | os.PathLike[str] | None = None,
    workers: Count | str = 1,
    seed: Seed = 0,
    rules: Mapping[str, Value] = NO_RULES,
) -> Series:
    """Play series of games between two players, who may learn from each other, as ``gpkit series`` does.

    >>> import gpkit
    >>> print(gpkit.series("hunt", "random", game="battleship", games=2, repeat=5))
    hunt against random: win_share 1.0000, 0.6915 to 1.0000, in 20 games of battleship

    Args:
        first, second: the players.
        game, seed, rules: as for ``run``.
        games: of a series.
        repeat: series; 100 without it.
        memory: folder for what a learning player remembers of a single series, which continues there up to ``games``.
        workers: processes, or the address of a dask scheduler; the result is the same.

    Returns:
        ``scores``, float64 (repeats, games, seatings); ``tally()`` of all games and ``tally_of(game)``; ``to_frame``
        has a row for each game of the series.

    Raises:
        UsageError, SourceError, GuestError: as for ``run``; or no such memory is kept.
    """
    name = name_of(game)
    named, other = (one_player(each, name) for each in (first, second))
    seating = meeting(seat_named(named, opponents=[other], game=name, options=texts_of(rules)))
    folder = None if memory is None else Path(memory)
    plan = plan_of(seating, seed, games, repeat, folder)
    with watching() as tell, executor_for(str(workers)) as executor:
        return played_series(plan, executor, tell, memory=folder)


@command
def ladder(
    program: PlayerLike,
    *,
    game: GameLike | None = None,
    games: Count | None = None,
    seed: Seed = LADDER_SEED,
) -> HeldOutTable:
    """Measure a program on the held-out table of its game, as ``gpkit run --ladder`` does.

    >>> import gpkit
    >>> table = gpkit.ladder("rush", game="build_order", games=20)
    >>> table.program, table.trained, len(table.rows)
    ('rush', 'nothing', 4)

    Args:
        program: to be measured, where it was trained and where it was not.
        game: that it plays, if the program does not say it.
        games: at most so many of each trial; without it as many as the game says.
        seed: of the first set of deals of every trial.

    Returns:
        ``trained``, what the program says it was trained on; ``rows``, one for each trial.

    Raises:
        UsageError, SourceError, GuestError: as for ``run``.
    """
    name = name_of(game)
    named = one_player(program, name)
    meant = game_for([named], name)
    with watching() as tell:
        return ladder_of(named, meant, seed, games, tell)
