"""What a person is shown follows the observation: in the terminal, on pages, in traces and in kept games."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from web_clients import guest

from gpkit.cli.main import main
from gpkit.core.registry import game_of, name_game
from gpkit.core.rng import below, stream
from gpkit.gamekit import view
from gpkit.gamekit.view import seen_action
from gpkit.playing.session import (
    GameSetup,
    Session,
    action_texts,
    conversation_of,
    trace_session,
    transcript_of,
)
from gpkit.user_games.contract.examine import examine
from gpkit.user_games.contract.game_under_test import subject_of
from gpkit.user_games.rules import WrappedState
from gpkit.web.play_table import PlayTable

FILE = Path(__file__).with_name("secrets_game.py")
SETTINGS = settings(max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture])
NAMES = re.compile(r"q\d\dz")


@pytest.fixture(autouse=True)
def folder(nobodys: None) -> None:
    """An empty folder to work in, in which the game is known."""
    name_game(str(FILE))


RULES = st.fixed_dictionaries(
    {
        "mode": st.sampled_from(["open", "revealed", "secret", "partial"]),
        "board": st.sampled_from(["none", "text", "squares", "svg"]),
        "counted": st.sampled_from(["yes", "no"]),
        "size": st.sampled_from(["2", "3", "4"]),
        "players": st.sampled_from(["2", "3"]),
        "resampled": st.sampled_from(["yes", "no"]),
    }
)


@dataclass
class Watched:
    """A person's game, and all names that the person has observed."""

    table: PlayTable
    known: set[str]

    def check(self, shown: Iterable[object], where: str) -> None:
        """Nothing is shown but what was observed."""
        found = set(NAMES.findall(" ".join(map(str, shown))))
        assert found <= self.known, where


def games(rules: dict[str, str], seat: int, seed: int, rivals: tuple[str, ...]) -> Iterator[Watched]:
    """A game in which a person chooses at random, each time before its choice."""
    opponents = tuple(rivals[place % len(rivals)] for place in range(int(rules["players"]) - 1))
    setup = GameSetup("secrets", opponents, rules, seat % int(rules["players"]), seed, 0)
    session = Session(conversation_of(setup, opponents), seed, 0)
    watched, rng = Watched(PlayTable(setup, opponents, session), set()), stream(seed, "person")
    while not session.state.is_terminal:
        for change in session.changes:
            watched.known |= set(NAMES.findall(repr(change.after.observation(session.conversation.seat))))
        yield watched
        legal = session.state.legal_actions()
        session.choose(legal[below(rng, len(legal))])


def transcript_text(setup: GameSetup, session: Session) -> str:
    """The text of the file that keeps a game."""
    return transcript_of(setup, action_texts(session), session.typed).to_json()


game_of_person = given(
    rules=RULES,
    seat=st.integers(0, 2),
    seed=st.integers(0, 999),
    rivals=st.permutations(["random", "low", "sly"]),
)


@pytest.mark.release
@SETTINGS
@game_of_person
def test_terminal_tells_what_is_observed(
    rules: dict[str, str], seat: int, seed: int, rivals: list[str]
) -> None:
    for watched in games(rules, seat, seed, tuple(rivals)):
        session = watched.table.session
        said, state = session.conversation, session.state
        watched.check([session.told, said.screen(state), said.question(state)], "terminal")
        watched.check(said.hint(state, session.deals), "hint")
    if rules["mode"] == "open":
        assert all(NAMES.search(line) for line in session.told)


@SETTINGS
@given(rules=RULES, seat=st.integers(0, 2), seed=st.integers(0, 999), last=st.integers(0, 3))
def test_traces_of_games_that_go_on_show_what_is_observed(
    rules: dict[str, str], seat: int, seed: int, last: int, capsys: pytest.CaptureFixture[str]
) -> None:
    for number, watched in enumerate(games(rules, seat, seed, ("random",))):
        if number != last:
            continue
        text = transcript_text(watched.table.setup, watched.table.session)
        Path("game.json").write_text(text, encoding="utf-8")
        for options in ([], ["--json"], ["--html", "game.html"]):
            assert main(["trace", "game.json", *options]) == 0
            shown = capsys.readouterr().out
            watched.check([shown, Path("game.html").read_text() if "--html" in options else ""], str(options))


