"""Worker processes: whatever a strategy does to its own, its game is a row, and others are as they were."""

from __future__ import annotations

import dataclasses
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from fake_game import FakePack
from plugged import assert_gone, write_strategy

from simlab import catalog, workers
from simlab.design import Part, design_of
from simlab.errors import RunError, UnknownName
from simlab.game import Settings
from simlab.match import ILLEGAL_CHOICE, STALLED, STRATEGY_FAILED
from simlab.worker_process import Batch
from simlab.workers import Done, play_batches

SETTINGS = Settings({}, {}, {}, FakePack())
FINISHED = 1
TIMEOUT = 0.6

# what a strategy does in the game of that number → how the game ends, and why
WAYS = [
    ("raise ValueError('no such choice')", STRATEGY_FAILED, "ValueError: no such choice"),
    ("raise SystemExit(3)", STRATEGY_FAILED, "SystemExit: 3"),
    ("raise KeyboardInterrupt", STRATEGY_FAILED, "KeyboardInterrupt"),
    ("raise StopIteration", STRATEGY_FAILED, "StopIteration"),
    ("raise GeneratorExit", STRATEGY_FAILED, "GeneratorExit"),
    ("choose(*[public] * 10)", STRATEGY_FAILED, "RecursionError: maximum recursion depth exceeded"),
    ("raise Unprintable", STRATEGY_FAILED, "Unprintable: (its message can't be read)"),
    ("raise ValueError('two\\nlines')", STRATEGY_FAILED, "ValueError: two"),
    ("signal.raise_signal(signal.SIGINT)", FINISHED, ""),
    ("input()", STRATEGY_FAILED, "EOFError: EOF when reading a line"),
    ("return None", STRATEGY_FAILED, "TypeError: 'NoneType' object cannot be interpreted as an integer"),
    ("return True", STRATEGY_FAILED, "TypeError: 'bool' object cannot be interpreted as an index"),
    ("return 2.0", STRATEGY_FAILED, "TypeError: 'float' object cannot be interpreted as an integer"),
    ("return float('nan')", STRATEGY_FAILED, "TypeError: 'float' object cannot be interpreted as an integer"),
    ("import numpy; return numpy.float64(1)", STRATEGY_FAILED, "TypeError: 'numpy.float64' object"),
    ("import numpy; return numpy.int8(1)", FINISHED, ""),
    ("return 3", ILLEGAL_CHOICE, "it answered 3, and its choices were 0 to 2"),
    ("return -1", ILLEGAL_CHOICE, "it answered -1, and its choices were 0 to 2"),
    ("return 10**400", ILLEGAL_CHOICE, "it answered a number of about 400 digits"),
    ("while True: pass", STALLED, "no answer within 0.6 s"),
    ("while True:\n        try: time.sleep(9)\n        except: pass", STALLED, "no answer within 0.6 s"),
    ("lock = threading.Lock(); lock.acquire(); lock.acquire()", STALLED, "no answer within 0.6 s"),
    ("re.match('(a+)+$', 'a' * 60 + 'b')", STALLED, "no answer within 0.6 s"),
    ("raise Endless", STALLED, "no answer within 0.6 s"),
    ("os._exit(3)", STRATEGY_FAILED, "its process ended itself with exit code 3"),
    ("import ctypes; ctypes.string_at(0)", STRATEGY_FAILED, "its process was ended by SIGSEGV"),
    ("os.closerange(3, 99); time.sleep(9)", STRATEGY_FAILED, "its process was ended by SIGKILL"),
]
ERRORS = """
class Unprintable(Exception):
    def __str__(self): raise RuntimeError
class Endless(Exception):
    def __str__(self):
        while True: pass
"""


def batch(strategy: str, first: int = 0, games: int = 40, **changes: object) -> Batch:
    """Games from number `first` on."""
    cycles = (first + games + 1) // 2
    schedule = design_of(5, (2,), range(4), [24_000]).schedule(Part(0, 0, cycles, 2 * cycles, 2 * cycles))
    schedule = schedule[first : first + games]
    return Batch("fake", (strategy,), SETTINGS, schedule, TIMEOUT, **changes)


def played(*batches: Batch, crew: int = 1) -> Done:
    """The logs of all batches, in order."""
    found = sorted(play_batches(batches, crew), key=lambda done: done.number)
    return Done(
        0, batches[0], [log for done in found for log in done.logs], [s for d in found for s in d.spoilt]
    )


def endings(done: Done) -> list[tuple[int, int, int]]:
    return [tuple(map(int, log[0].item()[:3])) for log in done.logs]


