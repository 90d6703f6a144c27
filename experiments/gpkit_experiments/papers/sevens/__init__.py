"""P. Hansson, "Light Introduction to Genetic Programming", GameDev.net, 2013: what it says of Sevens, measured."""
