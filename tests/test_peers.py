"""`benchmarks/peers.py`: it counts games and decisions of what was played, and compares within a round."""

from __future__ import annotations

import importlib.util
import json
import sys
from functools import partial
from multiprocessing import Pipe
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

SCRIPT = Path(__file__).resolve().parents[1] / "benchmarks" / "peers.py"


@pytest.fixture(scope="module")
def peers() -> ModuleType:
    spec = importlib.util.spec_from_file_location("peers", SCRIPT)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["peers"] = module
    spec.loader.exec_module(module)
    return module


def served(peers: ModuleType, make: Any, *seconds: float) -> list[Any]:
    """The slices that a peer gives when asked so often."""
    ours, theirs = Pipe()
    for each in (*seconds, None):
        ours.send(each)
    peers.serve(make, theirs)
    return [ours.recv() for _ in seconds]


def test_games_are_numbered_on_and_counted(peers: ModuleType) -> None:
    played: list[int] = []

    def play(number: int) -> Any:
        played.append(number)
        return lambda: (3, 30 + 3 * number)

    first, second = served(peers, lambda: play, 0.0, 0.001)
    assert played == list(range(len(played)))
    assert first.games == 3
    assert first.decisions == 10
    assert first.games + second.games == 3 * len(played)
    assert second.decisions_per_second == pytest.approx(second.games_per_second * second.decisions)


def test_ratios_are_taken_within_a_round(peers: ModuleType) -> None:
    mine = [peers.Slice(100, 1.0, 5.0), peers.Slice(10, 1.0, 5.0), peers.Slice(100, 1.0, 5.0)]
    other = [peers.Slice(10, 1.0, 10.0), peers.Slice(1, 1.0, 10.0), peers.Slice(20, 1.0, 10.0)]
    found = peers.row(peers.PEERS[1], other, mine)
    assert found["games_per_second"].value == 10
    assert found["games_ratio"].value == 10
    assert (found["games_ratio"].low, found["games_ratio"].high) == (7.5, 10)
    assert found["decisions_ratio"].value == 5


@pytest.mark.parametrize("as_json", [False, True])
def test_what_is_not_installed_says_so(
    peers: ModuleType, as_json: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr(peers, "installed", lambda package: "1" if package == "simlab" else "")
    monkeypatch.setattr(peers, "measure", lambda there, *_: [[peers.Slice(10, 1.0, 5.0)] for _ in there])
    peers.main(rounds=1, seconds=1.0, as_json=as_json)
    out = capsys.readouterr().out
    if as_json:
        told = json.loads(out)
        assert told["not_installed"] == ["Catanatron", "OpenSpiel"]
        assert [engine["engine"] for engine in told["engines"]] == ["simlab"]
    else:
        assert "Catanatron isn't installed: pip install 'simlab[peers]'" in out
        assert "OpenSpiel isn't installed" in out


@pytest.mark.compiled_only
def test_simlabs_own_games_are_those_that_were_asked_for(peers: ModuleType) -> None:
    (played,) = served(peers, peers.simlab, 0.0)
    assert played.games == peers.SLICE
    assert 200 < played.decisions < 400


@pytest.mark.parametrize("loop", ["open_spiel", "open_spiel_in_python"])
def test_decisions_of_open_spiel_are_positions_with_a_choice(peers: ModuleType, loop: str) -> None:
    """In tic-tac-toe all but a ninth move are."""
    pytest.importorskip("pyspiel")
    (played,) = served(peers, partial(getattr(peers, loop), "tic_tac_toe"), 0.0)
    assert 5 <= played.decisions <= 8


def test_decisions_of_catanatron_are_positions_with_a_choice(peers: ModuleType) -> None:
    catanatron = pytest.importorskip("catanatron")
    (played,) = served(peers, peers.catanatron, 0.0)
    again = catanatron.Game(
        [catanatron.RandomPlayer(colour) for colour in list(catanatron.Color)[:4]], seed=1
    )
    again.play()
    assert 16 <= played.decisions < len(again.state.actions)
