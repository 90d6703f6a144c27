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
LEARNERS = ("constant", "rising-10", "combined", "ours", "ordered", "placed", "short", "small", "memoriser")
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
    "learn.toml": 'preset = "ordered"\ngames = 100\nopponent = "nobody"\n',
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

OTHERS = """
demo --help | run --help | evolve --help | learn --help | trace --help | play --help | serve --help | check --help
fmt --help | lsp --help | compare --help | tournament --help | series --help | agent --help | report --help
paper --help | draw --help | export --help | match --help | solve --help | select --help | grow --help | new --help
list --help | bench --help | doctor --help | runn champion | run | run nothing | run champion
run champion --game nothing | run champion --game sevens --games 0 | run bad.tree --game sevens | run unknown.tree
run empty.tree --game sevens | run missing.tree | run programs/nothing | run simple --game sevens --rules players=9
run simple --game sevens --rules plyers=3 --games 40 | run champion --game sevens --opponent nobody
run simple --game sevens --exact | run simple --game bad.py | run simple --game missing.py
run rows.decide --data missing.csv --target kind | run rows.decide --data rows.csv
run champion --game battleship --dialect target=sometimes | run simple --game sevens --seed -1
run loop.sink --games 20 | check bad.tree --game sevens | check bad.sink | check bad.rules | check bad.decide
check bad.plan | check unknown.tree | check header.tree | check empty.tree | check loop.sink | check --explain E010
check --explain X999 | check missing.tree | check programs | check --strict programs/sevens
check --output-format github unknown.tree bad.tree | check bad.toml
check --output-format json bad.tree bad.sink bad.rules bad.decide bad.plan | fmt bad.tree | fmt ugly.tree
fmt missing.tree | fmt --check ugly.tree | fmt --diff ugly.tree | fmt programs | trace nothing
trace bad.tree --game sevens | trace champion --game sevens --until 'turn >'
trace champion --game sevens --until 'turn > 3' | trace bad.json | trace champion --game sevens --seat 7
trace champion --game sevens --deal 3 --seed 5 --ascii --players 4 | draw bad.tree --game sevens
draw champion --game sevens -o x.gif | draw unknown.tree | draw corner.wave | draw corner.wave -o x.svg
draw bad.wave | draw small.board | draw small.board -o x.svg | draw champion --game dots_and_boxes --rule nothing
draw double-dealer --game dots_and_boxes --rule take --on 2x2 -o x.svg | draw greedy --game dots_and_boxes --on 3x3
draw champion --game sevens --diff simple | draw champion --game sevens --diff simple -o x.svg
draw champion --game battleship --diff runner-up -o x.dot | draw ladder --game sevens --diff steps -o x.svg
draw six --game build_order --diff twelve | draw grown-21 --game dots_and_boxes --diff endgame | draw programs/sevens
export champion --game sevens --to cobol | export bad.tree --game sevens --to lua
export champion --game battleship --to latex | export champion --game dots_and_boxes --to python
export champion --game sevens --to lua --mode nothing | export missing.json --to tree | export champion --game sevens
export simple medium champion --game sevens --to lua --mode article | evolve bad.toml | evolve torn.toml
evolve nothing | evolve missing.toml | evolve --data rows.csv --out rows | evolve sevens --resume --out nothing
learn nothing | learn dots_and_boxes nothing | learn dots_and_boxes learn.toml | learn sevens | report nothing
report programs | compare champion --game sevens | compare champion nothing --game sevens
tournament champion --game sevens | series champion --game sevens | series champion nothing --game battleship
agent show hunt | agent nothing hunt | agent reset hunt | agent export hunt | match champion
match champion --board 9x9 | match bad.rules --board 2x2 | solve | solve --board 9x9 | solve --board 0x1
solve --board 1x1 | solve --board 1x2 | solve --board 2x2 --json | solve --board 2x2 | solve small.board
solve small.board --json | solve --coins 'a-b b-c c-ground c-ground' | solve --coins 'chains 3 4 loop 8'
solve --coins 'chains x' | solve missing.board | select nothing | grow nothing
select endgame --opponent nobody --board 2x2 | grow endgame --opponent chain=2 --board 2x2 | grow endgame --board 4x9
select endgame double-dealer --steps 20 --board 2x2 | select grown-21 --refine --steps 5 --board 2x2 --json
grow endgame double-dealer --rounds 1 --rules 8 --board 2x2
grow greedy --rounds 1 --board 2x2 --nodes 3 -o out.rules | new nothing | new | new config --preset nothing
new config --game dots_and_boxes | new config --game nothing | new game
new game -o own.py && new game -o own.py && doctor --game ./own.py && run random --game ./own.py --games 40
new arithmetic -o ugly.tree | list | list nothing | list sensors --game nothing | list programs --game bad.py
doctor --game bad.py | doctor --game nothing | play nothing | play sevens --vs nobody --seed 1 | play bad.py
run rows.decide --data rows.csv --target kind
evolve --data rows.csv --target kind --generations 2 --seed 3 --out rows
evolve --data rows.csv --target length --generations 1 --out rows | evolve tiny/sevens.toml --generations x
run random --game openspiel:tic_tac_toe --games 10 | run random --game openspiel:nothing
list opponents --game openspiel:nim | run champion --game sevens --ladder --games 20
run entropy --game mastermind --exact --json | run --help --nothing
run double-dealer --game dots_and_boxes --exact --rules board=2x2 | run champion --game programs/games/nim.py --exact
compare knuth entropy --game mastermind --exact
run champion simple programs/sevens/opponents --game sevens --games 40 --json
series champion champion --game sevens --games 2 --repeat 2 --workers 2 | agent show hunt --memory missing
series adaptive corner --game battleship --games 1 --repeat 1 --rules board=6x6 --rules fleet=3,2 | trace loop.sink
draw loop.sink -o x.svg | run champion --game battleship --rules mode=duel --opponent textbook --games 20
run likeliest belief:20 mcs:20 counts --game battleship --games 4 | run pimc:5 --game sevens --games 6
trace likeliest --game battleship --until 'turns > 5' --formula
run optimal chain control --game dots_and_boxes --rules board=2x3 --games 20
run random greedy --game openspiel:tic_tac_toe --games 4 --json | list sensors --game openspiel:tic_tac_toe
run programs/sevens --game sevens --games 12 | fmt programs/sevens programs/build_order && check programs/sevens
evolve tiny/squares.toml --generations 0 --seed 2 --out run --json | new config --preset rows
"""
"""Help, mistakes, and what is not done for every program; bars and ends of lines separate them."""

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
    "learn dots_and_boxes ordered --games 100 -o learned",
    "match greedy --board 2x2",
)
"""What loads most modules, kernels and tables for all lines; no game of a file, as they would all know it."""


def commands(checkout: Path) -> Iterator[str]:
    """All lines that are run."""
    yield from (line.strip() for line in re.split(r"\n| \| ", OTHERS.strip()))
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
        page = " && report run --games 20 && learn --resume -o run" if name == "ordered" else ""
        yield f"learn dots_and_boxes {name} --games 100 -o run{page}"


def write_inputs(folder: Path, checkout: Path) -> None:
    """Write the small files, a configuration for each preset, and the game of the tutorial."""
    for name, text in FILES.items():
        (folder / name).write_text(text)
    (folder / "tiny").mkdir()
    for preset in (*PRESETS, *OWN_GAMES):
        (folder / "tiny" / f"{preset}.toml").write_text(f'preset = "{preset}"\n{TINY}')
    page = (checkout / "docs" / "tutorials" / "your-own-game.md").read_text()
    blocks = re.findall(r"<!-- (?:file|more): chomp.py -->\n```python\n(.*?)```", page, re.DOTALL)
    (folder / "chomp.py").write_text("\n\n".join(blocks))
