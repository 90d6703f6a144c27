"""The work behind ``gpkit.roster``: searches, the choice of a chain, held-out games, and the files of the levels."""

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import combinations, pairwise, permutations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gpkit.analysis.levels import (
    HIGH,
    LOW,
    MARGIN,
    MOST,
    Level,
    Meetings,
    Roster,
    adds,
    chain,
    reads,
    sentence,
)
from gpkit.api.described_runs import described
from gpkit.api.evolving import evolve
from gpkit.api.progress import begun, remark
from gpkit.core.errors import UsageError
from gpkit.core.plain_files import write_plain
from gpkit.core.primitives import RANDOM
from gpkit.core.registry import LEVELS, TABLE, all_games, language_entry
from gpkit.core.rng import stream
from gpkit.core.statistics import Interval, mean_interval
from gpkit.core.work_folder import is_run
from gpkit.export.exported import exports_of, subject_of
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.genomes.graph import RuleList
from gpkit.genomes.tree import TreeProgram, leaf
from gpkit.playing.evaluation import TrainingSetup
from gpkit.playing.named import Named, opponent
from gpkit.playing.players import player_of_program, shipped_players
from gpkit.show.game_pages import roster_page

SEARCHES = 2
"""The number of searches: the champion of each joins the opponents of the next."""

NODES, CHILDREN, DEALS = 25, 100, 20
"""The maximum number of nodes in a level; the number of children in a generation; its deals against each opponent."""

RATED, STRONGEST, FEW = 300, 10, 40
"""The number of rating games of a program against each opponent; the number of best programs that play each other; the
number of games for players that search, which are slow."""

SEARCHING, PAIRING, ENDING = 0.5, 0.25, 0.15
"""The shares of the games that go into the searches, into the table of pairs, and into the held-out games."""

OTHER, NEAREST, SECONDS, SHARPER = 0.2, 5, 2, 4
"""For second programs: the least share of states, the number of programs that are tried, the number of levels, and the
factor by which they play more held-out games against their level than levels against each other."""

HALVINGS, LEAST_CHANCE = 10, 1e-5
"""The number of steps in the search for a noisy program as strong as a level, and the least chance that it tries."""

SCHEMA = "gpkit.roster/1"
"""The schema of the folder of a roster."""

PAGE, LUA, NOISE = "levels.html", "roster.lua", "noise"
"""The files beside the folder of the levels, and the folder of the programs with noise."""


class Graded(NamedTuple):
    """A game whose levels are made, with its rules, and the language and the header of the programs."""

    game: Game
    rules: Any
    options: Mapping[str, str]
    language: Any
    header: Mapping[str, str]
    seed: int


def budget_of(run: Graded, met: Meetings, minutes: float) -> int:
    """The number of games that this machine plays in this many minutes, estimated from its speed in a few games."""
    pair, games, clock = (at_random(met.game), at_random(met.game)), 0, begun()
    met.duels([pair], run.seed, 1)
    start = clock()
    while clock() - start < 1.0:
        games = max(2 * games, met.seats)
        met.duels([pair], run.seed, games)
    return int(float(f"{120.0 * minutes * games / (clock() - start):.1e}"))


def planned(met: Meetings, budget: int) -> dict[str, int]:
    """The sizes of the searches, of the table of pairs and of the held-out games for a total number of games."""
    a_generation = CHILDREN * DEALS * met.game.seatings(met.rules) * (len(met.rivals) + 1)
    candidates = min(100, max(10, int((PAIRING * budget / 100) ** 0.5)))
    plan = {
        "generations": min(400, max(2, round(SEARCHING * budget / SEARCHES / a_generation))),
        "candidates": candidates,
        "paired": min(1_000, max(100, int(2 * PAIRING * budget / candidates**2))),
        "games": min(10_000, max(600, int(ENDING * budget / 150))),
    }
    searches = f"{SEARCHES} searches of {plan['generations']} generations, "
    remark(
        f"{budget:,} games: {searches if TreeProgram.language in met.game.offers else ''}{candidates} candidates, and "
        f"{plan['games']:,} held-out games of each pair of levels"
    )
    return plan


