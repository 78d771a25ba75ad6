"""Verdicts over packs on D.E.I.: those of the report and of the comparison; what a pack assumes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reports.dei import shares
from reports.dei.basis import ORDINALS, Basis, titles
from reports.dei.comparison.effects import compare
from simlab import catalog, packs, runs
from simlab.experiment import of_mapping
from simlab.results import open_run
from simlab.robustness.mixtures import mixtures
from simlab.robustness.outcomes import read
from simlab.robustness.question import folder_of

QUESTION = {
    "name": "small",
    "game": "dei",
    "seed": 3,
    "games": 12,
    "players": [2, 3],
    "strategies": ["dei/uniform"],
}
ARMS: dict[str, Any] = {
    "arms": {"longer": {"rules": {"turns": 5}}, "grant": {"handicaps": {"grant_energy": {0: 3}}}}
}


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_verdicts_are_those_of_the_report() -> None:
    plan = runs.plan(of_mapping(QUESTION), Path("run"))
    runs.play(plan, 1, quiet=True)
    found = read(plan)
    basis = Basis(open_run("run"))
    expected = []
    for players in (2, 3):
        for column, levels, labels in (
            ("faction", basis.factions, titles(basis.factions)),
            ("seat", range(players), ORDINALS[:players]),
        ):
            expected += shares.shares(basis, column, levels, labels, players)
    assert [subject.level for subject in found.subjects] == [each.label for each in expected]
    for mine, other in zip(found.judged(basis.band), expected, strict=True):
        assert mine.estimate == other.alone
        assert (mine.verdict.kind, mine.verdict.gap, mine.verdict.p) == (
            other.verdict.kind,
            other.verdict.gap,
            other.verdict.p,
        )


def test_verdicts_on_arms_are_those_of_the_comparison() -> None:
    plan = runs.plan(of_mapping(QUESTION | ARMS), Path("run"))
    runs.play(plan, 1, quiet=True)
    found = read(plan)
    comparison = compare(open_run("run"))
    judged = {
        (subject.players, subject.arm, subject.kind, subject.level): one
        for subject, one in zip(found.subjects, found.judged(comparison.basis.band), strict=True)
    }
    kinds = {"factions": "faction", "seats": "seat"}
    told = [
        ((each.players, each.arm, kinds[name], level.label), level.effect.difference, verdict)
        for each in comparison.compared
        for name in kinds
        for level, verdict in zip(each.families[name], each.verdicts[name], strict=True)
    ]
    assert len(told) == len(judged)
    for key, difference, verdict in told:
        assert judged[key].estimate == difference, key
        assert judged[key].verdict.kind == verdict.kind
        assert judged[key].verdict.p == pytest.approx(verdict.p, nan_ok=True)
    assert any(difference.value for _, difference, _ in told)


@pytest.mark.compiled_only
def test_values_of_the_shipped_pack_are_taken_apart_as_its_files_can_be_mixed() -> None:
    game = catalog.game("dei")
    made = of_mapping(QUESTION)
    sampled = list(packs.sample(game, made.settings.pack, 1, 2, Path("drawn")))
    found = mixtures(game, folder_of(made), sampled)
    labels = {value.label for value in found.values}
    assert "candy.csv" in labels  # 16 tokens in all, so they go together
    assert {label for label in labels if label.startswith("missions.csv")} <= {
        *("missions.csv technologies_2", "missions.csv drone_cards_2"),  # of another kind, so the whole row
    }
    assert {"cards.csv refuge-42-1 icons", "tiles.toml 2.1"} <= labels
    assert not any("_range" in label or "title" in label.split() for label in labels)
    assert found.texts({}) == {name: file.text for name, file in found.files.items()}
    for level in (0.0, 1 / 3, 1.0):
        folder = found.write(dict.fromkeys(range(len(found.values)), level), Path("mixed"))
        share = game.load_pack(str(folder)).share_assumed  # of more values where a tile has resources
        assert share == pytest.approx(made.settings.pack.share_assumed, abs=0.01)
