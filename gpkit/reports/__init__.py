"""Reports on runs: what is found out about them, their charts, and their pages."""
