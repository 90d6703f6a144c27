"""The learner, compiled: games of a population of rules against an opponent, and what the rules learn from them."""
