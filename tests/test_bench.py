"""`simlab bench`: it counts right, compares what belongs together, and says where a bar is missed.

Nothing here depends on how fast the machine is.
"""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from pathlib import Path

import pytest
from fake_game import GAME_OF_CHANCE, strategy
from rich.console import Console

from simlab import catalog, experiment, results, runs
from simlab.bench import machine, process, question, reference, speed, tables
from simlab.bench.measures import Measure, against, of_rounds, with_bars
from simlab.cli import main
from simlab.errors import RunError, UsageError
from simlab.game import Bar
from simlab.strategy import Strategy

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(autouse=True)
def little(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference, "STEPS", 1000)
    monkeypatch.setattr(process, "HELP_TIMES", 1)
    monkeypatch.setattr(process, "WARM_TIMES", 1)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "game", lambda name: GAME_OF_CHANCE)
    monkeypatch.setattr(catalog, "strategies", lambda name: ["fake/first", "fake/second"])
    monkeypatch.setattr(catalog, "check_strategy", lambda name, game: None)
    monkeypatch.setattr(catalog, "strategy", lambda name, game: strategy(name))


def fake_plan(folder: Path, games: int = 1) -> runs.Plan:
    written = {"name": "toy", "game": "fake", "seed": 1, "games": games, "players": 4}
    return runs.plan(experiment.resolve({**written, "strategies": ["fake/first"]}, folder), folder)


def test_the_reference_loop_is_splitmix64() -> None:
    """The first outputs from 0, as its authors' code gives them, each the next input."""
    mask, golden = 2**64 - 1, 0x9E3779B97F4A7C15
    value, expected = 0, []
    for _ in range(3):
        value = (value + golden) & mask
        value = ((value ^ value >> 30) * 0xBF58476D1CE4E5B9) & mask
        value = ((value ^ value >> 27) * 0x94D049BB133111EB) & mask
        value ^= value >> 31
        expected.append(value)
    assert expected[0] == 0xE220A8397B1DCDAF
    with reference.quiet():
        assert [int(reference.chain(steps, 0)) & mask for steps in (1, 2, 3)] == expected
    assert reference.seconds(1) > 0


@pytest.mark.usefixtures("fake")
def test_a_round_plays_whole_blocks_alone_and_side_by_side(tmp_path: Path) -> None:
    found = list(speed.rounds(fake_plan(tmp_path), games=1001, workers=[2, 3], count=3))
    assert [each.games for each in found] == [1004] * 3
    assert all(set(each.together) == {2, 3} for each in found)
    assert all(0 < each.alone.recording < 1 for each in found)
    assert all(speedup > 0 for each in found for speedup in each.together.values())
    written: dict[str, list[str]] = {}
    for file in sorted(tmp_path.glob("*/games/*")):
        written.setdefault(file.parts[-3], []).append(file.name)
    parts = [f"{number:06d}.parquet" for number in range(3)]
    assert written == {"warm": ["000003.parquet"], "alone": parts} | dict.fromkeys(
        ("2-0", "2-1", "3-0", "3-1", "3-2"), parts
    )


@pytest.mark.usefixtures("fake")
def test_slices_are_the_games_of_a_run(tmp_path: Path) -> None:
    plan = fake_plan(tmp_path)
    found = list(speed.rounds(plan, games=1000, workers=[], count=3))
    files = {table: sorted((tmp_path / "alone" / table).iterdir()) for table in plan.tables}
    stored = results.Run(tmp_path, {}, files)
    games, irregular, digest = stored.sql(
        "SELECT count(*), count(*) FILTER (ending <> 'finished'), sum(game_hash::HUGEINT) FROM games"
    ).fetchall()[0]
    assert (games, sum(each.alone.irregular for each in found)) == (3000, irregular)
    assert irregular > 0
    manifest = runs.play(fake_plan(tmp_path / "run", games=3000), 1)
    assert f"{int(digest) % 2**64:016x}" == manifest["digest"]
    size = sum(path.stat().st_size for paths in files.values() for path in paths)
    assert sum(each.alone.size for each in found) == size


