"""Golden play-throughs: whole games of choices that look random, compared byte for byte with what was reviewed.

``tests/playthroughs/sevens.txt`` shows every state of a game under the default rules: hands, table, legal actions, what
the chooser observes with all sensors, the action, and the returns. For every other value of every option there is a
short file with a line for each action. Run this file as a program to write them anew, and read the difference.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gpkit.games.sevens.cards import CARDS, SUIT_SIGNS, SUITS
from gpkit.games.sevens.forms.view import event_text, names_of
from gpkit.games.sevens.rules import OPTIONS, SevensRules, SevensState, deal
from gpkit.games.sevens.sensors import sense
from gpkit.vm.keyed import keyed_word_readable

FOLDER = Path(__file__).parents[2] / "playthroughs"

VARIANTS = tuple(
    (option.name, text)
    for option in OPTIONS
    for text in (option.choices or ("2", "4", "5", "6", "7") * (option.name == "players") or ("3",))
    if text != SevensRules().to_options()[option.name]
)
"""Every value of every option that is not the default; of the laps only three."""


def first_state(rules: SevensRules, key: int) -> SevensState:
    """The deal of a key, the same on every machine."""
    return deal(sorted(range(CARDS), key=lambda card: keyed_word_readable(key, 0, card)), rules)


def action_of(state: SevensState, key: int) -> int:
    """A legal action that depends on the key and on the number of actions so far."""
    legal = state.legal_actions()
    return legal[keyed_word_readable(key, 1, state.actions) % len(legal)]


def cards_text(state: SevensState, cards: tuple[int, ...]) -> str:
    """Names of cards."""
    return " ".join(map(state.rules.pack.name, cards)) or "none"


def table_text(state: SevensState) -> str:
    """The runs, such as ``♥5-8 ♦7-7 ♣. ♠.``."""
    low, high, name = state.tableau.low, state.tableau.high, state.rules.pack.rank_name
    ends = [f"{name(low[suit])}-{name(high[suit])}" if low[suit] else "." for suit in range(SUITS)]
    return " ".join(SUIT_SIGNS[suit] + ends[suit] for suit in range(SUITS))


def events_text(state: SevensState) -> str:
    """What the last action brought about."""
    return ", ".join(event_text(event, state.rules.pack, names_of((), state.rules)) for event in state.events)


def action_text(state: SevensState, card: int) -> str:
    """What choosing a card would be, such as ``play ♥7`` or ``send ♠2 to seat 1``."""
    name = state.rules.pack.name(card)
    return f"send {name} to seat {state.receiver}" if state.decision == "send" else f"play {name}"


def header(rules: SevensRules, key: int, state: SevensState) -> Iterator[str]:
    """The rules and the deal."""
    changed = {k: v for k, v in rules.to_options().items() if v != SevensRules().to_options()[k]}
    yield f"game: sevens, rules: {', '.join(f'{k}={v}' for k, v in changed.items()) or 'default'}, key: {key}"
    for seat, hand in enumerate(state.hands):
        yield f"seat {seat} is dealt {cards_text(state, hand)}"


def full_text(rules: SevensRules, key: int) -> str:
    """A game with everything in every state."""
    state = first_state(rules, key)
    lines = list(header(rules, key, state))
    while True:
        lines += [
            "",
            f"# state after {state.actions} actions",
            f"phase {state.decision}, turn {state.turn}, current player {state.current_player}, "
            f"receiver {state.receiver}, senders {list(state.senders)}, "
            f"finished {list(state.finished)}, terminal {state.is_terminal}",
            f"table {table_text(state)}",
            *(f"hand {seat}: {cards_text(state, hand)}" for seat, hand in enumerate(state.hands)),
            f"returns {list(state.returns())}",
        ]
        if state.is_terminal:
            return "\n".join(lines) + "\n"
        seen = state.observation(state.current_player)
        lines.append(
            f"observed by {seen.player}: sizes {list(seen.sizes)}, own {cards_text(state, seen.hand)}"
        )
        lines.append(f"legal actions {list(state.legal_actions())}")
        for card in state.legal_actions():
            values = [f"{name.removeprefix('env.')} {value:g}" for name, value in sense(seen, card).items()]
            lines.append(f"  {action_text(state, card)}: {', '.join(values)}")
        action = action_of(state, key)
        state = state.apply(action)
        lines.append(f"action {action}: {events_text(state)}")


def short_text(rules: SevensRules, key: int) -> str:
    """A game with a line for each action: turn, sizes of hands, table, legal actions, and what happened."""
    state = first_state(rules, key)
    lines = list(header(rules, key, state))
    while not state.is_terminal:
        sizes = " ".join(str(len(hand)) for hand in state.hands)
        before = f"turn {state.turn} | {sizes} | {table_text(state)} | {state.decision}"
        legal = cards_text(state, state.legal_actions())
        state = state.apply(action_of(state, key))
        lines.append(f"{before} {legal} | {events_text(state)}")
    lines.append(
        f"finished {list(state.finished)}, stalled {state.is_stalled}, returns {list(state.returns())}"
    )
    return "\n".join(lines) + "\n"


def variant(name: str, text: str) -> tuple[str, str]:
    """The file name and content for one option value: the first game in which the value makes a difference."""
    rules = SevensRules.from_options({name: text})
    for key in range(1, 1000):
        content = short_text(rules, key)
        if content.splitlines()[1:] != short_text(SevensRules(), key).splitlines()[1:]:
            return f"sevens-{name.replace('_', '-')}-{text}.txt", content
    raise AssertionError(f"{name}={text} never makes a difference")


def test_default_rules() -> None:
    assert (FOLDER / "sevens.txt").read_text(encoding="utf-8") == full_text(SevensRules(), 1)


@pytest.mark.parametrize(("name", "text"), VARIANTS)
def test_option_value(name: str, text: str) -> None:
    filename, content = variant(name, text)
    assert (FOLDER / filename).read_text(encoding="utf-8") == content


def test_no_playthrough_is_left_over() -> None:
    expected = {"sevens.txt", *(variant(name, text)[0] for name, text in VARIANTS)}
    assert {path.name for path in FOLDER.glob("sevens*.txt")} == expected


if __name__ == "__main__":
    (FOLDER / "sevens.txt").write_text(full_text(SevensRules(), 1), encoding="utf-8")
    for option_name, option_text in VARIANTS:
        file_name, file_content = variant(option_name, option_text)
        (FOLDER / file_name).write_text(file_content, encoding="utf-8")
