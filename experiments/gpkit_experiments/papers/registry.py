"""The papers that are reproduced, a line each; ``gpkit paper NAME`` runs one."""

from gpkit.core.plugins import Entry

PAPERS = (
    Entry(
        "sevens",
        "gpkit_experiments.papers.sevens.paper",
        "PAPER",
        "P. Hansson, Light Introduction to Genetic Programming, 2013",
    ),
    Entry(
        "sevens-claims",
        "gpkit_experiments.papers.sevens_claims.paper",
        "PAPER",
        "P. Hansson, Light Introduction to Genetic Programming, 2013: its levels, its fitness, its pictures",
    ),
    Entry(
        "sevens-operations",
        "gpkit_experiments.papers.sevens_operations.paper",
        "PAPER",
        "P. Hansson, Light Introduction to Genetic Programming, 2013: its operations and choices, one at a time",
    ),
    Entry(
        "battleship-sinking",
        "gpkit_experiments.papers.battleship_sinking.paper",
        "PAPER",
        "J. Bridon and others, An Artificially Intelligent Battleship Player: the sinking logic",
    ),
    Entry(
        "battleship-evolution",
        "gpkit_experiments.papers.battleship_evolution.paper",
        "PAPER",
        "our sinking programs: whether one changed line improves them",
    ),
    Entry(
        "battleship-adaptive",
        "gpkit_experiments.papers.battleship_adaptive.paper",
        "PAPER",
        "J. Bridon and others, An Artificially Intelligent Battleship Player: placement, targeting, whole players",
    ),
    Entry(
        "battleships-belief",
        "gpkit_experiments.papers.battleships_belief.paper",
        "PAPER",
        "Battleships – A Game Playing Agent: fleets sampled from the belief state",
    ),
    Entry(
        "mastermind",
        "gpkit_experiments.papers.mastermind.paper",
        "PAPER",
        "L. Cabana and Y. Túpac, Cómo resolver el juego Mastermind a través de computación evolutiva",
    ),
    Entry(
        "dots-and-boxes",
        "gpkit_experiments.papers.dots_and_boxes.paper",
        "PAPER",
        "A. Knittel and others, Concept Accessibility as Basis for Evolutionary Reinforcement Learning, 2007",
    ),
)