def test_every_way_to_fail_is_a_row_and_harms_no_other_game(plugged: Path) -> None:
    whole = played(batch(write_strategy(plugged, name="sound.py")))
    body = "\n".join(
        f"if game == {game} and decision == 2 + game % 4:\n    {way}" for game, (way, *_) in enumerate(WAYS)
    )
    name = write_strategy(plugged, body, ERRORS)
    done = played(*(batch(name, first, 10) for first in range(0, 40, 10)), crew=2)
    reasons = {spoilt.game: spoilt.reason for spoilt in done.spoilt}
    for game, (way, ending, reason) in enumerate(WAYS):
        decision = 2 + game % 4
        if ending == FINISHED:
            assert done.logs[game]["ending"] == FINISHED, way
            continue
        assert endings(done)[game] == (ending, (decision - 1) % 2, decision), way
        assert reasons.pop(game).startswith(reason), way
    assert not reasons
    for game in [*range(len(WAYS), 40), *(g for g, way in enumerate(WAYS) if way[1] == FINISHED)]:
        assert done.logs[game].tobytes() == whole.logs[game].tobytes()


def test_many_failures_take_no_longer_than_games(plugged: Path) -> None:
    name = write_strategy(plugged, "raise ValueError(game)")
    started = time.perf_counter()
    done = played(batch(name, games=5_000))
    assert len(done.spoilt) == len(done.logs) == 5_000
    assert time.perf_counter() - started < 60  # 1 s; generous, as machines are busy


def test_the_order_of_a_set_of_words_is_the_same_in_every_process(plugged: Path) -> None:
    words = "[f'word {number}' for number in range(9)]"
    name = write_strategy(plugged, f"raise ValueError(' '.join(set({words})))")
    told = {spoilt.reason for spoilt in played(batch(name, 0, 4), batch(name, 4, 4), crew=2).spoilt}
    assert len(told) == 1


def test_a_strategy_that_is_edited_while_it_plays_ends_the_run(plugged: Path) -> None:
    name = write_strategy(plugged)
    planned = (catalog.strategy_hash(catalog.strategy(name, "fake")),)
    assert not played(batch(name, strategy_hashes=planned)).spoilt
    write_strategy(plugged, "return 0")
    with pytest.raises(RunError, match=r"/mine\.py was changed while its run was played$"):
        played(batch(name, strategy_hashes=planned))


def test_a_process_killed_from_outside_costs_no_strategy_its_game(plugged: Path) -> None:
    whole = played(batch(write_strategy(plugged, name="sound.py")))
    body = """
mark = HERE / f"killed_{game}"
if game in (3, 4, 20) and decision == 4 and not mark.exists():
    mark.touch()
    os.kill(os.getpid(), signal.SIGKILL)"""
    done = played(batch(write_strategy(plugged, body)))
    assert not done.spoilt
    assert [log.tobytes() for log in done.logs] == [log.tobytes() for log in whole.logs]


def test_a_death_that_no_strategy_is_asked_at_ends_the_run(plugged: Path) -> None:
    body = """
if game == 3 and decision == 6:
    def die():
        time.sleep(0.3)
        os._exit(4)
    threading.Thread(target=die).start()
    import fake_game
    fake_game.Live.apply = lambda live, code: time.sleep(9)"""
    with pytest.raises(
        RunError, match="ended itself with exit code 4 twice in game 3 while no strategy was asked"
    ):
        played(batch(write_strategy(plugged, body)))


@pytest.mark.parametrize(
    ("before", "error", "sentence"),
    [
        ("raise OSError('only here')", UnknownName, "can't be imported: OSError: only here"),
        (
            "os._exit(5)",
            RunError,
            "ended itself with exit code 5 twice in game 0 while no strategy was asked",
        ),
    ],
)
def test_a_module_that_fails_in_the_worker_alone_is_a_sentence(
    plugged: Path, before: str, error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error, match=sentence):
        played(batch(write_strategy(plugged, before=before)))


def test_a_process_that_hangs_while_no_strategy_is_asked_ends_the_run(
    plugged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "_SILENCE", 2)
    name = write_strategy(plugged, before=f"{NOTE}\ntime.sleep(60)")
    with pytest.raises(RunError, match="has done nothing for 2 s while no strategy was asked"):
        played(batch(name))
    assert_gone(pids(plugged))


def test_time_to_start_and_to_load_is_no_decisions(plugged: Path) -> None:
    done = played(batch(write_strategy(plugged, before=f"time.sleep({3 * TIMEOUT})"), games=4))
    assert not done.spoilt


