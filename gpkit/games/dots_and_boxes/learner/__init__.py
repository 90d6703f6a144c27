"""Rules of Dots and Boxes that are learned from games: the accessibility learner of A. Knittel and others, and ours."""
