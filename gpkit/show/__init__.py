"""Pictures of programs, charts of runs, and the pages of both."""
