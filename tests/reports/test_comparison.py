"""Comparisons of arms against what is known: nothing where nothing can change, a grant where it was given."""

from __future__ import annotations

import dataclasses
import json
import math
import re
from pathlib import Path

import pytest
from rich.console import Console

import reports
from reports import files
from reports.dei import contents, header
from reports.dei.basis import title
from reports.dei.comparison import families as f
from reports.dei.comparison.answer import CHANCE, CHANGED, HARMLESS, NOTHING, out_of_band, verdict
from reports.dei.comparison.by_play import DEPENDS, HOLDS, OPEN, by_play, judged
from reports.dei.comparison.effects import Compared, Comparison, compare
from reports.dei.comparison.plain import plain
from reports.dei.comparison.sections import answers, at_value, details, pairing
from reports.document import Dots, Figure, Lines, Table
from simlab import runs
from simlab.errors import UnknownName, UsageError
from simlab.experiment import load
from simlab.results import open_run
from simlab.stats.equivalence import BALANCED, UNBALANCED, UNDECIDED, Verdict

pytestmark = pytest.mark.compiled_only

HEAD = """
name = "known"
game = "dei"
seed = 5
games = 120
strategies = ["dei/greedy"]
"""
FOUR = (
    HEAD
    + """
players = 4
[arms.three]
handicaps = { grant_supplies = { 3 = 3 } }
[arms.thirty]
handicaps = { grant_supplies = { 3 = 30 } }
[arms.turns]
sweep = { key = "rules.turns", values = [4, 3, 2] }
"""
)
TWO_OR_THREE = HEAD + "players = [2, 3]\n[arms.third]\nhandicaps = { grant_supplies = { 2 = 30 } }\n"
SWAPPED = (
    HEAD
    + """
players = 4
[handicaps]
grant_supplies = { 3 = 30 }
[arms.without]
handicaps = { grant_supplies = { 3 = 0 } }
"""
)

NOISE = HEAD + "players = 4\n[arms.again]\nnoise = 1\n[arms.both]\nnoise = 1\nrules = { turns = 3 }\n"


