"""A replay of the game of chance: what is printed, which game is found, what doesn't come out as recorded."""

from __future__ import annotations

import sys
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path

import pytest
from plugged import write_strategy
from rich.console import Console

from simlab import experiment, replay, results, runs
from simlab.chronicle import Step
from simlab.cli import main
from simlab.errors import RunError, UsageError
from simlab.transcript import Transcript, Wanted


def question(folder: Path, name: str) -> Path:
    """An experiment file: 24 games of two, in parts of four."""
    file = folder / "toy.toml"
    lines = ['name = "toy"', 'game = "fake"', "seed = 1", "games = 24", "players = 2"]
    lines += [f'strategies = ["{name}"]', "decision_timeout = 0.4"]
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


def played(folder: Path, body: str = "") -> Path:
    """The folder of a run with a strategy in plain Python."""
    made = experiment.load(question(folder, write_strategy(folder, body, part=80)))
    runs.play(runs.plan(made, folder / "run"), 1, quiet=True)
    return folder / "run"


def printed(source: Path, wanted: Wanted | None = None, game: int | None = None) -> list[str]:
    out = StringIO()
    console = Console(file=out, width=60)
    Transcript(replay.Replay(replay.find(source, game=game)), console, wanted or Wanted()).run()
    return out.getvalue().splitlines()