@settings(SETTINGS, max_examples=2)
@given(rules=RULES, seat=st.integers(0, 2), seed=st.integers(0, 999))
def test_pages_show_what_is_observed(rules: dict[str, str], seat: int, seed: int, tmp_path: Path) -> None:
    client, site = guest(tmp_path)
    rival = "low, low" if rules["players"] == "3" else "low"
    query = {"seed": str(seed), "vs": rival, "seat": str(seat % int(rules["players"]))}
    query |= {f"rule.{name}": text for name, text in rules.items()}
    path = client.post("/play/secrets", params=query).headers["location"]
    table = site.tables.get(path.rpartition("/")[2])
    assert table is not None
    session, shown = table.session, client.get(path).text
    watched = Watched(table, set())
    for number in range(2):
        for change in session.changes:
            watched.known |= set(NAMES.findall(repr(change.after.observation(session.conversation.seat))))
        watched.check([shown, client.get(f"{path}/say/hint").text], "page")
        action = str(session.state.legal_actions()[0])
        form = {"turn": str(number), "action": action}
        shown = client.post(f"{path}/act", data=form, headers={"hx-request": "true"}).text
        if session.state.is_terminal:
            break


@pytest.mark.release
@SETTINGS
@game_of_person
def test_hints_are_the_same_in_states_that_look_alike(
    rules: dict[str, str], seat: int, seed: int, rivals: list[str]
) -> None:
    for watched in games({**rules, "resampled": "yes"}, seat, seed, ("sly",)):
        session = watched.table.session
        said, state = session.conversation, session.state
        others = [state, *state.worlds(said.seat)]
        assert len({said.advice(each, session.deals).actions for each in others}) == 1


@pytest.mark.release
@settings(SETTINGS, max_examples=3)
@given(rules=RULES, seed=st.integers(0, 999))
def test_the_contract_finds_nothing_but_who_peeks(rules: dict[str, str], seed: int) -> None:
    game: Any = game_of("secrets")
    found = examine(subject_of(game, game.make_rules(rules)), seed, 4, lambda: False)
    assert {(each.check, each.member) for each in found.findings} <= {("hidden", "opponent.sly")}
    assert min(found.alike) > 0


def test_secrets_are_open_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    rules = {"mode": "secret", "board": "text", "size": "2", "players": "2"}
    *_, watched = games(rules, 1, 5, ("low",))
    setup, session = watched.table.setup, watched.table.session
    hidden = set(session.state.position.played[0])
    assert len(hidden) == 2
    Path("game.json").write_text(transcript_text(setup, session), encoding="utf-8")
    assert main(["trace", "game.json"]) == 0
    assert repr(session.state.position.played) in capsys.readouterr().out
    words, played = session.conversation.view.words, session.played
    told = {what for each in played.moves[1:] for _, what in words.happened(each, played)}
    assert {f"q{card:02}z" for card in hidden} <= told


LEAKS = {
    "board_text": "return str(self.hands)",
    "board_svg": "return f'<svg>{self.hands}</svg>'",
    "squares": "return {card: (card, 0, 1 + sum(self.hands[0]), 1) for card in range(self.deck)}",
    "action_spots": "return {card: (card, 0, 1 + sum(self.hands[0]), 1) for card in self.legal_actions()}",
    "action_text": "return f'{name(action)} {sum(self.hands[0])}'",
    "question_text": "return str(self.hands)",
    "ending_text": "return str(self.played)",
    "decision": "return ('play', 'lay')[sum(self.hands[0]) % 2]",
    "legal_actions": "return sorted(card for hand in self.hands for card in hand)",
}
"""Bodies of methods that show what is hidden, one for each thing that a person is shown."""


