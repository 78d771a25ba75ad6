"""Runs that write some tables: the same games, and reports of what is there."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import reports
from simlab import runs
from simlab.errors import RunError, UsageError
from simlab.experiment import of_mapping
from simlab.results import open_run, read_manifest

QUESTION: dict[str, Any] = {
    "name": "recorded",
    "game": "dei",
    "seed": 3,
    "games": 16,
    "players": [2, 4],
    "strategies": ["dei/uniform"],
}
LEAST = ["games", "seats"]
MORE = ("market", "missions", "turns", "regions")


def played(folder: Path, **keys: Any) -> Path:
    plan = runs.plan(of_mapping({**QUESTION, **keys}), folder)
    runs.play(plan, 1, quiet=True)
    return folder


def test_the_games_are_the_same_ones(tmp_path: Path) -> None:
    whole, few = played(tmp_path / "whole"), played(tmp_path / "few", tables=LEAST)
    assert {path.name for path in few.iterdir() if path.is_dir()} == set(LEAST)
    old, new = read_manifest(whole), read_manifest(few)
    assert old["digest"] == new["digest"]
    assert old["hash"] != new["hash"]
    for table in LEAST:
        assert open_run(few).table(table).equals(open_run(whole).table(table))
    with pytest.raises(RunError, match=r'another run: tables = nothing, not \["games", "seats"\];'):
        played(whole, tables=LEAST)
    with pytest.raises(RunError, match=r'another run: tables = \["games", "seats"\], not nothing;'):
        played(few)


@pytest.mark.compiled_only
@pytest.mark.parametrize("more", [some for size in range(4) for some in combinations(MORE, size)])
def test_a_report_says_what_the_tables_tell(tmp_path: Path, more: tuple[str, ...]) -> None:
    folder = played(tmp_path / "run", tables=[*LEAST, *more])
    keys = {section.key for section in reports.compose(folder)}
    told = {"mission": "missions", "market": "market", "map": "regions", "quality": "turns"}
    for section, table in told.items():
        assert (section in keys) == (table in more)
        if table not in more:
            with pytest.raises(UsageError, match=f'"{section}" rests on the table "{table}"'):
                reports.compose(folder, [section])
    head = str(reports.compose(folder, ["header"])[0].parts)
    assert ("Mission" in head.partition("stand out")[0]) == ("missions" in more)
    assert ("or card stand out" in head) == ("market" in more)
    assert ("games and seats alone" in head) == (not more)


@pytest.mark.compiled_only
@pytest.mark.parametrize("more", [some for size in range(4) for some in combinations(MORE[:3], size)])
def test_a_comparison_says_what_the_tables_tell(tmp_path: Path, more: tuple[str, ...]) -> None:
    arms = {"shorter": {"rules": {"turns": 3}}}
    made = reports.comparison([played(tmp_path / "run", tables=[*LEAST, *more], arms=arms, players=4)])
    (arm,) = made["arms"]
    assert arm["factions"]
    assert ("course" in arm) == ("lead changes" in arm) == ("turns" in more)
    assert ("Missions" in arm) == ("missions" in more)
    assert ("cards bought" in arm) == ("cards played" in arm) == ("market" in more)
    folder = tmp_path / "run"
    from rich.console import Console

    reports.publish_comparison([folder], Console(quiet=True))
    text = (folder / "compare.md").read_text(encoding="utf-8")
    assert ("When the games part" in text) == ("turns" in more)