def simlab(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: object
) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["simlab", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        main()
    out, err = capfd.readouterr()
    return int(ended.value.code or 0), out, err


def choices_of(lines: list[str]) -> list[str]:
    return [line.split()[0] for line in lines if line.startswith("  ") and ":" not in line]


def test_a_replay_tells_who_plays_each_choice_and_the_end(plugged: Path) -> None:
    folder = played(plugged)
    rows = results.open_run(folder).sql("SELECT faction FROM seats WHERE game = 3 ORDER BY seat")
    one, other = (faction for (faction,) in rows.fetchall())
    lines = printed(folder, game=3)
    assert lines[0] == f"Fake, game 3 of {folder}"
    assert lines[1] == "seed 1, block 1, rotation 1, pack paper, signature 5555555555555555"
    start = next(n for n, line in enumerate(lines) if line.startswith("1st seat"))
    assert lines[start].split() == ["1st", "seat", one, "fake/mine", "nothing"]
    assert lines[start + 1].split() == ["2nd", "seat", other, "fake/mine", "nothing"]
    assert lines[start + 3 :] == [
        "a drawing",
        "",
        "after 0",
        "",
        "Turn 1",
        "",
        one,
        "  twenty  → one more",
        "",
        other,
        f"  twenty  → {one} one more",
        "",
        "after 2",
        "",
        "Turn 2",
        "",
        one,
        "  twenty  → one more",
        "",
        other,
        f"  twenty  → {one} one more",
        "",
        "after 4",
        "",
        "Turn 3",
        "",
        one,
        "  twenty  → one more",
        "",
        other,
        "  twenty",
        f"  Final count: {one} one more",
        "",
        "after 6",
        "",
        "over",
        "",
        lines[-1],
    ]
    assert lines[-1].startswith("As recorded: every Turn's choices and the result (game_hash ")


def test_a_part_of_a_game_is_printed_alone(plugged: Path) -> None:
    folder = played(plugged)
    lines = printed(folder, Wanted(turn=2, board="phase"))
    assert [line for line in lines if line.startswith(("Turn", "after", "over"))] == ["after 2", "Turn 2"]
    lines = printed(folder, Wanted(board="never", choices=True))
    assert not [line for line in lines if line.startswith(("after", "a drawing"))]
    assert lines.count("      1 of 3: or ten / thirty") == 6
    for wanted, sentence in (
        (Wanted(turn=9), "--turn 9: no choice was made in that Turn; it has Turns 1 to 3"),
        (Wanted(phase=2), "--phase 2: no choice was made in that phase; there are choices in phases 1"),
    ):
        with pytest.raises(UsageError) as caught:
            printed(folder, wanted)
        assert str(caught.value) == sentence


def test_an_experiment_is_replayed_as_its_run_is(plugged: Path) -> None:
    """Its games have the run's numbers, also those that a strategy spoils, which are given up in time."""
    folder = played(plugged, "if game == 5 and decision == 3:\n    while True: pass\nreturn game % 3")
    for game in (4, 5):
        of_run, of_file = printed(folder, game=game), printed(plugged / "toy.toml", game=game)
        assert of_run[1:] == of_file[1:]
        assert len(choices_of(of_run)) == (2 if game == 5 else 6)
    assert any("fake/mine ended the game at decision 3: stalled" in line for line in of_run)
    for source in (folder, plugged / "toy.toml"):
        with pytest.raises(UsageError, match="--game must be from 0 to 23"):
            replay.find(source, game=24)
    other = replay.find(plugged / "toy.toml", game=4, seed=2)
    assert other.row["deal_key"] != replay.find(folder, game=4).row["deal_key"]


def test_what_does_not_come_out_as_recorded_is_an_error(plugged: Path) -> None:
    folder = played(plugged, "return 2 if (HERE / 'mark').exists() and game == 4 else 1")
    (plugged / "mark").touch()
    printed(folder, game=3)
    with pytest.raises(RunError) as caught:
        printed(folder, game=4)
    assert str(caught.value) == (
        f"game 4 of {folder} doesn't come out as it was recorded: its result (game_hash) is another one"
    )


def test_a_run_is_refused_when_its_strategy_has_changed_or_is_gone(
    plugged: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = played(plugged)
    file = Path(write_strategy(plugged, "return 2", part=80))
    assert simlab(capfd, monkeypatch, "replay", folder) == (
        1,
        "",
        f'simlab: {folder} would be played otherwise now: strategy "fake/mine" has changed since\n',
    )
    file.unlink()
    code, out, err = simlab(capfd, monkeypatch, "replay", folder)
    assert (code, out) == (2, "")
    assert err.startswith(f"simlab: {folder} can't be played again: strategies: there is no strategy file")


def test_a_game_that_a_stopped_run_lacks_is_an_error(plugged: Path) -> None:
    folder = played(plugged)
    manifest = results.read_manifest(folder)
    _, *others = manifest["parts"]
    parts = {name: manifest["parts"][name] for name in others}
    results.write_manifest(folder, {**manifest, "parts": parts, "finished": False})
    size = results.open_run(folder).sql("SELECT min(game) FROM games").fetchall()[0][0]
    assert size == 4
    with pytest.raises(RunError, match=r"game 0 isn't in .* yet; run the experiment again"):
        replay.find(folder, game=0)
    assert replay.find(folder, game=4).number == 4


def test_where_finds_the_first_game_from_a_number_on(plugged: Path) -> None:
    folder = played(plugged)
    found = results.open_run(folder).sql(
        "SELECT DISTINCT game FROM seats WHERE faction = 'grey' AND seat = 1 ORDER BY game"
    )
    first, second = (game for (game,) in found.fetchall()[:2])
    where = "faction = 'grey' AND seat = 1"
    assert replay.find(folder, game=None, where=where).number == first
    assert replay.find(folder, game=first + 1, where=where).number == second


def test_colour_is_for_terminals_that_want_it(
    plugged: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = played(plugged)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b" not in simlab(capfd, monkeypatch, "replay", folder)[1]
    monkeypatch.setenv("FORCE_COLOR", "1")  # what rich takes for a terminal
    assert "\x1b[" in simlab(capfd, monkeypatch, "replay", folder)[1]
    assert "\x1b" not in simlab(capfd, monkeypatch, "replay", folder, "--plain")[1]


def test_signs_that_a_terminal_lacks_are_question_marks(
    plugged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = TextIOWrapper(BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "argv", ["simlab", "replay", str(played(plugged))])
    with pytest.raises(SystemExit) as ended:
        main()
    out.flush()
    assert ended.value.code == 0
    assert b"\n  twenty  ? one more\n" in out.buffer.getvalue()  # type: ignore[attr-defined]


def test_steps_are_plain_data(plugged: Path) -> None:
    steps: list[Step] = []
    replay.Replay(replay.find(played(plugged), game=2)).play(steps.append)
    assert [(step.number, step.seat, step.n) for step in steps] == [(n, (n - 1) % 2, 3) for n in range(1, 7)]
    assert [step.facts for step in steps] == [{"decisions": n} for n in range(1, 7)]
    assert len({step.running_hash for step in steps}) == 6
