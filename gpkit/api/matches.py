"""Functions that play matches, tournaments and series, compare programs, and follow games step by step.

Most are also shell commands.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, overload

from gpkit.api.arguments import command
from gpkit.api.kinds import (
    NO_DIALECT,
    NO_RULES,
    Columns,
    Count,
    DataLike,
    Dialect,
    Folder,
    GameLike,
    Kind,
    Language,
    Number,
    OpponentLike,
    Opponents,
    PlayerLike,
    PlayersLike,
    Rules,
    Seed,
    Within,
    WorkersLike,
)
from gpkit.api.progress import argument, refuse
from gpkit.core.errors import UsageError, interrupted
from gpkit.core.files import STANDARD_INPUT

if TYPE_CHECKING:
    from gpkit.analysis.balance import Balance
    from gpkit.analysis.predictions import ComparedRows
    from gpkit.analysis.results import Compared, Ladders, League, Measured
    from gpkit.api.fits import Fitted
    from gpkit.api.programs import Program
    from gpkit.gamekit.game import Game
    from gpkit.playing.contest import Match, Result, Series
    from gpkit.playing.disagreements import Disagreements
    from gpkit.playing.evaluation import HeldOutTable
    from gpkit.playing.named import Named
    from gpkit.playing.results import ExactResult
    from gpkit.show.traced import Traced


GAMES = 10_000
"""The default number of games in a match."""

BALANCED = 400
"""The default number of games for measuring the balance of a game."""

ComparedLike = Annotated[
    "Program | Fitted | str | os.PathLike[str]",
    Kind("", "a program, a file, the name of a player, or a fit", "program"),
]
"""A program or a fit to compare."""


@command
def play(
    program: PlayerLike,
    opponent: PlayerLike,
    *,
    game: GameLike | None = None,
    games: Count = GAMES,
    seed: Seed = 0,
    rules: Rules = NO_RULES,
    callback: Callable[[int], object] | None = None,
) -> "Result":
    """Play a program against an opponent, on the same deals as ``gpkit run``, playing each deal from every seat.

    >>> import gpkit
    >>> from gpkit.core.registry import data_folder
    >>> tic_tac_toe = data_folder("programs") / "games" / "tic_tac_toe.py"
    >>> result = gpkit.play("greedy", "random", game=tic_tac_toe, games=200)
    >>> print(result)
    greedy against random: win_share 0.8650, 0.8185 to 0.9115, in 200 games of tic_tac_toe
    >>> result.by_deal[:3].tolist()
    [1.0, 0.5, 0.5]

    Args:
        program: the program to measure.
        opponent: the player in all other seats.
        game: the game that they play, if the programs do not name it.
        games: the number of games, rounded up to whole deals.
        seed: the seed of all random numbers; the same seed gives the same result.
        rules: options of the game that differ from the defaults.
        callback: a function that is called repeatedly with the number of games played so far.

    Returns:
        ``mean``; ``interval`` with ``low`` and ``high``, the bounds of the mean at 95% with the deal as the unit;
        ``by_deal``, float64 (deals,), for comparisons; ``games``, ``stalled`` and ``invalid``; ``metric``.

    Raises:
        UsageError: there is no such program, player, game or rule, or they cannot be combined.
        SourceError: a program does not parse, or has an error for this game.
        GuestError: your own game has a fault; the message names the line.
    """
    from gpkit.api.games import name_of
    from gpkit.api.players import one_player, texts_of
    from gpkit.api.progress import watching
    from gpkit.core.wording import counting
    from gpkit.playing.contest import play_match
    from gpkit.playing.named import game_for, seat

    name = name_of(game)
    named = [one_player(each, name) for each in (program, opponent)]
    meant = game_for(named, name)
    known_rules = meant.make_rules(texts_of(rules))
    first, other = (seat(each, meant) for each in named)
    with watching() as tell:
        return play_match(
            meant,
            first,
            [other],
            rules=known_rules,
            seed=seed,
            games=games,
            watch=callback if callback is not None else counting(tell, games),
        )


@overload
def run(
    programs: PlayersLike,
    opponents: Opponents = (),
    *,
    game: GameLike | None = None,
    games: Count | None = None,
    exact: bool = False,
    ladder: Literal[False] = False,
    rules: Rules = NO_RULES,
    seed: Seed = 0,
    dialect: Dialect = NO_DIALECT,
    language: Language | None = None,
) -> "Measured": ...


@overload
def run(
    programs: PlayersLike,
    *,
    ladder: Literal[True],
    game: GameLike | None = None,
    games: Count | None = None,
    seed: Seed = 0,
    dialect: Dialect = NO_DIALECT,
    language: Language | None = None,
) -> "Ladders": ...


@command
def run(
    programs: PlayersLike,
    opponents: Opponents = (),
    *,
    game: GameLike | None = None,
    games: Count | None = None,
    exact: bool = False,
    ladder: bool = False,
    rules: Rules = NO_RULES,
    seed: Seed = 0,
    dialect: Dialect = NO_DIALECT,
    language: Language | None = None,
) -> "Measured | Ladders":
    """Play complete games and show how strong programs are.

    Every program plays every opponent on the same deals, each deal in every seat. The interval is the 95% interval of
    the mean, with the deal as the unit. A game is stalled if it was stopped because it took too long, and invalid if a
    program ran out of steps without a move (for example, in a loop that never shoots) and so lost.

    >>> import gpkit
    >>> for result in gpkit.run("simple", ["random", "champion"], game="sevens", games=300):
    ...     print(result)
    simple against random: win_share 0.7700, 0.7283 to 0.8117, in 300 games of sevens
    simple against champion: win_share 0.2400, 0.2023 to 0.2777, in 300 games of sevens
    >>> print(gpkit.run("chain", "greedy", game="dots_and_boxes", exact=True, rules={"board": "2x2"}))
    chain against greedy: win_rate 0.7484, exactly, in dots_and_boxes

    Args:
        programs: the programs to measure: files, folders of files, players of the game such as simple,
            or shipped programs such as champion.
        opponents: the players in all other seats: a name, a program file, or name:argument such as pimc:100. Each
            opponent gets its own match. Default: the game's default opponents.
        game: the game, if the programs do not name it: a name, a file with your own game, or an OpenSpiel game such as
            openspiel:hex. It also selects among shipped programs of the same name, such as champion; for a file, write
            ./champion.
        games: the number of games in each match, rounded up to whole deals: every deal is played in every seat.
            Default: 10,000.
        exact: compute the expected result over all positions or deals instead of playing games, if a game is small
            enough: dots_and_boxes on boards of up to 3x3 boxes, mastermind, and your own small games.
        ladder: test each program on the held-out table of its game: under the conditions of its training, and with
            other opponents, rules and deals. With `ladder`, `seed` is the seed of the first set of deals, and `games`
            limits the games of each row.
        rules: a rule of the game, one of `gpkit list rules`; may be repeated.
        seed: the same seed gives the same result.
        dialect: override the header of programs, such as target=uniform or dialect=literal; may be repeated.
        language: the language, for files without its suffix.

    Returns:
        The results, beginning with those of the first program; ``to_frame`` gives them as a data frame.

    Raises:
        UsageError: there is no such program, player, game or rule, they cannot be combined, or a result cannot be
            computed.
        SourceError: a program does not parse, or has an error for this game.
        GuestError: your own game has a fault; the message names the line.
    """
    from gpkit.analysis.results import Ladders, Measured
    from gpkit.api.players import opponents_of, read_players, texts_of
    from gpkit.api.progress import seconds, watching
    from gpkit.core.wording import counting
    from gpkit.playing.contest import play_matches
    from gpkit.playing.evaluation import LADDER_SEED
    from gpkit.playing.named import pair_up

    if exact:
        _refuse("exact", "plays no games", [("games", games), ("seed", seed)])
    named, name = read_players(programs, game, language, dialect)
    if ladder:
        others = (("opponents", opponents), ("exact", exact), ("rules", rules))
        _refuse("ladder", "sets opponents, rules and deals itself", others)
        found = Ladders([_ladder(each, name, seed or LADDER_SEED, games) for each in named])
        found.seed = seed or LADDER_SEED
        return found
    against = opponents_of(opponents, named, name, language) if opponents else []
    scheduled = [pair for each in named for pair in pair_up(each, against, name, texts_of(rules))]
    if exact:
        with watching() as tell:
            return Measured(_computed(scheduled, tell))
    for of_game in {each[0].name: each for each in scheduled}.values():
        _announce(*of_game, seed)
    results: list[Result] = []
    speeds: list[float] = []
    with watching() as tell:
        for meant, known, match in scheduled:
            about = f"{match.program.name} against {match.opponents[0].name}: "
            began, watch = seconds(), counting(tell, games or GAMES, about)
            results += play_matches(meant, [match], rules=known, seed=seed, games=games or GAMES, watch=watch)
            speeds.append(results[-1].games / max(seconds() - began, 1e-9))
    measured = Measured(results)
    measured.speeds = speeds if seconds() else ()
    return measured


@command
def balance(
    game: GameLike,
    opponents: Opponents = (),
    *,
    games: Count = BALANCED,
    rules: Rules = NO_RULES,
    seed: Seed = 0,
) -> "Balance":
    """Show whether a game is fair: the results by seat and by first action, the length of games, and the share of luck.

    Every deal is played once with each rotation of the players, in plain Python.

    >>> import gpkit
    >>> found = gpkit.balance("dots_and_boxes", ["chain", "safe"], games=40, rules={"board": "2x2"})
    >>> [(each.name, round(each.value.mean, 3)) for each in found.lines if each.about == "seat"]
    [('0', 0.838), ('1', 0.163)]

    Args:
        game: the game: a name, a file with your own game, or an OpenSpiel game such as openspiel:hex.
        opponents: a player at the table: a name, a program file, or name:argument such as pimc:100; repeat it for one
            player per seat. Default: the game's default opponents.
        games: the number of games, rounded up to whole deals.
        rules: a rule of the game, one of `gpkit list rules`; may be repeated.
        seed: the same seed gives the same result.

    Returns:
        ``lines``, each with ``about``, ``name``, ``games`` and ``value``, a mean with its interval by deals.

    Raises:
        UsageError: there is no such game, player or rule, or the game cannot be followed step by step.
        SourceError: a program does not parse, or has an error for this game.
        GuestError: your own game has a fault; the message names the line.
    """
    from gpkit.analysis.balance import balance_of
    from gpkit.api.games import name_of
    from gpkit.api.players import one_player, several, texts_of
    from gpkit.api.progress import watching
    from gpkit.core.wording import counting
    from gpkit.playing.named import game_for, seat

    name = name_of(game)
    meant = game_for([], name)
    known = meant.make_rules(texts_of(rules))
    named = several(opponents) or meant.rivals(known)
    seats = meant.players(known)
    if meant.choose is None or meant.seatings(known) < 2:
        raise UsageError(f"{meant.name} has no seats to compare")
    seated = [seat(one_player(each, name), meant) for each in named]
    table = [seated[place % len(seated)] for place in range(seats)]
    with watching() as tell:
        return balance_of(
            meant, table, known, seed=seed, deals=-(-games // seats), watch=counting(tell, games)
        )


def _refuse(name: str, why: str, others: Iterable[tuple[str, object]]) -> None:
    """Refuse arguments that have no effect in combination with another argument.

    Raises:
        UsageError: one of these arguments was given.
    """
    refuse(*((value, f"{{{name}}} {why}; leave out {{{other}}}") for other, value in others))


def _announce(game: "Game", rules: object, match: "Match", seed: int) -> None:
    """Print the game and its seed, and play a match with no deals, so that no code compiles while games are timed."""
    from gpkit.api.progress import remark, remark_compilation
    from gpkit.playing.contest import contest

    players = game.players(rules)
    even = f"; an even share is {1 / players:.3f}" if game.metric(rules).is_share else ""
    seats = f"{players} players" if game.seatings(rules) > 1 else "one player"
    remark(f"{game.name}: {seats}, seed {seed}{even}")
    remark_compilation(game=game.name)
    contest(game, [match], rules=rules, seed=seed, deals=range(0))


def _computed(
    scheduled: "Sequence[tuple[Game, Any, Match]]", tell: Callable[[str], object]
) -> "list[ExactResult]":
    """The exact results of matches, after a check that gpkit can compute all of them.

    Raises:
        UsageError: one of the results cannot be computed.
    """
    from gpkit.api.progress import remark_compilation
    from gpkit.playing.results import check_exact, expect_match

    for game, rules, match in scheduled:
        check_exact(game, match, rules)
    for name in dict.fromkeys(game.name for game, *_ in scheduled):
        remark_compilation(game=name)
    looked = lambda count: tell(f"looked at {count:,} positions of the game")  # noqa: E731
    return [expect_match(game, match, rules, looked) for game, rules, match in scheduled]


# An option that both ways to compare have stands in both overloads and in the function.
@overload
def compare(
    first: PlayerLike,
    second: PlayerLike,
    opponents: Opponents = (),
    *,
    game: GameLike | None = None,
    games: Count | None = None,
    exact: bool = False,
    decisions: Literal[False] = False,
    rules: Rules = NO_RULES,
    seed: Seed = 0,
    dialect: Dialect = NO_DIALECT,
    language: Language | None = None,
) -> "Compared": ...


@overload
def compare(
    first: PlayerLike,
    second: PlayerLike,
    opponents: Opponents = (),
    *,
    decisions: Literal[True],
    game: GameLike | None = None,
    rules: Rules = NO_RULES,
    seed: Seed = 0,
    dialect: Dialect = NO_DIALECT,
    language: Language | None = None,
) -> "Disagreements": ...


@overload
def compare(
    first: ComparedLike,
    second: ComparedLike,
    *,
    data: DataLike,
    target: str | None = None,
    task: Literal["regression", "classification"] | None = None,
    words: Columns = (),
    group: str | None = None,
    after: str | None = None,
    held_out: bool = False,
    language: Language | None = None,
) -> "ComparedRows": ...


@command
def compare(
    first: ComparedLike,
    second: ComparedLike,
    opponents: Opponents = (),
    *,
    game: GameLike | None = None,
    games: Count | None = None,
    exact: bool = False,
    decisions: bool = False,
    rules: Rules = NO_RULES,
    seed: Seed = 0,
    dialect: Dialect = NO_DIALECT,
    language: Language | None = None,
    data: DataLike | None = None,
    target: str | None = None,
    task: Literal["regression", "classification"] | None = None,
    words: Columns = (),
    group: Annotated[str, Kind("COLUMN")] | None = None,
    after: Annotated[str, Kind("COLUMN")] | None = None,
    held_out: bool = False,
) -> "Compared | ComparedRows | Disagreements":
    """Compare two programs on the same deals, or on the rows of a table.

    Both programs play every opponent on the same deals, so the difference is paired by deal. The exit code is 1 if the
    first program is worse over all opponents, 0 if it is better or the two cannot be distinguished. With a table, both
    programs predict a column, and the difference is paired by row; the verdict depends on R², or for classes on the
    accuracy.

    >>> import gpkit
    >>> found = gpkit.compare("champion", "simple", "random", game="sevens", games=300)
    >>> print(found)
    champion is better than simple, by 0.0833
    >>> found.verdict, round(found.overall.difference.low, 4)
    ('better', 0.0389)

    Args:
        first: the program to judge: a file, a player of the game such as simple, a shipped program, or a fit.
        second: the program to compare it with.
        opponents: the players in all other seats: a name, a program file, or name:argument such as pimc:100; may be
            repeated. Default: the game's default opponents.
        game: the game, if the programs do not name it: a name, a file with your own game, or an OpenSpiel game such as
            openspiel:hex. It also selects among shipped programs of the same name, such as champion; for a file, write
            ./champion.
        games: the number of games in each match, rounded up to whole deals: every deal is played in every seat.
            Default: 10,000.
        exact: compute the difference over all positions or deals instead of playing games, if a game is small enough:
            dots_and_boxes on boards of up to 3x3 boxes, mastermind, and your own small games.
        decisions: show how often the two programs choose differently in the states of their games, and the costliest
            differences, as judged by exact values or by a search.
        rules: a rule of the game, one of `gpkit list rules`; may be repeated.
        seed: the same seed gives the same result.
        dialect: override the header of programs, such as target=uniform or dialect=literal; may be repeated.
        language: the language, for files without its suffix.
        data: compare predictions for the rows of a table, such as a CSV or Parquet file, instead of playing games.
        target: with a table: the column that both programs predict. Default: the same as for `gpkit fit`.
        task: with a table: how to read programs that do not name their task. Default: gpkit decides from the target, as
            in `gpkit fit`.
        words: with a table: read the cells of this column as words; may be repeated.
        group: with a table: the units of intervals are groups of rows with the same cell in this column, such as a
            person's name, instead of rows.
        after: with a table: compare on the latest quarter of the rows by this column of numbers or dates, the rows that
            `gpkit fit --after` holds out.
        held_out: with the table of a fit: use only the rows that the fit held out.

    Returns:
        ``verdict``; ``overall``, the difference over all opponents; ``results``, one comparison for each opponent. For
        a table, ``verdict`` and ``differences``, one for each metric. For decisions, ``share`` and ``costliest``.

    Raises:
        UsageError, SourceError, GuestError: in the same cases as ``run`` or ``predict``.
    """
    from gpkit.analysis.results import compared
    from gpkit.api.fits import Fitted
    from gpkit.api.players import opponents_of, read_players, texts_of
    from gpkit.api.progress import watching
    from gpkit.core.wording import counting
    from gpkit.playing.contest import play_matches
    from gpkit.playing.disagreements import STATES, disagreements
    from gpkit.playing.evaluation import LADDER_SEED
    from gpkit.playing.named import game_for, pair_up

    if any(each is not None for each in (data, target, task, group, after)) or words or held_out:
        if data is None:
            raise UsageError(f"this compares predictions for the rows of a table: add {argument('data')}")
        of_games = [("opponents", opponents), ("game", game), ("games", games), ("exact", exact)]
        of_games += [("decisions", decisions)]
        _refuse("data", "plays no games", [*of_games, ("rules", rules), ("seed", seed), ("dialect", dialect)])
        return _compared_on_rows(first, second, data, target, task, words, language, group, after, held_out)
    if isinstance(first, Fitted) or isinstance(second, Fitted):
        raise UsageError(
            f"fits are compared on the rows of a table: {argument('data')} and {argument('target')}"
        )
    if exact:
        _refuse("exact", "plays no games", [("games", games), ("seed", seed), ("decisions", decisions)])
    if decisions:
        _refuse("decisions", f"takes {STATES} states from as many games as needed", [("games", games)])
    both, name = read_players([first, second], game, language, dialect)
    _check_plays(both)
    if len(both) != 2:
        raise UsageError("compare needs two different programs")
    against = opponents_of(opponents, both, name, language)
    of_game = game_for([*both, *against], name).name
    scheduled = [pair for each in both for pair in pair_up(each, against, of_game, texts_of(rules))]
    if exact:
        with watching() as tell:
            return compared(_computed(scheduled, tell))
    meant, known, match = scheduled[0]
    if decisions:
        half = len(scheduled) // 2
        pairs = [(one[2], other[2]) for one, other in zip(scheduled[:half], scheduled[half:], strict=True)]
        with watching() as tell:
            watch = lambda seen: tell(f"{seen} of {STATES} states")  # noqa: E731
            return disagreements(meant, known, pairs, seed=seed or LADDER_SEED, watch=watch)
    matches, games = [each for *_, each in scheduled], games or GAMES
    _announce(meant, known, match, seed)
    with watching() as tell:
        watch = counting(tell, games * len(matches))
        return compared(play_matches(meant, matches, rules=known, seed=seed, games=games, watch=watch))


def _check_plays(named: "Sequence[Named]") -> None:
    """Check that none of these programs is for data.

    Raises:
        UsageError: one of the programs is for data and plays no games.
    """
    from gpkit.data.features import is_for_data

    for each in named:
        if each.source is not None and is_for_data(each.source.header):
            raise UsageError(
                f"{each.spec} is a program for data, which plays no games: compare on rows with {argument('data')} and "
                f"{argument('target')}"
            )


def _compared_on_rows(
    first: ComparedLike,
    second: ComparedLike,
    data: DataLike,
    target: str | None,
    task: str | None,
    words: Columns,
    language: str | None,
    group: str | None,
    after: str | None,
    held_out: bool,
) -> "ComparedRows":
    from gpkit.analysis.predictions import compared_on
    from gpkit.api.fits import fit_of_program, parted, predictor_for
    from gpkit.api.tables import table_for
    from gpkit.core.files import STANDARD_INPUT
    from gpkit.data.splits import latest
    from gpkit.evolution.config import FitSettings

    both = [predictor_for(each, language) for each in (first, second)]
    fits = [fit_of_program(each) for each in (first, second)]
    target = target or next(
        (each.fit.target for each in fits if each is not None and each.fit is not None), None
    )
    if target is None:
        raise UsageError(f"name the column that both programs predict: {argument('target')}")
    known = [each.words_for(target) for each in both]
    if isinstance(data, str) and data == STANDARD_INPUT:  # can be read only once
        known = [known[0] | known[1]] * 2
    read = cache(partial(table_for, data, words))
    tables, _, told = parted(tuple(map(read, known)), data, fits, held_out=held_out)
    if after is not None:
        tables = tuple(each.part(latest(each, after, FitSettings().held_out)) for each in tables)
    found = compared_on(both[0], both[1], tables, target, task, group or "")
    return replace(found, notes=(*told, *found.notes))


@command
def tournament(
    programs: PlayersLike,
    *,
    game: GameLike | None = None,
    games: Count = GAMES,
    series: Annotated[int, Within(1, 10_000)] | None = None,
    rules: Rules = NO_RULES,
    seed: Seed = 0,
    dialect: Dialect = NO_DIALECT,
    language: Language | None = None,
) -> "League":
    """Play every program against every other, and show a cross table, ratings and cycles.

    A cell of the cross table is the score of the row's program with copies of the column's program in all other seats;
    all cells are played on the same deals, each deal in every seat. In games where wins or ranks count, ratings are on
    the Elo scale (400 points are odds of ten to one). In other games, ratings are advantages in points. Intervals are
    95% intervals, with the deal as the unit, or the series in a league. In games with a solo form and a duel, such as
    Battleship, programs play the duel.

    >>> import gpkit
    >>> league = gpkit.tournament(["simple", "random", "champion"], game="sevens", games=150)
    >>> print(league)
    no cycle: champion beats simple beats random, and each also beats everyone after it
    >>> [each.program for each in league.ratings.ratings]
    ['champion', 'simple', 'random']

    Args:
        programs: two or more: files, folders of files, or players of the game such as simple.
        game: the game, if the programs do not name it: a name, a file with your own game, or an OpenSpiel game such as
            openspiel:hex. It also selects among shipped programs of the same name, such as champion; for a file, write
            ./champion.
        games: the number of games of each ordered pair, rounded up to whole deals: every deal is played in every seat.
        series: play a league: a series of this many games for each pair, in which players that learn keep their memory.
        rules: a rule of the game, one of `gpkit list rules`; may be repeated.
        seed: the same seed gives the same result.
        dialect: override the header of programs, such as target=uniform or dialect=literal; may be repeated.
        language: the language, for files without its suffix.

    Returns:
        ``table``, the cross table; ``ratings``, the best first; ``order`` with ``wins``, ``cycles`` and ``verdict``.

    Raises:
        UsageError, SourceError, GuestError: in the same cases as ``run``.
    """
    from gpkit.analysis.ratings import find_order, rate
    from gpkit.analysis.results import League
    from gpkit.api.players import read_players, texts_of
    from gpkit.api.progress import watching
    from gpkit.core.wording import counting
    from gpkit.playing.contest import Match, play_league, play_tournament
    from gpkit.playing.named import seat

    named, name = read_players(programs, game, language, dialect)
    meant, options = _duel(named, name, texts_of(rules))
    known, players = meant.make_rules(options), tuple(seat(each, meant) for each in named)
    _announce(meant, known, Match(players[0], players[1:2]), seed)
    pairs = len(players) * (len(players) - 1) // 2
    with watching() as tell:
        if series is None:
            watch = counting(tell, 2 * pairs * games)
            table = play_tournament(meant, players, rules=known, seed=seed, games=games, watch=watch)
        else:
            together = series * meant.seatings(known)
            repeat = -(-games // together)
            watch = counting(tell, pairs * repeat * together)
            table = play_league(
                meant, players, rules=known, seed=seed, games=series, repeat=repeat, watch=watch
            )
        tell("rating")
        return League(table, rate(table, seed=seed), find_order(table), options)


def _duel(
    named: "Sequence[Named]", name: str | None, options: Mapping[str, str]
) -> "tuple[Game, dict[str, str]]":
    """The game of a tournament, with its rules; a game with a solo form and a duel gets the rules of the duel.

    Raises:
        UsageError: there are fewer than two players, they do not play the same game, or they play alone by these rules.
    """
    from gpkit.playing.named import game_for

    specs = [each.spec for each in named]
    if len(named) < 2:
        raise UsageError("a tournament needs at least two programs")
    if alike := next((each.spec for k, each in enumerate(named) if each.spec in specs[:k]), None):
        raise UsageError(f"two programs of a tournament are called `{alike}`: give each its own name")
    meant = game_for(named, name)
    options = {**meant.duel, **options}
    if meant.seatings(meant.make_rules(options)) == 1:
        raise UsageError(
            f"under these rules of {meant.name} everybody plays alone: `gpkit run` shows how strong each "
            f"program is, `gpkit list rules --game {meant.name}` which rules can differ"
        )
    return meant, options


@command
def series(
    first: PlayerLike,
    second: OpponentLike,
    *,
    game: GameLike | None = None,
    games: Annotated[int, Within(1, 10_000)] = 11,
    repeat: Annotated[int, Within(1, 1_000_000)] | None = None,
    memory: Folder | None = None,
    workers: WorkersLike = 1,
    rules: Rules = NO_RULES,
    seed: Seed = 0,
    dialect: Dialect = NO_DIALECT,
    language: Language | None = None,
) -> "Series":
    """Play one or more series of games between two players, who may learn from each other.

    Players that learn keep their memory during a series, and start each series without memory. With such players, the
    unit of the 95% interval of the mean is the series, otherwise the deal. Players change seats after every game. In
    games with a solo form and a duel, such as Battleship, the players play the duel, unless the second player only
    places the fleet. With --memory, gpkit saves one series game by game; after an interruption, the same command
    continues it.

    >>> import gpkit
    >>> print(gpkit.series("hunt", "random", game="battleship", games=2, repeat=5))
    hunt against random: win_share 1.0000, 0.6915 to 1.0000, in 20 games of battleship

    Args:
        first: the first player: a program file, or a player of the game such as simple.
        second: the other player.
        game: the game, if the programs do not name it: a name, a file with your own game, or an OpenSpiel game such as
            openspiel:hex. It also selects among shipped programs of the same name, such as champion; for a file, write
            ./champion.
        games: the number of games in a series.
        repeat: the number of series, each on its own deals and played once in every seating. Default: 100.
        memory: the folder in which the player `adaptive` stores what it learns, with a subfolder for each opponent;
            gpkit continues a series found there until it has `games` games.
        workers: processes, at most four per core, on Windows at most 61; or anything that ``gpkit.evolve`` accepts. The
            result is the same.
        rules: a rule of the game, one of `gpkit list rules`; may be repeated.
        seed: the same seed gives the same result.
        dialect: override the header of programs, such as target=uniform or dialect=literal; may be repeated.
        language: the language, for files without its suffix.

    Returns:
        ``scores``, float64 (repeats, games, seatings); ``tally()`` of all games and ``tally_of(game)``; ``to_frame``
        has a row for each game of the series.

    Raises:
        UsageError, SourceError, GuestError: in the same cases as ``run``, or because the players keep no memory.
    """
    from gpkit.analysis.series_workers import played_series
    from gpkit.api.games import name_of
    from gpkit.api.players import one_player, texts_of
    from gpkit.api.progress import watching
    from gpkit.evolution.executors import executor_for
    from gpkit.playing.contest import Match
    from gpkit.playing.session import meeting, seat_named

    name = name_of(game)
    named = one_player(first, name, language, dialect)
    other = one_player(second, name, language)
    seating = meeting(seat_named(named, opponents=[other], game=name, options=texts_of(rules)))
    folder = None if memory is None else Path(memory)
    _announce(seating.game, seating.rules, Match(seating.players[0], seating.players[1:]), seed)
    try:
        with watching() as tell, executor_for(workers) as executor:
            found = played_series(
                seating, executor, tell, seed=seed, games=games, repeat=repeat, memory=folder
            )
    except KeyboardInterrupt:
        if memory is None:
            raise
        raise interrupted("interrupted; the same command continues the series") from None
    return replace(found, rules=seating.options)


@command
def ladder(
    program: PlayerLike,
    *,
    game: GameLike | None = None,
    games: Count | None = None,
    seed: Seed | None = None,
) -> "HeldOutTable":
    """Test a program on the held-out table of its game, as ``gpkit run --ladder`` does.

    >>> import gpkit
    >>> table = gpkit.ladder("rush", game="build_order", games=20)
    >>> table.program, table.trained, len(table.rows)
    ('rush', 'nothing', 4)

    Args:
        program: the program to measure.
        game: the game that it plays, if the program does not name it.
        games: the maximum number of games in each trial. Default: the number that the game sets.
        seed: the seed of the first set of deals of every trial.

    Returns:
        ``trained``, the training conditions from the program's header; ``rows``, with a row for each trial.

    Raises:
        UsageError, SourceError, GuestError: in the same cases as ``run``.
    """
    from gpkit.api.games import name_of
    from gpkit.api.players import one_player

    name = name_of(game)
    return _ladder(one_player(program, name), name, seed, games)


def _ladder(named: "Named", name: str | None, seed: int | None, games: int | None) -> "HeldOutTable":
    from gpkit.analysis.evaluation import ladder as measured
    from gpkit.api.progress import remark_compilation, watching
    from gpkit.playing.evaluation import LADDER_SEED
    from gpkit.playing.named import game_for, seat

    meant = game_for([named], name)
    remark_compilation(game=meant.name)
    player, first = seat(named, meant), LADDER_SEED if seed is None else seed
    with watching() as tell:
        return measured(meant, player, seed=first, games=games, tell=tell, about=f"{named.spec}: ")


@command
def trace(
    program: PlayerLike,
    opponents: Opponents = (),
    *,
    game: GameLike | None = None,
    rules: Rules = NO_RULES,
    seat: Number = 0,
    seed: Seed = 0,
    deal: Number = 0,
    until: Annotated[str, Kind("EXPR")] | None = None,
    mistakes: Annotated[str, Kind("OPPONENT", completes="opponent")] | None = None,
    formula: bool = False,
    dialect: Dialect = NO_DIALECT,
    language: Language | None = None,
) -> "Traced":
    """Follow one game of a program: every decision with its candidates or rules, their values, and the board.

    On this deal, the compiled engine plays exactly the same game. The program can also be a file (.json) with a game
    that you played, from `gpkit play --save` or from a page. A condition compares values of a step and may use and, or,
    not, as in `mine and rank == 7 and turn > 3`; `v` in --step lists these values. The exit code is 1 if the condition
    never holds.

    >>> import gpkit
    >>> followed = gpkit.trace("champion", "random", game="sevens", until="turn > 0")
    >>> print(followed)
    sevens: champion in seat 0 against random 1, random 2; seed 0
    step 0: the cards are dealt
    step 1: random 2 plays ♥7
    step 2: champion plays ♦7, its only choice
    >>> followed.holds, followed.to_rows()[1]["words"]
    (True, 'random 2 plays ♥7')

    Args:
        program: the program to follow: a file, or the name of a player or of a shipped program.
        opponents: the player in all other seats; repeat it for one player per seat: a name, a program file, or
            name:argument such as pimc:100. Default: the game's first default opponent.
        game: the game, if the programs do not name it: a name, a file with your own game, or an OpenSpiel game such as
            openspiel:hex. It also selects among shipped programs of the same name, such as champion; for a file, write
            ./champion.
        rules: a rule of the game, one of `gpkit list rules`; may be repeated.
        seat: the seat of the program, from 0; the opponents sit after it.
        seed: the same seed gives the same result.
        deal: the number of the deal, as in `gpkit run` with the same seed.
        until: stop at the first step where this condition holds.
        mistakes: mark choices that cost something with ?, and costlier ones with ?? and ???, as judged by this search:
            mcts:1000 where nothing is hidden, otherwise pimc:400.
        formula: show the program at every step: the values of all nodes for the chosen candidate, the line executed, or
            the rule that acted.
        dialect: override the header of the program, such as target=uniform or dialect=literal; may be repeated.
        language: the language, for files without its suffix.

    Returns:
        ``steps()`` and ``holds``, which is true if the condition was met; in a notebook, you can step through the game.

    Raises:
        UsageError: there is no such player, game, rule, seat or name in the condition.
        SourceError: a program does not parse, or has an error for this game.
        GuestError: your own game has a fault; the message names the line.
    """
    from gpkit.api.games import name_of
    from gpkit.api.players import one_player, opponents_of, several, texts_of
    from gpkit.api.progress import refuse, remark, shell, watching
    from gpkit.playing.contest import deal_of
    from gpkit.playing.mistakes import judged
    from gpkit.playing.players import player_of_name
    from gpkit.playing.session import SUFFIX, read_transcript, seat_named, seating_of, trace_session
    from gpkit.playing.trace import CachedSteps, followed, read_condition
    from gpkit.show.traced import Traced

    path = os.fspath(program) if isinstance(program, str | os.PathLike) else ""
    if path.endswith(SUFFIX):
        if opponents or rules or dialect:
            raise UsageError(f"{path} already names the players and the rules")
        name_of(game)  # knows the game's file from now on
        transcript, session = read_transcript(path)
        seating, found = seating_of(transcript.rules, session), trace_session(session)
        seed, deal = transcript.seed, transcript.deal
    else:
        is_again = [program, *several(opponents)].count(STANDARD_INPUT) > 1
        refuse((is_again, "standard input can be read only once: name files for the others"))
        name = name_of(game)
        named = one_player(program, name, language, dialect)
        others = opponents_of(opponents, [named], name, language)
        seating = seat_named(named, opponents=others, game=name, options=texts_of(rules))
        found = followed(seating, seat=seat, seed=seed, deal=deal)
    if mistakes is not None:
        game_played, rules_played = seating.game, seating.rules
        adviser, deals = player_of_name(mistakes, game_played), deal_of(game_played, rules_played, seed, deal)
        found = replace(found, steps=judged(iter(found.steps), game_played, adviser, deals, rules_played))
    awaited = None if until is None else read_condition(until, found.vocabulary)
    traced = Traced(replace(found, steps=CachedSteps(found.steps)), seating, seed, deal, awaited, formula)
    remark(traced.heading)
    if shell() is None:  # which shows the steps as they come
        with watching() as tell:
            for step in traced.steps():
                tell(f"step {step.number}")
    return traced
