"""Golden play-throughs: whole games of shipped programs, compared byte for byte with what was reviewed.

Each file shows every shot as it is announced, the board after every tenth turn, and the end. Run this file as a program
to write them anew, and read the difference.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from battleship_table import lines_of

from gpkit.core.rng import stream
from gpkit.gamekit.players import Player
from gpkit.games.battleship.board import board_text, shot_text
from gpkit.games.battleship.game import GAME
from gpkit.playing.players import player_of_name, player_of_program, program_of_name

FOLDER = Path(__file__).parents[1] / "playthroughs"

GAMES: Mapping[str, tuple[tuple[str, ...], Mapping[str, str]]] = {
    "battleship": (("corrected",), {}),
    "battleship-duel": (("textbook", "hunt"), {"mode": "duel", "shots": "again"}),
    "battleship-ten-ships": (("density",), {"variant": "ten-ships"}),
    "battleship-announce-sunk": (("filter",), {"announce": "sunk", "board": "7x6", "fleet": "4,3,2"}),
}
"""By file the programs and the rules."""


def shooter(name: str) -> Player:
    header = player_of_name(name, GAME).header if name in GAME.programs else {}
    return player_of_program(program_of_name(name, GAME), GAME, name, header)


def playthrough(name: str) -> Iterator[str]:
    """The lines of a file."""
    programs, options = GAMES[name]
    rules = GAME.make_rules(options)
    shooters = [shooter(program) for program in programs]
    deals = GAME.deal(stream(7, "playthrough"), 1, rules)
    yield from (f"{key}: {value}" for key, value in rules.to_options().items())
    state = GAME.begin([Player(program) for program in (*programs, "")[:2]], deals, rules)
    yield from _boards(programs, state)
    shots = (
        (seat, line.after)
        for seat, line in lines_of(shooters, state, deals)
        if line.executed and line.executed.ends_turn
    )
    for number, (seat, after) in enumerate(shots, start=1):
        state = after
        yield f"{number:3} {programs[seat]}: {shot_text(state.boards[seat].shots[-1], rules)}"
        if number % 10 == 0:
            yield from _boards(programs, state)
    yield from _boards(programs, state)
    yield f"returns: {' '.join(map(str, state.returns()))}"


def _boards(programs: tuple[str, ...], state) -> list[str]:  # type: ignore[no-untyped-def]
    return ["", *board_text(state, names=programs).splitlines(), ""]


@pytest.mark.parametrize("name", GAMES)
def test_games_go_as_reviewed(name: str) -> None:
    expected = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert "\n".join(playthrough(name)) + "\n" == expected


if __name__ == "__main__":
    for each in GAMES:
        (FOLDER / f"{each}.txt").write_text("\n".join(playthrough(each)) + "\n", encoding="utf-8")
