"""Commands of Dots and Boxes: rule lists learned, grown, chosen and judged, and positions solved."""

COMMANDS = {
    "learn": "Learn rules by playing games.",
    "match": "Count where a program's rules match, and how good they are there.",
    "solve": "Solve a position of Dots and Boxes: the value of every edge.",
    "select": "Choose a short rule list out of many rules by its exact win rate.",
    "grow": "Grow a stronger rule list from a weaker one, by its worst win rate.",
}
"""By name the help of each, in the order of the help page; the module of that name has the command."""
