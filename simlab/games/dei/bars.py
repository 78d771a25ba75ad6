"""How fast D.E.I. must be, as `simlab bench` measures it."""

from __future__ import annotations

from simlab.game import Bar

BARS = (
    Bar("games_per_1e9_steps", 14_000, at_least=True, strategy="dei/uniform", players=4, aim=28_000),
    Bar("games_per_1e9_steps", 4_300, at_least=True, strategy="dei/greedy", players=4, aim=9_000),
    Bar("games_per_1e9_steps", 0.5, at_least=True, strategy="dei/planner", players=4, of="dei/greedy"),
    Bar("games_per_second", 0.5, at_least=True, strategy="dei/search:20+dei/planner", players=4),
    Bar("recording_share", 0.15, at_least=False, players=4),
    Bar("workers_2", 1.8, at_least=True, players=4),
    Bar("help", 0.5, at_least=False),
    Bar("warm_start", 2, at_least=False),
    Bar("cold_start", 60, at_least=False),
)
