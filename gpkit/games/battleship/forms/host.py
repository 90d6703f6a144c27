"""Programs that are interpreted in games that are played by the readable rules: the oracle of the compiled games."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from typing import Any

from gpkit.gamekit.players import Player, by_program
from gpkit.gamekit.state import best_place
from gpkit.games.battleship.aiming import Weights, target_squares
from gpkit.games.battleship.board import Chances
from gpkit.games.battleship.fleets import Deals
from gpkit.games.battleship.gunnery import (
    OPPOSITE,
    Gunner,
    aim,
    draw_direction,
    is_edge_ahead,
    is_known_ahead,
    move_forward,
    shot_answer,
    square_at,
)
from gpkit.games.battleship.kernel.layout import ORDER_NUMBERS, SQUARE_BITS
from gpkit.games.battleship.players import Agent, strategy_of
from gpkit.games.battleship.primitives import PRIMITIVES
from gpkit.games.battleship.rules import Board, State
from gpkit.games.battleship.sensors import sense
from gpkit.genomes.linear import Place
from gpkit.genomes.tree import TreeProgram
from gpkit.languages.sinking.interpreter import Executed, Outcome, Registers, interpret
from gpkit.languages.sinking.words import dialect_of
from gpkit.playing.actions import Decision, evaluation
from gpkit.vm.keyed import HALF, keyed_uniform_readable


@dataclass(frozen=True, slots=True)
class Shooter:
    """A sinking program in its dialect, a formula, which has none, or an agent with the number that it was given.

    Where ``weights`` of placements are given, they answer ``Target``.
    """

    program: Any = None
    dialect: Mapping[str, str] = field(default_factory=dict)
    weights: Weights = ()
    agent: Agent | None = None
    number: int = 0


def shooter_of(player: Player) -> Shooter:
    """Shooter that decides for a player, a program in the dialect of its header; of a learner that it begins with."""
    if player.strategy and not player.remembers:
        return Shooter(agent=strategy_of(player.strategy), number=player.number)
    player = by_program(player)
    if player.program.language == TreeProgram.language:
        return Shooter(player.program)
    return Shooter(player.program, dialect_of(player.header, PRIMITIVES))


@dataclass(slots=True)
class GameHost:
    """Carries out what a program asks of the game (``gpkit.languages.sinking.interpreter.Host``).

    It works on the board that it was last given and leaves the shot to whoever plays the game.
    """

    board: Board
    gunner: Gunner

    def execute(self, word: str, registers: Registers, dialect: Mapping[str, str]) -> Outcome:
        """Carry out one word."""
        position, direction, rules = registers.target_pos, registers.target_dir, self.board.rules
        match word:
            case "Target":
                position, self.gunner = aim(self.gunner, self.board)
                return Outcome(replace(registers, target_pos=position))
            case "Shoot":
                answer = shot_answer(position, dialect["off-board"], dialect["known"], self.board)
                after = replace(registers, target_hit=answer.hit, sunk=answer.sunk)
                return Outcome(after, ends_turn=answer.costs)
            case "MoveFwd":
                position = move_forward(position, direction, dialect["edge"], rules)
                return Outcome(replace(registers, target_pos=position))
            case "OppDir":
                return Outcome(replace(registers, target_dir=OPPOSITE[direction]))
            case "IfEdge":
                return Outcome(registers, holds=is_edge_ahead(position, direction, rules))
            case "IfKnown":
                return Outcome(registers, holds=is_known_ahead(position, direction, self.board))
            case _:
                switch = dialect["direction"]
                drawn, self.gunner = draw_direction(word, position, switch, self.gunner, self.board)
                return Outcome(replace(registers, target_dir=drawn))


@dataclass(frozen=True, slots=True)
class Played:
    """A step of a game: whose, why, and the game after it.

    A program that has no steps left gives up; then there is no reason.

    Attributes:
        player: by seat.
        step: the line of its program.
        state: after the step.
        decision: of its formula.
        chances: for an agent: its belief that there was a ship, by square.
        circle: of a program that gives up: the lines that it came to again and again, in the order of its text.
    """

    player: int
    step: Executed | None
    state: State
    decision: Decision | None = None
    chances: Chances | None = None
    circle: tuple[Place, ...] = ()

    @property
    def ends_turn(self) -> bool:
        """Whether a shot was taken that cost a turn."""
        asked = self.decision is not None or self.chances is not None
        return asked or (self.step is not None and self.step.ends_turn)


def play_steps(
    shooters: Sequence[Shooter], state: State, keys: Sequence[int], *, keep_introns: bool = False
) -> Iterator[Played]:
    """A game step by step, shooter p in seat p.

    Args:
        shooters: one in solitaire, two in a duel.
        state: the game before the first shot.
        keys: by seat the key of the shots.
        keep_introns: whether lines that have no effect are executed, too.
    """
    shoot = [
        turns(shooter, board, key, keep_introns=keep_introns)
        for shooter, board, key in zip(shooters, state.boards, keys, strict=False)
    ]
    while not state.is_terminal:
        for played in shoot[state.current_player](state):
            yield played
            state = played.state


Turns = Callable[[State], list[Played]]
"""Whole turns of a player: its steps from a state in which it is to shoot."""


def turns(shooter: Shooter, board: Board, key: int, *, keep_introns: bool = False) -> Turns:
    """Turns of who sees a board for the first time; arguments as of ``play_steps``."""
    if shooter.agent is not None:
        return partial(_asked, shooter.agent, shooter.number, key)
    if shooter.program.language == TreeProgram.language:
        return partial(_shot, shooter.program, key)
    host = GameHost(board, Gunner.of(key, shooter.dialect["target"], board, shooter.weights))
    steps = interpret(shooter.program, shooter.dialect, PRIMITIVES, host, keep_introns=keep_introns)
    return partial(_until_shot, host, steps)


def _asked(agent: Agent, number: int, key: int, state: State) -> list[Played]:
    """The shot of an agent."""
    square, chances = agent.consider(state.board, number, key)
    return [Played(state.current_player, None, state.shoot(square), chances=chances.tolist())]


def _shot(program: TreeProgram, key: int, state: State) -> list[Played]:
    """The decision of a formula."""
    decision = follow(state.board, program, key)
    return [Played(state.current_player, None, state.shoot(decision.action), decision)]


def _until_shot(host: GameHost, steps: Iterator[Executed], state: State) -> list[Played]:
    """The lines of a program as far as a shot that costs a turn, or until it gives up."""
    host.board = state.board
    taken: list[Played] = []
    for step in steps:
        after = state.shoot(square_at(step.registers.target_pos, state.rules)) if step.ends_turn else state
        taken.append(Played(state.current_player, step, after))
        if step.ends_turn:
            return taken
    lately = [each.step for each in taken[len(taken) // 2 :] if each.step is not None and each.step.word]
    circle = tuple(sorted({step.place for step in lately}))
    return [*taken, Played(state.current_player, None, state.give_up(), circle=circle)]


def shot_keys(deals: Deals) -> list[int]:
    """By seat the key of the shots in the first deal."""
    keys: list[int] = deals.keys[0, :, 2].tolist()
    return keys


def follow(board: Board, program: TreeProgram, key: int) -> Decision:
    """Value of every unshot square by a formula, in the order in which equal values are taken; the highest is chosen.

    The order is that of the player ``uniform``, which the key of the shots decides, so that equal values favour none.
    With the rule ``found`` its first square is the first shot.

    Args:
        board: what is shot at.
        program: the formula.
        key: of the player's shots, 26 bits.
    """
    (section,), (tree,) = program.names, program.trees
    sensors = sense(board)
    squares = [square for square in target_squares("uniform", key, board) if square in sensors]
    evaluations = tuple(
        evaluation(section, tree, sensors[square], partial(random_numbers, key, board.turns, square))
        for square in squares
    )
    chosen = best_place([each.value for each in evaluations])
    forced = board.rules.found and not board.shots
    return Decision(tuple(squares), evaluations, 0 if forced else chosen)


def random_numbers(key: int, turns: int, square: int) -> Callable[[], float]:
    """A source of the values of ``math.random()`` for one square: the k-th call is the k-th place in the formula.

    ``key`` is that of the player's shots, 26 bits; ``turns`` are those before this shot. Values lie in [0, 1).
    """
    places = count(ORDER_NUMBERS)
    return lambda: keyed_uniform_readable(key, turns, ((next(places) << SQUARE_BITS) + square) % HALF)
