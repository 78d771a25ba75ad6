"""The calibration of the shipped pack: its bars hold, and a pack that isn't like that fails them."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from math import inf
from pathlib import Path
from types import ModuleType

import pytest

from reports.document import Kind
from simlab.games.dei.pack import PACKS
from simlab.stats.intervals import Estimate

SCRIPT = Path(__file__).resolve().parents[1] / "benchmarks" / "calibration.py"


@pytest.fixture(scope="module")
def calibration() -> ModuleType:
    spec = importlib.util.spec_from_file_location("calibration", SCRIPT)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["calibration"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [(41, 69, "holds"), (40, 70, "holds"), (69, 71, "undecided"), (71, 72, "fails"), (30, 39, "fails")],
)
def test_a_bar_holds_if_the_whole_interval_does(
    calibration: ModuleType, low: float, high: float, verdict: str
) -> None:
    figure = Estimate((low + high) / 2, 1, low, high, 100, 25, 0.95)
    assert calibration.Bar("Supplies", figure, 40, 70, Kind.AMOUNT).verdict == verdict


def test_a_bar_in_words(calibration: ModuleType) -> None:
    figure = Estimate(0.5, 0.1, 0.4, 0.6, 100, 25, 0.95)
    spans = [(40, 70, Kind.AMOUNT), (0.02, inf, Kind.SHARE), (-inf, 1 / 3, Kind.SHARE)]
    bars = [calibration.Bar("", figure, *span) for span in spans]
    assert [bar.span for bar in bars] == ["40 to 70", "at least 2 %", "at most 33.3 %"]


def test_nothing_is_set_by_who_wins() -> None:
    """Places are read for the winner's score alone; win shares and factions aren't read at all."""
    code = SCRIPT.read_text(encoding="utf-8").partition('"""\n')[2]
    assert not [word for word in ("win_share", "faction", "winner_") if word in code]
    assert code.count("place") == code.count("place = 1") + code.count("replace")


ALL = ("dei/greedy", "dei/planner", "dei/search:4")


def measured(
    calibration: ModuleType, pack: Path, out: Path, games: int, strategies: tuple[str, ...] = ("dei/greedy",)
) -> dict[str, str]:
    """The verdict on each bar, by the beginning of its title."""
    asked = None if strategies == ALL else strategies
    found, loaded = calibration.played(str(pack), games, None, 1, out, asked)
    printed, bars = calibration.section(found, loaded)
    assert len(printed.parts[1].rows) == len(bars) == 6
    assert tuple(row[0] for row in printed.parts[3].rows) == strategies
    return {bar.title.partition(" (")[0]: bar.verdict for bar in bars}


@pytest.mark.slow
@pytest.mark.compiled_only
def test_the_shipped_pack_fails_no_bar_and_a_spoilt_one_does(calibration: ModuleType, tmp_path: Path) -> None:
    mixed = measured(calibration, PACKS / "reconstructed", tmp_path / "mixed", 324, ALL)
    assert "fails" not in mixed.values()
    shipped = measured(calibration, PACKS / "reconstructed", tmp_path / "shipped", 2400)
    assert "fails" not in shipped.values()
    assert list(shipped.values()).count("holds") >= 5
    spoilt = shutil.copytree(PACKS / "reconstructed", tmp_path / "spoilt")
    cards, tiles = spoilt / "cards.csv", spoilt / "tiles.toml"
    text = cards.read_text(encoding="utf-8")
    dear = text.replace("copy,copy*1..2,2,1..3,0,0..1", "copy,copy*1..2,9,9..9,9,9..9")
    assert dear != text
    cards.write_text(dear, encoding="utf-8")
    text = tiles.read_text(encoding="utf-8")
    rich = text.replace("technology = { b = 1,", "technology = { b = 3,")
    assert rich != text
    tiles.write_text(rich, encoding="utf-8")
    verdicts = measured(calibration, spoilt, tmp_path / "run", 2400)
    assert verdicts["Games with the Market card that sell it, the rarest"] == "fails"
    assert verdicts["Resources left on the map as Turn 4 begins, of those at the start"] == "fails"
