"""Pictures of programs, charts of runs, and HTML pages that contain them."""
