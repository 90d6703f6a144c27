"""What the commands that play matches share: their options, and agents and rules from what people name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import click
from click.core import ParameterSource

from gpkit.app.files import STANDARD_INPUT, program_paths, read_text
from gpkit.app.shipped import shipped_file, shipped_games, shipped_names
from gpkit.app.sources import language_for, offers_for
from gpkit.cli.options import WholeNumber
from gpkit.cli.output import note
from gpkit.cli.progress import Progress, announce_compilation
from gpkit.core.diagnostics import nearest, suggestion
from gpkit.core.errors import UsageError
from gpkit.core.primitives import Offers
from gpkit.core.registry import GAMES, LANGUAGES, find
from gpkit.core.rng import stream
from gpkit.games.game import Agent, Game
from gpkit.genomes.graph import RuleList
from gpkit.languages.language import Language
from gpkit.languages.rulegraph.checks import NAME as RULES
from gpkit.play.agents import agent_of_name, agent_of_source
from gpkit.play.match import Match

MAX_GAMES = 10_000_000
SHARES = ("win_share", "win_rate")
"""Metrics of which equal players have equal parts."""

COMPILE_SECONDS = 20
"""About how long the kernels of a game take to compile."""

programs_argument = click.argument("programs", nargs=-1, required=True, metavar="PROGRAM...")

games_option = click.option(
    "--games",
    type=WholeNumber(1, MAX_GAMES),
    default=10_000,
    show_default=True,
    help="Games of each match, rounded up to whole deals: every deal is played in every seat.",
)

exact_option = click.option(
    "--exact",
    is_flag=True,
    help="Compute the expected result over all positions or deals in place of playing games, where a game is small "
    "enough for that: dots_and_boxes on boards of up to 3x3 boxes, and mastermind.",
)

opponent_option = click.option(
    "--opponent",
    "opponents",
    multiple=True,
    metavar="OPPONENT",
    help="Sits in all other seats: a name, a program file, or name:argument such as pimc:100. May be given again, for "
    "a match each. Without it: the usual ones of the game.",
)

players_option = click.option(
    "--players", metavar="N", help="Seats at the table; short for --rules players=N."
)

rules_option = click.option(
    "--rules",
    metavar="KEY=VALUE",
    multiple=True,
    help="A rule of the game that differs, of those that `gpkit list rules` shows; may be given again.",
)


@dataclass(frozen=True, slots=True)
class Named:
    """What a person named: the player ``spec`` of a game, or a program file that was read and parsed."""

    spec: str
    source: Any = None
    language: Any = None


def read_named(
    specs: Sequence[str],
    language: str | None,
    dialect: Mapping[str, str] = MappingProxyType({}),
    *,
    game: str | None = None,
) -> list[Named]:
    """The players behind names: program files, files of folders, players of games, programs that come with gpkit.

    What is named twice counts once. A word that is a player or such a program is not looked up: a file or folder of
    that name is ``./NAME``.

    Args:
        specs: what was named.
        language: of files whose suffix does not say it.
        dialect: lines of the header that stand in place of those of the files.
        game: of ``--game``, for names that programs of several games have; without it the game of the others does.

    Raises:
        UsageError: a file cannot be read, a dialect is set for what has none, or a name is that of several programs.
        SourceError: a file does not parse.
        LimitError: a file is too large.
    """
    named: dict[str, Named | None] = {}
    for spec in specs:
        if _is_player(spec):
            if dialect:
                raise UsageError(f"--dialect is for program files; `{spec}` is a player and stays as it is")
            named[spec] = Named(spec)
        elif games := shipped_games(spec):
            unclear = game is None and len(games) > 1
            named[spec] = None if unclear else _read(spec, str(shipped_file(spec, game)), None, dialect)
        else:
            for path in program_paths([spec]):
                named[path] = _read(path, path, language, dialect) if _is_file(path) else Named(path)
    games_of_others = {each.source.header.get("game", "") for each in named.values() if each and each.source}
    (meant,) = games_of_others if len(games_of_others) == 1 else (None,)
    return [
        each or _read(spec, str(shipped_file(spec, meant)), None, dialect) for spec, each in named.items()
    ]


def _read(spec: str, path: str, language: str | None, dialect: Mapping[str, str]) -> Named:
    """A program file, which goes by the name ``spec``."""
    known = language_for(path, language)
    return Named(spec, in_dialect(known.parse(read_text(path), spec), dialect, known), known)


def in_dialect(source: Any, dialect: Mapping[str, str], language: Language) -> Any:
    """A source of a language as if its header had these lines.

    Raises:
        UsageError: there are some, and the language has no dialects.
    """
    if dialect and not language.switches:
        having = ", ".join(known.name for known in _languages() if known.switches)
        raise UsageError(
            f"--dialect is for programs in {having}; {source.filename} is in {language.name}, which has no dialects"
        )
    return replace(source, header={**source.header, **dialect})


def read_opponents(
    specs: Sequence[str], programs: Sequence[Named], language: str | None, *, game: str | None = None
) -> list[Named]:
    """As ``read_named``, for the opponents of programs.

    Raises:
        UsageError: standard input is named for both.
    """
    if STANDARD_INPUT in specs and any(each.spec == STANDARD_INPUT for each in programs):
        raise UsageError("standard input can be read once: name a file for the program or for the opponent")
    return read_named(specs, language, game=game)


def game_for(named: Sequence[Named], name: str | None) -> Game:
    """The game that these are for: the one of that ``name``, else of their headers, else the only one that fits.

    Raises:
        UsageError: there is no such game, they are for different games, or no game or several would do.
    """
    if name is not None:
        game: Game = find(GAMES, name, "game").load()
        return game
    headers = {
        each.source.header["game"]: each.spec
        for each in named
        if each.source and "game" in each.source.header
    }
    if len(headers) > 1:
        told = ", ".join(f"{spec} for {game}" for game, spec in headers.items())
        raise UsageError(f"programs for different games cannot meet: {told}")
    if headers:
        return game_for(named, next(iter(headers)))
    return _only_game(named)


def offers_of(named: Named, game: str | None = None) -> Offers | None:
    """What the game of a program file offers, the one of that name or of its header; None if nobody names one.

    In languages that need a game it is at least the only one that fits.

    Raises:
        UsageError: there is no such game, or one is needed and none fits, or several do.
    """
    if named.language.needs_game:
        return game_for([named], game).offers
    return offers_for(game, named.source.header)


def rules_of(named: Named) -> RuleList:
    """The list of rules of what was named.

    Raises:
        UsageError: it is no file of rules.
    """
    if named.source is None or named.source.program.language != RULES:
        raise UsageError(f"{named.spec}: expected a file of rules (.rules)")
    rules: RuleList = named.source.program
    return rules


def _only_game(named: Sequence[Named]) -> Game:
    """The game that has a player of every name and the sections of every program."""
    fitting = list(_games())
    for each in named:
        before, fitting = fitting, [game for game in fitting if _fits(each, game)]
        if not fitting:
            raise UsageError(_misfit(each, before))
    if len(fitting) > 1:
        names = ", ".join(game.name for game in fitting)
        raise UsageError(f"{named[0].spec} may be for {names}: name one with --game")
    return fitting[0]


def game_of(named: Named) -> Game | None:
    """The only game that fits a program without a header; None if none fits, or several do."""
    fitting = [game for game in _games() if _fits(named, game)]
    return fitting[0] if len(fitting) == 1 else None


def _fits(named: Named, game: Game) -> bool:
    if named.source is None:
        return named.spec.partition(":")[0] in _players(game)
    primitives = game.offers.get(named.language.name)
    return primitives is not None and set(named.source.program.names) == set(primitives.sections)


def _misfit(named: Named, games: Sequence[Game]) -> str:
    """Why this is for none of the games that the others left."""
    if named.source is None:
        close = nearest(
            named.spec, {name for game in games for name in (*_players(game), *shipped_names(game.name))}
        )
        mend = f"did you mean `{close}`?" if close is not None else "`gpkit list opponents` shows the players"
        return f"`{named.spec}` is neither a program file nor a player; {mend}"
    language = named.language.name
    same = [game for game in games if language in game.offers]
    if not same:
        told = ", ".join(f"those of {game.name} in {' or '.join(game.offers)}" for game in games)
        return f"{named.spec} is in {language}, and programs for the others that were named are not: {told}"
    needed = "; ".join(f"{game.name} has {', '.join(game.offers[language].sections)}" for game in same)
    return (
        f"{named.spec} has the sections {', '.join(named.source.program.names)} in {language}: that fits no game "
        f"({needed}). Say which it is for with --game or a first line such as // game: {same[0].name}"
    )


def seat(named: Named, game: Game) -> Agent:
    """The agent of what was named.

    Raises:
        UsageError: the game has no such player.
        SourceError: the program has an error for this game.
    """
    if named.source is None:
        return agent_of_name(named.spec, game)
    return agent_of_source(named.source, game, language=named.language)


def opponent(name: str, game: Game) -> Agent:
    """The agent of an opponent's name, or of a program file.

    Raises:
        UsageError: there is no such opponent, or its file cannot be read.
        SourceError: the file does not parse, or has an error for this game.
    """
    (named,) = read_named([name], None, game=game.name)
    return seat(named, game)


def seat_opponents(named: Sequence[Named], game: Game, rules: Any) -> list[Agent]:
    """The agents of the opponents that were named; if none were, the usual ones of the game."""
    return [seat(each, game) for each in named or map(Named, game.rivals(rules))]


def refuse_sampling(context: click.Context) -> None:
    """Check that nothing was said with ``--exact`` about games that would be played without it.

    Raises:
        UsageError: ``--games`` or ``--seed`` was given.
    """
    for name in ("games", "seed"):
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise UsageError(f"--exact plays no games, so --{name} has no meaning; leave one of the two out")


def options_of(players: str | None, rules: Sequence[str]) -> dict[str, str]:
    """The rules that ``--players`` and ``--rules`` set, as text.

    Raises:
        UsageError: one of them is not KEY=VALUE, or a rule is set twice.
    """
    options = {} if players is None else {"players": players}
    return _pairs("--rules", rules, options, example="players=4")


def dialect_of(switches: Sequence[str]) -> dict[str, str]:
    """The lines of headers that ``--dialect`` sets.

    Raises:
        UsageError: one of them is not KEY=VALUE, no language and no game has such a switch, or it is set twice.
    """
    if not switches:
        return {}  # without loading every game
    pairs = _pairs("--dialect", switches, {}, example="target=uniform")
    questions = [language.switches for language in _languages()]
    questions += [each.switches for game in _games() for each in game.offers.values()]
    known = ["dialect", "placement", *dict.fromkeys(switch.name for each in questions for switch in each)]
    for name in pairs:
        if name not in known:
            raise UsageError(f"--dialect {name}=…: there is no switch `{name}`; {suggestion(name, known)}")
    return pairs


def _pairs(option: str, texts: Sequence[str], known: Mapping[str, str], *, example: str) -> dict[str, str]:
    pairs = dict(known)
    for text in texts:
        key, equals, value = (part.strip() for part in text.partition("="))
        if not (key and equals and value):
            raise UsageError(f"{option} {text}: expected KEY=VALUE, such as {example}")
        if key in pairs:
            raise UsageError(f"`{key}` is set twice: {pairs[key]} and {value}")
        pairs[key] = value
    return pairs


def warm_up(game: Game, matches: Sequence[Match], rules: Any) -> None:
    """Play a match on no deals, so that compiling or loading the kernels is no part of what is timed later."""
    announce_compilation(f"the kernels of {game.name}", COMPILE_SECONDS)
    no_deals = game.deal(stream(0, "warm up"), 1, rules)[:0]
    game.play(matches[0].agents(game.players(rules)), no_deals, rules)


class GamesPlayed:
    """Shows how many of ``total`` games have been played; a callback for ``watch``."""

    def __init__(self, progress: Progress, total: int, what: str = "") -> None:
        self._progress, self._total, self._what = progress, total, what

    def __call__(self, played: int) -> None:
        share = min(played / self._total, 1.0)
        self._progress.update(f"{self._what}{played:,} games, {share:.0%}")


def tell_table(game: Game, rules: Any, seed: int) -> None:
    """Say on standard error what is played."""
    players = game.players(rules)
    even = f"; an even share is {1 / players:.3f}" if game.metric(rules).name in SHARES else ""
    seats = f"{players} players" if game.seatings(rules) > 1 else "one player"
    note(f"{game.name}: {seats}, seed {seed}{even}")


def _is_file(spec: str) -> bool:
    """Whether this is meant as a file, be it there or not."""
    path = Path(spec)
    if spec == STANDARD_INPUT or "/" in spec or path.suffix in {entry.suffix for entry in LANGUAGES}:
        return True
    return not _is_player(spec) and (path.suffix != "" or path.exists())


def _is_player(spec: str) -> bool:
    return any(spec.partition(":")[0] in _players(game) for game in _games())


def _games() -> list[Game]:
    return [entry.load() for entry in GAMES]


def _languages() -> list[Language]:
    return [entry.load() for entry in LANGUAGES]


def _players(game: Game) -> tuple[str, ...]:
    return (*game.opponents, *game.builtins, *game.placements)
