"""Strength of programs on deals that no part of a run has seen, or computed as in the run, and on other trials."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gpkit.core.registry import has_kernels
from gpkit.core.wording import Tell, counting
from gpkit.evolution.game_subject import GameSubject
from gpkit.evolution.presets import all_presets
from gpkit.evolution.setup import Run
from gpkit.evolution.subjects import resolve
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.playing.contest import play_matches
from gpkit.playing.evaluation import (
    HeldOutTable,
    Training,
    Trial,
    chosen,
    measure,
    non_default_rules,
    read_training,
    row_of,
    without_default_rules,
)
from gpkit.playing.match import Match, Watch
from gpkit.playing.named import opponent
from gpkit.playing.players import player_of_program
from gpkit.playing.results import Strength, expect_match, pool

GAMES_OF_CHAMPION, GAMES_WITHOUT_KERNELS = 20_000, 1_000
"""Games that the champion of a run plays against every opponent; fewer where they are not compiled."""


def games_of_champion(game: str) -> int:
    """Games that the champion of a run of a game plays against every opponent."""
    return GAMES_OF_CHAMPION if has_kernels(game) else GAMES_WITHOUT_KERNELS


PART_OF_QUICK = 10
"""Games of a quick trial at the end of a run: one for so many of those against an opponent of the run."""


@dataclass(frozen=True, slots=True)
class HeldOut:
    """A game with its rules, opponents, a seed whose deals are held out, and the dialect of its programs.

    Attributes:
        options: the rules as texts.
        trained: those under which the run met the opponents, where they are others.
        exact: whether results are computed, as where the fitness of the run is, and no game is played.
    """

    game: Game
    options: Mapping[str, str]
    opponents: tuple[Player, ...]
    seed: int
    header: Mapping[str, str] = field(default_factory=dict)
    trained: Mapping[str, str] = field(default_factory=dict)
    exact: bool = False

    @property
    def rules(self) -> Any:
        """The rules."""
        return self.game.make_rules(self.options)

    def overall(self, programs: Sequence[Any], games: int, watch: Watch | None = None) -> Sequence[Strength]:
        """The result of each program over all opponents, on the same deals."""
        results = self.strengths(programs, games, watch)
        count = len(self.opponents)
        return [pool(results[k * count : (k + 1) * count]) for k in range(len(programs))]

    def strengths(
        self, programs: Sequence[Any], games: int, watch: Watch | None = None
    ) -> Sequence[Strength]:
        """The results of the first program against each opponent, then those of the next program."""
        game, rules = self.game, self.rules
        players = [player_of_program(each, game, "champion", self.header) for each in programs]
        matches = [Match(player, (other,)) for player in players for other in self.opponents]
        if self.exact:
            return [expect_match(game, match, rules) for match in matches]
        return play_matches(game, matches, rules=rules, seed=self.seed, games=games, watch=watch)


def held_out(run: Run[GameSubject], opponents: Sequence[str] = ()) -> HeldOut:
    """The games for programs of a run: its rules and seed, and its opponents unless others are named.

    They are computed if the fitness of the run is, and otherwise played. Openings at random are no rules of a game but
    serve evolution, so these games have none, as those of ``gpkit run``.

    Raises:
        UsageError: an opponent does not exist, or its file cannot be read.
        SourceError: its file does not parse, or has an error for this game.
    """
    subject, config = run.subject, run.config
    game, options, fitness = subject.game, subject.plain_options, config.fitness
    names = opponents or fitness.opponents or game.rivals(game.make_rules(options))
    players = tuple(opponent(name, game) for name in names)
    others = {} if options == run.subject.options else run.subject.options
    return HeldOut(game, options, players, config.seed, config.dialect, others, fitness.exact)


CONTENDERS = 3
"""The maximum number of programs that a run validates at its end: the champion, the simplified and the tuned one."""

CLOSING, TRUSTED = 30.0, 0.5
"""The approximate limit on the seconds that a closing table takes, with fewer games if they are slow; and the seconds
of games to measure before their speed is trusted."""


def closing_games(run: Run[GameSubject]) -> int:
    """The number of games in the whole closing table of a run."""
    tables = 1 if run.subject.options == run.subject.plain_options else 2
    return tables * len(run.subject.opponents) * games_of_champion(run.subject.game.name)


def seconds_after(run: Run[GameSubject], pace: float) -> float:
    """An estimate of the seconds from the last generation of a run to its end: refinement, validation, closing table.

    Args:
        run: the run; the estimate is 0 if it plays no games.
        pace: the seconds that a game takes.
    """
    if not run.config.game or run.config.fitness.exact:
        return 0.0
    tuning = run.config.refinement
    met = tuning.race or tuning.deals  # most variants stop after the first deals of a race
    tuned = tuning.rounds * tuning.candidates * met if tuning.finish else 0
    deals = tuned + CONTENDERS * run.config.fitness.validation_deals
    games: int = deals * run.subject.game.seatings(run.subject.rules) * len(run.subject.opponents)
    return pace * games + min(CLOSING, pace * closing_games(run))


def affordable_games(
    run: Run[GameSubject], measured: HeldOut, program: Any, clock: Callable[[], float], seconds: float
) -> int:
    """The number of games against each opponent that a closing table has time for.

    It plays a few games to measure their speed.

    Args:
        run: the run.
        measured: its games.
        program: its champion.
        clock: returns the seconds since a fixed moment.
        seconds: the time that the table may take.
    """
    games, few = games_of_champion(run.subject.game.name), 1
    if has_kernels(run.subject.game.name):  # these may have to be compiled first
        measured.strengths([program], few)
    while True:
        began = clock()
        few = measured.strengths([program], few)[0].games
        took = clock() - began
        whole = took * closing_games(run) / (few * len(run.subject.opponents))
        if whole <= seconds:
            return games
        if took >= TRUSTED:
            return max(1, int(games * seconds / whole))
        few *= 4


def closing_table(
    run: Run[GameSubject],
    name: str,
    program: Any,
    tell: Tell,
    clock: Callable[[], float],
    seconds: float | None,
) -> tuple[Sequence[Strength], HeldOutTable]:
    """The results of a run's champion, and its closing table.

    Args:
        run: the run.
        name, program: the champion.
        tell: shows the number of games played so far.
        clock: returns the seconds since a fixed moment.
        seconds: the time left; None means no limit.
    """
    tell("closing table: the champion plays its opponents on held-out deals")
    measured, games = held_out(run), games_of_champion(run.subject.game.name)
    if not run.config.fitness.exact:
        most = CLOSING if seconds is None else seconds / 2.0
        games = affordable_games(run, measured, program, clock, min(CLOSING, most))
    watch = counting(tell, games * len(run.subject.opponents), "closing table: ")
    results = measured.strengths([program], games, watch)
    return results, table_of_run(measured, run.subject.training, name, program, results, games)


def table_of_run(
    games: HeldOut,
    training: Training,
    name: str,
    program: Any,
    results: Sequence[Strength],
    count: int = 0,
) -> HeldOutTable:
    """The held-out table of a program of a run: its results against the opponents of the run, and the quick trials.

    Where the programs of the run met the opponents under other rules than these games have, those are trials, too.

    Args:
        games: the games of the run.
        training: whom its programs met.
        name: of the program, for commands.
        program: the champion, or the best list of a learner.
        results: one against each opponent of the run, which the run has not chosen it by.
        count: the games that it played against each of them.

    Raises:
        UsageError: a trial cannot be played.
    """
    game, options = games.game, non_default_rules(games.options, games.game)
    known = without_default_rules(training, game)
    seeds = () if games.exact else (games.seed,)
    trials = [Trial(result.opponent, options, games=count, sets=1) for result in results]
    own = [row_of([each], trial, seeds, known) for each, trial in zip(results, trials, strict=True)]
    met = {(row.trial.opponent, *options.items()) for row in own}
    trained = non_default_rules(games.trained, game)
    others = []
    if trained and not games.exact:
        met_there = zip(own, games.opponents, strict=True)
        others = [(replace(row.trial, options=trained), player) for row, player in met_there]
    others += [
        (trial, opponent(trial.opponent, game))
        for trial in chosen(game, max(1, count // PART_OF_QUICK), quick=True)
        if (trial.opponent, *trial.options.items()) not in met
    ]
    player = player_of_program(program, game, name, games.header)
    rest = measure(game, player, others, seed=games.seed, training=known)
    return HeldOutTable(name, game.name, known, (*own, *rest.rows))


def training_in(header: Mapping[str, str], game: Game) -> Training | None:
    """The training of a program by its header: its line ``trained``, else its preset, by its rules.

    What stands in a header is compared with names alone: nothing is looked up, read or imported for it.
    """
    if "trained" in header:
        return without_default_rules(read_training(header["trained"]), game)
    preset = all_presets().get(header.get("preset", ""))
    if preset is None or preset.game != game.name:
        return None
    pairs = (pair.partition("=") for pair in header.get("rules", "").split())
    rules = {key: value for key, _, value in pairs}
    grounds = tuple(
        replace(each, options={**each.options, **rules}) for each in resolve(preset).subject.training.grounds
    )
    return without_default_rules(Training(grounds), game)


def ladder(
    game: Game, player: Player, *, seed: int, games: int | None = None, tell: Tell = str, about: str = ""
) -> HeldOutTable:
    """The table of a player on the trials of its game.

    Args:
        game: the game.
        player: the program.
        seed: of the first set of deals of every trial.
        games: at most so many of each trial; without it as many as the game says.
        tell: shows the number of games played so far.
        about: stands before it.

    Raises:
        UsageError: a trial cannot be played.
    """
    training = training_in(player.header, game) if player.is_program else None
    trials = chosen(game, games)
    seated = [(trial, opponent(trial.opponent, game)) for trial in trials]
    watch = counting(tell, sum(each.games * each.sets for each in trials if not each.exact), about)
    return measure(game, player, seated, seed=seed, training=training, watch=watch)
