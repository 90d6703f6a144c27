"""The lines that `digests.py` runs: commands of gpkit on all shipped programs, games, presets, and mistakes."""

import re
from collections.abc import Iterator
from pathlib import Path

GAMES = ("sevens", "battleship", "dots_and_boxes", "mastermind", "build_order")
OWN_GAMES = ("connect_four", "leduc_poker", "nim", "tic_tac_toe")
LANGUAGES = ("arithmetic", "sinking", "rulegraph", "decision", "execution")
SUFFIXES = (".tree", ".sink", ".rules", ".decide", ".plan")
KINDS = ("games", "languages", "opponents", "rules", "operators", "sensors", "instructions", "switches")
KINDS += ("alphabets", "programs", "presets")
PRESETS = ("article", "sevens", "decisions", "battleship", "squares", "posterior", "bridon", "mastermind")
PRESETS += ("build_order", "plans")
LEARNERS = ("constant", "rising-10", "combined", "ours", "short", "memoriser")
PAIRS = {
    "sevens": ("champion", "simple", "simple"),
    "battleship": ("champion", "textbook", "textbook"),
    "dots_and_boxes": ("double-dealer", "greedy", "greedy"),
    "mastermind": ("champion", "knuth", "codemaker"),
    "build_order": ("earliest", "economy", "enemy"),
}
"""Of each game two players, and whom the first one meets."""

TINY = """
[population]
size = 12
[fitness]
deals = 6
validation_deals = 20
[refinement]
rounds = 1
candidates = 3
deals = 10
[stop]
generations = 2
"""
FILES = {
    "bad.tree": "play: env.rank + (env.nothing * 2\nsend: 1 +\n",
    "unknown.tree": "// game: sevens\nplay: env.rnak + 1\nsend: env.dist\n",
    "header.tree": "// gmae: sevens\n// alphabet: artcle\nplay: env.rank\nsend: env.dist\n",
    "ugly.tree": "// game: sevens\nplay:   ( env.rank+ (env.dist) )  // why\nsend:env.dist-  -1\n",
    "bad.sink": "targeting:\n  Shoot\n  Jmp 3\nsinking\n  Jump 99\n",
    "loop.sink": "// game: battleship\ntargeting:\n  Nop\nlocking:\n  SetTrue\nsinking:\n  Nop\n",
    "bad.rules": "take: x_0 w -> x_0 - w\nx_0 x_1 => x_0 - x_2\n",
    "bad.decide": "play: if env.rank < then 1 else 2\n",
    "rows.decide": "test petal < 2.5\n  yes: a\n  no: b\n",
    "bad.plan": "drone 3\nuntil minerals\n  dron\n",
    "rows.csv": "length,petal,kind\n" + "".join(f"{i % 7},{i % 5},{'ab'[i % 5 > 2]}\n" for i in range(60)),
    "bad.toml": 'preset = "sevens"\n[population]\nsize = -3\n[selecton]\nname = "x"\n',
    "torn.toml": "preset = \n",
    "learn.toml": 'preset = "ours"\ngames = 100\nopponent = "nobody"\n',
    "bad.py": "GAME = 3\n",
    "empty.tree": "",
    "corner.wave": "// density: corner\n1 1 0 1\n0 1 0.5 2\n0 1 0 1\n0 1 0 1\n0 1 0 1\n",
    "bad.wave": "1 1 0 1\n0 1 half 2\n",
    "small.board": "+---+---+\n  t   t\n+   +   +\n  q   q\n+   +   +\n",
}
PLAYED = {
    "sevens": "?; h; 1; 3; foo; 1; 1; h; 2; q",
    "battleship": "?; h; b; a1; b2; c3; e5; z99; q",
    "dots_and_boxes": "?; h; a1t; b1t; b2l; a1l; foo; c3 bottom; q",
    "mastermind": "?; h; 1122; l; 3344; aabb; 1234567; q",
    "build_order": "?; drone; overlord; foo; spawning_pool; wait; zerglings; q",
    "programs/games/connect_four.py": "?; h; 1; 2; 3; foo; 4; q",
    "programs/games/leduc_poker.py": "?; h; call; raise; foo; call; fold; q",
    "programs/games/nim.py": "?; h; a1; b2; c3; foo; a1; q",
    "programs/games/tic_tac_toe.py": "?; h; 1; 5; a1; b2; foo; q",
}
TYPED = " <<< "

OTHERS = (Path(__file__).parent / "digest_lines.txt").read_text(encoding="utf-8").splitlines()
"""Help, mistakes, and what is not done for every program."""

WARMING = (
    "run champion --game sevens --games 20",
    "run champion --game battleship --games 20",
    "run champion --game dots_and_boxes --games 20",
    "run champion --game mastermind --games 20",
    "run earliest six --game build_order --games 20",
    "run champion-15 --game sevens --games 20",
    "run marksman posterior --game battleship --games 20",
    "trace champion --game sevens --html x.html",
    "trace champion --game battleship",
    "draw champion --game sevens -o x.svg",
    "export champion --game sevens --to lua --check --evaluations 10 --games 1 -o x.lua",
    "evolve tiny/battleship.toml --out run",
    "evolve tiny/sevens.toml --out run2",
    "evolve tiny/plans.toml --out run3",
    "evolve tiny/mastermind.toml --out run4",
    "learn dots_and_boxes ours --games 100 -o learned",
    "match greedy --board 2x2",
)
"""What loads most modules, kernels and tables for all lines; no game of a file, as they would all know it."""


def commands(checkout: Path) -> Iterator[str]:
    """All lines that are run."""
    yield from OTHERS
    yield from of_programs(checkout)
    yield from of_games()
    yield from of_runs()


