#|# gpkit export FILE --to tree reads the program back from these lines
#|# SHA-256 of the code below: b2ad6499985299858d24c8e05b7373f2d5e83ce2247c25a3431367b6a2616d5d
#|= simple.tree
#|> // game: sevens
#|> // title: plays the card furthest out and with the most own cards behind it; sends the card that will wait lon
#|+ gest
#|> // source: hand-written baseline; evolution has to beat it
#|> // trained: nothing
#|> play: env.depth + env.selfblock
#|> send: env.dist
# simple: written by gpkit 0.1.0; the meaning is that of f64-v1.
# game: sevens
# title: plays the card furthest out and with the most own cards behind it; sends the card that will wait longest
# source: hand-written baseline; evolution has to beat it
# trained: nothing

import json
import sys


def play(env, random):
    """env.depth + env.selfblock.

    It reads env.depth, env.selfblock.
    """
    depth = env["env.depth"] + 0.0
    selfblock = env["env.selfblock"] + 0.0
    return depth + selfblock


def send(env, random):
    """env.dist.

    It reads env.dist.
    """
    dist = env["env.dist"] + 0.0
    return dist


SECTIONS = {"play": play, "send": send}


def choose(section, candidates, random):
    """The index of the best candidate by its sensors; the first of equals, and NaN is the worst."""
    values = [SECTIONS[section](env, random) for env in candidates]
    numbers = [k for k, value in enumerate(values) if value == value]
    return max(numbers, key=lambda k: (values[k], -k)) if numbers else 0


def main():
    """Print the formula's value for every JSON line on standard input, which has section, env and random numbers."""
    for line in sys.stdin:
        call = json.loads(line)
        value = SECTIONS[call["section"]](call["env"], iter(call["random"]).__next__)
        print(value if isinstance(value, str) else repr(value))


if __name__ == "__main__":
    main()
