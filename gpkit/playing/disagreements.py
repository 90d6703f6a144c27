"""Disagreements: states in which two players choose different actions, and the costs of the worse choices."""

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

import numpy as np

from gpkit.core.arrays import Floats
from gpkit.core.layout import Lines, Tabular
from gpkit.core.plugins import typed_name
from gpkit.core.statistics import Interval, mean_interval
from gpkit.core.wording import deal_told
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.playing.contest import Match, deal_of
from gpkit.playing.decisions import choose
from gpkit.playing.mistakes import gain_told, judge_of, mark_of, worths
from gpkit.playing.trace import Step, trace_game

STATES = 400
"""The default number of states to compare."""

FORCED = 40
"""The number of deals without any choice after which the comparison ends."""

JUDGED, SHOWN = 20, 3
"""The number of disagreements that a search evaluates, and the maximum number of disagreements that are shown."""

FEW, MANY = 100, 1000
"""The number of games that a search plays for a choice: first in all of these states, then in the most costly ones."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A state in which two players choose different actions.

    Attributes:
        program, opponents: the name of the player whose game is followed, and the names of its opponents.
        deal, seat: the number of the deal, and the seat of the followed player.
        step: the number of the step in which the player chooses.
        other: the name of the other player.
        action: the action that the other player chooses.
        cost: the gain from the other choice, as a share of the range of scores; None if no judge has evaluated it.
    """

    program: str
    opponents: tuple[str, ...]
    deal: int
    seat: int
    step: Step
    other: str
    action: int
    cost: float | None = None

    def judged(self, game: Game, judge: Player, rules: Any, seed: int) -> "Disagreement":
        """This disagreement with its cost."""
        step, deals = self.step, deal_of(game, rules, seed, self.deal)
        assert step.action is not None, "both have chosen"
        found = worths(game, judge, step.before, (step.action, self.action), deals, rules)
        return replace(self, cost=found[self.action] - found[step.action])

    @property
    def action_text(self) -> str:
        """The name of the action that the other player chooses."""
        return self.step.seated.view.action_text(self.step.before, self.action)


@dataclass(frozen=True, slots=True)
class Disagreements(Tabular):
    """The decisions of two players in the same states.

    Attributes:
        game: the game.
        rules: the rules.
        names: the names of the players.
        seed: the seed of the deals.
        share: the proportion of states in which the players choose differently, with its confidence interval; the
            sampling unit is the deal.
        states, different: the number of states, and the number of states in which the players choose differently.
        judge: the name of the player that evaluated the disagreements; empty if the game has no such player.
        judged: the number of disagreements that the judge evaluated.
        costliest: the most costly decisions, in descending order of cost.
    """

    game: Game
    rules: Any
    names: tuple[str, str]
    seed: int
    share: Interval
    states: int
    different: int
    judge: str
    judged: int
    costliest: tuple[Disagreement, ...]

    schema = "decisions"

    def command(self, found: Disagreement) -> str:
        """The command that traces the game up to a decision."""
        words = ["gpkit", "trace", found.program]
        for each in found.opponents:
            words += ["--opponent", each]
        words += ["--game", typed_name(self.game.name)]
        usual = self.game.make_rules({}).to_options()
        for name, value in self.rules.to_options().items():
            words += ["--rules", f"{name}={value}"] if value != usual[name] else []
        words += ["--seed", str(self.seed), "--deal", str(found.deal), "--seat", str(found.seat)]
        return shlex.join([*words, "--until", f"step == {found.step.number}"])

    def words(self, found: Disagreement) -> str:
        """A decision in words."""
        step, cost = found.step, found.cost
        if cost is None:
            return f"step {step.number}: {step.words()} ({found.other}: {found.action_text})"
        gain = gain_told(abs(cost), self.game, self.rules)
        if cost < 0.0:
            return f"step {step.number}: {step.words()}: {gain} ({found.other}: {found.action_text} {mark_of(-cost)})"
        return (
            f"step {step.number}: {step.words()} {mark_of(cost)} ({found.other}: {found.action_text}: {gain})"
        )

    def to_rows(self) -> list[Mapping[str, object]]:
        """The most costly decisions, one in each row."""
        return [
            {
                "program": each.program,
                "opponents": each.opponents,
                "deal": each.deal,
                "seat": each.seat,
                "step": each.step.number,
                "words": self.words(each),
                **each.step.record(),
                "other": each.other,
                "other_action": each.action_text,
                "cost": each.cost,
                "command": self.command(each),
            }
            for each in self.costliest
        ]

    def to_json(self) -> dict[str, object]:
        """The proportion and the decisions as JSON values."""
        return {
            "game": self.game.name,
            "programs": self.names,
            "rules": self.rules.to_options(),
            "seed": self.seed,
            "states": self.states,
            "different": self.different,
            "share": self.share.mean,
            "ci95": self.share.ends,
            "judge": self.judge,
            "judged": self.judged,
            "costliest": self.to_rows(),
        }

    def told(self) -> Iterator[str]:
        """The proportion, and each decision with the command that shows it."""
        yield f"{self}; seed {self.seed}"
        if self.judge:
            found = "the most expensive ones" if self.costliest else "none costs 5%"
            first = judge_of(self.game, self.rules, FEW)
            judges = self.judge if first is None else first.name
            again = "" if judges == self.judge else f", {self.judge} the worst {min(SHOWN, self.judged)}"
            yield f"{judges} judged {self.judged} of {self.different} disagreements{again}; {found}"
        elif self.costliest:
            yield f"no search of {self.game.name} can judge the disagreements; some of them"
        for each in self.costliest:
            yield f"\n{deal_told(self.seed, each.deal)}, {self.words(each)}"
            yield Lines(self.command(each))

    def __str__(self) -> str:
        """The proportion in a sentence."""
        first, second = self.names
        share = (
            f"{self.share.mean:.1%} of {self.states} states, {self.share.low:.1%} to {self.share.high:.1%}"
        )
        return f"{first} and {second} choose differently in {share}"


