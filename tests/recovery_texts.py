"""Texts of all languages without an error, and mistakes to put into them."""

from collections.abc import Mapping, Sequence

VALID = {
    "arithmetic": """\
// game: sevens
play: 5 * env.rank
  + max(env.block, 3)
  + env.block * 2
  + ifle(env.dist, 2,
      env.selfblock, env.dist)
  - 4.5
  + env.depth
send: env.rank
  * 3
  + min(env.dist, 2)
""",
    "sinking": """\
// game: battleship
targeting:
  Target
  Shoot
  IfHit
  Jump
locking:
  LoadPos
  Shoot
sinking:
  Shoot
""",
    "rulegraph": """\
# game: dots_and_boxes
# level: 1
&safe = t_0 t_1
take: x_0 w => x_0 - w
chain: l_0(3+) n : l_1(4+) n ; !&safe ; l_0 <= l_1 => l_0 - n
last: t_0 n => t_0 - n
two: x_0 x_1 => x_0 - x_1
""",
    "decision": """\
// game: sevens
play: test env.depth <= 3
  yes: test env.rank == 2
    yes: 1.0
    no: 2.0
  no: switch env.selfblock
    below 2: 2.0
    below 4: 3.0
    else: 4.0
send: chance 0.5
  yes: 1.0
  no: env.dist
""".replace("env.dist\n", "7\n"),
    "execution": """\
// game: build_order
repeat 2
  do drone
end
do spawning_pool
wait env.larvae > 0 max 10
decide env.danger > 0
  yes:
    use army
  no:
    do drone

plan army:
  while env.larvae > 0 max 3
    do zerglings
  end
""",
}
"""A text of each language without an error."""

MISTAKES: Mapping[str, Sequence[tuple[int, str, str]]] = {
    "arithmetic": [
        (2, "play: 5 * * env.rank", "E001"),
        (3, "  + maxx(env.block, 3)", "E006"),
        (4, "  + env.blok * 2", "E010"),
        (6, "      env.selfblock,, env.dist)", "E001"),
        (7, "  - 4.5 ?", "E002"),
        (8, "  + depth.env", "E010"),
        (10, "  * 3 4", "E001"),
        (11, "  + min(env.dist)", "E007"),
    ],
    "sinking": [
        (3, "  Targt", "E130"),
        (4, "  Shoot Shoot", "E122"),
        (6, "  Jump #", "E121"),
        (7, "locked:", "E125"),
        (11, "  Shot", "E130"),
    ],
    "rulegraph": [
        (4, "take: x_0 w => x_0 -", "E160"),
        (5, "chain: l_0(3+) n : l_1(0) n ; !&safe ; l_0 <= l_1 => l_0 - n", "E172"),
        (6, "last: t_0 n -> t_0 - n", "E160"),
        (7, "two: x_0 x_1 => x_0 - x_2", "E179"),
    ],
    "decision": [
        (2, "play: test env.depth < < 3", "E350"),
        (3, "  yes: test env.rnk == 2", "E360"),
        (4, "    yes: 1.0 1.0", "E350"),
        (7, "    below 2 2.0", "E350"),
        (8, "    below 4: 3.0;", "E351"),
        (10, "send: chance 1.5", "E355"),
        (12, "  no: env.dist", "E366"),
    ],
    "execution": [
        (3, "  do dron", "E321"),
        (5, "do 3", "E310"),
        (6, "wait env.larvae > 0 max 100000", "E315"),
        (7, "decide env.dangr > 0", "E320"),
        (11, "    do drone;", "E311"),
        (14, "  while env.larvae > > 0 max 3", "E310"),
        (15, "    da zerglings", "E310"),
    ],
}
"""Lines instead of those with these numbers, and the code of the error that each has."""


def with_mistakes(text: str, mistakes: Sequence[tuple[int, str, str]]) -> str:
    """The text with these mistakes in it."""
    lines = text.splitlines()
    for number, wrong, _ in mistakes:
        lines[number - 1] = wrong
    return "\n".join(lines) + "\n"
