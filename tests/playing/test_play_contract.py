"""What every game owes ``gpkit play`` and ``gpkit trace``: tested over the registry, unasked."""

import json

import pytest
from conversations import at_table, said

from gpkit.api.games import name_of
from gpkit.core.registry import GAMES, data_folder, shipped_programs
from gpkit.gamekit.state import end_of
from gpkit.playing.contest import deal_of
from gpkit.playing.conversation import GIVING_UP
from gpkit.playing.decisions import choose
from gpkit.playing.session import seat_all
from gpkit.playing.trace import trace_game

OWN = data_folder("programs") / "games" / "nim.py"
NAMES = [entry.name for entry in GAMES]


@pytest.mark.parametrize("name", NAMES)
def test_every_game_can_be_played(name: str) -> None:
    seating = seat_all(None, (), game=name)
    table = at_table(seating)
    texts = said(seating, ["", "?", "h", "no such thing", "", "q"], seed=4)
    title = table.title or name.replace("_", " ").capitalize()
    assert texts[0].startswith(f"{title}: ")
    assert texts[0].endswith("? shows the rules and what to type.")
    assert table.help in texts
    assert table.help.endswith(table.page)
    assert " ".join(table.help.split()).startswith(table.view.words.rules)
    assert texts[-1].startswith(GIVING_UP.partition(";")[0])
    assert any("no such thing" in text for text in texts)


@pytest.mark.parametrize("name", [*NAMES, str(OWN)])
def test_the_help_page_has_every_command(name: str) -> None:
    table = at_table(seat_all(None, (), game=name_of(name)))
    letters = {word[0] for word in table.commands()}
    assert "h" in letters
    assert letters <= {line[:1] for line in table.page.split("\n") if line[1:3] == "  "}
    assert table.help != table.page


@pytest.mark.parametrize("name", NAMES)
def test_every_game_can_be_followed(name: str) -> None:
    program = next(iter(shipped_programs(name).values()))
    seating = seat_all(str(program), (), game=None)
    deals = deal_of(seating.game, seating.rules, 4, 0)
    trace = trace_game(name, seating.players, deals, seating.rules)
    steps = list(trace.steps)
    assert [step.number for step in steps] == list(range(len(steps)))
    assert [step.values["over"] for step in steps] == [0.0] * (len(steps) - 1) + [1.0]
    known = {each.name: each.kind for each in trace.vocabulary.names}
    for step in steps[:30]:
        for value_name, value in step.values.items():
            assert value is None or isinstance(value, str) == (known[value_name] == "text")
        assert step.words()
        assert step.board().endswith("\n")
        assert json.dumps(step.record(), allow_nan=False)
    assert steps[-1].picture().startswith("<svg")
    asked = end_of(
        steps[0].after,
        lambda state: choose(seating.game, seating.players[state.current_player], state, deals),
    )
    assert asked == steps[-1].after, "who is asked for one action after another plays the same game"
