"""Rosters of graded opponents for a game; ``gpkit roster`` is the same function in the shell."""

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from gpkit.api.arguments import command
from gpkit.api.evolving import RunFolder, What, resumable
from gpkit.api.kinds import Count, GameLike, Kind, Seed, Within, WorkersLike
from gpkit.api.progress import argument, remark, shell
from gpkit.core.errors import UsageError

if TYPE_CHECKING:
    from gpkit.analysis.levels import Roster


@command
def roster(
    what: What,
    *,
    game: GameLike | None = None,
    levels: Annotated[int, Within(2, 10)] = 10,
    minutes: Annotated[float, Within(0.05, 10_000), Kind("MINUTES")] = 10.0,
    budget: Count | None = None,
    seed: Seed = 1,
    folder: RunFolder | None = None,
    resume: bool = False,
    noise: bool = False,
    workers: WorkersLike = 1,
) -> "Roster":
    """Make graded opponents for a game: each program wins about 60% of its games against the program one level below.

    Two searches fill a map of programs by strength, size and number of sensors. A chain of these programs becomes the
    levels; the range from random play to the strongest program limits their number. A weaker level is weaker because it
    looks at less: no level draws random numbers, and most steps add a sensor or a decision. Each level has a sentence
    that names a sensor that it looks at; without that sensor, the level wins fewer games. All shares are from games
    that were not used to choose the levels.

    Args:
        what: a game, its file, a preset or a configuration, as for ``gpkit.evolve``; programs must be formulas, or
            rule lists as in Dots and Boxes.
        game: the game, if `what` does not name it.
        levels: the maximum number of levels.
        minutes: the number of minutes that the work should take; the speed of this machine then decides how many games
            are played.
        budget: the total number of games; replaces `minutes`.
        seed: the same seed and the same budget give the same levels.
        folder: the folder of the levels, with the searches. Default: rosters/NAME.
        resume: continue the work in the folder after an interruption, with the same result.
        noise: add another way to be weak, for comparison: the strongest level, which chooses some actions at random.
        workers: as for ``gpkit.evolve``.

    Returns:
        ``levels``, lowest first, each with its player, its sentence and its share against the level below; ``matrix``.

    Raises:
        UsageError: the game supports neither formulas nor rule lists, its programs are not formulas and `noise` is
            True, or a file or a name is wrong.
        CheckpointError: the folder is in use, or not the folder of a roster.
        GuestError: your own game has a fault; the message names the line.
    """
    from gpkit.analysis.levels import Meetings
    from gpkit.api.roster_runs import SCHEMA, budget_of, made, planned, subject, written
    from gpkit.core.work_folder import Description, opened_work, read_description, versions
    from gpkit.genomes.tree import TreeProgram

    line = shell()
    words = [] if line is None else [each for each in line.line if each != "--resume"]
    run = subject(what, game, seed)
    if noise and run.language.name != TreeProgram.language:
        raise UsageError(
            f"{argument('noise')} is for formulas, and programs of {run.game.name} are rule lists"
        )
    place = Path(folder or Path("rosters") / run.game.name)
    if resume:
        stored = read_description(place, SCHEMA)
        plan, seed = stored.config, stored.seed
        run = subject(what, game, seed)
    else:
        met = Meetings.of(replace(run.game, courses=None), run.rules)
        if budget is None:
            budget = budget_of(run, met, minutes)
            remark(f"about {minutes:g} minutes; --budget {budget} repeats this on any machine")
        plan = {
            "game": run.game.name,
            "levels": levels,
            "budget": budget,
            "noise": noise,
            **planned(met, budget),
        }
    description = Description(SCHEMA, plan, seed, versions(run.game.name), tuple(words))
    with resumable(place), opened_work(place, description, resume=resume):
        found = made(run, what, game, plan, place, workers, plan.get("noise", False))
        names = [Path(each).name for each in (what, game) if isinstance(each, str | os.PathLike)]
        told = (
            f"gpkit roster {' --game '.join(names) or run.game.name} --seed {seed} --budget {plan['budget']}"
        )
        told += f" --levels {plan['levels']}" * (plan["levels"] != 10) + " --noise" * bool(plan.get("noise"))
        written(found, run, place, told)
        return found
