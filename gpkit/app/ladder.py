"""Ladders: programs on all trials of their game, beside what their headers say they were trained on."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from gpkit.app.players import Named, opponent, seat
from gpkit.core.wording import Tell, counting
from gpkit.evolution.presets import all_presets
from gpkit.evolution.subjects import resolve
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.playing.evaluation import (
    HeldOutTable,
    Training,
    Trial,
    measure,
    quick_trials,
    read_training,
    shortened,
    trials_of,
    without_default_rules,
)


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
    game: Game,
    player: Player,
    *,
    seed: int,
    games: int | None = None,
    quick: bool = False,
    watch: Callable[[int], object] | None = None,
) -> HeldOutTable:
    """The table of a player on the trials of its game.

    Args:
        game: the game.
        player: the program.
        seed: of the first set of deals of every trial.
        games: at most so many of each trial; without it as many as the game says.
        quick: whether only quick trials are made.
        watch: is told the number of games played in all, again and again.

    Raises:
        UsageError: a trial cannot be played.
    """
    training = training_in(player.header, game) if player.is_program else None
    trials = chosen(game, games, quick=quick)
    seated = [(trial, opponent(trial.opponent, game)) for trial in trials]
    return measure(game, player, seated, seed=seed, training=training, watch=watch)


def ladder_of(
    named: Named, game: Game, seed: int, games: int | None, tell: Tell, announce: Tell = str
) -> HeldOutTable:
    """The table of what was named on the trials of a game; ``announce`` is told the game before it is played.

    Raises:
        UsageError: a trial cannot be played.
        SourceError: the program has an error for the game.
    """
    player = seat(named, game)
    announce(game.name)
    total = sum(trial.games * trial.sets for trial in chosen(game, games) if not trial.exact)
    return ladder(game, player, seed=seed, games=games, watch=counting(tell, total, f"{named.spec}: "))


def chosen(game: Game, games: int | None, *, quick: bool = False) -> tuple[Trial, ...]:
    """The trials of a game, each with at most so many games."""
    trials = quick_trials(game) if quick else trials_of(game)
    return trials if games is None else tuple(shortened(trial, games) for trial in trials)
