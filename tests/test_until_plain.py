"""A run of plain Python strategies that stops when it knows enough: workers are processes there."""

from __future__ import annotations

from pathlib import Path

from plugged import install, write_strategy

from simlab import runs
from simlab.experiment import load

TEXT = """
name = "toy"
game = "chance"
seed = 1
games = 2000
players = 2
strategies = ["mine.py"]
band = 30
until = "decided"
"""


def test_it_stops_at_the_same_game_with_any_number_of_processes(plugged: Path) -> None:
    install(plugged, "[simlab.games]\nchance = even_game:CHANCE\n")
    write_strategy(plugged)
    (plugged / "toy.toml").write_text(TEXT, encoding="utf-8")
    made = load(plugged / "toy.toml")
    manifests = [runs.play(runs.plan(made, plugged / str(workers)), workers) for workers in (1, 3)]
    assert manifests[0] == manifests[1]
    assert manifests[0]["ended"]["met"]
    assert 200 <= manifests[0]["ended"]["games"] < 2000
    one, three = (
        {
            file.relative_to(folder): file.read_bytes()
            for file in sorted(folder.rglob("*.*"))
            if file.is_file()
        }
        for folder in (plugged / "1", plugged / "3")
    )
    assert one == three
