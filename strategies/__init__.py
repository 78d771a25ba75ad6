"""Ways to play, by game. A strategy sees what its seat may know and returns one of the legal choices."""
