"""The strength of programs: on deals that the run has not seen, as the run computes it, or in other trials."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from gpkit.core.registry import has_kernels
from gpkit.core.wording import Tell, counting
from gpkit.evolution.config import all_presets
from gpkit.evolution.game_subject import GameSubject
from gpkit.evolution.setup import Subject
from gpkit.evolution.subjects import resolve
from gpkit.gamekit.forms import Trial
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.playing.contest import Match, Watch, play_matches
from gpkit.playing.evaluation import (
    HeldOutTable,
    Training,
    chosen,
    measure,
    non_default_rules,
    read_training,
    row_of,
    shortened,
    without_default_rules,
)
from gpkit.playing.named import opponent
from gpkit.playing.players import player_of_program
from gpkit.playing.results import Strength, expect_match, pool

GAMES_OF_CHAMPION, GAMES_WITHOUT_KERNELS = 20_000, 1_000
"""The number of games that a run's champion plays against each opponent, with and without compiled kernels."""


def games_of_champion(game: str) -> int:
    """The number of games that a run's champion plays against each opponent."""
    return GAMES_OF_CHAMPION if has_kernels(game) else GAMES_WITHOUT_KERNELS


PART_OF_QUICK = 10
"""A quick trial at a run's end plays the number of games against an opponent of the run, divided by this number."""


@dataclass(frozen=True, slots=True)
class HeldOut:
    """A game with its rules, its opponents, a seed for held-out deals, and the dialect of its programs.

    Attributes:
        options: the rules as strings.
        trained: the rules under which the run's programs played the opponents, if they differ from ``options``.
        exact: whether gpkit computes exact results, as for the run's fitness, instead of playing games.
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

    def overall(
        self, programs: Sequence[object], games: int, watch: Watch | None = None
    ) -> Sequence[Strength]:
        """The result of each program over all opponents, on the same deals."""
        results = self.strengths(programs, games, watch)
        count = len(self.opponents)
        return [pool(results[k * count : (k + 1) * count]) for k in range(len(programs))]

    def strengths(
        self, programs: Sequence[object], games: int, watch: Watch | None = None
    ) -> Sequence[Strength]:
        """The results of the first program against each opponent, then those of the next program."""
        game, rules = self.game, self.rules
        players = [player_of_program(each, game, "champion", self.header) for each in programs]
        matches = [Match(player, (other,)) for player in players for other in self.opponents]
        if self.exact:
            return [expect_match(game, match, rules) for match in matches]
        return play_matches(game, matches, rules=rules, seed=self.seed, games=games, watch=watch)


def held_out(run: GameSubject, opponents: Sequence[str] = ()) -> HeldOut:
    """The held-out games for a run's programs, with its rules and seed, and with its opponents unless you name others.

    If the run's fitness is exact, gpkit computes the results; otherwise it plays games. Random openings help evolution
    but are not part of a game's rules, so these games have none, as in ``gpkit run``.

    Raises:
        UsageError: an opponent does not exist, or its file cannot be read.
        SourceError: an opponent's file does not parse, or its program is not valid for this game.
    """
    subject, config = run, run.config
    game, options, fitness = subject.game, subject.plain_options, config.fitness
    names = opponents or fitness.opponents or game.rivals(game.make_rules(options))
    players = tuple(opponent(name, game) for name in names)
    others = {} if options == run.options else run.options
    return HeldOut(game, options, players, config.seed, config.dialect, others, fitness.exact)


CONTENDERS = 3
"""The maximum number of programs to validate at a run's end: the champion, its simplified form and its tuned form."""

SEARCHING = 10.0
"""The approximate time limit in seconds for the games against a search player in a closing table."""

CLOSING, TRUSTED = 30.0, 0.5
"""The approximate time limit in seconds for a closing table, which has fewer games if they are slow; and the number of
seconds of play after which gpkit trusts the measured speed."""


def closing_games(run: GameSubject) -> int:
    """The total number of games in the closing table of a run."""
    tables = 1 if run.options == run.plain_options else 2
    return tables * len(run.opponents) * games_of_champion(run.game.name)


def seconds_after(run: Subject, pace: float) -> float:
    """Estimate the seconds from a run's last generation to its end, for refinement, validation and the closing table.

    Args:
        run: the run; if it plays no games, the estimate is 0.
        pace: the number of seconds per game.
    """
    if not run.config.game or run.config.fitness.exact:
        return 0.0
    played = cast(GameSubject, run)  # as its configuration names a game
    tuning = run.config.refinement
    met = tuning.race or tuning.deals  # most variants stop after the first deals of a race
    tuned = tuning.rounds * tuning.candidates * met if tuning.finish else 0
    deals = tuned + CONTENDERS * run.config.fitness.validation_deals
    games: int = deals * played.game.seatings(played.rules) * len(played.opponents)
    return pace * games + min(CLOSING, pace * closing_games(played))


