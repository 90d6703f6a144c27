"""Pagie-1 (L. Pagie and P. Hogeweg, 1997): 1 / (1 + x^-4) + 1 / (1 + y^-4) on a grid of 26 x 26 points."""

import numpy as np

import gpkit

GRAMMAR = """
program: sum
?sum: sum "+" product -> add | sum "-" product -> take | product
?product: product "*" atom -> times | product "/" atom -> over | atom
?atom: NUMBER | SENSOR | "(" sum ")"
%import common.NUMBER  // range: 0 2
SENSOR: /[xy]/
%ignore " "
"""
FORMULAS = gpkit.language("formulas", GRAMMAR, into="arithmetic")
X, Y = map(np.ravel, np.meshgrid(*[np.linspace(-5, 5, 26)] * 2))
WANTED = 1 / (1 + X**-4) + 1 / (1 + Y**-4)


def closeness(program):
    """The mean absolute error, below 0."""
    return -np.mean(np.abs(program(x=X, y=Y) - WANTED))


PROBLEM = gpkit.problem(closeness, sensors="x y", language=FORMULAS)
