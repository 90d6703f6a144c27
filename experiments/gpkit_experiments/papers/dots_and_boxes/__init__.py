"""The accessibility learner of A. Knittel and others, measured exactly, and what goes beyond it."""