def subject(what: Any, game: Any, seed: int) -> Graded:
    """The subject of a configuration, or of a game whose programs are rule lists.

    Raises:
        UsageError: the programs of the run are neither formulas nor rule lists.
    """
    named = next((each.load() for each in all_games() if each.name in (what, game)), None)
    if named is not None and [*named.offers] == [RuleList.language]:
        return Graded(named, named.make_rules({}), {}, language_entry(RuleList.language).load(), {}, seed)
    run = described(what, {}, seed=seed, game=game)
    if not run.config.game or run.language.name != TreeProgram.language:
        raise UsageError(
            "levels are formulas of a game: name a preset or a configuration whose programs are in arithmetic"
        )
    return Graded(run.game, run.rules, run.options, run.language, run.header, run.config.seed)


def sublists(run: Graded, number: int) -> list[RuleList]:
    """Parts of the game's rule lists: a random number of groups of each list's rules, in the order of the list."""
    rng, found = stream(run.seed, "roster", 0), list[RuleList]()
    for player in shipped_players(run.game):
        groups = player.program.groups()
        for _ in range(number if len(player.program) <= NODES else 0):
            size = int(rng.integers(1, len(groups) + 1))
            places = np.sort(rng.choice(len(groups), size, replace=False))
            found.append(player.program.only(groups[place] for place in places))
    return found


def searched(
    what: Any, game: Any, run: Graded, met: Meetings, plan: Mapping[str, int], folder: Path, workers: Any
) -> tuple[list[Any], list[str]]:
    """The programs from the maps that the searches fill, and the files of their champions.

    Rule lists are not searched for; their programs are parts of the game's rule lists.
    """
    if run.language.name == RuleList.language:
        return sublists(run, 4 * plan["candidates"]), []
    metric, opponents = met.game.metric(met.rules), list(met.game.rivals(met.rules))
    low, high = sorted(metric.direction * end for end in metric.support)
    settings: dict[str, Any] = {
        "limits": {"size": NODES},
        "bloat": {"penalty": 0.0},
        "scheme": {"name": "map-elites"},
        "map": {"score": [low, high, 40], "sensors": [0, 9, 9], "size": [1, NODES + 1, 5]},
        "population": {"size": CHILDREN},
        "islands": {"count": 1},
        "race": {"first": 0},
        "refinement": {"rounds": 0, "finish": False},
    }
    programs, champions = list[Any](), list[str]()
    for number in range(SEARCHES):
        place = folder / f"search-{number + 1}"
        fitness = {"opponents": [*opponents, *champions], "deals": DEALS, "validation_deals": 10 * DEALS}
        settings["fitness"] = {**fitness, "fresh": False, "exact": False}
        champion, ended = evolve(
            what,
            game=game,
            seed=run.seed + number,
            generations=plan["generations"],
            settings=settings,
            folder=place,
            resume=is_run(place),
            workers=workers,
        )
        assert ended.archive is not None, "the scheme fills a map"
        each_found = [champion, *(each.program for each in ended.archive.elites)]
        programs += [each.named.source.program for each in each_found]
        if not metric.alone:  # where nobody is an opponent
            champions.append(str(place / "best" / "champion.tree"))
    return programs, champions


def candidates_of(
    run: Graded, met: Meetings, programs: Iterable[Any], champions: Sequence[str]
) -> list[Player]:
    """The programs that can be levels, weakest first, rated by games against the opponents of the searches.

    Such programs read sensors or have named rules, draw no random numbers, and have at most ``NODES`` nodes or rules.
    The programs that come with the game are included.
    """
    found: dict[Any, Player] = {}
    made = (player_of_program(each, met.game, "", run.header) for each in programs)
    for player in (*made, *shipped_players(met.game)):
        program = player.program
        if (
            getattr(program, "language", "") == run.language.name
            and program.names == met.game.offers[run.language.name].sections
            and len(program) <= NODES
            and reads(player)
            and not any(tree.draws for tree in getattr(program, "trees", ()))
            and not getattr(program, "functions", ())
        ):
            found.setdefault(program, replace(player, name=f"candidate {len(found)}"))
    anchors = [*met.rivals, *(opponent(each, met.game) for each in champions)]
    ratings = met.ratings([*found.values()], anchors, _seed(run, 1), RATED)
    players = [[*found.values()][place] for place in np.argsort(ratings, kind="stable")]
    best = players[-STRONGEST:]
    pairs = list(permutations(best, 2))
    shares = met.duels(pairs, _seed(run, 2), 2 * RATED)
    won = {each.name: 0.0 for each in best}
    for (each, _), (by_deal, _) in zip(pairs, shares, strict=True):
        won[each.name] += float(by_deal.mean())
    return [*players[:-STRONGEST], *sorted(best, key=lambda each: won[each.name])]


