"""Findings about runs in which programs play: their strength on held-out deals, in numbers and words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import nan
from pathlib import Path
from typing import Any

from gpkit.analysis.evaluation import HeldOut, games_of_champion, held_out, table_of_run
from gpkit.core.statistics import Interval
from gpkit.core.wording import Tell, counted, counting, deal_told, spelled
from gpkit.evolution.config import there
from gpkit.evolution.history import History, read_ancestry, read_history
from gpkit.evolution.search import START
from gpkit.playing.contest import deal_of
from gpkit.playing.players import player_of_program
from gpkit.playing.results import ExactResult
from gpkit.playing.session import seat_all
from gpkit.playing.trace import trace_game
from gpkit.show.report import Strength
from gpkit.show.run_charts import is_guided
from gpkit.show.run_findings import Champion, Findings, course_of, penalty_of, program_of, unit_of_size
from gpkit.show.traced import STOP, Frame, frame_of, skip_of

GAMES_OF_MILESTONE = 3_000
"""The number of games that each champion plays against each opponent for the curve of the run."""

MOST_STEPS = 1_000
"""The maximum number of steps of a game on a page; in longer games, the page leaves out lines without a shot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Played(Findings):
    """Findings about a run in which programs play: games on held-out deals, or exact results.

    Attributes:
        held_out: the games that the champion played, or whose results gpkit computed.
    """

    held_out: HeldOut

    @property
    def facts(self) -> Iterator[tuple[str, str]]:
        """Names and values of the game and the alphabet."""
        config, subject = self.history.config, self.history.run
        options = ", ".join(f"{name} {value}" for name, value in subject.options.items())
        yield "game", config.game + (f" with {options}" if options else "")
        yield "alphabet", config.alphabet

    @property
    def fitness(self) -> Iterator[tuple[str, str]]:
        """The description of the fitness in games, and the number of games."""
        history, config = self.history, self.history.config
        against = " and ".join(r.opponent for r in self.strengths)
        if self._is_exact():
            how = "computed over all possible deals"
            yield "fitness", f"{self._unit()} against {against}, {how}{penalty_of(history)}"
            return
        how = f"on {config.fitness.deals} deals{self._seats()}, the same for all programs of a generation"
        guide = config.guide
        beside = [
            *[f"a finer grade of the same games, times {guide.grade:g}"] * bool(guide.grade),
            *[f"{counted(len(guide.exercises), 'exercise')}, times {guide.weight:g}"] * bool(guide.exercises),
        ]
        shaped = f"; in training also {' and '.join(beside)}" if is_guided(history) else ""
        yield "fitness", f"{self._unit()} against {against} {how}{shaped}{penalty_of(history)}"
        yield "games", f"{sum(g.trials for g in history.generations):,} played in evolution"

    @property
    def curve(self) -> tuple[str, Sequence[Champion]]:
        """The label of the curve, and the champions with their measured strength and its interval."""
        history, found = self.history, []
        for milestone, result in zip(history.milestones, self.course, strict=True):
            interval = result.interval
            cost = 0.0 if is_guided(history) else history.config.bloat.cost(milestone.size)
            ends = (
                each - result.metric.direction * cost for each in (interval.mean, interval.low, interval.high)
            )
            found.append(Champion(milestone.generation, *ends))
        return "champion, exact" if self._is_exact() else "champion on fresh deals, 95% interval", found

    def parts(self, deal: int) -> dict[str, Any]:
        """The parts of the page, including a game on the deal with this number."""
        history = self.history
        frames, players = self._game(deal)
        exact = [each.details_in_words for each in self.strengths if isinstance(each, ExactResult)]
        size = counted(history.champion.size, unit_of_size(history)[:-1])
        reached = ", ".join(f"{r.interval.mean:.3f} against {r.opponent}" for r in self.strengths)
        return {
            "title": f"An evolved player of {spelled(history.config.game)}",
            "lead": f"{course_of(history)} The champion has {size}. "
            f"Mean {self._unit()}: {reached}.{self._even_share()}",
            "unit": self._unit(),
            "strengths": tuple(
                Strength(r.opponent, r.interval.mean, *_ends(r.interval), r.games) for r in self.strengths
            ),
            "remark": f"Computed over all possible deals: {'; '.join(exact)}."
            if exact
            else f"On deals that evolution has not seen{self._seats(', each played')}.{self._even_share()}",
            "beyond": there(self.table).beyond(len(self.strengths)),
            "frames": frames,
            "skip": skip_of(frames),
            "replay": f"{players}, {deal_told(history.config.seed, deal)}"
            + ("." if self._is_exact() else "; evolution has not seen this game."),
        }

    def _is_exact(self) -> bool:
        """Whether results are computed exactly, rather than measured on a sample of deals."""
        return bool(self.history.config.fitness.exact)

    def _unit(self) -> str:
        return str(self.history.run.metric.name).replace("_", " ")

    def _seats(self, before: str = "") -> str:
        """A remark that each deal is played in every seat, for games with several seats."""
        held_out = self.held_out
        return f"{before} in every seat" if held_out.game.seatings(held_out.rules) > 1 else ""

    def _even_share(self) -> str:
        """A sentence with the win share of equally strong players; empty if the metric is not the win share."""
        if self.strengths[0].metric.name != "win_share":
            return ""
        return f" An even share is {1 / self.held_out.game.players(self.held_out.rules):.3f}."

    @property
    def descent(self) -> str:
        """A paragraph about the champion's ancestry and the meaning of the fitness values in it."""
        descents = self.ancestry.descents()
        operator, _, name = descents[-1].child.operator.partition(" ")
        start = f"the program {name}" if operator == START else "a random program"
        if len(descents) == 1:
            return f"The champion is {start}, as it was in generation 0."
        changes = counted(len(descents) - 1, "change")
        return (
            f"The champion has {counted(self.ancestry.count, 'ancestor')}. Its line of first parents goes "
            f"back to {start} in {changes}; the graph shows it with its mates, the table lists the changes. "
            f"{self._meaning()}"
        )

    def _meaning(self) -> str:
        history, unit = self.history, self._unit()
        sign = f"Fitness counts {unit} as negative, so more is better. " * (history.run.metric.direction < 0)
        if self._is_exact():
            return f"{sign}It is exact, and the same in every generation."
        fresh = (
            "; every generation has new deals, so it can also fall" if history.config.fitness.fresh else ""
        )
        guided = f" It includes what guides training; that of the refined champion counts {unit} alone."
        return f"{sign}Fitness is measured in an individual's first generation{fresh}." + guided * is_guided(
            history
        )

    def _game(self, deal: int) -> tuple[tuple[Frame, ...], str]:
        """A game of the champion in the first seat against the last opponent, and a sentence about the players."""
        held_out, config, run = self.held_out, self.history.config, self.history.run
        others = seat_all(None, [held_out.opponents[-1].name], game=config.game, options=run.options).players
        champion = player_of_program(self.program, held_out.game, "champion", self.history.config.dialect)
        deals = deal_of(held_out.game, held_out.rules, held_out.seed, deal)
        trace = trace_game(config.game, (champion, *others), deals, held_out.rules)
        steps = list(trace.steps)
        if len(steps) > MOST_STEPS:  # of lines only shots
            steps = [step for step in steps if step.line is None or step.values.get(STOP)]
        frames = tuple(frame_of(step) for step in steps)
        seat = (
            " in the first seat" if len(trace.names) > 2 or held_out.game.seatings(held_out.rules) > 1 else ""
        )
        return frames, f"The champion{seat} against {', '.join(trace.names[1:])}"