STOPPED = """
name = "stopped"
game = "dei"
seed = 5
games = 3000
players = 4
strategies = ["dei/greedy"]
until = "decided"
[arms.thirty]
handicaps = { grant_supplies = { 3 = 30 } }
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory):
    """The folder of a run of a text, played once."""
    kept: dict[str, Path] = {}
    folder = tmp_path_factory.mktemp("compared")

    def play(text: str) -> Path:
        if text not in kept:
            file = folder / f"{len(kept)}.toml"
            file.write_text(text, encoding="utf-8")
            plan = runs.plan(load(file), folder / f"run{len(kept)}")
            runs.play(plan, 1, quiet=True)
            kept[text] = plan.folder
        return kept[text]

    return play


def compared(made: Comparison, arm: str, players: int = 4) -> Compared:
    (found,) = (each for each in made.compared if (each.arm, each.players) == (arm, players))
    return found


def test_a_grant_changes_supplies_by_what_was_granted_where_nothing_else_did(played) -> None:
    stored = open_run(played(FOUR))
    rows = stored.sql("""
        SELECT a.seat, count(*), min(a.supplies - b.supplies), max(a.supplies - b.supplies)
        FROM seats AS a JOIN seats AS b ON b.game = a.game - 1 AND b.seat = a.seat
        WHERE a.arm = 1 AND NOT EXISTS (
            FROM turns AS x JOIN turns AS y ON y.game = x.game - 1 AND y.turn = x.turn AND y.seat = x.seat
            WHERE x.game = a.game AND x.choices_hash <> y.choices_hash
        ) GROUP BY a.seat ORDER BY a.seat
    """).fetchall()
    assert [row[0] for row in rows] == [0, 1, 2, 3]
    assert all(count >= 5 for _, count, _, _ in rows)
    assert [row[2:] for row in rows] == [(0, 0), (0, 0), (0, 0), (3, 3)]


def test_a_planted_truth_is_found(played) -> None:
    found = compared(compare(open_run(played(FOUR))), "thirty")
    first, *_, fourth = found.families[f.SEATS]
    assert fourth.effect.difference.low > 0.1
    assert fourth.together.low > 0
    assert first.effect.difference.value < 0
    assert sum(level.effect.difference.value for level in found.families[f.SEATS]) == pytest.approx(0)
    assert verdict(found) == CHANGED
    assert found.pairs == 120
    assert not found.identical
    crossed = found.families[f.BOTH]
    for faction in range(4):  # each faction sits in each seat equally often
        mean = sum(crossed[4 * faction + seat].effect.difference.value for seat in range(4)) / 4
        assert mean == pytest.approx(found.families[f.FACTIONS][faction].effect.difference.value)


def test_what_never_bites_is_exactly_zero(played) -> None:
    made = compare(open_run(played(TWO_OR_THREE)))
    two, three = (compared(made, "third", players) for players in (2, 3))
    assert two.identical
    assert verdict(two) == NOTHING
    for levels in two.families.values():
        for level in levels:
            if level.effect.difference.known:
                each = level.effect.difference
                assert (each.value, each.se, each.low, each.high) == (0, 0, 0, 0)
    assert not three.identical
    assert verdict(three) == CHANGED


def test_base_and_arm_may_change_places(played) -> None:
    forth = compared(compare(open_run(played(FOUR))), "thirty")
    back = compared(compare(open_run(played(SWAPPED))), "without")
    for name, levels in forth.families.items():
        for one, other in zip(levels, back.families[name], strict=True):
            if one.effect.difference.known and name not in {f.COURSE, f.FEATS_WON}:
                assert one.effect.difference.value == -other.effect.difference.value, (name, one.label)
                assert one.effect.base == other.effect.arm


def test_the_games_part_when_choices_do(played) -> None:
    made = compare(open_run(played(FOUR)))
    for arm in ("three", "turns=3"):
        shares = [level.effect.arm.value for level in compared(made, arm).families[f.COURSE]]
        assert shares == sorted(shares)
        assert len(shares) == 4
    assert compared(made, "turns=3").families[f.COURSE][3].effect.arm.value == 1  # it has no fourth Turn


def test_what_pairing_saved_is_a_number_or_a_range(played) -> None:
    found = compared(compare(open_run(played(FOUR))), "three")
    levels = found.families[f.FACTIONS]

    def said(*reductions: float) -> str:
        effects = [dataclasses.replace(levels[0].effect, reduction=each) for each in reductions]
        rows = tuple(dataclasses.replace(levels[0], effect=each) for each in effects)
        return pairing(dataclasses.replace(found, families={**found.families, f.FACTIONS: rows}))

    assert "deals 2.0 to 10.1 times as many" in said(10.06, 2.0, math.inf)
    assert "deals 22.1 times as many" in said(22.11, 22.09)
    assert said(math.inf) == "The same deals under both: no win share changes from one block to another."
    assert said(math.nan).startswith("There are too few blocks")


def test_a_sweep_is_a_response(played) -> None:
    (swept,) = compare(open_run(played(FOUR))).swept
    assert (swept.name, swept.key) == ("turns", "rules.turns")
    assert all(response.doses == (2.0, 3.0, 4.0) for response in swept.responses)
    assert all(response.effects[2].value == 0 for response in swept.responses)
    for response in swept.responses:  # the base's 0 rests on what the others do
        assert at_value(response, 2).n == response.effects[0].n


def test_means_are_those_of_the_tables(played) -> None:
    stored = open_run(played(FOUR))
    made = compare(stored)
    number = made.basis.arms.index("turns=2")
    for column, family in (("decisions", f.DECISIONS), ("winning_margin", f.MARGIN)):
        base, arm = (
            stored.sql(f"SELECT avg({column}) FROM games WHERE arm = {which}").fetchall()[0][0]
            for which in (0, number)
        )
        (level,) = compared(made, "turns=2").families[family]
        assert level.effect.base.value == pytest.approx(base)
        assert level.effect.arm.value == pytest.approx(arm)
    ((bought,),) = stored.sql(
        f"SELECT count(*) FROM market WHERE arm = {number} AND bought_by IS NOT NULL AND card = 'black-01'"
    ).fetchall()
    (card,) = (x for x in compared(made, "turns=2").families[f.CARDS_BOUGHT] if x.label == "black-01")
    assert card.effect.arm.value == pytest.approx(bought / 120)
    ((done,),) = stored.sql(
        f"SELECT count(*) FROM missions WHERE arm = {number} AND seat IS NOT NULL AND mission = 'scrappers'"
    ).fetchall()
    (mission,) = (x for x in compared(made, "turns=2").families[f.MISSIONS] if x.label == "Scrappers")
    assert mission.effect.arm.value == pytest.approx(done / 120)
    ((unlocked, dealt),) = stored.sql(
        "SELECT count(feat_tactic_turn), count(*) FROM seats "
        f"WHERE arm = {number} AND feat_tactic = 'bombing'"
    ).fetchall()
    (feat,) = (x for x in compared(made, "turns=2").families[f.FEATS_UNLOCKED] if x.label == "Bombing")
    assert feat.effect.arm.value == pytest.approx(unlocked / dealt)


def test_pieces_of_a_run_add_up(played, monkeypatch: pytest.MonkeyPatch) -> None:
    from reports.dei.comparison import effects
    from reports.dei.comparison.plain import plain

    stored = open_run(played(FOUR))
    assert len(stored.manifest["parts"]) > 1
    whole = plain(compare(stored))
    monkeypatch.setattr(effects, "PARTS", 1)
    assert plain(compare(open_run(played(FOUR)))) == whole


def test_the_comparison_is_printed_and_written(played, capsys: pytest.CaptureFixture[str]) -> None:
    folder = played(FOUR)
    target = reports.publish_comparison([folder], Console(width=80))
    printed = capsys.readouterr().out
    assert max(map(len, printed.splitlines())) <= 80
    text = target.read_text(encoding="utf-8")
    assert "**thirty** changes the balance by more than 2 points:" in text
    found = json.loads(target.with_suffix(".json").read_text(encoding="utf-8"))
    assert [arm["arm"] for arm in found["arms"]] == ["three", "thirty", "turns=3", "turns=2"]
    assert found["arms"][1]["verdict"] == CHANGED
    before = target.read_bytes(), target.with_suffix(".json").read_bytes()
    reports.publish_comparison([folder], Console(width=80, quiet=True))
    assert (target.read_bytes(), target.with_suffix(".json").read_bytes()) == before


def test_a_wide_band_shows_no_harm(played) -> None:
    stored = open_run(played(FOUR))
    assert stored.manifest["experiment"]["band"] == 2.0
    declared = {**stored.manifest["experiment"], "band": 45.0}
    made = compare(dataclasses.replace(stored, manifest={**stored.manifest, "experiment": declared}))
    assert made.basis.band == 0.45
    assert verdict(compared(made, "three")) == HARMLESS


def test_the_report_of_a_run_with_arms_is_the_bases(played) -> None:
    alone = played(FOUR[: FOUR.index("[arms.three]")])
    one, other = (
        reports.compose(folder, ["faction", "supplies", "length"]) for folder in (alone, played(FOUR))
    )
    arms = 5  # pair g of the base is game 5 g there
    numbered = [
        dataclasses.replace(
            section,
            parts=tuple(
                re.sub(r"(?<=--game )\d+", lambda game: str(arms * int(game[0])), part)
                if isinstance(part, str)
                else part
                for part in section.parts
            ),
        )
        for section in one
    ]
    assert numbered == other
    assert "--game" in str(numbered)
    (head,) = reports.compose(played(FOUR), ["header"])
    assert "all below is on base alone" in str(head)
    assert "Variants sets the arms three, thirty, turns=3 and turns=2 beside it" in str(head)


def test_the_report_of_a_run_with_arms_has_the_comparison(played) -> None:
    """Every sentence and table of `simlab compare`, and the same numbers drawn."""
    made = compare(open_run(played(FOUR)))
    (section,) = reports.compose(played(FOUR), ["variants"])
    said = [part for part in section.parts if isinstance(part, str)]
    tables = {part.title: part for part in section.parts if isinstance(part, Table)}
    figures = {part.title: part.plot for part in section.parts if isinstance(part, Figure)}
    for paragraph in answers(made):
        assert paragraph in said
    whole = [(one.title, part) for one in details(made) for part in one.parts]
    assert [part.rows for _, part in whole if isinstance(part, Table)] == [t.rows for t in tables.values()]
    assert all(any(part in one for one in said) for _, part in whole if isinstance(part, str))
    assert "**thirty.** What differs: handicaps.grant_supplies = [0, 0, 0, 30]." in said
    assert len(said) == len(set(said))
    assert "thirty: win share by faction" in tables
    dots = figures["What each arm does to each faction"]
    assert isinstance(dots, Dots)
    effects = [level.effect.difference for each in made.compared for level in each.families[f.FACTIONS]]
    assert [row.at for row in dots.rows] == effects
    assert dots.rows[4].label == "thirty: Refuge 42"
    lines = figures["Win share by rules.turns"]
    assert isinstance(lines, Lines)
    assert lines.at == (2, 3, 4)
    assert [estimates[2].value for _, estimates in lines.series] == [0, 0, 0, 0]
    assert "thirty" in section.finding
    assert CHANGED in section.finding


def test_the_report_of_a_run_with_arms_names_each_number_of_players(played) -> None:
    (section,) = reports.compose(played(TWO_OR_THREE), ["variants"])
    assert section.finding == "third: changes the balance (3 players)"
    (length,) = reports.compose(played(TWO_OR_THREE), ["length"])
    looked = [str(part) for part in length.parts if "Games to look at" in str(part)]
    assert [text.split(":")[0] for text in looked] == [f"Games to look at, {n} players" for n in (2, 3)]
    titles = [part.title for part in section.parts if isinstance(part, Figure)]
    assert titles == [f"What each arm does to each faction, {n} players" for n in (2, 3)]
    assert files([section])["report.json"].count("What each arm does to each faction") >= 2


def test_an_arm_with_another_noise_alone_is_not_judged(played) -> None:
    """It is the same game, so neither out of the band nor undecided; with a rule beside it is judged."""
    made = compare(open_run(played(NOISE)))
    again, both = compared(made, "again"), compared(made, "both")
    assert not again.identical
    assert (again.noise_alone, both.noise_alone) == (True, False)
    assert verdict(again) == CHANCE
    assert verdict(both) in {CHANGED, UNDECIDED}
    assert "whatever it changes is chance" in answers(made)[0]
    heads = {
        section.title: [c.title for part in section.parts if isinstance(part, Table) for c in part.columns]
        for section in details(made)
    }
    assert "Verdict" not in heads["again"]
    assert "Verdict" in heads["both"]
    (variants,) = reports.compose(played(NOISE), ["variants"])
    (drawn,) = (part.plot for part in variants.parts if isinstance(part, Figure))
    assert isinstance(drawn, Dots)
    assert {row.label.split(":")[0] for row in drawn.rows} == {"both"}
    assert "again: chance alone" in variants.finding
    arms = plain(made)["arms"]
    assert [arm["verdict"] for arm in arms] == [CHANCE, verdict(both)]
    assert all("verdict" not in level for level in arms[0]["factions"] + arms[0]["seats"])
    moved = dataclasses.replace(again, verdicts=out_of_all_bands(again))
    assert verdict(moved) == CHANCE
    assert out_of_band(moved) == {}
    assert len(out_of_band(dataclasses.replace(moved, noise_alone=False))) == 8


def out_of_all_bands(found: Compared) -> dict[str, tuple[Verdict, ...]]:
    return {
        name: tuple(dataclasses.replace(each, kind=UNBALANCED) for each in verdicts)
        for name, verdicts in found.verdicts.items()
    }


def test_a_report_without_arms_has_no_variants(played) -> None:
    assert reports.compose(played(FOUR[: FOUR.index("[arms.three]")]), ["variants"]) == []


def test_a_run_without_arms_has_nothing_to_compare(played) -> None:
    with pytest.raises(UsageError, match="has no arms to compare"):
        reports.publish_comparison([played(FOUR[: FOUR.index("[arms.three]")])], Console())


def test_a_verdict_that_differs_depends_on_play(played) -> None:
    text = FOUR[: FOUR.index("[arms.turns]")]
    one, other = (compare(open_run(played(each))) for each in (text, text.replace("greedy", "uniform")))
    assert judged([compared(one, "thirty"), compared(other, "thirty")]) == HOLDS
    assert judged([compared(one, "thirty"), compared(one, "three")]) == OPEN
    wide = dataclasses.replace(compared(other, "thirty"), verdicts=compared_within(other))
    assert verdict(wide) == HARMLESS
    assert judged([compared(one, "thirty"), wide]) == DEPENDS
    text = str(by_play([one, other]))
    assert "dei/greedy" in text
    assert "dei/uniform" in text


def compared_within(made: Comparison) -> dict[str, tuple[Verdict, ...]]:
    """The verdicts on an arm, had the band been wide enough."""
    found = compared(made, "thirty").verdicts
    return {
        name: tuple(dataclasses.replace(own, kind=BALANCED) for own in verdicts)
        for name, verdicts in found.items()
    }


def test_the_same_choices_among_others_to_be_had_differ_in_decisions_alone(played) -> None:
    """Without a Buy of its own, Delivery Bot leaves players less to decide where it goes unused."""
    arm = "players = 4\n[arms.bot]\nrules = { delivery_bot_extra_buy = false }\n"
    stored = open_run(played(HEAD + arm))
    ((alike,),) = stored.sql(
        "SELECT count(*) FROM games AS a JOIN games AS b ON b.game = a.game - 1 "
        "WHERE a.arm = 1 AND a.game_hash = b.game_hash AND a.decisions <> b.decisions"
    ).fetchall()
    assert alike > 0
    (decisions,) = compared(compare(stored), "bot").families[f.DECISIONS]
    assert decisions.effect.difference.value < 0


def test_a_run_that_stopped_when_its_arms_were_decided_is_judged_as_it_was(played) -> None:
    folder = played(STOPPED)
    ended = open_run(folder).manifest["ended"]
    assert ended["met"]
    assert ended["games"] < 1_000
    assert ended["says"].endswith("the verdict on arms decided, 0 in the band and 1 out of it")
    made = compare(open_run(folder))
    found = compared(made, "thirty")
    assert verdict(found) == CHANGED
    fixed = compare(_without_until(folder))
    told = 0
    for name, levels in found.families.items():
        for level, other in zip(levels, compared(fixed, "thirty").families[name], strict=True):
            for each in ("base", "arm", "difference"):
                wide, narrow = (getattr(one.effect, each) for one in (level, other))
                assert wide.value == pytest.approx(narrow.value, nan_ok=True)
                if wide.sure and narrow.se > 0:
                    assert wide.high - wide.low > narrow.high - narrow.low, name
                    told += each == "difference"
    assert told > 60
    assert "Stopped" in dict(header.rests_on(made.basis, of_each=True).rows)
    said = plain(made)["ended"]
    assert said == {"until": "decided"} | {
        key: ended[key] for key in ("met", "games", "most", "looks", "says")
    }
    assert plain(fixed)["ended"] is None


def _without_until(folder: Path):
    """The same games as if their number had been fixed."""
    opened = open_run(folder)
    experiment = {key: value for key, value in opened.manifest["experiment"].items() if key != "until"}
    return dataclasses.replace(opened, manifest={**opened.manifest, "experiment": experiment})


def test_a_report_on_an_arm_is_on_its_own_games(played, tmp_path: Path) -> None:
    folder = played(FOUR)
    found = reports.report(folder, ["header", "variants", "seat"], "thirty")
    assert [section["key"] for section in found["sections"]] == ["header", "seat"]
    stored = open_run(folder)
    differs = "handicaps.grant_supplies = [0, 0, 0, 30]"
    assert header.rests_on(contents.basis(stored, "thirty")).rows[1] == (
        "Arm",
        f"thirty, where {differs}; all else, as it stands below, is that of base",
    )
    won = stored.sql("SELECT avg(win_share) FROM seats WHERE arm = 2 AND seat = 3").fetchall()
    (seats,) = (section for section in reports.compose(folder, arm="thirty") if section.key == "seat")
    (table,) = (part for part in seats.parts if isinstance(part, Table) and part.title == "Win share by seat")
    assert table.rows[3][2].value == pytest.approx(won[0][0])
    assert reports.write(folder, arm="thirty") == folder / "arms/thirty/report.html"
    assert reports.write(folder, tmp_path, ["seat"], "three") == tmp_path / "report.html"


def test_an_arm_that_is_not_there_is_refused_with_the_nearest(played) -> None:
    with pytest.raises(UnknownName, match=r'has no arm "thirti"; did you mean "thirty"\?'):
        reports.compose(played(FOUR), arm="thirti")


# --- several strategies -----------------------------------------------------------------------------------

SEVERAL = """
name = "several"
game = "dei"
seed = 5
games = 192
players = 3
strategies = ["dei/greedy", "dei/uniform"]
[arms.thirty]
handicaps = { grant_supplies = { 2 = 30 } }
"""
MIRRORED = SEVERAL.replace("[arms", 'mixing = "mirrored"\n[arms')


@pytest.mark.parametrize("text", [SEVERAL, MIRRORED], ids=["by_design", "mirrored"])
def test_effects_by_strategy_are_those_of_the_tables(played, text: str) -> None:
    run = open_run(played(text))
    made = compare(run)
    found = compared(made, "thirty", 3)
    assert (f.STRATEGIES in found.families) == (text == SEVERAL)
    query = (
        "SELECT {level}, avg(a.win_share - b.win_share) FROM seats a JOIN seats b "
        "ON b.game = a.game - 1 AND a.seat = b.seat WHERE a.arm = 1 GROUP BY ALL"
    )
    by_played = {
        f"{title(faction)}, {strategy}": change
        for faction, strategy, change in run.sql(query.format(level="a.faction, a.strategy")).fetchall()
    }
    assert {x.label: x.effect.difference.value for x in found.families[f.PLAYED]} == pytest.approx(by_played)
    texts = [part.title for section in details(made) for part in section.parts if isinstance(part, Table)]
    assert "Change of win share by faction and strategy, points" in texts
    assert ("Win share by strategy" in texts) == (text == SEVERAL)
    if text == SEVERAL:
        by_strategy = dict(run.sql(query.format(level="a.strategy")).fetchall())
        own = {x.label: x.effect.difference.value for x in found.families[f.STRATEGIES]}
        assert own == pytest.approx(by_strategy)
        assert sum(own.values()) == pytest.approx(0)
    assert len(plain(made)["arms"][0][f.PLAYED]) == 8


def test_one_strategy_has_no_effects_by_strategy(played) -> None:
    found = compared(compare(open_run(played(STOPPED))), "thirty")
    assert not {f.STRATEGIES, f.PLAYED} & set(found.families)