def at_random(game: Game) -> Player:
    """The player below the first level: the game's ``random``, or a program that values actions at random."""
    if "random" in game.opponents:
        return opponent("random", game)
    sections = game.offers[TreeProgram.language].sections
    return player_of_program(TreeProgram(sections, tuple(leaf(RANDOM) for _ in sections)), game, "random")


def _seed(run: Graded, number: int) -> int:
    """The seed for the games of one stage of the work."""
    return int(stream(run.seed, "roster", number).integers(2**31))


def chosen(run: Graded, met: Meetings, players: Sequence[Player], plan: Mapping[str, Any]) -> list[Player]:
    """The ladder: the first of the players, which plays at random, and then the players of the levels.

    The last player of the ladder is among the strongest players. Each step, and a sensor that explains it, is confirmed
    in games outside the table of pairs. If a step is not confirmed, it is excluded, and the chain is computed again.

    Args:
        run: the run that provides the seed.
        met: the object that plays the games between players.
        players: the candidates, weakest first.
        plan: the sizes of the parts of the work.
    """
    pairs = [(upper, lower) for lower, upper in combinations(range(len(players)), 2)]
    low, high, even = (met.share(each) for each in (LOW + MARGIN, HIGH - MARGIN, 0.5))
    duels = met.duels([(players[a], players[b]) for a, b in pairs], _seed(run, 3), plan["paired"])
    shares = {pair: float(by_deal.mean()) for pair, (by_deal, _) in zip(pairs, duels, strict=True)}
    tried: dict[tuple[int, int], bool] = {}

    def holds(upper: int, lower: int) -> bool:
        one, other = players[upper], players[lower]
        ((by_deal, _),) = met.duels([(one, other)], _seed(run, 4), 2 * plan["games"])
        if not low <= float(by_deal.mean()) <= (high if lower else 1.0):
            return False
        found = drops(met, one, other, _seed(run, 4), plan["games"])
        return any(each.low > 0.0 for each in found.values())

    def adding(upper: int, lower: int) -> bool:
        return adds(players[upper], players[lower])

    def allows(upper: int, lower: int) -> bool:
        return tried.get((upper, lower), True)

    while True:
        found = chain(shares, len(players), STRONGEST, (low, high, even), allows, adding)
        new = [(upper, lower) for lower, upper in pairwise(found) if (upper, lower) not in tried]
        if not new:
            return [players[each] for each in (*found[:1], *found[1:][-plan["levels"] :])]
        tried |= {step: holds(*step) for step in new}


def drops(
    met: Meetings, upper: Player, lower: Player, seed: int, games: int, names: Sequence[str] | None = None
) -> dict[str, Interval]:
    """The share of games lost when a sensor is fixed at its mean, for these sensors (default: all), largest first."""
    means = met.means(upper, lower, seed)
    held = {name: met.held(upper, name, means[name]) for name in names or sorted(means)}
    (usual, _), *others = met.duels([(each, lower) for each in (upper, *held.values())], seed, games)
    found = {name: mean_interval(usual - less) for name, (less, _) in zip(held, others, strict=True)}
    return dict(sorted(found.items(), key=lambda pair: -pair[1].mean))


def made(
    run: Graded, what: Any, game: Any, plan: Mapping[str, Any], folder: Path, workers: Any, noise: bool
) -> Roster:
    """The levels of a game: the searches, the choice, the held-out games, second programs, and noise."""
    met = Meetings.of(replace(run.game, courses=None), run.rules)
    programs, champions = searched(what, game, run, met, plan, folder, workers)
    rated = candidates_of(run, met, programs, champions)
    spaced = np.unique(np.linspace(0, len(rated) - 1, plan["candidates"]).round().astype(int))
    players = [rated[place] for place in spaced]
    ladder = chosen(run, met, [at_random(met.game), *players], plan)
    found = held_out(run, Meetings.of(run.game, run.rules), ladder, plan["games"])
    levels = seconded(run, met, found, ladder, players, plan)
    for place in range(len(levels) - 1) if noise else ():
        levels[place] = replace(levels[place], noisy=noisy(run, met, levels[place], ladder, found.games))
    return replace(found, levels=tuple(levels))


