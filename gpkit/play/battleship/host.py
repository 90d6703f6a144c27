"""Programs that are interpreted in games that are played by the readable rules: the oracle of the compiled games."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from gpkit.games.battleship.fleets import Placements, draw_fleet
from gpkit.games.battleship.game import DEFAULT_PLACEMENT, Deals, running_sums
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
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.primitives import PRIMITIVES
from gpkit.games.battleship.rules import Board, State
from gpkit.genomes.linear import LinearProgram
from gpkit.languages.sinking.interpreter import Outcome, Registers, Step, interpret


@dataclass(frozen=True, slots=True)
class Shooter:
    """A program in its dialect, and how its own fleet lies."""

    program: LinearProgram
    dialect: Mapping[str, str]
    placement: str = DEFAULT_PLACEMENT


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


def fleets_of(deals: Deals, number: int, placements: Sequence[str], rules: Rules) -> tuple[Placements, ...]:
    """By player the fleet that it shoots at in one deal.

    Args:
        deals: the deals.
        number: which of them.
        placements: by seat how the fleet of that seat lies.
        rules: the rules.
    """
    keys = deals.keys[number]
    return tuple(
        draw_fleet(
            int(keys[1 - player, 0]),
            int(keys[1 - player, 1]),
            running_sums(placements[1 - player], rules),
            rules,
        )
        for player in range(2 if rules.is_duel else 1)
    )


def opening(
    shooters: Sequence[Shooter],
    deals: Deals,
    rules: Rules,
    *,
    placement: str = DEFAULT_PLACEMENT,
    number: int = 0,
) -> State:
    """A game before the first shot; arguments as of ``play_steps``."""
    assert len(shooters) == (2 if rules.is_duel else 1), "one program for each player"
    placements = [shooter.placement for shooter in shooters] if rules.is_duel else ["", placement]
    return State.begin(fleets_of(deals, number, placements, rules), rules)


def play_steps(
    shooters: Sequence[Shooter],
    deals: Deals,
    rules: Rules,
    *,
    placement: str = DEFAULT_PLACEMENT,
    number: int = 0,
    keep_introns: bool = False,
) -> Iterator[Played]:
    """A game step by step, shooter p in seat p.

    Args:
        shooters: one in solitaire, two in a duel.
        deals: the deals.
        rules: the rules.
        placement: in solitaire how the fleet lies; in a duel the shooters say it themselves.
        number: which of the deals is played.
        keep_introns: whether lines that cannot matter are executed, too.
    """
    state = opening(shooters, deals, rules, placement=placement, number=number)
    hosts = [
        GameHost(board, Gunner.of(int(deals.keys[number, player, 2]), shooter.dialect["target"], board))
        for player, (shooter, board) in enumerate(zip(shooters, state.boards, strict=True))
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
            state = state.shoot(square_at(step.registers.target_pos, rules))
        yield Played(player, step, state)


def play_readable(
    shooters: Sequence[Shooter],
    deals: Deals,
    rules: Rules,
    *,
    placement: str = DEFAULT_PLACEMENT,
    number: int = 0,
    keep_introns: bool = False,
) -> State:
    """The end of a game; arguments as of ``play_steps``."""
    *_, last = play_steps(
        shooters, deals, rules, placement=placement, number=number, keep_introns=keep_introns
    )
    return last.state
