"""The whole report on made-up runs: known truth, two renderers, odd runs, bad input."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

import reports
from reports.dei.answer import endings
from reports.dei.basis import Ending
from reports.document import Figure, Kind, Table
from reports.markdown import markdown
from reports.numbers import texts
from simlab.cli import main
from simlab.errors import ResultsError, RunError, SimlabError, UnknownName, UsageError
from simlab.games.dei.vocabulary import FACTION_TITLES
from simlab.stats.intervals import Estimate

MakeRun = Callable[..., Path]
NUMBER = re.compile(r"[−+]?\d[\d,.]*(?: %)?(?: ± [\d.?,]+)?")
FORTY = 40  # Supplies that Refuge 42 always has in the made-up games


def text_of(run: Path, *sections: str) -> str:
    return markdown(reports.compose(run, list(sections) or None))


def shown(run: Path, width: int = 100) -> str:
    console = Console(file=io.StringIO(), width=width, color_system=None)
    reports.show(run, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def tables_of(run: Path) -> list[Table]:
    return [part for section in reports.compose(run) for part in section.parts if isinstance(part, Table)]


def row(text: str, label: str, heading: str) -> list[str]:
    """The cells of a row of a Markdown table under a heading."""
    below = text.rsplit(f"**{heading}**", maxsplit=1)[-1]  # a figure may bear it first
    line = next(line for line in below.splitlines() if line.startswith(f"| {label} "))
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_known_truth(make_run: MakeRun) -> None:
    run = make_run(blocks=800)
    text = text_of(run)
    assert re.search(
        r"Outside the ±2-point band around an equal share of 25 %, .*Refuge 42 \((39|40|41)", text
    )
    assert row(text, "Refuge 42", "Win share by faction")[5] == "too strong"
    assert row(text, "Auxilia", "Win share by faction")[5] == "too weak"
    assert row(text, "1st", "Win share by seat")[5].startswith(("undecided", "balanced"))
    assert row(text, "Outposts", "Mean Supplies of a game")[1:] == [
        "30.00 ± 0.00",
        "32.00 ± 0.00",
        "34.00 ± 0.00",
        "36.00 ± 0.00",
    ]
    assert row(text, "Median", "Supplies at the end of a game")[1] == str(FORTY)
    assert "3,200 with 4 players, in 800 blocks" in text
    assert "pack reconstructed, version 2: 63 % of its values are assumed" in text
    assert "turns 5 instead of 4 and confrontation on" in text


def test_even_factions_are_called_even(make_run: MakeRun) -> None:
    text = text_of(make_run(blocks=6_000, strengths=(0.25,) * 4), "header")
    assert "Every faction and every seat wins its equal share, 25 %, within ±2 points." in text


def test_every_estimate_in_the_data_has_its_rows_and_blocks(make_run: MakeRun) -> None:
    tables = [
        part for s in reports.compose(make_run(blocks=50)) for part in s.parts if isinstance(part, Table)
    ]
    found = [
        (cell, table)
        for table in tables
        for cells in table.rows
        for cell in cells
        if isinstance(cell, Estimate)
    ]
    assert len(found) > 40
    blocks_of_line_ups = 0
    for estimate, table in found:
        assert estimate.n > 0
        if "line-up" in table.title:  # a block has one of them, and all of its four factions
            blocks_of_line_ups += estimate.clusters
        else:
            assert estimate.clusters == 50
    assert blocks_of_line_ups == 4 * 50


def files_of(folder: Path) -> dict[str, bytes]:
    """All files of a report by their paths."""
    found = [
        path for path in folder.rglob("*") if path.is_file() and "report" in str(path.relative_to(folder))
    ]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def test_same_run_same_bytes_and_nothing_is_compiled(make_run: MakeRun, tmp_path: Path) -> None:
    run = make_run(blocks=40, full=True)
    first = files_of(reports.write(run).parent)
    code = f"import sys, reports; reports.write({str(run)!r}, {str(tmp_path / 'again')!r})"
    code += "; sys.exit('numba' in sys.modules)"
    shaken = {**os.environ, "PYTHONHASHSEED": "12345"}
    subprocess.run(
        [sys.executable, "-c", code], check=True, cwd=Path(reports.__file__).parents[1], env=shaken
    )
    assert files_of(tmp_path / "again") == first
    assert {"report.html", "report.json", "report.md"} <= set(first)
    assert all(content.endswith(b"\n") and b"\r" not in content for content in first.values())


def test_markdown_and_terminal_show_the_same_numbers(make_run: MakeRun) -> None:
    run = make_run(
        players=(3, 4), strategies=("dei/greedy", "dei/uniform"), blocks=60, irregular=2, full=True
    )
    unseen = [
        replace(section, parts=tuple(part for part in section.parts if not isinstance(part, Figure)))
        for section in reports.compose(run)
    ]
    written = NUMBER.findall(re.sub(r"[|#*-]", " ", markdown(unseen)))
    printed = NUMBER.findall(shown(run, width=400))
    assert written == printed
    assert len(written) > 200


def test_publish_does_both(make_run: MakeRun) -> None:
    run = make_run(blocks=5)
    console = Console(file=io.StringIO(), width=100, color_system=None)
    assert reports.publish(run, console) == run / "report.html"
    assert isinstance(console.file, io.StringIO)
    assert console.file.getvalue() == shown(run)


@pytest.mark.parametrize("width", [60, 80, 100])
@pytest.mark.parametrize("players", [(4,), (2, 3, 4)])
def test_no_number_is_cut_short(make_run: MakeRun, players: tuple[int, ...], width: int) -> None:
    run = make_run(players=players, blocks=150, strategies=("dei/greedy", "dei/uniform"))
    printed = shown(run, width)
    assert "…" not in printed
    # Only sentences, verdicts and the first table are broken over lines.
    for table in tables_of(run)[1:]:
        assert table.title in printed
        for column, cells in zip(table.columns, texts(table), strict=True):
            assert column.kind is Kind.VERDICT or all(cell in printed for cell in cells)
    if width == 100:
        assert max(map(len, printed.splitlines())) <= width


def test_several_player_counts_are_told_apart(make_run: MakeRun) -> None:
    text = text_of(make_run(players=(2, 3), blocks=100))
    assert "**2 players.**" in text
    assert "**3 players.**" in text
    assert row(text, "Refuge 42", "Win share by faction, 2 players")[3].startswith("+")
    assert "vs 50 %" in text
    assert "vs 33.3 %" in text


def test_strategies_have_a_section_only_if_there_are_several(make_run: MakeRun) -> None:
    assert "## Strategies" not in text_of(make_run("one", blocks=20))
    several = text_of(make_run("several", blocks=20, strategies=("dei/greedy", "dei/uniform")))
    assert row(several, "dei/uniform", "Win share by strategy")[1] == "160"


def test_irregular_games_are_counted_with_reason_and_strategy_and_in_no_share(make_run: MakeRun) -> None:
    text = text_of(make_run(blocks=50, irregular=3))
    assert "3 of 200: 3 strategy failed (dei/greedy in the 1st seat); they count in no share" in text
    assert row(text, "Farm-Z", "Win share by faction")[1] == "197"


def test_irregular_endings_name_strategy_and_seats() -> None:
    rows = [
        Ending("decision cap", None, None, 1),
        Ending("stalled", "mine", 1, 3),
        Ending("strategy failed", "mine", 0, 1200),
        Ending("strategy failed", "mine", 2, 40),
        Ending("strategy failed", "mine", 0, 10),
        Ending("strategy failed", "other", 3, 2),
    ]
    assert endings(rows) == (
        "1,250 strategy failed (mine: 1,210 in the 1st and 40 in the 3rd seat), "
        "3 stalled (mine in the 2nd seat), 2 strategy failed (other in the 4th seat), 1 decision cap"
    )


def test_many_irregular_games_are_said_first(make_run: MakeRun) -> None:
    text = text_of(make_run("bad_run", players=(3, 4), blocks=50, irregular=3))
    said = "3 of 150 games with 3 players ended irregularly: 3 strategy failed (dei/greedy in the 1st seat)."
    assert text.splitlines()[2].endswith("stand out, with 3 and 4 players?")
    assert text.splitlines()[4].startswith(f"**{said}** The answer")
    three = next(line for line in text.splitlines() if line.startswith("**3 players.**"))
    four = next(line for line in text.splitlines() if line.startswith("**4 players.**"))
    assert "Undecided" in three
    assert "settle" not in three
    assert "more games would settle" in four  # of those all were finished
    assert row(text, "1st", "Win share by seat, 3 players")[5] == "undecided"


def test_a_few_irregular_games_are_left_to_the_table(make_run: MakeRun) -> None:
    text = text_of(make_run(blocks=100, irregular=4))  # 1 %, no more
    assert "ended irregularly" not in text
    assert "more games would settle" in text


def test_two_players_need_one_seat_named(make_run: MakeRun) -> None:
    said = text_of(make_run(players=(2,), blocks=100), "header").split("\n|")[0].split("players?")[1]
    assert "the 1st seat" in said
    assert "2nd" not in said
    assert "every seat" not in said


@pytest.mark.parametrize("players", [2, 3, 4])
def test_verdicts_stay_on_their_line(make_run: MakeRun, players: int) -> None:
    run = make_run(players=(players,), blocks=800, strengths=(0.27, 0.25, 0.25, 0.23))
    printed = shown(run, width=80)
    judged = [table for table in tables_of(run) if table.columns[-1].kind is Kind.VERDICT]
    verdicts = [cell for table in judged for cell in texts(table)[-1]]
    assert any(cell.startswith("undecided (+") for cell in verdicts)
    assert all(cell in printed for cell in verdicts)
    assert max(map(len, printed.splitlines())) <= 80


def test_no_game_finished(make_run: MakeRun) -> None:
    run = make_run(blocks=3, irregular=12)
    text = text_of(run)
    assert "No game was finished, so there is no answer." in text
    assert row(text, "Ravagers", "Win share by faction") == ["Ravagers", "0", "–", "–", "–", "–"]
    assert "nan" not in text.lower()
    assert shown(run)


def test_one_block_has_values_and_no_intervals(make_run: MakeRun) -> None:
    text = text_of(make_run(blocks=1))
    assert "Undecided: every faction and every seat; there are too few blocks to tell." in text
    assert re.fullmatch(r"\d+\.0 % ± \?", row(text, "Farm-Z", "Win share by faction")[2])
    assert "nan" not in text.lower()


def test_a_faction_that_never_sat_somewhere_is_an_empty_cell(make_run: MakeRun) -> None:
    # Two games, factions in turned seats; the first one ended irregularly.
    text = text_of(make_run(players=(2,), blocks=1, irregular=1), "faction")
    cells = [row(text, label, "Win share by faction and seat")[1:] for label in seated(text)]
    assert sorted(cell.count("–") for cell in cells) == [1, 1]


def seated(text: str) -> list[str]:
    return [title for title in FACTION_TITLES if f"| {title} " in text]


def test_an_unfinished_run_says_so(make_run: MakeRun) -> None:
    assert "the run isn't finished" in text_of(make_run(blocks=4, digest=None, finished=False))


def test_handicaps_are_named(make_run: MakeRun) -> None:
    handicaps = {
        "leader_off": [True, False, False, False],
        "grant_supplies": [0, 5, 0, 1],
        "grant_energy": [2, 0, 0, 0],
        "grant_scrappers": [0, 0, 0, 1],
        "void_feats": [[], [], ["sky_boots"], []],
        "banned_cards": [[], [], ["t-1", "t-2"], []],
    }
    text = text_of(make_run(blocks=4, experiment={"rules": {}, "handicaps": handicaps}), "header")
    assert (
        "| 1st seat: no Leader skill, 2 Energy Cells granted; 2nd seat: 5 Supplies granted; "
        "3rd seat: never unlocks sky boots, may not buy t-1 and t-2; "
        "4th seat: 1 Supply granted, 1 Scrapper granted "
    ) in text
    assert "as in the rulebook " in text


def test_one_section_and_an_unknown_one(make_run: MakeRun) -> None:
    run = make_run(blocks=4)
    assert text_of(run, "seat").startswith("# Seats: ")
    with pytest.raises(UnknownName, match='did you mean "faction"'):
        reports.write(run, sections=["factoin"])


def test_what_is_no_run_is_refused_in_one_sentence(make_run: MakeRun, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such run folder"):
        reports.write(tmp_path / "nowhere")
    run = make_run(blocks=2, tables=["games"])
    with pytest.raises(SimlabError, match="seats") as caught:
        reports.write(run)
    assert "\n" not in str(caught.value)
    assert not (run / "report.md").exists()


def test_a_table_file_that_is_gone_is_refused(make_run: MakeRun) -> None:
    run = make_run(blocks=2)
    (run / "seats" / "000000.parquet").unlink()
    with pytest.raises(ResultsError, match="missing"):
        reports.write(run)


def test_the_command_writes_where_it_is_told(
    make_run: MakeRun, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run, out = make_run(blocks=2), tmp_path / "deep" / "out"
    words = ["simlab", "report", str(run), "--section", "seat", "--out"]
    monkeypatch.setattr(sys, "argv", [*words, str(out)])
    with pytest.raises(SystemExit) as ended:
        main()
    printed = capsys.readouterr()
    assert ended.value.code in {0, None}
    assert printed.out.startswith("Seats: ")
    assert printed.err == f"written to {out / 'report.html'}\n"
    assert sorted(files_of(out)) == [
        "report.html",
        "report.json",
        "report.md",
        "report/figures/seat-win-share-by-seat.svg",
        "report/tables/seat-win-share-by-seat.csv",
    ]
    assert not (run / "report.html").exists()
    monkeypatch.setattr(sys, "argv", [*words, str(out / "report.md")])
    with pytest.raises(SystemExit) as refused:
        main()
    printed = capsys.readouterr()
    assert refused.value.code == 2
    assert "report.md is a file, not a folder" in printed.err
    assert printed.out == ""


def test_a_place_that_cannot_be_written_is_refused(make_run: MakeRun, tmp_path: Path) -> None:
    run = make_run(blocks=2)
    with pytest.raises(RunError, match="can't be written"):
        reports.write(run, run / "manifest.json" / "folder")
    console = Console(file=io.StringIO(), width=100, color_system=None)
    with pytest.raises(RunError, match="can't be written"):
        reports.publish(run, console, run / "manifest.json" / "folder")
    assert isinstance(console.file, io.StringIO)
    assert console.file.getvalue() == shown(run)  # printed all the same


def test_a_run_that_was_changed_by_hand_is_refused(make_run: MakeRun) -> None:
    run = make_run(blocks=2)
    manifest = run / "manifest.json"
    manifest.write_text(
        manifest.read_text(encoding="utf-8").replace("00c0ffee", "00decade"), encoding="utf-8"
    )
    with pytest.raises(ResultsError, match=r"manifest.json was changed after it was written"):
        reports.write(run)
