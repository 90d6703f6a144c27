"""``gpkit doctor --game``: what is wrong with a game."""

import faulthandler
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from gpkit.cli import output
from gpkit.core.errors import EXIT_FINDINGS, EXIT_OK
from gpkit.core.plugins import file_of, is_named, shown_path
from gpkit.core.registry import game_of, name_game
from gpkit.core.rng import stream
from gpkit.core.timeouts import watched
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player, strategy_player
from gpkit.gamekit.view import Overlay, view_of
from gpkit.playing.match import deal_of
from gpkit.user_games.contract.examine import MEANINGS, Examined, examined
from gpkit.user_games.contract.findings import Breach
from gpkit.user_games.contract.game_under_test import subject_of
from gpkit.user_games.faults import explain_errors

ENOUGH = 0.2
"""Seconds that are measured."""

MOST = 1 << 16


def games_per_second(game: Game, rules: Any, seed: int, clock: Callable[[], float]) -> float:
    """Games that random players finish in a second, as matches and evolution play them.

    Args:
        game: the game.
        rules: its rules.
        seed: of the deals.
        clock: the time in seconds.
    """
    players = [strategy_player("random")] * game.players(rules)
    game.play(players, game.deal(stream(seed, "speed"), 1, rules), rules)  # compiles what is compiled
    deals = 1
    while True:
        dealt = game.deal(stream(seed, "speed"), deals, rules)
        start = clock()
        scores = game.play(players, dealt, rules)
        seconds = clock() - start
        if seconds >= ENOUGH or deals >= MOST:
            return scores.values.size / max(seconds, 1e-9)
        deals *= 4


PATIENCE = 1.5
"""Seconds that one call of a function of a game may take, and the lines of its file when it is imported."""

LAST_RESORT = 20.0
"""Seconds after which Python says where it is and ends, if a function cannot be interrupted."""

STANDARD_ERROR = 2

ACTIONS = 40
"""Actions on the way to a fault, as many as are printed."""


def page_board(game: Game, rules: Any, seed: int) -> str:
    """The way in which pages show the board of a game: its ``drawing``, its ``squares``, or as ``text``."""
    players, view = [Player("nobody")] * game.players(rules), view_of(game.name)
    state = game.begin(players, deal_of(game, rules, seed, 0), rules)
    if not view.board_svg(state, 0, [player.name for player in players], Overlay()):
        return "text"
    own = hasattr(getattr(state, "position", state), "board_svg") or game.first is None
    return "drawing" if own else "squares"


BOARDS = {
    "drawing": "as a picture of its own",
    "squares": "as a picture made from `squares`, as it has no `board_svg`",
    "text": "as text, as it has neither `board_svg` nor `squares`",
}
"""By what ``page_board`` finds what is said of it."""


def doctor_game(named: str, rules: Mapping[str, str], seed: int, *, as_json: bool) -> int:
    """Hold a game against the contract, and print what comes of it; the exit code.

    Raises:
        GuestError: the file cannot be imported.
        UsageError: there is no such game, or no such rules.
    """
    with _last_resort():
        with watched(PATIENCE, is_named):
            game = game_of(name_game(named))
        made = game.make_rules(rules)
        speed, board = None, ""
        with watched(PATIENCE, is_named):
            found = examined(subject_of(game, made), seed)
        if not found.findings:
            with explain_errors(game), watched(PATIENCE, is_named):
                board = page_board(game, made, seed)
        if not found.findings and game.first is not None:  # a game of one's own
            with explain_errors(game):
                speed = games_per_second(game, made, seed, time.perf_counter)
    if as_json:
        external = file_of(game.name)
        output.json_object(
            "gpkit/doctor-game/1",
            game=game.name,
            file=None if external is None else shown_path(external[0]),
            rules=rules,
            seed=seed,
            checks=list(MEANINGS),
            findings=found.findings,
            games=found.games,
            states=found.states,
            longest=found.longest,
            called_off=found.called_off,
            pairs_alike=found.alike,
            resample=found.dealt_anew,
            games_per_second=speed,
            board=board or None,
        )
    else:
        _print(game, seed, found, speed)
        if board:
            output.tell(f"Pages show the board {BOARDS[board]}.")
    return EXIT_FINDINGS if found.findings else EXIT_OK


@contextmanager
def _last_resort() -> Iterator[None]:
    """End this process with a traceback, should it hang in a function that cannot be interrupted."""
    faulthandler.dump_traceback_later(LAST_RESORT, exit=True, file=STANDARD_ERROR)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


def _print(game: Any, seed: int, found: Examined, speed: float | None) -> None:
    failed = {each.check for each in found.findings}
    asked = MEANINGS if found.games else failed  # all checks, unless no game could be played
    rows = [(name, "FAILS" if name in failed else "ok", MEANINGS[name]) for name in MEANINGS if name in asked]
    output.table(("check", "state", "asked"), rows, texts=("asked",))
    for finding in found.findings:
        output.say("")
        output.tell(f"{finding.member if finding.place is None else finding.place}: {finding.message}")
        output.tell(f"  {_again(finding, seed)}")
    output.say("")
    for fact in _facts(game, found, speed):
        output.tell(fact)


def _again(finding: Breach, seed: int) -> str:
    """The way to see a fault again."""
    known = " ".join(map(str, finding.actions[:ACTIONS]))
    more = f" ... ({len(finding.actions)} in all; --json has them)" if len(finding.actions) > ACTIONS else ""
    after = f"after the actions {known}{more}" if finding.actions else "in the first state"
    times = f"; seen {finding.times} times" if finding.times > 1 else ""
    return f"{after}: game {finding.number} of --seed {seed}{times}"


def _facts(game: Any, found: Examined, speed: float | None) -> Iterator[str]:
    called_off = f", {found.called_off} stopped early" if found.called_off else ""
    yield (
        f"{game.name}: {found.games} random games of at most {found.longest} actions{called_off}; "
        f"{found.states} states checked."
    )
    if found.dealt_anew or any(found.alike):
        alike = ", ".join(f"{count} by player {player}" for player, count in enumerate(found.alike))
        missing = "a method resample(rng, player) would redeal it"
        anew = "resample redeals it, too" if found.dealt_anew else missing
        yield f"Hidden information: pairs of states that look alike: {alike}; {anew}."
    elif found.observes:
        yield "Hidden information: none found; no two states look alike to a player."
    if speed is not None:
        yield f"Random players finish {speed:,.0f} games a second."
