"""The language server: findings and completions in editors that speak its protocol."""
