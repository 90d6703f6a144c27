"""``gpkit play sevens``: whole games by script, what is said of every mistake, and that nothing hidden is told."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import conversations
import pytest
from conversations import at_table, heard, said
from hypothesis import given, settings
from hypothesis import strategies as st
from sevens_strategies import some_rules

from gpkit.core.errors import UsageError
from gpkit.gamekit.state import NOBODY
from gpkit.games.sevens.cards import Tableau
from gpkit.games.sevens.forms.view import chosen_card
from gpkit.games.sevens.game import GAME, log_game
from gpkit.games.sevens.kernel.rules import CERTAIN
from gpkit.games.sevens.rules import Observation, SevensRules, deal
from gpkit.playing.contest import deal_of
from gpkit.playing.conversation import Prompt
from gpkit.playing.players import player_of_name
from gpkit.playing.session import sessions
from gpkit.playing.trace import trace_game
from gpkit_experiments.readable.sevens import remember, sample

seating_of = partial(conversations.seating_of, "sevens")


def play_on(word: str = "1") -> Iterator[str]:
    """The same answer to everything, for ever."""
    while True:
        yield f"{word}\n"


@settings(max_examples=30)
@given(some_rules(), st.integers(0, 2**32), st.integers(0, 6))
def test_every_game_comes_to_its_end(options: dict[str, str], seed: int, seat: int) -> None:
    """Under any rules, with the first card of every list, and "1" is not a yes to another game."""
    seating = seating_of("random", **options)
    told = said(seating, play_on(), seed=seed, seat=seat % seating.rules.players)
    assert re.search(
        r"^(You have won!|.* has won\.|A draw: .* laps are over\.|The points: .*|You finished number \d of \d\.)\Z",
        told[-1],
        re.MULTILINE,
    )


@pytest.mark.parametrize("seat", [0, 2])
@pytest.mark.parametrize("end", ["first", "ranks", "points"])
def test_person_who_plays_as_a_program_has_its_game(seat: int, end: str) -> None:
    """Typing the choices of a program gives the game that the program would play, by name and by sign."""
    rules = SevensRules.from_options({"end": end})
    hold, simple, random = (player_of_name(name, GAME) for name in ("hold", "simple", "random"))
    deals = deal_of(GAME, rules, 7, 0)
    steps = list(trace_game("sevens", [hold, simple, random], deals, rules, seat=seat).steps)
    typed = [str(step.values["card"]) for step in steps if step.evaluations]
    told = said(seating_of("simple", "random", end=end), iter(typed), seed=7, seat=seat)
    log = log_game([(hold, simple, random)[(k - seat) % 3] for k in range(3)], deals, rules)
    events = [text for text in told if re.match(r"\S+ (play|send|pass)", text)]
    assert len(events) == len(log)
    scores = steps[-1].record()["scores"]
    names = ["you", "simple", "random"]
    by_seat = [names[(k - seat) % 3] for k in range(3)]
    if end == "first":
        winner = by_seat[scores.index(1.0)]  # type: ignore[attr-defined]
        assert ("You have won!" if winner == "you" else f"{winner} has won.") in told[-1]
    if end == "points":
        points = ", ".join(f"{n} {s:g}" for n, s in zip(by_seat, scores, strict=True))  # type: ignore[call-overload]
        assert f"The points: {points}" in told[-1]
    if end == "ranks":
        place = 3 - round(2 * scores[seat])  # type: ignore[index]
        assert f"You finished number {place} of 3." in told[-1]


@pytest.mark.release
def test_cards_between_others_stay_hidden() -> None:
    """In a hundred games no card of a sending between two others is told, and no hand before the end."""
    sent = 0
    for seed in range(100):
        *told, end = said(seating_of("random", players="4"), play_on(), seed=seed)
        for text in told:
            for line in text.split("\n"):
                if re.match(r"random \d sends .* to random \d", line):
                    assert re.fullmatch(r"random \d sends a card to random \d", line)
                    sent += 1
                if re.match(r"[ <>] random \d", line):
                    assert re.fullmatch(r"[ <>] random \d +\d+ cards?", line)
        assert re.search(r"random \d +\d+ cards? +[♥♦♣♠]", end)
    assert sent > 100


@pytest.mark.parametrize("name", ["simple", "hold", "pimc:3"])
def test_hint_knows_no_more_than_the_person(name: str) -> None:
    rules = SevensRules()
    table = at_table(seating_of(name), by_opponent=True)
    deals = deal_of(GAME, rules, 2, 0)
    state = deal([int(card) for card in deals.decks[0]], rules)
    while state.current_player != 0 or len(state.legal_actions()) < 3:
        state = state.apply(state.legal_actions()[0])
    worlds = list(islice(sample(remember(state), lambda state: 0, CERTAIN, key=1), 3))
    assert len({world.hands for world in worlds}) == 3
    hints = {tuple(heard(table.hint(world, deals))) for world in worlds}
    assert len(hints) == 1
    assert re.match(rf"{name} would choose [♥♦♣♠]\w+:\n", hints.pop()[0])


def test_tally_over_several_games() -> None:
    """Games follow on the next deals of the seed until the person has enough."""

    class Answers:
        """Plays the first card, and says yes twice to another game."""

        def __init__(self) -> None:
            self.next = "1"

        def __iter__(self) -> "Answers":
            return self

        def __next__(self) -> str:
            return self.next

    answers = Answers()
    texts: list[str] = []
    yes = 2
    for part in sessions(at_table(seating_of("random")), answers, 3):
        if isinstance(part, Prompt):
            again = part.text.startswith("another")
            answers.next = "1" if not again else "y" if yes else "no"
            yes -= again
        else:
            texts += heard([part])
    tallies = [text for text in texts if text.startswith("win_share after")]
    assert [re.search(r"after (\d) games", text)[1] for text in tallies] == ["2", "3"]  # type: ignore[index]
    assert sum(int(n) for n in re.findall(r"(?:you|random \d) (\d)", tallies[-1])) == 3
    numbers = [text.count("has won") + text.count("You have won") for text in texts]
    assert sum(numbers) == 3


def test_end_of_input_and_giving_up_are_polite() -> None:
    assert said(seating_of("simple"), iter(()))[-1].startswith("End of input")
    assert said(seating_of("simple"), iter(["q\n"]))[-1] == "You gave up; the game does not count."


def test_list_hint_help_and_board_again() -> None:
    told = said(seating_of("simple"), iter(["?\n", "h\n", "\n", "HELP\n", "zz\n"]), seed=3)
    at_first = next(k for k, text in enumerate(told) if "Play one of" in text)
    board, page, hint, legend, again, page_again, mistake = told[at_first : at_first + 7]
    assert (board, page) == (again, page_again)
    assert "hint: what the adviser would choose" in page
    assert hint.startswith("champion would choose ")
    assert "selfblock" in hint
    assert legend == "`gpkit list sensors --game sevens` explains the columns."
    assert mistake == "`zz` is not a card; type a card such as 7h, or ? for help"


def observation(
    hand: str, legal: str, *, runs: str = "7-7 . . .", decision: str = "play", **options: str
) -> Observation:
    rules = SevensRules.from_options(options)
    ends = [(0, 0) if run == "." else tuple(map(int, run.split("-"))) for run in runs.split()]
    cards, chosen = (tuple(sorted(map(rules.pack.parse, text.split()))) for text in (hand, legal))
    tableau = Tableau(tuple(low for low, _ in ends), tuple(high for _, high in ends))
    return Observation(
        rules=rules,
        player=0,
        hand=cards,
        sizes=(len(cards), 10, 10),
        tableau=tableau,
        turn=9,
        decision="send" if decision == "send" else "play",
        current_player=0,
        receiver=NOBODY if decision == "play" else 1,
        finished=(),
        actions=9,
        legal=chosen,
        events=(),
    )


@pytest.mark.parametrize(
    ("word", "card"),
    [("1", "6h"), ("2", "8h"), ("3", "7s"), ("8h", "8h"), ("h8", "8h"), ("♠7", "7s"), ("7♠", "7s")],
)
def test_card_by_number_and_by_name(word: str, card: str) -> None:
    seen = observation("6h 8h 10h 7s", "6h 8h 7s")
    assert chosen_card(seen, word) == seen.rules.pack.parse(card)


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("10h", "♥10 must wait for 2 other cards; the nearest card you can play is ♥8"),
        ("5h", "♥5 must wait for 1 other card; the nearest card you can play is ♥6"),
        ("2c", "♣2 must wait for 5 other cards; the nearest card you can play is ♥6"),
        ("kd", "you do not hold ♦K; the nearest card you can play is ♥8"),
        ("0", "the list goes from 1 to 3; a card also has a suit, such as 7h"),
        ("4", "the list goes from 1 to 3"),
        ("9" * 5000, "the list goes from 1 to 3"),
        ("10hh", "`10hh` is not a card; did you mean 10h?"),
        ("xyzzy", "`xyzzy` is not a card; type a card such as 7h, or ? for help"),
        ("\x1b[2j", "`?[2j` is not a card"),
    ],
)
def test_mistake_is_explained(word: str, message: str) -> None:
    seen = observation("5h 6h 8h 10h 2c 7s", "6h 8h 7s")
    with pytest.raises(UsageError) as raised:
        chosen_card(seen, word)
    assert message in str(raised.value)


def test_other_reasons() -> None:
    seen = observation("6h 9c", "9c", decision="send", send_unplayable_first="yes")
    with pytest.raises(
        UsageError, match=r"♥6 is playable, and unplayable cards are sent first; .* can send is ♣9"
    ):
        chosen_card(seen, "6h")
    empty = replace(seen, decision="play", tableau=Tableau(), hand=(6, 19), legal=(6,))
    with pytest.raises(UsageError, match="the game does not open with ♦7"):
        chosen_card(empty, "7d")


def test_program_called_you_is_not_taken_for_the_person() -> None:
    seating = seating_of("simple")
    named = tuple(replace(p, name="you.tree") for p in seating.players)
    told = said(replace(seating, players=named[:1] + seating.players[1:]), iter(()))
    assert told[0].startswith("Sevens: you in seat 0, with you (program), simple.")


def test_command_plays(gpkit) -> None:
    outcome = gpkit("play", "sevens", "--vs", "simple", "--vs", "hold", "--seed", 3, stdin=b"1\n" * 60)
    assert outcome.code == 0
    assert outcome.err == "seed 3\n"
    assert "with simple, hold" in outcome.out
    plain = gpkit(
        "play", "sevens", "--vs", "simple", "--vs", "hold", "--seed", 3, "--ascii", stdin=b"1\n" * 60
    )
    assert plain.out.isascii()
    assert outcome.out.count("\n") == plain.out.count("\n")


def test_new_seed_is_told(gpkit) -> None:
    seeds = {gpkit("play", "sevens", "--vs", "simple").err for _ in range(4)}
    assert len(seeds) > 1
    assert all(re.fullmatch(r"seed \d+\n", seed) for seed in seeds)


def test_the_first_usual_opponent_plays_if_none_is_named(gpkit) -> None:
    named = gpkit("play", "dots_and_boxes", "--vs", "greedy", "--seed", 1, stdin=b"a1 t\n")
    assert "you against greedy" in named.out
    assert gpkit("play", "dots_and_boxes", "--seed", 1, stdin=b"a1 t\n").out == named.out


def test_a_formula_shoots_back_and_gives_hints(gpkit: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "dense.tree").write_text("// game: battleship\nshoot: env.cover + 40 * env.cover1\n")
    board = ("--rules", "board=5x5", "--rules", "fleet=2")
    said = gpkit(
        "play", "battleship", "--vs", tmp_path / "dense.tree", "--adviser", tmp_path / "dense.tree", "--seed", "1",
        *board, stdin=b"r\n\nh\na1\nq\n",
    )  # fmt: skip
    assert said.code == 0
    assert "dense would shoot at" in said.out
    assert "cover1" in said.out
    assert "dense shoots at" in said.out
