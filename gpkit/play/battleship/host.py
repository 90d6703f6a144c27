"""Programs that are interpreted in games that are played by the readable rules: the oracle of the compiled games."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from gpkit.games.battleship.game import Deals
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
from gpkit.games.battleship.primitives import PRIMITIVES
from gpkit.games.battleship.rules import Board, State
from gpkit.genomes.linear import LinearProgram
from gpkit.languages.sinking.interpreter import Outcome, Registers, Step, interpret


@dataclass(frozen=True, slots=True)
class Shooter:
    """A program in its dialect."""

    program: LinearProgram
    dialect: Mapping[str, str]


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
                drawn, self.gunner = draw_direction(
                    word, position, dialect["direction"], self.gunner, self.board
                )
                return Outcome(replace(registers, target_dir=drawn))


@dataclass(frozen=True, slots=True)
class Played:
    """A step of a game: whose, what the program did, and the game after it."""

    player: int
    step: Step | None
    state: State


def play_steps(
    shooters: Sequence[Shooter], state: State, keys: Sequence[int], *, keep_introns: bool = False
) -> Iterator[Played]:
    """A game step by step, shooter p in seat p.

    Args:
        shooters: one in solitaire, two in a duel.
        state: the game before the first shot.
        keys: by seat the key of the shots.
        keep_introns: whether lines that cannot matter are executed, too.
    """
    hosts = [
        GameHost(board, Gunner.of(key, shooter.dialect["target"], board))
        for shooter, board, key in zip(shooters, state.boards, keys, strict=False)
    ]
    programs = [
        interpret(shooter.program, shooter.dialect, PRIMITIVES, host, keep_introns=keep_introns)
        for shooter, host in zip(shooters, hosts, strict=True)
    ]
    while not state.is_terminal:
        player = state.current_player
        hosts[player].board = state.board
        step = next(programs[player], None)
        if step is None:
            state = state.give_up()
        elif step.ends_turn:
            state = state.shoot(square_at(step.registers.target_pos, state.rules))
        yield Played(player, step, state)


def shot_keys(deals: Deals) -> list[int]:
    """By seat the key of the shots in the first deal."""
    keys: list[int] = deals.keys[0, :, 2].tolist()
    return keys
