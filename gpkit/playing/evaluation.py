"""Held-out tables: what a program reaches where it was trained, and beside it where it was not."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gpkit.core.errors import UsageError
from gpkit.core.plugins import file_of, shown_path
from gpkit.core.statistics import Interval
from gpkit.core.tabular import Tabular
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.playing.match import Match, Result, Watch, after, play_matches, united
from gpkit.playing.results import ExactResult, Strength, expect_match
from gpkit.playing.suites import Novelty, Training, Trial, options_text

TRAINED, HELD_OUT, NOT_SAID = "trained", "held out", "not said"

COLUMNS = ("against", "rules", "held out")
"""Headings before those of the numbers."""


@dataclass(frozen=True, slots=True)
class Row:
    """One trial with its result.

    Attributes:
        trial: what was measured, and how: one that could not be computed after all is not exact.
        seeds: of the sets of deals; none where the result is exact.
        novelties: what of the trial had no part in training; None where the training is not known.
        metric: the score.
        interval: the mean over all deals with its 95 % interval, the deal being the unit; without units if it is exact.
        sets: the mean over the deals of each set.
        games: in all.
        stalled, invalid: of these, those that a cap on length or on steps ended.
        different_games: those of which none is another one again; None where hardly any are, or it is not known.
    """

    trial: Trial
    seeds: tuple[int, ...]
    novelties: tuple[Novelty, ...] | None
    metric: str
    interval: Interval
    sets: tuple[float, ...] = ()
    games: int = 0
    stalled: int = 0
    invalid: int = 0
    different_games: int | None = None

    @property
    def is_exact(self) -> bool:
        """Whether the result was computed."""
        return not self.seeds

    @property
    def part(self) -> str:
        """``trained``, ``held out``, or ``not said`` where the training is not known."""
        if self.novelties is None:
            return NOT_SAID
        return HELD_OUT if self.novelties else TRAINED

    @property
    def held_out(self) -> str:
        """Novelties in words; deals are not named beside what says more."""
        if not self.novelties:
            return self.part
        return ", ".join(each for each in self.novelties if each != "deals") or "deals"

    @property
    def interval_text(self) -> str:
        """The interval in words; a single deal has none."""
        return "exact" if self.is_exact else self.interval.text

    @property
    def cells(self) -> tuple[str, str, str, str, str, str]:
        """The line of the table."""
        rules = options_text(self.trial.options)
        mean, games = f"{self.interval.mean:.4f}", f"{self.games:,}" if self.games else ""
        if self.invalid:
            games += f", {self.invalid:,} invalid"
        return self.trial.opponent, rules, self.held_out, mean, self.interval_text, games

    def commands(self, program: str, game: str) -> tuple[str, ...]:
        """The commands that measure it again, one for each set of deals."""
        rules = [part for pair in self.trial.options.items() for part in ("--rules", "=".join(pair))]
        external = file_of(game)
        where = game if external is None else shown_path(external[0])
        start = ["gpkit", "run", program, "--game", where, "--opponent", self.trial.opponent, *rules]
        if self.is_exact:
            return (shlex.join([*start, "--exact"]),)
        games = ["--games", str(self.trial.games)]
        return tuple(shlex.join([*start, *games, "--seed", str(seed)]) for seed in self.seeds)

    def to_json(self, program: str, game: str) -> dict[str, object]:
        """The row as JSON values."""
        return {
            "opponent": self.trial.opponent,
            "rules": dict(self.trial.options),
            "part": self.part,
            "held_out": None if self.novelties is None else list(self.novelties),
            "metric": self.metric,
            "mean": self.interval.mean,
            "ci95": self.interval.ends,
            "exact": self.is_exact,
            "deals": self.interval.units,
            "games": self.games,
            "different_games": self.different_games,
            "stalled": self.stalled,
            "invalid": self.invalid,
            "seeds": list(self.seeds),
            "games_of_set": self.trial.games,
            "sets": list(self.sets),
            "command": self.commands(program, game)[0],
        }


@dataclass(frozen=True, slots=True)
class HeldOutTable(Tabular):
    """A program on the trials of its game, with what it was trained and tuned on.

    Attributes:
        program: its name, as the commands name it.
        game: the game's name.
        training: what the program or its run says; None where nothing is said.
        rows: one for each trial.
    """

    program: str
    game: str
    training: Training | None
    rows: tuple[Row, ...]

    @property
    def trained(self) -> str:
        """The training in words."""
        return NOT_SAID if self.training is None else str(self.training)

    @property
    def metrics(self) -> str:
        """The names of the scores, each once."""
        return ", ".join(dict.fromkeys(row.metric for row in self.rows))

    @property
    def heads(self) -> tuple[str, ...]:
        """The headings of the table; one of exact results alone has neither intervals nor games."""
        heads = (*COLUMNS, self.metrics)
        exact = all(row.is_exact for row in self.rows)
        return heads if exact else (*heads, "95 % interval", "games")

    @property
    def lines(self) -> tuple[tuple[str, ...], ...]:
        """The lines of the table, one for each row."""
        return tuple(row.cells[: len(self.heads)] for row in self.rows)

    def beyond(self, count: int) -> "HeldOutTable":
        """The table without so many first rows."""
        return replace(self, rows=self.rows[count:])

    def to_rows(self) -> list[dict[str, object]]:
        """The rows as JSON values."""
        return [row.to_json(self.program, self.game) for row in self.rows]

    def __str__(self) -> str:
        """The rows, one in a line."""
        lines = [" ".join(filter(None, cells)) for cells in self.lines]
        return "\n".join([f"{self.program}, trained on: {self.trained}", *lines])

    def to_json(self) -> dict[str, object]:
        """The table as JSON values."""
        return {
            "program": self.program,
            "game": self.game,
            "trained": None if self.training is None else str(self.training),
            "rows": self.to_rows(),
        }


def row_of(results: Sequence[Strength], trial: Trial, seeds: Sequence[int], training: Training | None) -> Row:
    """The row of a trial from its results: an exact one, or one for each seed, pooled with the deal as the unit."""
    first = results[0]
    novelties = None if training is None else training.novelties(trial, seeds)
    if isinstance(first, ExactResult):
        return Row(_made(trial, 0), (), novelties, first.metric.name, first.interval)
    sampled = [each for each in results if isinstance(each, Result)]
    known = [each.courses for each in sampled if each.courses is not None]
    courses = np.concatenate(known) if len(known) == len(sampled) else None
    pooled = united(sampled, np.concatenate([each.by_deal for each in sampled]), courses)
    return Row(
        _made(trial, len(seeds)),
        tuple(seeds),
        novelties,
        first.metric.name,
        pooled.interval,
        tuple(each.interval.mean for each in sampled),
        pooled.games,
        pooled.stalled,
        pooled.invalid,
        pooled.different_games,
    )


def _made(trial: Trial, sets: int) -> Trial:
    """The trial as it was made: on so many sets of deals, none for an exact result."""
    return replace(trial, exact=sets == 0, sets=sets, games=trial.games if sets else 0, quick=False)


def measure(
    game: Game,
    player: Player,
    trials: Sequence[tuple[Trial, Player]],
    *,
    seed: int,
    training: Training | None = None,
    watch: Watch | None = None,
) -> HeldOutTable:
    """The table of a player on trials.

    Args:
        game: the game.
        player: the program.
        trials: each with its opponent, seated.
        seed: of the first set of deals of every trial.
        training: what the program was trained on, if that is known.
        watch: is told the number of games played in all, again and again.

    Raises:
        UsageError: a trial cannot be played.
    """
    rows: list[Row] = []
    played = 0
    for trial, opponent in trials:
        match = Match(player, (opponent,))
        rows.append(_row(game, match, trial, seed, training, after(played, watch)))
        played += rows[-1].games
    return HeldOutTable(player.name, game.name, training, tuple(rows))


def _row(
    game: Game,
    match: Match,
    trial: Trial,
    first: int,
    training: Training | None,
    watch: Watch | None,
) -> Row:
    rules = game.make_rules(trial.options)
    if trial.exact and game.exact is not None:
        try:
            return row_of([expect_match(game, match, rules)], trial, (), training)
        except UsageError:  # a program that draws random numbers
            pass
    results: list[Result] = []
    for seed in trial.seeds(first):
        progress = after(sum(result.games for result in results), watch)
        results += play_matches(game, [match], rules=rules, seed=seed, games=trial.games, watch=progress)
    return row_of(results, trial, trial.seeds(first), training)