def a_round(playing: float, reference_seconds: float = 3.0) -> speed.Round:
    work = {"choices": 8.0 * playing}
    alone = speed.Played(playing, 0.25, 0.25, cpu=playing, size=500, irregular=1, work=work)
    return speed.Round(100, alone, reference_seconds, reference_seconds / 2, {2: playing})


def test_a_round_is_told_in_games_and_in_steps() -> None:
    one = a_round(1.5)
    assert (one.games_per_second, one.games_per_unit, one.games_per_unit_cpu) == (50, 150, 100)
    assert one.alone.recording == 0.25


def test_a_summary_takes_medians_and_quartiles() -> None:
    found = {
        measure.name: measure
        for measure in speed.summary([a_round(1.5), a_round(0.5), a_round(4.5)], "fake/first")
    }
    speeds = found["games_per_1e9_steps"]
    assert (speeds.low, speeds.value, speeds.high) == (105, 150, 225)
    assert found["workers_2"].value == 1.5
    assert found["irregular_games"].value == 3
    assert found["bytes_per_game"].value == 5
    assert found["choices_per_game"].value == pytest.approx(8 * 6.5 / 3)
    assert found["recording_share"].value == pytest.approx(0.25)
    assert "decisions_per_game" not in found
    assert {measure.strategy for measure in found.values()} == {"fake/first"}


def test_one_round_has_no_spread() -> None:
    only = of_rounds("x", "x", "", [4.0])
    assert (only.low, only.value, only.high) == (None, 4.0, None)
    assert set(only.plain()) == {"name", "value", "says"}


def test_a_bar_is_for_its_strategy_and_number_of_players() -> None:
    bars = (
        Bar("speed", 10, at_least=True, strategy="a", players=4, aim=20),
        Bar("start", 2, at_least=False),
    )
    measures = [
        Measure("speed", "", "", 10, strategy="a"),
        Measure("speed", "", "", 99, strategy="b"),
        Measure("start", "", "s", 2.5),
    ]
    found = with_bars(measures, bars, players=4)
    assert [measure.met for measure in found] == [True, None, False]
    assert found[0].plain()["bar"] == {"at_least": 10, "met": True, "aim": 20}
    assert found[2].plain()["bar"] == {"at_most": 2, "met": False}
    assert [measure.met for measure in with_bars(measures, bars, players=3)] == [None, None, False]


def test_a_bar_may_be_a_share_of_another_strategys_figure() -> None:
    bars = (
        Bar("speed", 0.5, at_least=True, strategy="b", of="a"),
        Bar("speed", 20, at_least=True, strategy="a"),
    )
    measures = [Measure("speed", "", "", 30, strategy="a"), Measure("speed", "", "", 12, strategy="b")]
    shares = against(measures, bars)
    assert [(each.name, each.strategy, each.value) for each in shares] == [("speed_of_a", "b", 0.4)]
    found = with_bars([*measures, *shares], bars, players=4)
    assert [measure.met for measure in found] == [True, None, False]
    assert against(measures[:1], bars) == []


@pytest.mark.usefixtures("fake")
def test_in_a_mix_one_seat_plays_the_first_strategy(tmp_path: Path) -> None:
    written = {"name": "toy", "game": "fake", "seed": 1, "games": 8, "players": 4}
    made = experiment.resolve({**written, "strategies": ["fake/first", "fake/second"]}, tmp_path)
    plan = runs.plan(made, tmp_path)
    work = speed.Slice(plan, plan.design.parts(8)[0], tmp_path)
    schedule = speed.schedule_of(work)
    seats = schedule["strategy"][:, :4]
    assert (seats.sum(axis=1) == 3).all()
    assert [list(row).index(0) for row in seats[:4]] == [0, 1, 2, 3]


