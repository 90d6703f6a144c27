"""Findings of ``gpkit doctor``: about the installation, and about a game that gpkit checks by playing it."""

import faulthandler
import os
import platform
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path

from gpkit.api.games import name_of
from gpkit.api.kinds import GameLike
from gpkit.api.progress import seconds, shell
from gpkit.core.errors import EXIT_FINDINGS, EXIT_OK, GpkitError, UsageError
from gpkit.core.layout import Sheet, Table, Tabular
from gpkit.core.plugins import is_named
from gpkit.core.registry import DEFAULT_LANGUAGE, GAMES, data_folder, game_of
from gpkit.core.rng import below, stream
from gpkit.core.timeouts import countdown, watched
from gpkit.core.wording import DISTRIBUTION, VERSION, install_command
from gpkit.export.lua.hosts import hosts
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player, strategy_player
from gpkit.gamekit.view import Overlay
from gpkit.playing.contest import deal_of
from gpkit.playing.players import player_of_name, player_of_text
from gpkit.playing.trace import steps_from, trace_game
from gpkit.user_games.cards import has_cards
from gpkit.user_games.contract.examine import Examined, examined
from gpkit.user_games.contract.findings import Breach
from gpkit.user_games.contract.game_under_test import subject_of
from gpkit.user_games.faults import explain_errors

OK, MISSING, NOT_INSTALLED = "ok", "MISSING", "not installed"


@dataclass(frozen=True, slots=True)
class Installed(Tabular):
    """A finding about one item that gpkit checked, such as a package.

    Attributes:
        subject: the name of the item that gpkit checked.
        ok: whether gpkit can work with the item as it is.
        state: its state in one or two words: ``OK``, ``MISSING``, ``NOT_INSTALLED`` (but not needed), or, for kernels,
            damaged, not kept or refused.
        found: a description of the item that gpkit found, such as its version.
    """

    subject: str
    ok: bool
    state: str
    found: str

    def __str__(self) -> str:
        """The finding as one line."""
        return f"{self.subject}: {self.state}, {self.found}"


class Installation(Table[Installed]):
    """Findings about the installation, one for each item that gpkit checked."""

    @property
    def exit_code(self) -> int:
        """The exit code: 1 if something that gpkit needs is missing or unusable."""
        return EXIT_OK if all(each.ok for each in self) else EXIT_FINDINGS

    def to_json(self) -> dict[str, object]:
        """The findings as JSON values."""
        return {"findings": [*self]}

    def told(self) -> Iterator[str | Sheet]:
        """The findings as a table, with ``~`` for the home folder, so each path fits on a line."""
        home = os.path.expanduser("~")  # noqa: PTH111 - Path.home() fails where there is none
        has_home = os.path.isabs(home) and home != os.sep  # noqa: PTH117
        away = (f"{home}{os.sep}", f"~{os.sep}") if has_home else ("", "")
        rows = [(each.subject, each.state, each.found.replace(*away)) for each in self]
        yield Sheet(("subject", "state", "found"), rows, texts=("found",))