def _ends(interval: Interval) -> tuple[float, float]:
    """The bounds of an interval, or of an exact result; NaN if there is no interval."""
    return (nan, nan) if interval.units == 1 else (interval.low, interval.high)


def find_out_games(history: History, opponents: Sequence[str], games: int | None, tell: Tell) -> Played:
    """Measure the champions of a run in games, and trace the ancestry of the last one.

    Args:
        history: the run.
        opponents: the names of the opponents; overrides the configuration.
        games: the number of games of the champion against each opponent; None means the default number.
        tell: a function that shows the progress of the work.

    Raises:
        UsageError: an opponent does not exist, or its file cannot be read.
        CheckpointError: the genealogy is missing or damaged.
    """
    games = games_of_champion(history.config.game) if games is None else games
    unseen, ancestry = held_out(history.run, opponents), read_ancestry(history)
    programs = [program_of(milestone, history) for milestone in history.milestones]
    few = min(games, GAMES_OF_MILESTONE)
    played = counting(tell, games * len(unseen.opponents), "champion: ")
    champion = program_of(history.champion, history)
    strengths = unseen.strengths([champion], games, played)
    played = counting(tell, few * len(unseen.opponents) * len(programs), "champions: ")
    course = unseen.overall(programs, few, played)
    table = table_of_run(unseen, history.run.training, str(history.champion_file), champion, strengths, games)
    return Played(
        history,
        ancestry,
        tuple(strengths),
        tuple(course),
        table,
        key="exact" if unseen.exact else "held_out",
        more={"table": table.to_json()},
        held_out=unseen,
    )


QUICK_GAMES = 600
"""The number of games that a champion plays against each opponent while somebody waits for the result."""


@lru_cache(64)
def quick_strengths(folder: Path, program: str) -> list[tuple[str, Interval]]:
    """The scores of a run's champion against the opponents of its configuration, from a few games on fresh deals.

    ``program`` is the text of the champion; if it changes, gpkit plays again.

    Raises:
        CheckpointError: in the same cases as ``read_history``.
        UsageError: in the same cases as ``held_out``.
    """
    history = read_history(folder)
    found = held_out(history.run).strengths([program_of(history.champion, history)], QUICK_GAMES)
    return [(each.opponent, each.interval) for each in found]
