"""The language server: findings and completions in editors that support the Language Server Protocol."""
