#|# gpkit export FILE --to tree reads the program back from these lines
#|# SHA-256 of the code below: ec0f29d5c741f7437c04ef8cb3ea64f4f946e7a11b1ee2b81df59bcfc9114e9f
#|= six.plan
#|> // game: build_order
#|> // title: six zerglings in tick 124, the least there is
#|> // source: evolved, experiments/data/plans-build_order.json
#|> // alphabet: plans
#|> // rules: goal=zerglings=6
#|> // preset: plans
#|> // seed: 16102
#|> // score: -124
#|> do spawning_pool
#|> repeat 3
#|>   do zerglings
#|> end
"""six: a plan, written by gpkit 0.1.0.

game: build_order
title: six zerglings in tick 124, the least there is
source: evolved, experiments/data/plans-build_order.json
alphabet: plans
rules: goal=zerglings=6
preset: plans
seed: 16102
score: -124

STARTS has the plan by the leaf at which it begins, a generator of env and random. env holds the sensors by
name; update it before you ask for the next action. random returns a new number in [0, 1) at each call.
"""

import json
import sys

TICK = "tick"
"""Asks to let a tick pass."""


def plan(env, random):
    """The plan: yields actions, each of which begins as soon as it can, and TICK, to let a tick pass."""
    yield "spawning_pool"
    for _ in range(3):
        yield "zerglings"


STARTS = {"": plan}
"""The plan, by the leaf at which it begins."""


def run(sensors, random, start):
    """What the plan asks for, one word for each row of recorded sensors; the last one is empty if the plan is over."""
    env = {}
    asks, steps = [], STARTS[start](env, random)
    for each in sensors:
        env.clear()
        env.update(each)
        asks.append(next(steps, ""))
    return asks


def main():
    """For every JSON line of standard input, with sensors and random numbers, prints what the plan asks for."""
    for line in sys.stdin:
        call = json.loads(line)
        print(json.dumps(run(call["sensors"], iter(call["random"]).__next__, call["start"])))


if __name__ == "__main__":
    main()