def affordable_games(
    run: GameSubject, measured: HeldOut, program: object, clock: Callable[[], float], seconds: float
) -> int:
    """The number of games against each opponent that fit into the time limit of a closing table.

    The function plays a few games to measure their speed.

    Args:
        run: the run.
        measured: its games.
        program: its champion.
        clock: returns the seconds since a fixed moment.
        seconds: the maximum time for the table.
    """
    games, few = games_of_champion(run.game.name), 1
    if has_kernels(run.game.name):  # these may have to be compiled first
        measured.strengths([program], few)
    while True:
        began = clock()
        few = measured.strengths([program], few)[0].games
        took = clock() - began
        whole = took * closing_games(run) / (few * len(run.opponents))
        if whole <= seconds:
            return games
        if took >= TRUSTED:
            return max(1, int(games * seconds / whole))
        few *= 4


def closing_table(
    run: GameSubject,
    name: str,
    program: object,
    tell: Tell,
    clock: Callable[[], float],
    seconds: float | None,
) -> tuple[Sequence[Strength], HeldOutTable]:
    """Measure a run's champion: its results against the run's opponents, and the closing table.

    Args:
        run: the run.
        name, program: the champion.
        tell: called with messages about the number of games played so far.
        clock: returns the seconds since a fixed moment.
        seconds: the time left; None means no limit.
    """
    tell("closing table: the champion plays its opponents on held-out deals")
    measured, games = held_out(run), games_of_champion(run.game.name)
    searching = SEARCHING if seconds is None else min(SEARCHING, seconds / 4.0)
    if not run.config.fitness.exact:
        most = CLOSING if seconds is None else seconds / 2.0
        games = affordable_games(run, measured, program, clock, min(CLOSING, most))
    watch = counting(tell, games * len(run.opponents), "closing table: ")
    results = measured.strengths([program], games, watch)
    return results, table_of_run(measured, run.training, name, program, results, games, clock, searching)


def table_of_run(
    games: HeldOut,
    training: Training,
    name: str,
    program: object,
    results: Sequence[Strength],
    count: int = 0,
    clock: Callable[[], float] = float,
    searching: float = 0.0,
) -> HeldOutTable:
    """The held-out table of a run's program: its results against the opponents of the run and in the quick trials.

    If the run's programs played the opponents under other rules, the table also has trials under those rules.

    Args:
        games: the games of the run.
        training: the training of the run's programs.
        name: the name of the program in commands.
        program: the champion, or a learner's best list.
        results: one result against each opponent of the run; none of the results played a part in choosing the program.
        count: the number of games against each opponent.
        clock: returns the seconds since a fixed moment.
        searching: the approximate time in seconds for a trial against a search player; below 1, there is no such trial.

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
    player = player_of_program(program, game, name, games.header)
    for trial in chosen(game, max(1, count // PART_OF_QUICK), quick=True):
        if (trial.opponent, *trial.options.items()) in met:
            continue
        other = opponent(trial.opponent, game)
        is_search = other.is_slow and not trial.exact
        if is_search and searching < 1.0:
            continue
        if is_search:
            began, few = clock(), shortened(trial, trial.sets)
            measure(game, player, [(few, other)], seed=games.seed)
            most = searching / max(clock() - began, 1e-9) * few.games * few.sets
            if most < trial.games:
                continue
            trial = shortened(trial, int(min(most, trial.games * trial.sets)))
        others.append((trial, other))
    rest = measure(game, player, others, seed=games.seed, training=known)
    return HeldOutTable(name, game.name, known, (*own, *rest.rows))


def training_in(header: Mapping[str, str], game: Game) -> Training | None:
    """The training that a program's header gives, in its line ``trained`` or otherwise by its preset and its rules.

    gpkit only compares the header with known names; it does not read any files or import any modules for this.
    """
    if "trained" in header:
        return without_default_rules(read_training(header["trained"]), game)
    preset = all_presets().get(header.get("preset", ""))
    if preset is None or preset.game != game.name:
        return None
    pairs = (pair.partition("=") for pair in header.get("rules", "").split())
    rules = {key: value for key, _, value in pairs}
    grounds = tuple(
        replace(each, options={**each.options, **rules}) for each in resolve(preset).training.setups
    )
    return without_default_rules(Training(grounds), game)


def ladder(
    game: Game, player: Player, *, seed: int, games: int | None = None, tell: Tell = str, about: str = ""
) -> HeldOutTable:
    """The table of a player's results in the trials of its game.

    Args:
        game: the game.
        player: the program.
        seed: the seed of the first set of deals in every trial.
        games: the maximum number of games for each trial. By default, the game sets this number.
        tell: called with messages about the number of games played so far.
        about: the text at the beginning of each progress message.

    Raises:
        UsageError: a trial cannot be played.
    """
    training = training_in(player.header, game) if player.is_program else None
    trials = chosen(game, games)
    seated = [(trial, opponent(trial.opponent, game)) for trial in trials]
    watch = counting(tell, sum(each.games * each.sets for each in trials if not each.exact), about)
    return measure(game, player, seated, seed=seed, training=training, watch=watch)
