"""Tuning: a planted truth is found, on deals of its own, the same whatever the workers and interruptions."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import planted_game
import pytest
from planted_game import BEST, HILL, NAMES, START, off
from plugged import plugged  # noqa: F401  a fixture

from simlab import catalog, threads
from simlab.cli import main
from simlab.errors import ExperimentError, ResultsError, RunError
from simlab.experiment import resolve as experiment_of
from simlab.experiment import shipped
from simlab.plan import plan as plan_run
from simlab.runs import Stopped
from simlab.threads import Pace
from simlab.tuning.contest import Contest
from simlab.tuning.deals import deal, games_of
from simlab.tuning.league import League
from simlab.tuning.numbers import Numbers
from simlab.tuning.plan import plan
from simlab.tuning.question import REQUIRED, Tuning, load, resolve
from simlab.tuning.tune import Tuned, tune

ENTRY_POINTS = """
[simlab.games]
planted = planted_game:GAME
broken = planted_game:BROKEN
[simlab.strategies]
planted/hill = planted_game:HILL
planted/peak = planted_game:PEAK
planted/nameless = planted_game:NAMELESS
planted/plain = planted_game:PLAIN
broken/hill = planted_game:HILL
"""
WRITTEN = {
    "name": "climbed",
    "game": "planted",
    "seed": 1,
    "base": "planted/hill",
    "opponents": ["planted/hill"],
    "players": [2, 4],
    "games": 40,
    "generations": 4,
    "champion_every": 2,
    "validation_games": 80,
    "report_games": 80,
}


@pytest.fixture(autouse=True)
def planted(plugged: Path) -> None:  # noqa: F811
    next(plugged.glob("site/*/entry_points.txt")).write_text(ENTRY_POINTS)
    catalog._group.cache_clear()


def tuning(**keys: object) -> Tuning:
    return resolve(WRITTEN | keys, Path())


def tuned(out: str, workers: int = 1, **keys: object) -> Tuned:
    return tune(plan(tuning(**keys), Path(out)), workers, lambda what: None, quiet=True)


def contents(folder: str | Path) -> dict[str, bytes]:
    files = sorted(file for file in Path(folder).rglob("*") if file.is_file())
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


# --- what is found ------------------------------------------------------------------------------------


def test_the_planted_weights_are_found() -> None:
    found = tuned("out", games=100, generations=40, champion_every=5, sigma=0.4, report_games=1000)
    weights = found.champion.strategy.weights
    assert off(weights) < 0.02 < 0.5 < off(START)
    assert all(abs(weight - best) < 0.2 * abs(best) for weight, best in zip(weights, BEST, strict=False))
    for players, share in found.report.shares.items():
        assert share.low > 1 / players + 0.1
        assert share.n == 1000


def test_only_the_weights_asked_for_change() -> None:
    found = tuned("out", weights=["negative", "factor"], generations=10)
    changed = [a != b for a, b in zip(found.champion.strategy.weights, START, strict=True)]
    assert changed == [True, True, False, False]
    assert found.champion.strategy.weights[0] > START[0]


def test_full_covariance_finds_them_too() -> None:
    found = tuned("out", games=100, generations=30, champion_every=10, covariance="full")
    assert off(found.champion.strategy.weights) < 0.1


def test_the_file_of_weights_says_where_they_come_from() -> None:
    found = tuned("out", generations=10)
    text = found.file.read_text(encoding="utf-8")
    said = tomllib.loads(text)
    weights = found.champion.strategy.weights
    assert said["name"] == "planted/climbed"
    assert said["base"] == "planted/hill"
    expected = zip(NAMES, weights, START, strict=True)
    assert said["weights"] == {name: new for name, new, old in expected if new != old}
    provenance = said["provenance"]
    assert provenance["tuning"] == json.loads(Path("out/tuning.json").read_text())["hash"]
    assert provenance["opponents"] == ["planted/hill"]
    assert [row["players"] for row in provenance["report"]] == [2, 4]
    assert provenance["report"][0]["win_share"] == round(found.report.shares[2].value, 4)
    assert provenance["validation"]["gain"] > provenance["validation"]["se"] > 0
    assert provenance["games"] == 10 * 8 * 80 + 5 * 2 * 160  # generations · candidates · games, validations
    assert str(Path.cwd()) not in text


def test_where_nothing_is_better_no_weights_are_written() -> None:
    with pytest.raises(RunError, match=r"^no mean of the search beat planted/peak on validation deals"):
        tuned("out", base="planted/peak", sigma=0.001)
    assert not list(Path("out").glob("*.toml"))


def test_an_irregular_game_is_lost_and_counted() -> None:
    made = tuning(game="broken", base="broken/hill", opponents=["broken/hill"])
    played = contest(made).play([HILL], made.opponents, deal(made, "search", 0, 40, (1.0,)))
    assert played.irregular == 1
    assert played.won[0, 0] == played.margin[0, 0] == 0
    assert played.won[0].sum() > 0


# --- the same bytes ------------------------------------------------------------------------------------


def test_the_number_of_workers_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "ALONE_SECONDS", 0.0)
    monkeypatch.setattr("simlab.tuning.contest._CALL_GAMES", 8)
    tuned("one", 1)
    tuned("three", 3)
    assert contents("one") == contents("three")


@pytest.mark.parametrize("when", [1, 700, 1290, 3300])
def test_a_search_that_was_stopped_goes_on(when: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simlab.tuning.contest._CALL_GAMES", 8)
    tuned("whole")
    played, calls = Contest.play, Counter()

    def stopping(self: Contest, *words: object) -> object:
        def advance(games: int) -> None:
            calls["games"] += games
            if calls["games"] >= when:
                raise KeyboardInterrupt

        return played(replace(self, advance=advance), *words)

    with monkeypatch.context() as patch:
        patch.setattr(Contest, "play", stopping)
        with pytest.raises(Stopped, match=r"^stopped; the same command goes on from what is in out$"):
            tuned("out")
    there = contents("out")
    tuned("out")
    assert contents("out") == contents("whole")
    assert there.items() <= contents("out").items()


def test_what_was_played_is_not_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    tuned("out")
    before, calls, played = contents("out"), Counter(), Contest.play

    def counting(self: Contest, *words: object) -> object:
        calls["calls"] += 1
        return played(self, *words)

    monkeypatch.setattr(Contest, "play", counting)
    tuned("out")
    assert calls["calls"] == 1  # the report
    assert contents("out") == before


def test_more_generations_go_on_from_those_that_are_there() -> None:
    tuned("short", generations=4)
    kept = {name: text for name, text in contents("short").items() if not name.endswith(".toml")}
    tuned("short", generations=8)
    tuned("long", generations=8)
    assert contents("short") == contents("long")
    assert kept.items() <= contents("short").items()


def test_a_broken_file_is_named() -> None:
    tuned("out")
    file = Path("out/generations/000002.json")
    file.write_text(file.read_text().replace('"irregular": 0', '"irregular": 1'))
    with pytest.raises(ResultsError, match=r"^out/generations/000002.json is broken"):
        tuned("out")
    whole = contents("out")
    file.unlink()
    tuned("out")
    assert contents("out").keys() == whole.keys()


def test_a_search_that_comes_to_other_candidates_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    tuned("out")
    monkeypatch.setattr(Numbers, "weights", lambda self, x: (1, 2, 3, 4))
    with pytest.raises(RunError, match=r"generations 0 holds other candidates than the search comes to"):
        tuned("out")


def test_another_folder_is_left_alone() -> None:
    tuned("out")
    before = contents("out")
    with pytest.raises(RunError, match=r"^out holds another tuning; choose another --out$"):
        tuned("out", seed=2)
    assert contents("out") == before
    Path("mine").mkdir()
    Path("mine/thesis.txt").write_text("all of it")
    with pytest.raises(RunError, match=r"^mine holds something other than a tuning; choose another --out$"):
        tuned("mine")
    assert list(contents("mine")) == ["thesis.txt"]


def test_what_changes_a_search_changes_its_folder() -> None:
    folder = plan(tuning()).folder
    same = {"report_games": 100, "generations": 8}
    assert all(plan(tuning(**{key: value})).folder == folder for key, value in same.items())
    other = {"games": 48, "sigma": 0.2, "margin": 0.0, "seed": 2, "weights": ["zero"], "population": 9}
    other |= {"players": 2, "champion_share": 0.2, "opponents": ["planted/peak"], "rules": {"turns": 3}}
    folders = {plan(tuning(**{key: value})).folder for key, value in other.items()}
    assert len(folders | {folder}) == 1 + len(other)


# --- deals and seats ----------------------------------------------------------------------------------


def contest(made: Tuning) -> Contest:
    return Contest(made.game, 1, Pace(1), lambda games: None)


def test_no_deal_serves_two_purposes() -> None:
    made = tuning()
    kinds = [
        ("search", 0),
        ("search", 1),
        ("validation", 2),
        ("validation", 4),
        ("report 2", 0),
        ("report 4", 0),
    ]
    keys = [deal(made, purpose, number, 400, (1.0,))[0].schedule for purpose, number in kinds]
    run = plan_run(experiment_of(_experiment(), Path()))
    keys.append(run.design.schedule(run.parts[0]))
    for field in ("deal_key", "strategy_key"):
        found = [set(schedule[field].tolist()) for schedule in keys]
        assert sum(map(len, found)) == len(set().union(*found))


def _experiment() -> dict[str, object]:
    shared = {key: WRITTEN[key] for key in ("name", "game", "seed", "players")}
    return shared | {"games": 4000, "strategies": ["planted/hill"]}


def test_a_candidate_has_every_faction_in_every_seat_equally_often() -> None:
    made = tuning(players=[2, 3, 4])
    (deals,) = deal(made, "search", 3, 6 * 8 * 4 * 3 * 2, (0.5, 0.5))
    for players in (2, 3, 4):
        rows = deals.schedule[deals.schedule["players"] == players]
        game, seat = np.nonzero(rows["strategy"] == 0)
        assert len(game) == len(rows)  # one candidate a game
        count = Counter(zip(rows["faction"][game, seat].tolist(), seat.tolist(), strict=True))
        assert len(count) == 4 * players
        assert len(set(count.values())) == 1


def test_the_league_has_its_proportions_exactly_and_keeps_its_factions_in_a_block() -> None:
    made = tuning(players=4)
    (deals,) = deal(made, "search", 0, 400, (0.5, 0.3, 0.2))
    strategy = deals.schedule["strategy"][:, :4]
    count = np.bincount(strategy[strategy > 0])[1:]
    assert count.tolist() == [600, 360, 240]
    assert (deals.schedule["strategy"][:, 4:] == -1).all()
    for block in np.unique(deals.schedule["block"]):
        rows = deals.schedule[deals.schedule["block"] == block]
        pairs = [set(zip(r["faction"][:4].tolist(), r["strategy"][:4].tolist(), strict=True)) for r in rows]
        assert all(pair == pairs[0] for pair in pairs)


def test_candidates_that_are_alike_do_alike() -> None:
    made = tuning()
    deals = deal(made, "search", 0, 80, (1.0,))
    better = replace(HILL, weights=(*BEST, 0))
    played = contest(made).play([HILL, better, HILL], made.opponents, deals)
    fitness = played.fitness(0.25)
    assert fitness[0] == fitness[2] < fitness[1]
    difference = played.differences(1, 0)
    assert set(difference) == {2, 4}
    assert all(each.value > 0 for each in difference.values())
    assert played.fitness(0.0).tolist() == pytest.approx(
        [np.mean([share.value for share in played.shares(k).values()]) for k in range(3)]
    )


def test_packs_share_the_games_evenly(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = planted_game.GAME.load_pack
    game = replace(planted_game.GAME, load_pack=lambda name: replace(loaded(name), hash=name))
    monkeypatch.setattr(catalog, "game", lambda name: game)
    made = tuning(pack=["paper", "card"], players=2)
    paper, card = deal(made, "search", 0, 80, (1.0,))
    assert (len(paper.schedule), len(card.schedule)) == (40, 40)
    assert (paper.settings.pack.name, card.settings.pack.name) == ("paper", "card")
    assert games_of(made, 80) == 80
    assert len(np.unique(contest(made).play([HILL], made.opponents, (paper, card)).block)) == 40


def test_the_league_makes_room() -> None:
    league = League([HILL, HILL], 0.5)
    assert league.proportions == (0.5, 0.5)
    for number in range(20):
        league.join(replace(HILL, name=f"champion {number}"))
        assert sum(league.proportions) == pytest.approx(1)
        assert len(league.proportions) == len(league.members) <= 15
    assert [strategy.name for strategy in league.members[1:4]] == [HILL.name, "champion 7", "champion 8"]
    assert league.proportions[-1] == league.proportions[0] == 0.25


def test_weights_move_in_proportion_and_keep_their_sign() -> None:
    numbers = Numbers(HILL, (0, 1, 2))
    assert numbers.weights(np.zeros(3)) == START
    doubled = np.log(2.0)
    assert numbers.weights(np.array([doubled, doubled, 1.0])) == (800, -320, 160, 50)
    assert numbers.weights(np.array([-doubled, 99.0, -1.0])) == (200, round(-160 * np.exp(3)), -160, 50)


# --- what is written wrong -----------------------------------------------------------------------------

# tests/inputs/tunings has the rest: these need strategies and packs that the shipped game lacks
WRONG = [
    ({"base": "planted/plain"}, 'base: "planted/plain" is plain Python; tuning plays compiled ones only'),
    (
        {"opponents": ["planted/plain"]},
        'opponents: "planted/plain" is plain Python; tuning plays compiled ones only',
    ),
    ({"opponents": [f"file{n}.py" for n in range(15)]}, "opponents names 15, but at most 14 can be met"),
    ({"pack": ["paper", "card"]}, 'pack names "paper" and "card", which are the same one'),
]


@pytest.mark.parametrize(("keys", "sentence"), WRONG)
def test_what_is_written_wrong_is_refused(keys: dict[str, object], sentence: str) -> None:
    for number in range(15):
        Path(f"file{number}.py").touch()
    with pytest.raises(ExperimentError) as refused:
        tuning(**keys)
    assert str(refused.value) == sentence


SHIPPED_WEIGHTS = ("planner", "greedy_confrontation")  # whose result comes along under that name
SHIPPED = sorted(file for file in shipped().rglob("tune_*.toml"))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_tunings_load_and_are_named_for_what_comes_out(path: Path) -> None:
    made = load(path)
    name = path.stem.removeprefix("tune_")
    assert made.name == name + ("" if name in SHIPPED_WEIGHTS else "_tuned")


def test_the_documented_tuning_shows_the_defaults() -> None:
    text = (shipped().parent / "docs" / "tuning.md").read_text(encoding="utf-8")
    written = tomllib.loads(re.findall(r"```toml\n(.*?)```", text, re.DOTALL)[0])
    least = {key: written[key] for key in REQUIRED}
    assert len(written) > len(least)
    documented = resolve(written, Path())
    assert replace(documented, experiments=()) == replace(resolve(least, Path()), experiments=())
    assert documented.experiments[0].resolved() == resolve(least, Path()).experiments[0].resolved()


def test_one_weight_alone_is_tuned() -> None:
    found = tuned("out", weights=["factor"], generations=10)
    assert found.champion.strategy.weights[0] > START[0]


# --- the command --------------------------------------------------------------------------------------


def command(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["simlab", "tune", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


def test_the_command_reports_on_unseen_deals(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("climb.toml").write_text(
        "".join(f"{key} = {json.dumps(value)}\n" for key, value in (WRITTEN | {"generations": 10}).items())
    )
    assert load(Path("climb.toml")).generations == 10
    assert command(monkeypatch, "climb.toml", "--out", "out") == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert re.fullmatch(
        r"planted/climbed \(after generation \d+\), one seat against planted/hill in .+, on unseen deals",
        lines[0],
    )
    assert lines[1].split("  ")[0] == "players"
    assert [line.split()[0] for line in lines[2:4]] == ["2", "4"]
    assert lines[-1] == "out/climbed.toml"
    assert "%" not in err  # no figure of the deals that candidates were chosen by
    assert command(monkeypatch, "nowhere.toml") == 2
    assert capsys.readouterr().err == "simlab: nowhere.toml: there is no such file\n"
    monkeypatch.setitem(sys.modules, "cma", None)
    assert command(monkeypatch, "climb.toml", "--out", "out") == 1
    assert "needs the library cma" in capsys.readouterr().err
