"""Ablation study of the evolution of sinking programs, and the limits of their language."""
