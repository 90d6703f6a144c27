#|# gpkit export FILE --to tree reads the program back from these lines
#|# SHA-256 of the code below: 6c3e857df30bfd7066a1980038396d11fee5c5acc8b8d9fbe2d54ae6d10beeb0
#|= steps.decide
#|> // game: sevens
#|> // title: plays and sends as `simple` does: in 15 leaves what it adds up
#|> // source: hand-written
#|> // trained: nothing
#|> play: test env.depth < 1.0
#|>   yes: switch env.block
#|>     below 5.0: 8.0
#|>     below 6.0: 7.0
#|>     below 7.0: 6.0
#|>     below 8.0: 5.0
#|>     below 9.0: 4.0
#|>     else: switch env.block
#|>       below 10.0: 3.0
#|>       below 11.0: 2.0
#|>       below 12.0: 1.0
#|>       else: 0.0
#|>   no: switch env.block
#|>     below 1.0: 6.0
#|>     below 2.0: 5.0
#|>     below 3.0: 4.0
#|>     below 4.0: 3.0
#|>     below 5.0: 2.0
#|>     else: 1.0
#|> send: switch env.dist
#|>   below 1.0: 0.0
#|>   below 2.0: 1.0
#|>   below 3.0: 2.0
#|>   below 4.0: 3.0
#|>   below 5.0: 4.0
#|>   else: test env.dist < 6.0
#|>     yes: 5.0
#|>     no: 6.0
# steps: written by gpkit 0.1.0; the meaning is that of f64-v1.
# game: sevens
# title: plays and sends as `simple` does: in 15 leaves what it adds up
# source: hand-written
# trained: nothing

import json
import sys


def play(env, random):
    """A decision tree of 15 leaves.

    It reads env.depth, env.block.
    """
    depth = env["env.depth"] + 0.0
    block = env["env.block"] + 0.0
    if not (depth >= 1.0):
        if not (block >= 5.0):
            return 8.0
        elif not (block >= 6.0):
            return 7.0
        elif not (block >= 7.0):
            return 6.0
        elif not (block >= 8.0):
            return 5.0
        elif not (block >= 9.0):
            return 4.0
        elif not (block >= 10.0):
            return 3.0
        elif not (block >= 11.0):
            return 2.0
        elif not (block >= 12.0):
            return 1.0
        else:
            return 0.0
    elif not (block >= 1.0):
        return 6.0
    elif not (block >= 2.0):
        return 5.0
    elif not (block >= 3.0):
        return 4.0
    elif not (block >= 4.0):
        return 3.0
    elif not (block >= 5.0):
        return 2.0
    else:
        return 1.0


def send(env, random):
    """A decision tree of 7 leaves.

    It reads env.dist.
    """
    dist = env["env.dist"] + 0.0
    if not (dist >= 1.0):
        return 0.0
    elif not (dist >= 2.0):
        return 1.0
    elif not (dist >= 3.0):
        return 2.0
    elif not (dist >= 4.0):
        return 3.0
    elif not (dist >= 5.0):
        return 4.0
    elif not (dist >= 6.0):
        return 5.0
    else:
        return 6.0


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