@pytest.mark.usefixtures("fake")
def test_a_slice_of_a_slow_strategy_is_as_short_as_can_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert speed.slice_of(fake_plan(tmp_path), 32) == 6000
    monkeypatch.setattr(
        catalog, "strategy", lambda name, game: dataclasses.replace(strategy(name), games_per_part=24)
    )
    assert speed.slice_of(fake_plan(tmp_path), 32) == 4


def test_every_bar_of_dei_names_a_measure() -> None:
    game = catalog.game("dei")
    names = {measure.name for measure in speed.summary([a_round(1.0)], "")} | set(process.NAMES)
    for bar in game.bars:
        assert bar.measure in names
        for name in bar.strategy.split("+"):
            catalog.check_strategy(name, "dei") if name else None
        assert bar.of in {"", *catalog.strategies("dei")}
        assert bar.players in {0, *game.players}


def test_memory_is_that_of_the_process_itself() -> None:
    """A process started by a large one doesn't begin with the other's peak."""
    held = bytearray(300 * 2**20)
    code = (
        "from simlab.bench.process import peak_memory\n"
        "before = peak_memory(); held = bytearray(100 * 2**20); print(before, peak_memory())"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    before, after = map(int, answer.stdout.split())
    assert before < 250 * 2**20 < len(held)
    assert after - before > 90 * 2**20


def test_a_command_that_fails_is_an_error_with_its_sentence() -> None:
    with pytest.raises(RunError, match=r"^a command that bench started failed: nowhere\.toml: there is no"):
        process.simlab(["show", "nowhere.toml"])


@pytest.mark.usefixtures("fake")
def test_a_cold_start_has_a_cache_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[list[str], dict[str, str] | None]] = []

    def noted(words: list[str], environment: dict[str, str] | None = None) -> float:
        asked.append((words, environment))
        return float(len(asked))

    monkeypatch.setattr(process, "simlab", noted)
    made = fake_plan(tmp_path).experiment
    found = {measure.name: measure.value for measure in process.starts(made, tmp_path, cold=True)}
    assert found == {"help": 1, "warm_start": 2, "cold_start": 3}
    assert [words[0] for words, _ in asked] == ["--help", "run", "run"]
    assert [environment for _, environment in asked] == [
        None,
        None,
        {"SIMLAB_CACHE_DIR": str(tmp_path / "cache")},
    ]
    assert {words[-1] for words, _ in asked[1:]} == {str(tmp_path / "warm-0"), str(tmp_path / "cold")}


def test_the_facts_name_cpu_cores_and_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    facts = machine.facts({"numba": "1"})
    assert {"cpu", "cores", "memory_bytes", "system", "numba"} <= set(facts)
    assert facts["cpu"]
    assert "NUMBA_BOUNDSCHECK=1" in str(facts["flags"])


@pytest.mark.usefixtures("fake")
def test_without_strategies_all_compiled_ones_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    start = Measure("help", "simlab --help", "s", 0.1)
    monkeypatch.setattr(process, "starts", lambda *_, **__: [start])
    monkeypatch.setattr(question, "read_manifest", lambda _: {"versions": {"python": "3"}})
    monkeypatch.setattr(process, "memory", lambda made, _: Measure("peak", "", "bytes", made.games))
    said: list[str] = []
    asked = question.Question(GAME_OF_CHANCE, (), players=4, games=None, rounds=2, workers=(2,))
    found = question.answer(asked, said.append)
    assert [each for each in said if "rounds" in each] == ["fake/first: 2 rounds", "fake/second: 2 rounds"]
    peaks = [measure.value for measure in found.measures if measure.name == "peak"]
    assert peaks == [6000, 6000]  # as long as a part of a run
    plain = json.loads(found.json())
    assert (plain["game"], plain["players"], plain["rounds"]) == ("fake", 4, 2)
    assert len(plain["measures"]) == len(found.measures)
    titles = [table.title for table in tables.tables(found)]
    assert titles == ["fake/first, 4 players", "fake/second, 4 players", "simlab", "Machine"]