def seconded(
    run: Graded,
    met: Meetings,
    roster: Roster,
    ladder: Sequence[Player],
    players: Sequence[Player],
    plan: Mapping[str, Any],
) -> list[Level]:
    """The levels; the ones with the most candidates also get a second program if one qualifies.

    A second program wins as often as the level, but decides differently in at least ``OTHER`` of the states, and has
    another sentence, whose sensors are checked like those of levels. For each level, one program is chosen in the games
    that chose the levels, and then tested in games not used in the choice.
    """
    even, found = met.share(0.5), list[Level]()

    def equal(player: Player, level: Level, seed: int, games: int) -> Interval | None:
        """The share of a player against a level, if its interval includes an even share; otherwise None."""
        ((by_deal, courses),) = met.duels([(player, level.player)], seed, games)
        share = mean_interval(by_deal, support=(0.0, 1.0), courses=courses)
        return share if share.low <= even <= share.high else None

    for level, lower in zip(roster.levels, ladder, strict=False):
        best, most = None, OTHER
        others = [each for each in players if each not in ladder]
        duels = met.duels([(each, level.player) for each in others], _seed(run, 4), plan["paired"])
        away = [abs(float(by_deal.mean()) - even) for by_deal, _ in duels]
        for place in np.argsort(away, kind="stable")[:NEAREST]:
            if equal(others[place], level, _seed(run, 4), roster.games):
                differs = met.disagreement(others[place], level.player, _seed(run, 4))
                best, most = (others[place], differs.mean) if differs.mean > most else (best, most)
        share = best and equal(best, level, roster.seed, SHARPER * roster.games)
        if best is None or share is None:
            continue
        differs = met.disagreement(best, level.player, roster.seed)
        kept = _kept(run, met, lower, best, roster.seed, roster.games)
        if kept and differs.mean >= OTHER and {*kept} != {*level.drops}:
            text = sentence([*kept], [], _meanings(met))
            found.append(Level(level.number, best, text, share, kept, adds(best, lower), differs=differs))
    found.sort(key=lambda each: -each.differs.mean if each.differs else 0.0)
    seconds = {each.number: each for each in found[:SECONDS]}
    return [replace(each, second=seconds.get(each.number)) for each in roster.levels]


def noisy(run: Graded, met: Meetings, level: Level, ladder: Sequence[Player], games: int) -> Level | None:
    """The top of a ladder with as many random actions as it takes to win as often as a level; None if that fails."""
    top, lower = ladder[-1], ladder[level.number - 1]

    def wins(player: Player, number: int) -> Any:
        ((by_deal, _),) = met.duels([(player, lower)], _seed(run, number), games)
        return by_deal

    low, high, wanted = LEAST_CHANCE, 1.0, wins(level.player, 6).mean()
    for _ in range(HALVINGS):
        chance = (low * high) ** 0.5
        low, high = (chance, high) if wins(met.noisy(top, chance), 6).mean() > wanted else (low, chance)
    player = met.noisy(top, high)
    share = mean_interval(wins(player, 5), support=(0.0, 1.0))
    if not share.low <= level.share.mean <= share.high:
        return None
    noise = met.noise(player, lower, high, _seed(run, 5))
    text = f"chooses {noise:.0%} of its actions at random, otherwise like level {len(ladder) - 1}"
    return Level(level.number, player, text, share, {}, adds=False, noise=noise)


def _meanings(met: Meetings) -> dict[str, str]:
    offered = met.game.offers.get(TreeProgram.language)
    return {each.name: each.meaning for each in offered.sensors} if offered else {}


