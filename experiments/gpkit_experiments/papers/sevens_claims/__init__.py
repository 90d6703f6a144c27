"""P. Hansson, "Light Introduction to Genetic Programming", 2013: its levels, its fitness, its pictures."""