@pytest.mark.usefixtures("fake")
def test_a_strategy_in_plain_python_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def named(name: str, game: str) -> Strategy:
        return dataclasses.replace(strategy(name), compiled=name != "mine.py")

    monkeypatch.setattr(catalog, "strategy", named)
    asked = question.Question(
        GAME_OF_CHANCE, ("fake/first", "mine.py"), players=4, games=4, rounds=1, workers=()
    )
    with pytest.raises(UsageError, match=r"^mine\.py is plain Python; bench measures compiled strategies$"):
        question.answer(asked, lambda _: None)


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0.1234, "share", "12.3 %"),
        (1541.2, "bytes", "1,541 B"),
        (3 * 2**20, "bytes", "3.0 MiB"),
        (1.834, "", "1.83"),
        (12634.7, "", "12,635"),
        (2, "s", "2 s"),
        (0.5, "s", "0.50 s"),
    ],
)
def test_figures_have_the_digits_that_count(value: float, unit: str, text: str) -> None:
    assert tables.number(value, unit) == text


def test_nothing_is_cut_in_a_terminal_of_80_columns(capsys: pytest.CaptureFixture[str]) -> None:
    bar = Bar("games_per_1e9_steps", 14_000, at_least=True, aim=28_000)
    measures = (
        dataclasses.replace(of_rounds("x", "games per 10⁹ steps", "", [10_155, 9_796], "a"), bar=bar),
        Measure("peak_memory", "memory, 6,000 games", "bytes", 302.6 * 2**20, strategy="a"),
    )
    asked = question.Question(GAME_OF_CHANCE, ("a",), players=4, games=None, rounds=2, workers=())
    for table in tables.tables(question.Answer(asked, {"cpu": "any"}, measures)):
        Console(width=80).print(table)
    out = capsys.readouterr().out
    assert "…" not in out
    assert "302.6 MiB" in out
    assert "missed" in out


@pytest.mark.compiled_only
def test_bench_of_dei_as_a_person_runs_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    target = tmp_path / "bench.json"
    words = ["bench", "dei/uniform", "--games", "6", "--rounds", "1", "--workers", "2", "--players", "3"]
    monkeypatch.setattr(sys, "argv", ["simlab", *words, "--json", "--out", str(target)])
    with pytest.raises(SystemExit) as ended:
        main()
    out = capsys.readouterr().out
    assert ended.value.code in {0, None}
    assert out == target.read_text(encoding="utf-8")
    found = {measure["name"]: measure for measure in json.loads(out)["measures"]}
    assert {"games_per_1e9_steps", "workers_2", "peak_memory", "help", "warm_start"} <= set(found)
    assert "bar" not in found["games_per_1e9_steps"]  # it is for four players
    assert found["help"]["bar"]["at_most"] == 0.5
    written = {"name": "same", "game": "dei", "seed": 1, "games": 6, "players": 3}
    same = experiment.resolve({**written, "strategies": ["dei/uniform"]}, tmp_path)
    runs.play(runs.plan(same, tmp_path / "run"), 1, quiet=True)
    counted = results.open_run(tmp_path / "run").sql(
        "SELECT avg(decisions), avg(choices), avg(longest_list) FROM games"
    )
    for name, value in zip(("decisions", "choices", "longest_list"), counted.fetchall()[0], strict=True):
        assert found[f"{name}_per_game"]["value"] == pytest.approx(value)


@pytest.mark.slow
@pytest.mark.compiled_only
@pytest.mark.parametrize(
    "words",
    [
        ["kernels.py", "--positions", "5", "--rounds", "1"],
        ["memory.py", "--games", "40"],
        ["million.py", "--games", "40", "--workers", "2"],
    ],
    ids=lambda words: words[0],
)
def test_the_benchmarks_run(words: list[str]) -> None:
    script, *options = words
    answer = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks" / script), *options],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout
