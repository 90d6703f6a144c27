"""Build order: an opening of a real-time strategy game, in which larvae become drones, buildings and fighters."""