def of_programs(checkout: Path) -> Iterator[str]:
    """The lines for every program that is shipped; modes and checks of exports for one of each game and language."""
    seen = set()
    for path in sorted(each for each in (checkout / "programs").rglob("*") if each.suffix in SUFFIXES):
        name = path.relative_to(checkout).as_posix()
        _, room, own, *_ = name.split("/")
        game = f"programs/games/{own}.py" if room == "games" else room
        for drawn in ("", "-o x.svg", "-o x.dot", "--trace -o x.svg"):
            yield f"draw {name} --game {game} {drawn}".rstrip()
        for command in ("check", "fmt --diff", "trace", "run --games 20 --json"):
            yield f"{command} {name} --game {game}"
        yield from (f"export {name} --game {game} --to {form}" for form in ("lua", "python", "json", "latex"))
        if (game, path.suffix) not in seen:
            yield from further(name, game, f"back{path.suffix}")
        seen.add((game, path.suffix))


def further(name: str, game: str, back: str) -> Iterator[str]:
    """More lines for one program of each game and language; ``back`` is the name of the file that is read back."""
    yield f"check --strict --output-format json {name}"
    yield f"draw {name} --game {game} -o x.html"
    yield f"trace {name} --game {game} --json --formula --seed 3"
    yield f"trace {name} --game {game} --html x.html"
    yield f"run {name} --game {game} --games 20 --seed 7"
    yield f"export {name} --game {game} --to lua --conformance -o x.lua"
    for mode in ("module", "player", "function", "article", "luau", "nested"):
        yield f"export {name} --game {game} --to lua --mode {mode} -o x.lua"
    for form in ("lua", "python", "json"):
        yield f"export {name} --game {game} --to {form} --check --evaluations 20 --games 2 -o x.{form}"
    yield f"export {name} --game {game} --to json -o x.json && export x.json --to tree -o {back} && check {back}"


def of_games() -> Iterator[str]:
    """The lines for every game, what there is to list, and what there is to begin from."""
    own = [f"programs/games/{name}.py" for name in OWN_GAMES]
    for kind in KINDS:
        yield from (f"list {kind}", f"list {kind} --json")
        yield from (f"list {kind} --game {game}" for game in (*GAMES, *own[:2]))
    for game in (*GAMES, *own):
        yield from (f"new {language} --game {game}" for language in LANGUAGES)
        yield f"new config --game {game}"
        if game in own:  # the others have more than the checks can see to in a second
            yield f"doctor --game {game}"
        first, second, other = PAIRS.get(game, ("champion", "random", "random"))
        yield f"compare {first} {second} --game {game} --games 20"
        yield f"tournament {first} {second} --game {game} --games 20 --json"
        yield f"series {first} {other} --game {game} --games 2 --repeat 3"
        yield f"play {game} --seed 1 --ascii{TYPED}{PLAYED[game]}"
        yield f"play {game} --seed 2{TYPED}{PLAYED[game]}"
        yield f"play {game} --seed 3{TYPED}{'; '.join(['h', ''] * 20)}"
    yield "tournament champion simple hold --game sevens --games 40"
    yield "tournament champion textbook hunt --game battleship --series 2 --games 6"
    yield from (f"new {language}" for language in LANGUAGES)
    yield from (f"new config --preset {preset}" for preset in PRESETS)
    yield from (f"match {name} --board 2x2" for name in ("greedy", "endgame", "double-dealer", "champion"))
    yield from ("match grown-21 --board 2x2 --json", "match printed --board 1x2")
    steps = ("show hunt", "show hunt -o map.svg --json", "export hunt", "reset hunt", "show hunt")
    kept = "series adaptive hunt --game battleship --games 2 --memory memories"
    yield " && ".join([kept, kept, *(f"agent {step}" for step in steps)])
    tutorial = ("doctor", "run careful random --games 40", "list sensors", "trace careful --html x.html")
    yield " && ".join(f"{step} --game ./chomp.py" for step in tutorial)


def of_runs() -> Iterator[str]:
    """The lines that evolve and learn, and those that look at such a run."""
    for name in (*PRESETS, *OWN_GAMES):
        page = "report run --games 20" if name in (*GAMES, "plans", "decisions", "nim") else "draw run"
        game = f" --game programs/games/{name}.py" if name in OWN_GAMES else ""
        yield f"evolve tiny/{name}.toml{game} --out run && {page}"
    looks = "draw run && draw run -o x.svg --what " + " && draw run -o x.svg --what ".join(
        ("champion", "curves", "sizes", "diversity", "lineage")
    )
    yield f"evolve tiny/sevens.toml --out run --seed 5 --json && {looks} && evolve tiny/sevens.toml --out run"
    yield "evolve tiny/sevens.toml --out run --generations 1 && evolve --resume --out run --generations 3"
    yield "evolve tiny/bridon.toml --out run --workers 2"
    for name in LEARNERS:
        page = " && report run --games 20 && learn --resume -o run" if name == "ours" else ""
        yield f"learn dots_and_boxes {name} --games 100 -o run{page}"


def write_inputs(folder: Path, checkout: Path) -> None:
    """Write the small files, a configuration for each preset, and the game of the tutorial."""
    for name, text in FILES.items():
        (folder / name).write_text(text)
    (folder / "tiny").mkdir()
    for preset in (*PRESETS, *OWN_GAMES):
        (folder / "tiny" / f"{preset}.toml").write_text(f'preset = "{preset}"\n{TINY}')
    pages = "".join(page.read_text() for page in sorted((checkout / "docs").rglob("*.md")))
    blocks = re.findall(r"<!-- (?:file|more): chomp.py -->\n```python\n(.*?)```", pages, re.DOTALL)
    (folder / "chomp.py").write_text("\n\n".join(blocks))
