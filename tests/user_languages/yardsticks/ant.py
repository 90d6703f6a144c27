"""The Santa Fe trail: the food that an ant eats in 600 steps (J. Koza, "Genetic Programming", 1992, section 7.2)."""

import gpkit

ROWS = """70000000 10000000 10000070 10000084 10000084 1ef80600 80004 80800 80804 80800 800 80004 80000 80838
80900 4000 0 80080 88010 88000 88000 88020 80100 80000 19f08000 40008000 40008000 40fe0000 41000000 1000000
3c000000 0"""
FOOD = {(x, y) for y, row in enumerate(ROWS.split()) for x in range(32) if int(row, 16) >> (31 - x) & 1}
GRAMMAR = """
program: action+
action: "move" -> move | "left" -> left | "right" -> right | "if" "food" block "else" block -> choice
block: "{" action+ "}"
%ignore /[ \\n]+/
"""


def walk(tree, steps=600):
    """The food that an ant eats when it follows its program, again and again, for so many steps."""
    x, y, dx, dy, food, waiting = 0, 0, 1, 0, set(FOOD), []
    while steps and food:
        node = waiting.pop() if waiting else tree
        ahead = (x + dx) % 32, (y + dy) % 32
        steps -= node.data in ("move", "left", "right")
        if node.data == "move":
            x, y = ahead
            food.discard(ahead)
        elif node.data == "choice":
            waiting.append(node.children[ahead not in food])
        elif node.data in ("left", "right"):
            dx, dy = (dy, -dx) if node.data == "left" else (-dy, dx)
        else:
            waiting += reversed(node.children)
    return len(FOOD) - len(food)


ANT = gpkit.language("ant", GRAMMAR, meaning=walk)
PROBLEM = gpkit.problem(lambda program: program(), name="santa_fe", language=ANT)
