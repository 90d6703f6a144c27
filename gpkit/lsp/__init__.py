"""Language server: programs in editors that speak the Language Server Protocol."""
