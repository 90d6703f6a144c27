"""Neighbourhood search: every program that differs from one in one line, searched exhaustively in a race."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import NamedTuple

import numpy as np

from gpkit.core.arrays import Floats
from gpkit.core.registry import game_of
from gpkit.core.rng import stream
from gpkit.core.statistics import Interval
from gpkit.evolution.problem import Executor, none_lost
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player, machine_programs
from gpkit.games.battleship.primitives import PRIMITIVES
from gpkit.genomes.linear import LinearProgram
from gpkit.playing.players import player_of_name, player_of_program
from gpkit_experiments.papers.paper import Watch
from gpkit_experiments.papers.units import paired_difference


def neighbours(
    program: LinearProgram, words: Sequence[str], capacities: Sequence[int]
) -> Iterator[LinearProgram]:
    """Every program with one line deleted, replaced by another word, or inserted; each of them once, not itself.

    Args:
        program: blocks within their capacities.
        words: what a new line can be.
        capacities: the largest number of lines of each block.
    """
    seen = {program.blocks}
    for b, block in enumerate(program.blocks):
        for changed in _changes(block, words, capacities[b]):
            blocks = (*program.blocks[:b], changed, *program.blocks[b + 1 :])
            if blocks not in seen:
                seen.add(blocks)
                yield LinearProgram(program.names, blocks)


def _changes(block: tuple[str, ...], words: Sequence[str], capacity: int) -> Iterator[tuple[str, ...]]:
    for line in range(len(block)):
        yield (*block[:line], *block[line + 1 :])
        for word in words:
            yield (*block[:line], word, *block[line + 1 :])
    if len(block) < capacity:
        for line in range(len(block) + 1):
            for word in words:
                yield (*block[:line], word, *block[line:])


GAME: Game = game_of("battleship")

CONFIDENCE = 3.0
"""Standard errors of the paired difference that make it clear."""

PORTION = 20_000
"""Neighbours that are sent to the workers at a time."""


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Result of the search among the neighbours of a program.

    Attributes:
        count: how many there are.
        distinct: how many that take other steps than the program and each other went on after the first stage.
        best: the best of them.
        gain: the shots that it takes less, paired by board, on boards on which nothing was chosen.
    """

    count: int
    distinct: int
    best: LinearProgram
    gain: Interval


class Screened(NamedTuple):
    """A neighbour's mean of shots less the program's on the same boards, with its standard error, and its steps."""

    excess: float
    error: float
    steps: bytes


@dataclass(frozen=True, slots=True)
class Contest:
    """The boards on which neighbours meet.

    Attributes:
        stages: the boards of the stages, after each of which everybody stops who takes clearly more shots than the
            program; at least one.
        seed: of the boards.
        finalists: how many meet again on ``boards`` boards; the best of them is measured on as many others.
        boards: of the final and of the measurement.
    """

    stages: Sequence[int]
    seed: int
    finalists: int
    boards: int


def search(
    program: LinearProgram,
    alphabet: str,
    contest: Contest,
    executor: Executor,
    watch: Watch,
) -> Neighbourhood:
    """Race all neighbours by the words of an alphabet.

    Args:
        program: whose lines are changed.
        alphabet: a name of the game's.
        contest: the boards on which they meet.
        executor: where programs play.
        watch: is told what is being done.
    """
    seed, boards = contest.seed, contest.boards
    found = PRIMITIVES.alphabet(alphabet)
    assert found is not None, "the alphabet is the game's"
    everyone: Iterable[LinearProgram] = neighbours(program, found.instructions, PRIMITIVES.capacities)
    count = distinct = 0
    for stage, played in enumerate(contest.stages):
        alive: dict[bytes, tuple[float, LinearProgram]] = {}
        own = _shots(program, seed, f"stage {stage}", played)
        steps = _steps(_agent(program))
        source, met = iter(everyone), 0
        while portion := list(islice(source, PORTION)):
            met += len(portion)
            watch(f"{met:,} neighbours on {played} boards")
            for each, one in zip(portion, _screen(portion, own, seed, stage, executor), strict=True):
                if one.steps != steps and one.excess <= CONFIDENCE * one.error:
                    alive.setdefault(one.steps, (one.excess, each))
        if stage == 0:
            count, distinct = met, len(alive)
        everyone = [each for _, each in alive.values()]
    ranked = sorted(alive.values(), key=lambda pair: pair[0])
    last = [each for _, each in ranked[: contest.finalists]] or [program]
    means = [_shots(each, seed, "final", boards).mean() for each in last]
    best = last[int(np.argmin(means))]
    own, other = (_shots(each, seed, "measure", boards) for each in (program, best))
    gain = paired_difference(own, other, support=GAME.metric(GAME.make_rules({})).support)
    return Neighbourhood(count, distinct, best, gain)


def _screen(
    programs: Sequence[LinearProgram], own: Floats, seed: int, stage: int, executor: Executor
) -> list[Screened]:
    seconds = [1e-3 + 5e-6 * len(own)] * len(programs)
    return none_lost(executor.run(partial(_screened, own, seed, stage), programs, seconds))


def _screened(own: Floats, seed: int, stage: int, programs: Sequence[LinearProgram]) -> list[Screened]:
    deals = _deals(seed, f"stage {stage}", len(own))
    result = []
    for player in map(_agent, programs):
        excess = _played(player, deals) - own
        error = float(excess.std(ddof=1)) / np.sqrt(len(own))
        result.append(Screened(float(excess.mean()), error, _steps(player)))
    return result


def _agent(program: LinearProgram) -> Player:
    return player_of_program(program, GAME, "neighbour")


def _steps(player: Player) -> bytes:
    """The code of a program: equal for programs that differ in lines that have no effect."""
    return b"".join(each.code.tobytes() for each in machine_programs([player]))


def _shots(program: LinearProgram, seed: int, purpose: str, boards: int) -> Floats:
    """The shots of a program on the boards of a purpose: float64 (boards,)."""
    return _played(_agent(program), _deals(seed, purpose, boards))


def _played(player: Player, deals: object) -> Floats:
    players = [player, player_of_name("uniform", GAME)]
    values: Floats = GAME.play(players, deals, GAME.make_rules({})).values[:, 0]
    return values


def _deals(seed: int, purpose: str, boards: int) -> object:
    return GAME.deal(stream(seed, f"neighbourhood {purpose}"), boards, GAME.make_rules({}))