def held_out(run: Graded, met: Meetings, ladder: Sequence[Player], games: int) -> Roster:
    """The levels above the first player of a ladder, with shares and sentences from games not used in the choice."""
    seed = _seed(run, 5)
    places, even = range(len(ladder)), met.share(0.5)
    pairs = [(a, b) for a in places for b in places if a != b]
    duels = dict(zip(pairs, met.duels([(ladder[a], ladder[b]) for a, b in pairs], seed, games), strict=True))
    meanings = _meanings(met)
    kept = [_kept(run, met, *step, seed, games) for step in pairwise(ladder)]
    levels = []
    for number, (lower, upper) in enumerate(pairwise(ladder), 1):
        unseen = [name for name in (kept[number] if number < len(kept) else ()) if name not in reads(upper)]
        by_deal, courses = duels[number, number - 1]
        share = mean_interval(by_deal, support=(0.0, 1.0), courses=courses)
        text = sentence([*kept[number - 1]], unseen, meanings)
        levels.append(Level(number, upper, text, share, kept[number - 1], adds(upper, lower)))
    return Roster(
        met.game.name,
        dict(run.options),
        seed,
        games,
        tuple(levels),
        tuple(tuple(even if a == b else float(duels[a, b][0].mean()) for b in places) for a in places),
        _others(met, ladder[len(ladder) // 2], seed, games) if levels else {},
        (met.share(LOW), met.share(HIGH), even, met.share(MOST)),
    )


def _kept(
    run: Graded, met: Meetings, lower: Player, upper: Player, seed: int, games: int
) -> dict[str, Interval]:
    """The sensors for a level's sentence, chosen in other games; first those that the level below does not read."""
    chosen_by = drops(met, upper, lower, _seed(run, 4), games)
    named = [name for name, each in chosen_by.items() if each.low > 0.0]
    named = sorted(named, key=reads(lower).__contains__)[:2]
    found = drops(met, upper, lower, seed, games, named) if named else {}
    return {name: found[name] for name in named if found[name].low > 0.0}


def _others(met: Meetings, level: Player, seed: int, games: int) -> dict[str, float]:
    """The score share of each other player of the game against a level, strongest first."""
    found = dict[str, float]()
    for name in (*met.game.programs, *met.game.builtins):
        with suppress(UsageError):  # some players only play by other rules
            other = opponent(name, met.game)
            ((by_deal, _),) = met.duels([(other, level)], seed, FEW if other.is_slow else games)
            found[name] = float(by_deal.mean())
    return dict(sorted(found.items(), key=lambda pair: -pair[1]))


def written(found: Roster, run: Graded, folder: Path, command: str) -> None:
    """Write the files of the levels: programs, ``roster.lua``, ``roster.json`` and a page."""
    known, subjects, texts = run.language, [], {}
    rules_of_all = run.game.make_rules(dict(found.rules))
    rivals = [*run.game.rivals(rules_of_all)]
    rivals += ["former champions"] * (not run.game.metric(rules_of_all).alone)
    trained = str(TrainingSetup(tuple(rivals), found.rules))
    pairs = " ".join(f"{name}={text}" for name, text in found.rules.items())
    rules = {"rules": pairs} if pairs else {}
    programs = [(LEVELS, each) for each in (*found.levels, *(each.second for each in found.levels)) if each]
    for name, each in (*programs, *((NOISE, each.noisy) for each in found.levels if each.noisy)):
        (folder / name).mkdir(exist_ok=True)
        header = {
            "game": found.game,
            **({"level": str(each.number)} if known.name == TreeProgram.language else {}),
            "title": each.sentence,
            "wins": f"{each.share.mean:.3f}",
            "source": command,
            "trained": trained,
            **rules,
        }
        text = known.print_program(each.player.program, header)
        write_plain(folder / name / f"{each.name}{known.suffix}", text)
        if name != LEVELS:
            continue
        texts[each.name] = text
        subjects.append(
            subject_of(
                Named(each.name, known.parse(text, each.name), known), each.name, found.game, found.rules, 1
            )
        )
    if len(subjects) > 1:
        ((_, (lua, *_)),) = exports_of(subjects, "lua", "roster").files
        write_plain(folder / LUA, lua.text)
    write_plain(folder / LEVELS / TABLE, json.dumps({"command": command, **found.to_json()}, indent=2) + "\n")
    write_plain(folder / PAGE, roster_page(found, texts, run.game.offers[known.name]))
