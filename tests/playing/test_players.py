"""Players by name: what they were compiled from, and what they are called at a table."""

import pytest

from gpkit.core.errors import UsageError
from gpkit.core.registry import data_folder
from gpkit.gamekit.players import strategy_player
from gpkit.games.sevens.game import GAME
from gpkit.languages.arithmetic.text import parse
from gpkit.playing.players import names_at_table, player_of_name, player_of_program, shipped_player


def test_a_player_carries_its_program_and_what_it_was_compiled_to() -> None:
    for name in GAME.programs:
        player = player_of_name(name, GAME)
        assert player.is_program
        again = player_of_program(player.program, GAME, name)
        for program, compiled in zip(again.programs, player.programs, strict=True):
            assert program.code.tolist() == compiled.code.tolist()
            assert program.memory.tolist() == compiled.memory.tolist()


def test_search_carries_the_program_of_its_playouts() -> None:
    player = player_of_name("pimc:7", GAME)
    assert player.worlds
    assert player.worlds == 7
    champion = data_folder("programs") / "sevens" / "champion.tree"
    assert player.policy.program == parse(champion.read_text(encoding="utf-8")).program
    with pytest.raises(UsageError, match="did you mean `simple`"):
        player_of_name("simpel", GAME)


def test_a_shipped_player_is_read_once_for_all_hints() -> None:
    assert shipped_player("champion", GAME) is shipped_player("champion", GAME)


@pytest.mark.parametrize(
    ("given", "names"),
    [
        (["a/first.tree", "simple", "pimc:100"], ("first", "simple", "pimc:100")),
        (["simple", "simple.tree", "x"], ("simple 1", "simple 2", "x")),
        (["-"], ("program",)),
        (["a\x1b[31m.tree"], ("a?[31m",)),
        (["x" * 100 + ".tree"], ("x" * 23 + "…",)),
    ],
)
def test_names_at_table_are_short_and_differ(given: list[str], names: tuple[str, ...]) -> None:
    assert names_at_table([strategy_player(name) for name in given]) == names
