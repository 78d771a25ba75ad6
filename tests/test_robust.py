"""simlab robust: planted data and play come back, the same bytes every time, the one value is named."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pack_game import DECIDES, FACTIONS, GAME_OF_PACKS, STRENGTH, load_pack, strategy, write_own

import simlab
from reports.robust import sections
from simlab import catalog, packs, runs
from simlab.cli import main
from simlab.errors import ExperimentError, RunError, UsageError
from simlab.experiment import Experiment, load, of_mapping
from simlab.robustness.drawing import DRAWN
from simlab.robustness.morris import trajectories
from simlab.robustness.question import asked
from simlab.robustness.robustness import Playing, Robustness
from simlab.robustness.screen import Screen
from simlab.robustness.study import JSON, study
from simlab.runs import Stopped
from simlab.stats.equivalence import ABOVE, BELOW, UNDECIDED
from simlab.stats.screening import screened

TEXT = """
name = "toy"
game = "fake"
seed = 1
games = {games}
players = {players}
pack = "paper"
strategies = ["fake/0"]
{more}
"""
ARM = "[arms.longer]\nrules = { turns = 6 }\n"


@pytest.fixture(autouse=True)
def fake(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    write_own(Path("paper"))
    monkeypatch.setattr(catalog, "game", lambda name: GAME_OF_PACKS)
    monkeypatch.setattr(catalog, "check_strategy", lambda name, game: None)
    monkeypatch.setattr(catalog, "strategy", lambda name, game: strategy(name))


def experiment(games: int = 400, players: str = "4", more: str = "") -> Experiment:
    Path("toy.toml").write_text(TEXT.format(games=games, players=players, more=more), encoding="utf-8")
    return load("toy.toml")


def studied(
    made: Experiment,
    packs: int = 4,
    by: tuple[str, ...] = (),
    screen: int | None = None,
    out: str | None = None,
    workers: int = 1,
) -> tuple[Robustness, Screen | None]:
    playing = Playing(workers, quiet=True)
    return study(asked(made, packs, by, out and Path(out)), playing, screen, lambda what: None)


def contents(folder: str) -> dict[str, bytes]:
    return {
        str(f.relative_to(folder)): f.read_bytes() for f in sorted(Path(folder).rglob("*")) if f.is_file()
    }


def of(found: Robustness, level: str):
    return next(each for each in found.findings if each.subject.level == level)


# --- packs ------------------------------------------------------------------------------------------------


def test_what_the_data_do_comes_back() -> None:
    found, _ = studied(experiment(2_000), packs=16)
    powers = [load_pack(f"runs/toy-robust/packs/{name}").power for name in found.names]
    odds = np.exp(STRENGTH * (np.array(powers) - 2))
    truth = odds / (odds + 3)
    red = of(found, FACTIONS[0])
    estimates = [judged.estimate.value for judged in red.packs[0]]
    assert np.max(np.abs(np.array(estimates) - truth)) < 0.05
    assert red.parts is not None
    spread = red.parts.data.deviation()
    assert spread.low < np.std(truth, ddof=1) < spread.high
    assert spread.value == pytest.approx(np.std(truth, ddof=1), rel=0.15)
    for judged, share in zip(red.packs[0], truth, strict=True):
        if abs(share - 0.25) > 0.05:  # far outside the band of two points
            assert judged.verdict.kind == "unbalanced"
    assert red.share(ABOVE).value == np.mean(truth > 0.3)
    assert red.share(BELOW).value == np.mean(truth < 0.2)
    seat = of(found, "1st")
    assert seat.parts is not None
    assert seat.parts.data.deviation().low == 0  # the pack changes no seat


def test_a_verdict_that_no_pack_changes_holds_in_all() -> None:
    Path("paper/cards.csv").write_text(
        Path("paper/cards.csv").read_text().replace(f"{DECIDES},2,", f"{DECIDES},4,"), encoding="utf-8"
    )
    found, _ = studied(experiment(4_000), packs=4)
    red, first = of(found, FACTIONS[0]), of(found, "1st")
    assert red.answer == ABOVE
    assert red.holds is not None
    assert red.holds.n == 4
    assert red.holds.value < 1
    assert red.contradicted >= 1
    assert first.answer == "balanced"
    assert first.holds is not None
    assert first.holds.value == 1
    (said, *_) = sections(found, None)[0].parts
    same, open_ = round(red.holds.value * 4), round(red.share(UNDECIDED).value * 4)
    rest = "".join(
        f", {how} in {n}" for how, n in (("undecided", open_), ("otherwise", red.contradicted)) if n
    )
    assert re.search(rf"too strong, in {same} \([^)]*\){rest};", str(said))
    assert "the 1st seat balanced, in 4 (51.0–100.0 %)" in str(said)


def test_play_is_told_apart_from_data() -> None:
    found, _ = studied(experiment(1_200), packs=5, by=("fake/60", "fake/120"))
    assert [way.strategies for way in found.asked.ways] == [("fake/0",), ("fake/60",), ("fake/120",)]
    red, blue = of(found, FACTIONS[0]).parts, of(found, FACTIONS[2]).parts
    assert red is not None
    assert blue is not None
    assert blue.play is not None
    assert blue.play.deviation().low > 0.03
    assert blue.play.variance > blue.data.variance
    assert red.play is not None
    assert red.data.variance > red.play.variance


def test_a_mix_is_told_apart_by_who_is_in_it() -> None:
    made = experiment(400).resolved() | {"strategies": ["fake/0", "fake/120"]}
    assert asked(of_mapping(made), 2, (), None).apart == (0,)
    assert asked(of_mapping(made), 2, ("fake/60",), None).apart == (0, 1)
    both, _ = studied(of_mapping(made), packs=2, by=("fake/0", "fake/120"), out="both")
    assert both.asked.apart == (1, 2)
    alone, _ = studied(experiment(400), packs=2, by=("fake/120",), out="alone")
    assert str(of(both, FACTIONS[2]).parts) == str(of(alone, FACTIONS[2]).parts)


def test_what_an_arm_changes_is_judged() -> None:
    found, _ = studied(experiment(2_000, more=ARM), packs=4)
    assert {each.subject.arm for each in found.findings} == {"longer"}
    green = of(found, FACTIONS[1])
    assert green.subject.target == 0
    assert green.answer == ABOVE
    assert green.holds is not None
    assert green.holds.value == 1
    assert of(found, "1st").answer == "balanced"


def test_who_plays_an_arm_too_is_a_way_of_playing() -> None:
    found, _ = studied(experiment(400, more='also_by = [["fake/90"]]\n' + ARM), packs=2)
    assert [way.strategies for way in found.asked.ways] == [("fake/0",), ("fake/90",)]
    assert of(found, "1st").parts.play is not None


def test_several_numbers_of_players_have_subjects_of_their_own() -> None:
    found, _ = studied(experiment(240, "[2, 4]"), packs=2)
    assert [(e.subject.players, e.subject.level) for e in found.findings if e.subject.kind == "seat"] == [
        *((2, "1st"), (2, "2nd")),
        *((4, seat) for seat in ("1st", "2nd", "3rd", "4th")),
    ]


def test_any_number_of_workers_gives_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {}
    for workers in (1, 3):
        Path(str(workers)).mkdir()
        with monkeypatch.context() as context:
            context.chdir(str(workers))
            write_own(Path("paper"))
            studied(experiment(1_200), packs=2, workers=workers)
            found[workers] = contents("runs")
    assert found[1] == found[3]
    assert f"toy-robust/{JSON}" in found[1]


def test_what_is_there_is_not_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    made = experiment()
    first, _ = studied(made, packs=3)
    before = contents("runs/toy-robust")
    monkeypatch.setattr(runs, "_play_part", None)  # whoever plays fails, and who draws
    made = replace(made, game=replace(made.game, sample_pack=None))
    again, _ = studied(made, packs=3)
    assert again.digest == first.digest
    assert contents("runs/toy-robust") == before
    fewer, _ = studied(made, packs=2)
    assert fewer.packs[0][0].digest == first.packs[0][0].digest


def test_more_packs_and_games_keep_what_was_there() -> None:
    first, _ = studied(experiment(), packs=2)
    more, _ = studied(experiment(), packs=3)
    assert [each[0].digest for each in more.packs[:2]] == [each[0].digest for each in first.packs]
    longer, _ = studied(experiment(800), packs=2)
    back, _ = studied(experiment(400), packs=2)
    assert longer.everything[0].played == 800
    assert back.digest == first.digest  # of a longer run the first games are taken


def test_packs_are_those_that_the_command_for_them_draws() -> None:
    made = experiment()
    found, _ = studied(made, packs=3)
    drawn = list(packs.sample(made.game, made.settings.pack, made.seed, 3, Path("drawn")))
    assert [folder.name for folder in drawn] == list(found.names)
    there = contents("runs/toy-robust/packs")
    assert {name: there[name] for name in there if name != DRAWN} == contents("drawn")


def test_a_stop_says_how_it_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    made = experiment()
    with monkeypatch.context() as context:
        context.setattr(runs, "_play_part", interrupted)
        with pytest.raises(
            Stopped, match="stopped; the same command goes on from what is in runs/toy-robust"
        ):
            studied(made, packs=2)
    assert run(monkeypatch, "toy.toml", "--packs", "2", "--workers", "1") == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "Undecided with the experiment's pack: every verdict; more games would settle some." in said


def test_a_pack_that_was_changed_since_is_refused() -> None:
    studied(experiment(), packs=2)
    file = Path("runs/toy-robust/packs/paper-1-0/cards.csv")
    file.write_text(file.read_text(encoding="utf-8").replace("c1,", "c1,9", 1), encoding="utf-8")
    with pytest.raises(UsageError, match="paper-1-0 is there already and holds something else"):
        studied(experiment(), packs=2)


def test_json_says_what_was_found() -> None:
    found, _ = studied(experiment(), by=("fake/90",))
    told = json.loads(Path("runs/toy-robust", JSON).read_text(encoding="utf-8"))
    assert told["digest"] == found.digest
    assert told["strategies"] == [["fake/0"], ["fake/90"]]
    red = told["subjects"][0]
    assert (red["players"], red["faction"]) == (4, FACTIONS[0])
    assert sum(share["value"] for share in red["packs"].values()) == pytest.approx(1)
    assert len(red["by_pack"]) == 2
    assert len(red["by_pack"][0]) == 4
    assert red["play"] is not None
    assert told["screen"] is None


def test_the_same_from_python() -> None:
    experiment()
    told = simlab.robust("toy.toml", packs=2, by=["fake/90"])
    assert told == json.loads(Path("runs/toy-robust", JSON).read_text(encoding="utf-8"))
    with pytest.raises(UsageError, match="packs must be from 2 to"):
        simlab.robust("toy.toml", packs=1)
    with pytest.raises(UsageError, match="by must be a list"):
        simlab.robust("toy.toml", by="fake/90")


# --- the command ----------------------------------------------------------------------------------------


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["simlab", "robust", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


def test_the_command_prints_and_writes_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    experiment(800)
    assert run(monkeypatch, "toy.toml", "--packs", "2", "--by", "fake/90", "--workers", "1") == 0
    out, err = capsys.readouterr()
    for words in ("Toy over plausible packs", "Verdicts over packs", "Win share by faction", "By who plays"):
        assert words in out
    folder = Path("runs/toy-robust")
    assert err.strip().endswith("robust.html")
    page, text = (folder / "robust.html").read_text(), (folder / "robust.md").read_text()
    assert "<svg" in page
    assert re.search(r'aria-label="[^"]*2 draws from \d', page)
    assert "n = 2 packs" in page
    for link in re.findall(r"\]\((robust/figures/[^)]+)\)", text):
        assert (folder / link).is_file()
    for number in re.findall(r"\d+\.\d % ± \d+\.\d", text)[:20]:
        assert number in page


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ('until = "decided"', "until has no effect here: every pack plays as many games, which games says"),
        (
            "[ladder]\npacks = 0",
            "[ladder] has no effect here: simlab ladder holds an order over packs itself",
        ),
    ],
)
def test_what_has_no_effect_is_refused(
    more: str, sentence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("toy.toml").write_text(TEXT.format(games=400, players=4, more=more), encoding="utf-8")
    assert run(monkeypatch, "toy.toml") == 2
    assert f"toy.toml: {sentence}" in capsys.readouterr().err
    assert not Path("runs").exists()


def test_who_plays_already_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    experiment()
    assert run(monkeypatch, "toy.toml", "--by", "fake/0") == 2
    assert '--by "fake/0" has no effect: it plays already' in capsys.readouterr().err
    assert run(monkeypatch, "toy.toml", "--by", "fake/9", "--by", "fake/9") == 2


def test_a_pack_without_assumed_values_is_refused() -> None:
    made = experiment()
    known = replace(made.settings, pack=replace(made.settings.pack, share_assumed=0))
    with pytest.raises(ExperimentError, match='the pack "paper" assumes no value'):
        asked(replace(made, settings=known), 4, (), None)


def test_the_folder_of_a_run_is_refused() -> None:
    made = experiment()
    plan = runs.plan(made, Path("there"))
    runs.play(plan, 1, quiet=True)
    with pytest.raises(RunError, match="there holds a run; choose another --out"):
        studied(made, out="there")


def test_without_the_library_a_screening_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    experiment()
    monkeypatch.setitem(sys.modules, "SALib.sample", None)
    assert run(monkeypatch, "toy.toml", "--screen", "3") == 1
    assert 'screening needs the library SALib: pip install "simlab[sensitivity]"' in capsys.readouterr().err
    assert not Path("runs/toy-robust").exists()  # before anything is played


# --- screening --------------------------------------------------------------------------------------------


def test_the_one_value_that_decides_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("SALib")
    said: list[str] = []
    made = experiment(1_200)
    _, screen = study(asked(made, 8, (), None), Playing(1, quiet=True), 2, said.append)
    assert screen is not None
    families, values = screen.stages
    assert [each.input.label for each in families.mattering] == ["cards.csv power"]
    assert [each.input.label for each in screen.named] == [f"cards.csv {DECIDES} power"]
    named = screen.named[0]
    assert screen.subjects[named.moved.most].level == FACTIONS[0]
    assert named.moved.mean[named.moved.most] > 0  # more power, more wins
    assert {each.input.label for each in families.inputs} == {
        *("cards.csv power", "cards.csv price", "candy.csv", "tiles.toml", "pack.toml limit"),
    }
    for each in (*families.inputs, *values.inputs):  # what changes no game has no size at all
        assert each.matters or each.moved.size.max() == 0
    assert families.other_deals.size.max() > 0
    assert f"screening 5 families: {2 * 7} packs, {2 * 7 * 1_200:,} games" in said
    assert screen.values == 6 + 6 + 1 + 3 + 1
    told = json.loads(Path("runs/toy-robust", JSON).read_text(encoding="utf-8"))["screen"]
    assert told["look_up_first"] == [f"cards.csv {DECIDES} power"]
    first = told["stages"][1]["found"][0]
    assert (first["file"], first["row"], first["column"]) == ("cards.csv", DECIDES, "power")
    before = contents("runs/toy-robust")
    monkeypatch.setattr(runs, "_play_part", None)  # what is there isn't played again
    _, again = studied(made, packs=8, screen=2)
    assert str(again) == str(screen)
    assert contents("runs/toy-robust") == before


@pytest.mark.parametrize("name", ["Sobol_G", "linear"])
def test_effects_are_those_that_salib_finds_on_functions_it_knows(name: str) -> None:
    pytest.importorskip("SALib")
    from SALib.analyze import morris
    from SALib.test_functions import Sobol_G

    factors = 8

    def output(x: np.ndarray) -> np.ndarray:
        return np.asarray(Sobol_G.evaluate(x)) if name == "Sobol_G" else x @ np.arange(factors)

    walks = trajectories([1] * factors, 30, 5)
    rows = walks.points.reshape(-1, factors)
    y = output(rows)
    known = morris.analyze(
        {"num_vars": factors, "names": list("abcdefgh"), "bounds": [[0, 1]] * factors}, rows, y, num_levels=4
    )
    effects = np.zeros((factors, 30, 1))
    by_walk = y.reshape(30, factors + 1)
    for walk in range(30):
        for step, moved in enumerate(walks.moved[walk]):
            up = walks.points[walk, step + 1, moved] > walks.points[walk, step, moved]
            effects[moved, walk] = (by_walk[walk, step + 1] - by_walk[walk, step]) * (1 if up else -1)
    found = screened(effects, np.zeros_like(effects))
    step_size = 2 / 3
    assert [each.size[0] / step_size for each in found] == pytest.approx(list(known["mu_star"]))
    assert [each.mean[0] / step_size for each in found] == pytest.approx(list(known["mu"]))
    assert [each.spread[0] / step_size for each in found] == pytest.approx(list(known["sigma"]))
    order = sorted(range(factors), key=lambda k: -found[k].size[0])
    assert order[:3] == ([0, 1, 2] if name == "Sobol_G" else [7, 6, 5])


def test_groups_move_together_and_each_once_in_a_walk() -> None:
    pytest.importorskip("SALib")
    walks = trajectories([3, 1, 2], 5, 7)
    assert walks.points.shape == (5, 4, 6)
    assert (np.sort(walks.moved, axis=1) == np.arange(3)).all()
    steps = np.abs(np.diff(walks.points, axis=1))
    for walk in range(5):
        for step, moved in enumerate(walks.moved[walk]):
            mine = np.repeat(np.arange(3), [3, 1, 2]) == moved
            assert steps[walk, step, mine] == pytest.approx(2 / 3)
            assert (steps[walk, step, ~mine] == 0).all()
    assert (trajectories([3, 1, 2], 5, 7).points == walks.points).all()
