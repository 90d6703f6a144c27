"""Pictures of programs, charts of runs, and HTML pages that contain them, with the script of these pages."""
