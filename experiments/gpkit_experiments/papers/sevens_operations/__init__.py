"""P. Hansson, "Light Introduction to Genetic Programming", 2013: its operations and choices, one at a time."""
