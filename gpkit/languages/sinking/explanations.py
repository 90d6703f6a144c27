"""Explanations of the findings about sinking programs, each with a program that has it and one that has not.

Codes 120 to 159 belong to the sinking language: E12. cannot be read, E13. cannot be run, W14. and W15. run but are
probably not meant so, I14. and I15. are good to know.
"""

from gpkit.langkit.language import Explanation

_HUNT = "targeting:\n  Target\n  SavePos\n  Shoot\n  IfHit\n  Jump\n"
_SEARCH = "locking:\n  LoadPos\n  RandDir\n  MoveFwd\n  Shoot\n  IfHit\n  Jump\n"
_FOLLOW = "sinking:\n  MoveFwd\n  Shoot\n  IfMiss\n  Jump"
_PLAIN = "targeting:\n  Target\n  Shoot"

TABLE: tuple[Explanation, ...] = (
    Explanation(
        "E120",
        "Something unexpected",
        "A line holds the heading of a block, an instruction, perhaps with a number before it as in `1. Target`, or "
        "nothing but a comment. This line goes on with something else.",
        "targeting:\n  1. 2. Target\n  3. Shoot",
        "targeting:\n  1. Target\n  2. Shoot",
    ),
    Explanation(
        "E121",
        "A character without meaning",
        "Programs are written with letters, and with digits and points in the numbers of lines. Comments start with "
        "`//`. Instructions have no operands. Characters that show nothing, such as orders to terminals, stand "
        "nowhere, not even in comments.",
        "targeting:\n  Target;\n  Shoot",
        _PLAIN,
    ),
    Explanation(
        "E122",
        "Two words on a line",
        "Every instruction stands on a line of its own. Line ends mean something, because conditions skip lines.",
        "targeting:\n  Target Shoot",
        _PLAIN,
    ),
    Explanation(
        "E123",
        "A line that belongs to no block",
        "A program is blocks of instructions, and each starts with a heading: `targeting:`, `locking:` or `sinking:`.",
        "Target\nShoot",
        _PLAIN,
    ),
    Explanation(
        "E124",
        "A block twice",
        "There is one block of each name, because `Jump` leads to a block and not to a line.",
        "targeting:\n  Target\ntargeting:\n  Shoot",
        _PLAIN,
    ),
    Explanation(
        "E125",
        "A heading that is none",
        "The blocks are `targeting`, `locking` and `sinking`. A heading is the name with a colon, or as the source "
        "prints it: `Targeting state (5/10)`.",
        "seeking:\n  Target\n  Shoot",
        _PLAIN,
    ),
    Explanation(
        "E126",
        "No program",
        "The text has no block. One block is enough; those that a text does not have are empty.",
        "// nothing yet",
        _PLAIN,
    ),
    Explanation(
        "E127",
        "Too long a text",
        "At most 1,000,000 bytes are read. The three blocks hold 50 lines together.",
        "",
        _PLAIN,
    ),
    Explanation(
        "E128",
        "Too large a program",
        "At most 100,000 lines are read. The three blocks hold 50 lines together.",
        "",
        _PLAIN,
    ),
    Explanation(
        "E130",
        "An unknown instruction",
        "An instruction is one of the language's own words or one that the game carries out, spelt with the same "
        "capital letters. `gpkit list instructions` shows them all.",
        "targeting:\n  Target\n  shoot",
        _PLAIN,
    ),
    Explanation(
        "E131",
        "More lines than a block holds",
        "The source gives the block of targeting 10 lines, those of locking and sinking 20 each. Conditions may leave "
        "lines of a block unused, but they count.",
        "targeting:\n" + "  Target\n" * 10 + "  Shoot",
        _PLAIN,
    ),
    Explanation(
        "E132",
        "An unknown game",
        "The header line `// game: NAME` says which game a program is for. `gpkit list games` shows the names.",
        f"// game: battelship\n\n{_PLAIN}",
        f"// game: battleship\n\n{_PLAIN}",
    ),
    Explanation(
        "E133",
        "An unknown dialect",
        "Header lines such as `// dialect: literal` or `// if: one-line` choose between the readings that the source "
        "leaves open. `gpkit list switches` shows the switches and their values.",
        f"// if: oneline\n\n{_PLAIN}",
        f"// if: one-line\n\n{_PLAIN}",
    ),
    Explanation(
        "E134",
        "A game of another language",
        "This game asks its players for decisions that are said in another language, such as formulas; blocks of "
        "instructions mean nothing to it. `gpkit new LANGUAGE` shows what a program looks like.",
        "",
        f"// game: battleship\n\n{_PLAIN}",
    ),
    Explanation(
        "E135",
        "An unknown alphabet",
        "The header line `// alphabet: NAME` promises that the program keeps to a named selection of instructions. The "
        "game has no selection of this name; `gpkit list alphabets` shows them.",
        f"// alphabet: birdon\n\n{_PLAIN}",
        f"// alphabet: bridon\n\n{_PLAIN}",
    ),
    Explanation(
        "E136",
        "An unknown placement",
        "The header line `// placement: NAME` says how the program's own ships lie when another shoots at them. "
        "`gpkit list opponents` shows the placements among the opponents.",
        f"// placement: nowhere\n\n{_PLAIN}",
        f"// placement: corner\n\n{_PLAIN}",
    ),
    Explanation(
        "W140",
        "A line that is never reached",
        "Whatever happens in a game, control never comes to this line: a `Jump` stands before it, or conditions that "
        "always fall the same way close every way to it.",
        f"targeting:\n  Target\n  SavePos\n  Shoot\n  IfHit\n  Jump\n  Jump\n  SetTrue\n\n{_SEARCH}\n{_FOLLOW}",
        f"{_HUNT}\n{_SEARCH}\n{_FOLLOW}",
    ),
    Explanation(
        "W141",
        "A block that is never entered",
        "A program starts with targeting, and `Jump` leads from each block to the next: from targeting to locking, "
        "from locking to sinking, from sinking to targeting. No `Jump` that can be reached leads to this block.",
        f"targeting:\n  Target\n  Shoot\n\n{_SEARCH}",
        f"{_HUNT}\n{_SEARCH}\n{_FOLLOW}",
    ),
    Explanation(
        "W142",
        "A circle without a shot",
        "Control can come back to this line without a shot in between. If that goes on for 1000 steps, the program is "
        "invalid and has lost its game.",
        f"{_HUNT}\nlocking:\n  RandDir\n  MoveFwd",
        f"{_HUNT}\n{_SEARCH}\n{_FOLLOW}",
    ),
    Explanation(
        "W143",
        "A program that never shoots",
        "No `Shoot` can be reached, so after 1000 steps the program is invalid.",
        "targeting:\n  Target",
        _PLAIN,
    ),
    Explanation(
        "W153",
        "A shot that is repeated for ever",
        "After a miss of this shot control comes back to a shot, and nothing on the way moves the target or draws a "
        "number, whatever was so before. A shot at a square that was shot at costs nothing, so after 1000 steps the "
        "program is invalid and has lost its game. Loops that move the target are not judged.",
        "targeting:\n  Shoot",
        _PLAIN,
    ),
    Explanation(
        "W144",
        "A condition at the end of a block",
        "A condition decides whether the next line is executed. Behind the last line a block ends either way.",
        "targeting:\n  Target\n  Shoot\n  IfHit",
        _PLAIN,
    ),
    Explanation(
        "W145",
        "A block that is never left",
        "A block that comes to its end starts again at its top; only a `Jump` that can be reached leads out of it. "
        "Without one the program stays here until the end of the game.",
        f"{_HUNT}\nlocking:\n  RandDir\n  MoveFwd\n  Shoot",
        f"{_HUNT}\n{_SEARCH}\n{_FOLLOW}",
    ),
    Explanation(
        "W146",
        "A heading that miscounts",
        "The counts in a heading such as `Targeting state (5/10)` are the lines of the block and those that it could "
        "hold. They mean nothing to the program; the plain heading `targeting:` cannot be wrong.",
        "Targeting state (3/10)\n  1. Target\n  2. Shoot",
        "Targeting state (2/10)\n  1. Target\n  2. Shoot",
    ),
    Explanation(
        "W147",
        "A program for another game",
        "The header names one game and the program is checked for another. Instructions can mean different things "
        "there.",
        f"// game: sevens\n\n{_PLAIN}",
        f"// game: battleship\n\n{_PLAIN}",
    ),
    Explanation(
        "W148",
        "Outside the alphabet",
        "The header promises an alphabet, and this instruction is not in it. Change the program, or the line "
        "`// alphabet:`.",
        "// alphabet: bridon\n\ntargeting:\n  Target\n  Shoot\n  IfSunk\n  SetTrue\n  IfTrue\n  Target",
        f"// alphabet: bridon\n\n{_PLAIN}",
    ),
    Explanation(
        "I149",
        "A line that cannot matter",
        "Without this line, an intron, the program takes the same shots and draws the same directions: nobody uses "
        "what it writes, it writes what is there already, or nothing that matters depends on its answer. Such lines "
        "are not executed and take no step. Evolution leaves many behind.",
        "targeting:\n  Target\n  SetTrue\n  Shoot",
        _PLAIN,
    ),
    Explanation(
        "I150",
        "An instruction beyond the source",
        "The article that describes the language does not have this instruction; programs that use it cannot be "
        "compared with the article's. The header line `// alphabet: level-1` says that this is meant.",
        f"{_HUNT}\n{_SEARCH}\nsinking:\n  MoveFwd\n  Shoot\n  IfSunk\n  Jump",
        f"// alphabet: level-1\n\n{_HUNT}\n{_SEARCH}\nsinking:\n  MoveFwd\n  Shoot\n  IfSunk\n  Jump",
    ),
    Explanation(
        "I151",
        "A block that never shoots",
        "Control comes to this block, but to no `Shoot` in it. That is well if it only prepares what another block "
        "shoots at.",
        "targeting:\n  Target\n  Jump\n\nlocking:\n  Shoot\n  Jump\n\nsinking:\n  Shoot\n  Jump",
        f"{_HUNT}\n{_SEARCH}\n{_FOLLOW}",
    ),
    Explanation(
        "W152",
        "A condition that always falls the same way",
        "Whenever control comes to this condition its answer is already certain, because of the conditions and "
        "instructions on every way to it. Flags are false when a game starts.",
        "targeting:\n  Target\n  IfTrue\n  SavePos\n  Shoot",
        _PLAIN,
    ),
)

EXPLANATIONS: dict[str, str] = {explanation.code: explanation.text for explanation in TABLE}
"""The text of each code."""