@pytest.mark.parametrize("member", LEAKS)
@settings(SETTINGS, max_examples=1)
@given(rules=RULES, seed=st.integers(0, 999))
def test_the_contract_finds_what_shows_too_much(member: str, rules: dict[str, str], seed: int) -> None:
    arguments = {
        "board_text": ", player",
        "board_svg": ", player",
        "action_text": ", action",
    }
    marked = "    @property\n" if member == "decision" else ""
    method = f"{marked}    def {member}(self{arguments.get(member, '')}):\n        {LEAKS[member]}\n\n"
    text = FILE.read_text().replace("    def resample(", f"{method}    def resample(", 1)
    text = text.replace("players=2,", 'players=2, decisions=["play", "lay"],').replace(
        '"secrets"', f'"leak{seed}"'
    )
    Path(f"leak{seed}.py").write_text(text)
    game: Any = game_of(name_game(f"./leak{seed}.py"))
    made = game.make_rules({**rules, "mode": "secret", "board": "none"})
    found = examine(subject_of(game, made), seed, 2, lambda: False)
    assert ("hidden", member) in {(each.check, each.member) for each in found.findings}


@pytest.mark.parametrize(
    ("game", "rivals", "opening"),
    [("sevens", ("random",), ()), ("battleship", ("hunt",), ("r", "start")), ("mastermind", (), ())],
)
@settings(SETTINGS, max_examples=2)
@given(seed=st.integers(0, 999))
def test_traces_of_shipped_games_that_go_on_are_of_the_seat(
    game: str, rivals: tuple[str, ...], opening: tuple[str, ...], seed: int
) -> None:
    session = Session(conversation_of(GameSetup(game, rivals, {}, 0, seed, 0), rivals), seed, 0)
    for word in opening:
        session.answer(word)
    session.choose(session.state.legal_actions()[0])
    said = session.conversation
    for step in trace_session(session).steps:
        assert step.board() == said.view.board_text(step.after, said.seat, said.names)
        assert step.board() != said.view.board_text(step.after, None, said.names)


@dataclass(frozen=True)
class Many:
    """A state in which one player chooses one of many numbers, of which the other one sees a part."""

    count: int
    part: int
    chosen: int = -1
    current_player: int = 0
    is_terminal: bool = False

    def legal_actions(self) -> list[int]:
        """All numbers."""
        return [*range(self.count)]

    def apply(self, action: int) -> "Many":
        """After the choice."""
        return replace(self, chosen=action, current_player=1)

    def observation(self, player: int) -> tuple[int, ...]:
        """The number for who chose it, a part of it for the other player."""
        return (self.chosen if player == 0 else self.chosen // self.part,)


@given(count=st.integers(2, 1500), part=st.integers(1, 5), data=st.data())
def test_an_action_among_many_is_hidden_if_another_looks_the_same(
    count: int, part: int, data: st.DataObject
) -> None:
    action = data.draw(st.integers(0, count - 1))
    alike = [each for each in range(count) if each // part == action // part]
    said = seen_action(lambda _, each: str(each), "a hidden number", Many(count, part), action, 1)
    assert said == (str(action) if alike == [action] else "a hidden number")


class Limits(NamedTuple):
    """The rules that a state asks for."""

    longest: int = 99


@dataclass(frozen=True)
class Place:
    """A game of four choices between three ways, which meet again; where they lead, and what is seen, is drawn."""

    seed: int
    node: int = 0
    depth: int = 0
    decision = "go"

    @property
    def current_player(self) -> int:
        return self.depth % 2

    @property
    def is_terminal(self) -> bool:
        return self.depth == 4

    def legal_actions(self) -> list[int]:
        return [] if self.is_terminal else [0, 1, 2]

    def apply(self, action: int) -> "Place":
        leads = below(stream(self.seed, "leads", self.depth, self.node, action), 4)
        return Place(self.seed, leads, self.depth + 1)

    def observation(self, player: int) -> tuple[int, int]:
        return self.depth, below(stream(self.seed, "seen", self.depth, self.node, player), 3)


def written(_state: Any, action: int) -> str:
    return f"way {action}"


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 9999))
def test_whether_an_action_is_seen_follows_from_how_the_game_came_there(seed: int) -> None:
    """One state after the other, as if each were the first that somebody asks for."""
    first = Place(seed)
    states = [WrappedState(Limits(), first, 0, None, first=first)]  # type: ignore[arg-type]
    for _ in range(2):
        states = [state.apply(action) for state in states for action in range(3)]
    asked = [(state, action, player) for state in states for action in range(3) for player in range(2)]
    alone = []
    for each in asked:
        view._seen.cache_clear()
        alone.append(seen_action(written, "?", *each))
    assert [seen_action(written, "?", *each) for each in asked] == alone
