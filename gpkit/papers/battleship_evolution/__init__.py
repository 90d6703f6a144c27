"""What evolves sinking programs, part by part, and where their language ends."""
