"""Learning rules for Dots and Boxes from games: the accessibility learner of A. Knittel and others, and ours."""