def examine() -> Installation:
    """The findings about this installation."""
    data = [_data(name) for name in ("grammars", "programs")]
    return Installation(
        [
            _well("gpkit", f"{VERSION} in {Path(__file__).parents[1]}"),
            _well("Python", f"{platform.python_version()} ({platform.python_implementation()})"),
            _well("system", f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"),
            *(*_packages(), *data, _kernels(), _pictures(), _lua()),
        ]
    )


def _packages() -> list[Installed]:
    """The packages that the distribution requires; packages of its extras may be missing."""
    try:
        requirements = metadata.requires(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        return [_missing(DISTRIBUTION, "not installed, so its requirements are unknown: pip install -e .")]
    extras_of: dict[str, list[str]] = {}  # by package; empty for what all need
    for requirement in requirements:
        name = re.split(r"[^\w.-]", requirement, maxsplit=1)[0]
        extra = re.search(r"extra == ['\"](\w+)['\"]", requirement)
        extras_of.setdefault(name, []).append(extra[1] if extra else "")
    sizes = Counter(extra for extras in extras_of.values() for extra in extras)
    findings = []
    for name, extras in extras_of.items():
        try:
            findings.append(_well(name, metadata.version(name)))
        except metadata.PackageNotFoundError:
            if "" in extras:
                findings.append(_missing(name, "not installed"))
            else:
                smallest = min(extras, key=lambda extra: (sizes[extra], extra))
                findings.append(Installed(name, True, NOT_INSTALLED, install_command(smallest)))
    return findings


def _data(name: str) -> Installed:
    folder = data_folder(name)
    files = sum(1 for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else 0
    found = f"{files} files in {folder}"
    return _well(name, found) if files else _missing(name, found)


def _kernels() -> Installed:
    """The compiled kernels on disk; gpkit checks every one."""
    try:
        from gpkit.core.compiled import COMPILED, condition, kernel_folder
    except ImportError as error:
        return _missing("kernels", str(error))
    if not COMPILED:
        return _well("kernels", "run as Python, because NUMBA_DISABLE_JIT is set")
    folder = kernel_folder()
    try:
        kept, why_not = condition(folder), folder.why_nothing_is_kept()
    except GpkitError as error:
        return Installed("kernels", False, "refused", str(error))
    if kept.damaged:
        total = kept.damaged + kept.intact
        found = f"{kept.damaged} of {total}: compiled again when needed, in {folder.path}"
        return Installed("kernels", True, "damaged", found)
    if why_not and not kept.intact:
        found = f"every command that plays games compiles them again: {why_not}"
        return Installed("kernels", True, "not kept", found)
    if kept.intact:
        return _well("kernels", f"{kept.intact} compiled, in {folder.path}")
    return _well(
        "kernels", f"not compiled yet: the first command that plays games will do it, in {folder.path}"
    )


def _pictures() -> Installed:
    """The renderer that gpkit would use, tested with a graph of one node."""
    try:
        from gpkit.show.render import render_dot, renderers

        render_dot("graph { a }", "svg")
    except (GpkitError, ImportError) as error:
        return _missing("pictures", str(error))
    return _well("pictures", ", else ".join(f"{r.name} {r.detail}" for r in renderers()))


def _lua() -> Installed:
    """The Lua versions in which exported code can be checked."""
    try:
        return _well("Lua", ", ".join(host.name for host in hosts()))
    except UsageError as error:
        return Installed("Lua", True, NOT_INSTALLED, f"exported Lua cannot be run here: {error}")


def _well(subject: str, found: str) -> Installed:
    return Installed(subject, True, OK, found)


def _missing(subject: str, found: str) -> Installed:
    return Installed(subject, False, MISSING, found)


ENOUGH = 0.2
"""The number of seconds for which gpkit measures the speed."""

MOST = 1 << 16

TWINS_FOR = 2.0
"""The seconds after the first comparison (which also compiles) during which gpkit compares more sensors with twins."""

PATIENCE = 1.5
"""The maximum number of seconds for one call of a game's function, and for running the lines of its file at import."""

LAST_RESORT = 60.0
"""The seconds after which Python prints a traceback and exits, if a function cannot be interrupted."""

STANDARD_ERROR = 2


def examined_game(meant: GameLike, texts: Mapping[str, str], seed: int) -> Examined:
    """Check a game against the contract; the shell also measures the speed of a user's game that has no faults.

    Args:
        meant: the game.
        texts: the rules of the game, as strings by option name.
        seed: the seed of the games that gpkit plays.

    Raises:
        GuestError: the file cannot be imported.
        UsageError: there is no such game, or no such rules.
    """
    with _last_resort(meant):
        with watched(PATIENCE, is_named):
            game: Game = game_of(name_of(meant) or "")
        rules = game.make_rules(texts)
        speed, board = None, None
        with watched(PATIENCE, is_named):
            found = examined(replace(subject_of(game, rules), steps=steps_from(game, rules)), seed)
        if not found.findings:
            with explain_errors(game):
                with watched(PATIENCE, is_named):
                    board = page_board(game, rules, seed)
                if game.is_of_states and seconds():
                    speed = games_per_second(game, rules, seed)
    if not found.findings and not game.is_of_states and DEFAULT_LANGUAGE in game.offers:
        with (
            _last_resort(game.name),
            explain_errors(game),
            watched(PATIENCE, is_named),
        ):
            unlike, compared = unlike_twins(game, rules, seed)
        found = replace(
            found,
            findings=unlike,
            twins_compared=compared,
            twins=len(game.offers[DEFAULT_LANGUAGE].sensors),
        )
    return replace(found, game=game.name, rules=texts, seed=seed, games_per_second=speed, board=board)


@contextmanager
def _last_resort(game: object) -> Iterator[None]:
    """End the shell's process with a traceback if it hangs in a function that cannot be interrupted.

    gpkit's own games have no such limit, because they may compile for longer.
    """
    if shell() is None or any(each.name == game for each in GAMES):
        yield
        return
    faulthandler.dump_traceback_later(LAST_RESORT, exit=True, file=STANDARD_ERROR)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


def unlike_twins(game: Game, rules: object, seed: int) -> tuple[tuple[Breach, ...], int]:
    """Return the sensors whose compiled version decides a game differently, and the number of sensors compared.

    For each sensor, a program plays twice: once for the sensor's highest values and once for its lowest. The seed
    decides which sensor comes first. gpkit starts no new comparison more than ``TWINS_FOR`` seconds after the first
    one.
    """
    deals = deal_of(game, rules, seed, 0)
    rivals = (player_of_name(game.rivals(rules)[0], game),) * (game.players(rules) - 1)
    primitives = game.offers[DEFAULT_LANGUAGE]
    first = below(stream(seed, "twins"), len(primitives.sensors))
    left, found, compared = countdown(None), [], 0
    for sensor in (*primitives.sensors[first:], *primitives.sensors[:first]):
        if left() <= 0:
            break
        for value in (sensor.name, f"-{sensor.name}"):
            lines = [f"{section}: {value}" for section in primitives.sections]
            program = player_of_text("\n".join(lines), game, filename="sensor", language=DEFAULT_LANGUAGE)
            *_, last = trace_game(game.name, (program, *rivals), deals, rules).steps
            score = game.play((program, *rivals), deals, rules).values[0, 0]
            if score != last.score:
                message = (
                    f"`{'; '.join(lines)}` scores {score:g} in the compiled game and {last.score:g} in the "
                    "readable one"
                )
                found.append(Breach("twins", sensor.name, None, message, 0, ()))
        compared += 1
        if compared == 1:
            left = countdown(TWINS_FOR)
    return tuple(found), compared


def games_per_second(game: Game, rules: object, seed: int) -> float:
    """The number of games per second that random players finish with the code used in matches and evolution."""
    players = [strategy_player("random")] * game.players(rules)
    game.play(players, game.deal(stream(seed, "speed"), 1, rules), rules)  # compiles what is compiled
    deals = 1
    while True:
        dealt = game.deal(stream(seed, "speed"), deals, rules)
        start = seconds()
        scores = game.play(players, dealt, rules)
        spent = seconds() - start
        if spent >= ENOUGH or deals >= MOST:
            return scores.values.size / max(spent, 1e-9)
        deals *= 4


def page_board(game: Game, rules: object, seed: int) -> str:
    """The form in which pages show the board of a game: ``drawing``, ``cards``, ``squares`` or ``text``."""
    players, view = [Player("nobody")] * game.players(rules), game.view
    state = game.begin(players, deal_of(game, rules, seed, 0), rules)
    if not view.board_svg(state, 0, [player.name for player in players], Overlay()):
        return "text"
    own = hasattr(getattr(state, "position", state), "board_svg") or not game.is_of_states
    return "drawing" if own else "cards" if has_cards(state) else "squares"
