"""A disk that is full, a place that can't be written, a folder that goes away: said, and nothing is lost."""

from __future__ import annotations

import errno
import resource
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from commands import Bench, ended, wait_for

from simlab.results import open_run, read_manifest

GAMES = 400


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path / "bench")
    yield made
    made.close()


@contextmanager
def mounted(folder: Path, size: str) -> Iterator[None]:
    """A file system of its own, held in memory; skips the test where none can be made."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    if shutil.which("mount") is None or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("mounting needs rights that aren't there")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def remounted(folder: Path, options: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{options}", str(folder)], check=True)


def refused(outcome: tuple[int, str]) -> str:
    """The one sentence of a command that failed."""
    code, err = outcome
    assert code == 1
    assert err.startswith("simlab: ")
    assert err.count("\n") == 1
    return err


def whole(bench: Bench) -> dict[str, object]:
    """The manifest of the run that nothing happened to."""
    assert bench.run("run", bench.question(GAMES), "--out", "whole")[0] == 0
    return read_manifest(bench.folder / "whole")


def test_files_that_cannot_grow_lose_nothing(bench: Bench) -> None:
    """A limit to the size of files stands for the full disk where none can be made."""
    question, out = bench.question(GAMES), bench.folder / "out"

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4500, 4500))  # enough for the first manifest

    err = refused(bench.run("run", question, "--out", out, preexec_fn=limit))
    assert f"{out}" in err
    assert "can't be written: File too large" in err
    assert not read_manifest(out)["finished"]
    assert not list(out.rglob("*.tmp"))
    assert bench.run("run", question, "--out", out)[0] == 0
    assert read_manifest(out) == whole(bench)


def test_a_full_disk_loses_nothing(bench: Bench) -> None:
    question, disk = bench.question(GAMES), bench.folder / "disk"
    with mounted(disk, "100k"):
        err = refused(bench.run("run", question, "--out", disk / "out"))
        assert "can't be written: No space left on device" in err
        there = read_manifest(disk / "out")
        assert there["parts"]
        assert not there["finished"]
        open_run(disk / "out")
        remounted(disk, "size=10m")
        assert bench.run("run", question, "--out", disk / "out")[0] == 0
        assert read_manifest(disk / "out") == whole(bench)


def test_a_run_on_a_disk_that_is_read_only_can_be_asked_for_not_extended(bench: Bench) -> None:
    disk = bench.folder / "disk"
    with mounted(disk, "10m"):
        assert bench.run("run", bench.question(40), "--out", disk / "out")[0] == 0
        remounted(disk, "ro")
        assert bench.run("run", bench.question(40), "--out", disk / "out")[0] == 0
        err = refused(bench.run("run", bench.question(80), "--out", disk / "out"))
        assert err == f"simlab: {disk / 'out'} can't be written: Read-only file system\n"
        err = refused(bench.run("run", bench.question(80), "--out", disk / "other"))
        assert err == f"simlab: {disk / 'other'} can't be written: Read-only file system\n"


REFUSING = f"""
import os, pathlib, sys
opened = pathlib.Path.open
def refuse(path, mode="r", *rest, **more):
    if "w" in mode:
        raise OSError({errno.EROFS}, os.strerror({errno.EROFS}), str(path))
    return opened(path, mode, *rest, **more)
pathlib.Path.open = refuse
from simlab.cli import main
main()
"""


def test_a_place_that_refuses_every_file_leaves_the_run_as_it_was(bench: Bench) -> None:
    """Refused by hand: who runs tests as root may write everything, and mounting needs rights."""
    assert bench.run("run", bench.question(40), "--out", "out")[0] == 0
    before = read_manifest(bench.folder / "out")
    question = bench.question(80)
    err = refused(ended(bench.start_python("-c", REFUSING, "run", question, "--out", "out")))
    assert err == "simlab: out can't be written: Read-only file system\n"
    assert read_manifest(bench.folder / "out") == before
    open_run(bench.folder / "out")


@pytest.mark.parametrize("moved", [True, False])
def test_a_folder_that_goes_away_is_not_made_again(bench: Bench, moved: bool) -> None:
    question, out, other = bench.question(GAMES), bench.folder / "out", bench.folder / "other"
    process = bench.start("run", question, "--out", out, seconds=0.01)
    wait_for((out / "seats" / "000000.parquet").is_file)
    out.rename(other)
    if not moved:
        shutil.rmtree(other)
    assert refused(ended(process)) == f"simlab: {out} was moved or removed while its run was played\n"
    assert not out.exists()
    if moved:
        other.rename(out)
        assert bench.run("run", question, "--out", out)[0] == 0
        assert read_manifest(out) == whole(bench)


def test_a_folder_made_anew_is_not_the_one_that_was_held(bench: Bench) -> None:
    out = bench.folder / "out"
    process = bench.start("run", bench.question(GAMES), "--out", out, seconds=0.1)
    wait_for(lambda: (out / "manifest.json").is_file() and read_manifest(out)["parts"])
    out.rename(bench.folder / "other")
    out.mkdir()
    assert "was moved or removed" in refused(ended(process))
    time.sleep(0.1)
    assert not (out / "manifest.json").exists()


def test_a_second_command_in_one_folder_waits_for_nobody(bench: Bench) -> None:
    question, out = bench.question(GAMES), bench.folder / "out"
    process = bench.start("run", question, "--out", out, seconds=0.01)
    wait_for((out / "seats").is_dir)
    err = refused(bench.run("run", question, "--out", out))
    assert err == f"simlab: {out} is being played into by another command: wait for it\n"
    assert ended(process)[0] == 0


def test_runs_that_is_a_file_is_named(bench: Bench) -> None:
    (bench.folder / "runs").write_text("mine", encoding="utf-8")
    err = refused(bench.run("run", bench.question(40)))
    assert err == "simlab: runs is in the way: it is a file, not a folder\n"