def disagreements(
    game: Game,
    rules: Any,
    matches: Sequence[tuple[Match, Match]],
    *,
    seed: int,
    states: int = STATES,
    judging: bool = True,
    watch: Callable[[int], object] = lambda _: None,
) -> Disagreements:
    """Compare the decisions of two players in the states of their games; each round of seats has the next opponent.

    Args:
        game: the game.
        rules: the rules.
        matches: the matches of the two players.
        seed: the seed of the deals.
        states: the number of states to compare; games are cut short when there are enough states.
        judging: whether to evaluate the costs of the disagreements.
        watch: called after each deal with the number of states so far.

    Raises:
        UsageError: the games of a player cannot be followed.
    """
    counts, courses, found = list[tuple[int, int]](), dict[Any, int](), list[Disagreement]()
    seen, numbers = 0, list[int]()
    for deal in count():
        if seen >= states or (deal >= FORCED and not seen):
            break
        course: list[object] = []
        before = len(found)
        for step, disagreement in _decisions(
            game, rules, matches[deal // game.seatings(rules) % len(matches)], seed, deal
        ):
            course.append((step.number, step.action))
            found += [] if disagreement is None else [disagreement]
            if seen + len(course) == states:
                break
        counts.append((len(course), len(found) - before))
        cut = (number for known, number in courses.items() if list(known[: len(course)]) == course)
        numbers.append(next(cut, len(courses) + 1))  # the last game may be the beginning of an earlier one
        courses.setdefault(tuple(course), numbers[-1])
        seen += len(course)
        watch(seen)
    judge = judge_of(game, rules, MANY) if judging else None
    sample = _sampled(found, judge)
    first, second = matches[0]
    return Disagreements(
        game,
        rules,
        (first.program.name, second.program.name),
        seed,
        _share(np.array(counts, dtype=float), np.array(numbers)),
        seen,
        len(found),
        "" if judge is None else judge.name,
        0 if judge is None else len(sample),
        _costliest(game, rules, sample, judge, seed) if judging else (),
    )


def _decisions(
    game: Game, rules: Any, pair: tuple[Match, Match], seed: int, deal: int
) -> Iterator[tuple[Step, Disagreement | None]]:
    """Yield the choices in both players' games on a deal, each with the other player's disagreement, if any."""
    deals, seat = deal_of(game, rules, seed, deal), deal % game.seatings(rules)
    for match, rival in (pair, pair[::-1]):
        players, other = match.players(game.players(rules)), rival.program
        names = match.program.name, tuple(each.name for each in match.opponents)
        for step in trace_game(game.name, players, deals, rules, seat=seat).steps:
            if step.action is not None and step.is_mine and step.choices > 1:
                action = choose(game, other, step.before, deals)
                found = Disagreement(*names, deal, seat, step, other.name, action)
                yield step, None if action == step.action else found


def _sampled(found: Sequence[Disagreement], judge: Player | None) -> list[Disagreement]:
    """The disagreements to judge: evenly spaced ones for a search, all of them for an exact judge."""
    searches = judge is None or bool(judge.number or judge.worlds)
    places = np.linspace(0, len(found) - 1, min(JUDGED, len(found)) if searches else len(found))
    return [found[int(place)] for place in places]


def _share(counts: Floats, courses: Any) -> Interval:
    """The proportion of states in which the choices differ, with deals as sampling units.

    The interval is the interval for the ratio of two means, in linear approximation.

    Args:
        counts: float64 (deals, 2), the number of states in each deal, and the number in which the choices differ.
        courses: int64 (deals,), equal for deals with the same choices.
    """
    states, different = counts.T
    share = different.sum() / max(states.sum(), 1.0)
    values = share + (different - share * states) / max(states.mean(), 1.0)
    return replace(mean_interval(values, courses=courses, support=(0.0, 1.0)), mean=float(share))


def _costliest(
    game: Game, rules: Any, sample: list[Disagreement], judge: Player | None, seed: int
) -> tuple[Disagreement, ...]:
    """The most costly disagreements, without those below the lowest mark; any of them if the game has no judge.

    A search first evaluates all of them with few games, and then the most costly ones again with many games.
    """
    for player in (judge_of(game, rules, FEW), judge):
        if player is not None:
            judged = (each.judged(game, player, rules, seed) for each in sample)
            sample = sorted(judged, key=lambda each: -abs(each.cost or 0.0))
        sample = sample[:SHOWN]
    return tuple(each for each in sample if each.cost is None or mark_of(abs(each.cost)))
