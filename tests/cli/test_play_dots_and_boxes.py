"""``gpkit play dots_and_boxes``: the engine's own games by script, and what is said of every mistake."""

import re
from collections.abc import Iterator
from itertools import cycle

import conversations
import pytest
from board_strategies import edges_played
from hypothesis import given, settings
from hypothesis import strategies as st

from gpkit.core.errors import UsageError
from gpkit.core.registry import data_folder
from gpkit.gamekit.view import NUMBERS
from gpkit.games.dots_and_boxes.board import edge_name
from gpkit.games.dots_and_boxes.forms.view import parse_action
from gpkit.games.dots_and_boxes.game import GAME
from gpkit.games.dots_and_boxes.rules import DotsAndBoxesRules, DotsAndBoxesState
from gpkit.playing.contest import deal_of
from gpkit.playing.conversation import Prompt
from gpkit.playing.players import Seating, player_of_name
from gpkit.playing.session import new_session, sessions

SAFE = str(data_folder("programs") / "dots_and_boxes" / "safe.rules")
SMALL = DotsAndBoxesRules(2, 2)


def seating_of(opponent: str) -> Seating:
    return conversations.seating_of("dots_and_boxes", opponent, board="2x2")


def said(
    opponent: str, lines: Iterator[str], *, seat: int = 0, seed: int = 7, by_opponent: bool = False
) -> list[str]:
    return conversations.said(seating_of(opponent), lines, seed=seed, seat=seat, by_opponent=by_opponent)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("opponent", ["chain", SAFE])
def test_person_who_plays_as_a_player_has_its_game(seat: int, opponent: str) -> None:
    """Typing the edges that ``control`` draws gives the game that it plays against the opponent."""
    control = player_of_name("control", GAME)
    (other,) = seating_of(opponent).players
    agents = [control, other] if seat == 0 else [other, control]
    log = edges_played(agents, deal_of(GAME, SMALL, 7, 0), SMALL)
    state, typed, told = DotsAndBoxesState.begin(SMALL), [], []
    for edge in log:
        (typed if state.current_player == seat else told).append(edge_name(edge, SMALL))
        state = state.apply(edge)
    heard = said(opponent, iter([*typed, "n"]), seat=seat)
    draws = [match[1] for text in heard if (match := re.match(r"\S+ draws (\w+ \w+)", text))]
    assert draws == told
    end = {None: "A tie.", seat: "You have won!"}.get(state.winner, "has won.")
    assert heard[-1].endswith(end)
    assert heard[-1].count(" won") == (state.winner is not None)


@settings(max_examples=30)
@given(
    st.lists(
        st.one_of(
            st.builds(
                "{}{} {}".format, st.sampled_from("abC"), st.integers(0, 3), st.sampled_from(["top", "l"])
            ),
            st.sampled_from(["", "h", "?", "q", "hint", "y", "\x1b[2J", "a1" * 5000]),
            st.text(),
        ),
        max_size=30,
    ),
    st.integers(0, 1),
)
def test_nothing_that_is_typed_breaks_it(lines: list[str], seat: int) -> None:
    heard = said("greedy", iter(lines), seat=seat)
    assert heard[0].startswith("Dots and Boxes: you against greedy")
    assert all("\x1b" not in text for text in heard)


def test_hints_name_the_rule() -> None:
    heard = said(SAFE, iter(["h", "q"]), by_opponent=True)
    others = f"one of {SMALL.edges - 1} other lines that are equally good"
    assert heard[-2] == f"safe would draw {edge_name(0, SMALL)}, or {others} (by rule 4 and rule 6)"
    assert heard[-1] == "You gave up; the game does not count."


def test_two_games_are_counted() -> None:
    heard: list[str] = []
    asked: list[str] = []

    def typed() -> Iterator[str]:
        for edge in cycle(range(SMALL.edges)):
            while asked[-1].startswith("another"):
                yield "y" if len(games()) < 2 else "n"
            yield edge_name(edge, SMALL)

    def games() -> list[str]:
        return [text for text in asked if text.startswith("another")]

    for part in sessions(conversations.at_table(seating_of("random")), typed(), 1):
        if isinstance(part, Prompt):
            asked.append(part.text)
        else:
            heard += conversations.heard([part])
    (tally,) = [text for text in heard if text.startswith("win_rate after 2 games: ")]
    mine, theirs = re.findall(r" ([0-9.]+)(?:,|$)", tally)
    assert float(mine) + float(theirs) == 2
    ends = [text.rpartition("\n")[2] for text in heard if "\n\n" in text]
    points = {"You have won!": 1.0, "A tie.": 0.5, "random has won.": 0.0}
    assert sum(points[end] for end in ends if end in points) == float(mine)
    assert len(games()) == 2


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("c1 top", r"`c1 top` is not a side: expected a box and one of its sides, from A1 top to B2 right"),
        ("a1 tip", r"`a1 tip`: a box has the sides top, bottom, left, right; did you mean `top`?"),
        ("a2 top", r"A2 top is already drawn; the nearest undrawn side is A1 left"),
    ],
)
def test_mistakes(word: str, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        parse_action(DotsAndBoxesState.begin(SMALL).apply(2), word)


def test_command(gpkit) -> None:
    arguments = ("play", "dots_and_boxes", "--vs", "chain", "--seed", 3, "--rules", "board=1x1")
    outcome = gpkit(*arguments, stdin=b"a1t\nA1 left\na1b\na1r\nn\n")
    assert outcome.code == 0
    assert "seed 3" in outcome.err
    assert "chain has won.\n" in outcome.out


def test_the_page_names_the_line_that_gave_away_the_most() -> None:
    """The runs of boxes are counted from the owners: the winner's boxes after each line of the loser."""
    seating = conversations.seating_of("dots_and_boxes", "greedy", board="3x3")
    session = new_session(conversations.at_table(seating), 7, 0)
    while not session.is_over:
        session.choose(session.state.legal_actions()[0])
    assert session.state.winner == 1
    runs, line = {}, ""
    for move in session.played.moves[1:]:
        if move.before.current_player == 0:
            line = edge_name(move.action, move.before.board)
        else:
            runs[line] = runs.get(line, 0) + move.after.owners.count(1) - move.before.owners.count(1)
    result, why = session.conversation.view.words.ending(session.played)
    given = re.fullmatch(r"You gave greedy (\w+) box(?:es)? with (.*)[.]", why)
    assert given is not None
    assert NUMBERS.index(given[1]) == runs[given[2]] == max(runs.values()) > 1
    assert result == f"greedy won, {session.state.boxes_of(1)} boxes to {session.state.boxes_of(0)}"