def test_what_a_strategy_prints_is_not_the_commands_output(
    plugged: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    played(batch(write_strategy(plugged, "print('thinking')"), games=2))
    out, err = capfd.readouterr()
    assert out == ""
    assert err == "thinking\n" * 12


def pids(folder: Path) -> list[int]:
    return [int(file.name.removeprefix("pid_")) for file in folder.glob("pid_*")]


NOTE = "(HERE / f'pid_{os.getpid()}').touch()"


def test_no_process_is_left(plugged: Path) -> None:
    name = write_strategy(plugged, "if game == 7 and decision == 3:\n    while True: pass", NOTE)
    played(batch(name), batch(name), crew=2)
    assert len(pids(plugged)) == 4  # each had one replaced
    assert_gone(pids(plugged))


def test_no_process_is_left_when_the_iterator_is_closed(plugged: Path) -> None:
    name = write_strategy(plugged, "if game >= 10:\n    re.match('(a+)+$', 'a' * 60 + 'b')", NOTE)
    batches = [dataclasses.replace(batch(name, first, 10), timeout=60) for first in (0, 10, 20)]
    playing = play_batches(batches, 3)
    assert next(playing).number == 0
    playing.close()
    assert_gone(pids(plugged))


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_no_process_outlives_the_command(plugged: Path, number: int) -> None:
    """Neither when it is killed nor at Ctrl-C, which a terminal sends to all processes of the command."""
    body = """
if game == 1:
    raise ValueError("no")
if game == 5:
    (HERE / "stuck").touch()
    re.match("(a+)+$", "a" * 60 + "b")"""
    name = write_strategy(plugged, body, NOTE, part=80)  # parts of four games
    (plugged / "toy.toml").write_text(
        f'name = "toy"\ngame = "fake"\nseed = 1\ngames = 12\nplayers = 2\nstrategies = ["{name}"]\n'
        "decision_timeout = 600\n"
    )
    words = [sys.executable, "-m", "simlab.cli", "run", "toy.toml", "--workers", "1", "--out", "run"]
    command = subprocess.Popen(
        words,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    until = time.monotonic() + 60
    while not (plugged / "stuck").exists() and time.monotonic() < until:
        time.sleep(0.05)
    if number == signal.SIGINT:
        os.killpg(command.pid, number)
    else:
        command.kill()
    _, err = command.communicate(timeout=30)
    assert_gone(pids(plugged))
    if number == signal.SIGINT:
        assert command.returncode == 130
        assert err.splitlines()[-2:] == [
            f"{name} failed in 1 of 4 games: ValueError: no (game 1, decision 1)",
            "simlab: stopped; the same command goes on from what is in run",
        ]
        assert "Traceback" not in err


def test_the_clock_stands_still_while_this_process_does(plugged: Path) -> None:
    """As after Ctrl-Z, which stops all processes of a command."""
    body = """
if game == 1 and decision == 1:
    (HERE / f'pid_{os.getpid()}').touch()
    os.kill(os.getpid(), signal.SIGSTOP)
while not list(HERE.glob('pid_*')):
    time.sleep(0.01)"""
    name = write_strategy(plugged, body)
    playing = play_batches([dataclasses.replace(batch(name, games=1), timeout=60), batch(name, 1, 1)], 2)
    assert next(playing).number == 0
    time.sleep(3 * TIMEOUT)
    os.kill(*pids(plugged), signal.SIGCONT)
    assert not next(playing).spoilt


def test_a_process_that_is_killed_between_two_batches_is_replaced(plugged: Path) -> None:
    name = write_strategy(plugged, before=NOTE)
    playing = play_batches([batch(name, 0, 4), batch(name, 4, 4)], 1)
    next(playing)
    os.kill(*pids(plugged), signal.SIGKILL)
    done = next(playing)
    assert len(done.logs) == 4
    assert not done.spoilt
    playing.close()
    assert len(pids(plugged)) == 2
    assert_gone(pids(plugged))


def test_batches_come_as_they_are_done_and_more_of_them_than_workers(plugged: Path) -> None:
    name = write_strategy(plugged)
    found = [done.number for done in play_batches((batch(name, i, 1) for i in range(5)), 2)]
    assert sorted(found) == [0, 1, 2, 3, 4]
    assert not list(play_batches([], 2))


def test_logs_are_those_of_the_rows(plugged: Path) -> None:
    done = played(batch(write_strategy(plugged, "return game % 3"), games=6))
    assert len(np.unique([log["game_hash"] for log in done.logs])) == 6
