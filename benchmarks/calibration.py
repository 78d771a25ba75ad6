"""Does a component pack play like a table of people? Bars on tables of four players, none on who wins.

    python benchmarks/calibration.py [--pack PACK] [--strategy NAME …] [--games N] [--seed S] …

plays experiments/dei/calibration.toml, where greedy, planner and search sit at one table in any mix, prints a
table of bars and exits with 1 if one doesn't hold. No query here reads a win share, a place by faction or a
result by card: a pack may be set by these figures without being set by what the laboratory is asked for.
docs/packs.md says where the bars come from and what was tried; the tries are in calibration_tries.csv beside
this file.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from reports import terminal
from reports.document import Column, Kind, Section, Table
from reports.numbers import one
from simlab import experiment, runs, toml
from simlab.errors import SimlabError, UsageError
from simlab.results import Run, open_run
from simlab.stats.intervals import Estimate, Moments, mean, share

ROOT = Path(__file__).resolve().parents[1]
QUESTION = ROOT / "experiments/dei/calibration.toml"
LEVEL = 0.95
PLAYERS = 4
LAST_TURN = 4
HOLDS, FAILS, OPEN = "holds", "fails", "undecided"
EXAMPLE = (9, 7, 5, 5)  # CORE-037: Supplies after Turn 1 in the rulebook's example


@dataclass(frozen=True)
class Bar:
    """A figure and the span in which it must lie: holds if all of its interval does, fails if none."""

    title: str
    figure: Estimate
    low: float
    high: float
    kind: Kind

    @property
    def verdict(self) -> str:
        """HOLDS, FAILS or OPEN."""
        inside = self.low <= self.figure.low and self.figure.high <= self.high
        outside = self.figure.high < self.low or self.figure.low > self.high
        return HOLDS if inside else FAILS if outside else OPEN

    @property
    def span(self) -> str:
        """The bar in words."""
        low, high = (
            f"{100 * x:.3g} %" if self.kind is Kind.SHARE else f"{x:g}" for x in (self.low, self.high)
        )
        if self.high == inf:
            return f"at least {low}"
        return f"at most {high}" if self.low == -inf else f"{low} to {high}"


def grouped(found: Run, query: str) -> dict[Any, Moments]:
    """Moments of `value` by `key`, clustered on `block`, from a query with these three columns."""
    rows = found.sql(query).fetchnumpy()
    keys = np.asarray(rows["key"])
    values, blocks = np.asarray(rows["value"], np.float64), np.asarray(rows["block"], np.int64)
    return {
        key: Moments.of_rows(values[keys == key], blocks[keys == key]) for key in np.unique(keys).tolist()
    }


def single(found: Run, value: str, source: str) -> Estimate:
    """The mean of an expression over the rows of a source that has a column `block`."""
    return mean(grouped(found, f"SELECT 0 AS key, {value} AS value, block FROM {source}")[0], LEVEL)


def scaled(estimate: Estimate, unit: float) -> Estimate:
    """An estimate in another unit."""
    value, se, low, high = (x / unit for x in (estimate.value, estimate.se, estimate.low, estimate.high))
    return replace(estimate, value=value, se=se, low=low, high=high)


def least(shares: Mapping[Any, Moments]) -> tuple[str, Estimate]:
    """The key with the smallest share, and that share."""
    estimates = {key: share(moments, LEVEL) for key, moments in shares.items()}
    key = min(estimates, key=lambda name: (estimates[name].value, name))
    return key, estimates[key]


# --- what is measured -----------------------------------------------------------------------------------


def completed_missions(found: Run) -> dict[Any, Moments]:
    """By kind of Mission: of the games where it lies, those where somebody's token on it gave Supplies."""
    return grouped(
        found,
        "SELECT mission AS key, max(coalesce(supplies, 0) > 0)::INT AS value, block"
        " FROM missions GROUP BY mission, game, block",
    )


def bought_cards(found: Run) -> dict[Any, Moments]:
    """By Market card: of the games where it lay face up, those where somebody bought it."""
    return grouped(found, "SELECT card AS key, (bought_by IS NOT NULL)::INT AS value, block FROM market")


def unlocked_feats(found: Run) -> dict[Any, Moments]:
    """By Feat: of the players who were dealt it, those who unlocked it."""
    colours = ("tactic", "logistic", "machinery")
    parts = (
        f"SELECT feat_{colour} AS key, (feat_{colour}_turn IS NOT NULL)::INT AS value, block FROM seats"
        for colour in colours
    )
    return grouped(found, " UNION ALL ".join(parts))


def resources_at_start(pack: Any) -> int:
    """Tokens that the map of four players starts with, whatever the layout (CORE-009)."""
    table = pack.table[0]
    in_play = table.tile_players[: int(table.n_tiles)] <= PLAYERS
    return int(table.patch_resources[: int(table.n_tiles)][in_play].sum())


def bars(found: Run, pack: Any) -> Iterator[Bar]:
    """All bars, in the order of docs/packs.md."""
    mission, completed = least(completed_missions(found))
    card, bought = least(bought_cards(found))
    left = single(found, "resources_left", f"turns WHERE turn = {LAST_TURN - 1} AND seat = 0")
    feats = grouped(found, "SELECT 0 AS key, (feats_unlocked > 0)::INT AS value, block FROM seats")
    yield Bar(
        "Supplies of the winner", single(found, "supplies", "seats WHERE place = 1"), 40, 70, Kind.AMOUNT
    )
    yield Bar("Scrappers that a player kills", single(found, "kills", "seats"), -inf, 3, Kind.AMOUNT)
    yield Bar(
        f"Games with the Mission that complete it, the rarest ({mission})", completed, 0.02, inf, Kind.SHARE
    )
    yield Bar(f"Games with the Market card that sell it, the rarest ({card})", bought, 0.02, inf, Kind.SHARE)
    yield Bar("Players who unlock a Feat", share(feats[0], LEVEL), 0.5, inf, Kind.SHARE)
    yield Bar(
        f"Resources left on the map as Turn {LAST_TURN} begins, of those at the start",
        scaled(left, resources_at_start(pack)),
        -inf,
        1 / 3,
        Kind.SHARE,
    )


def beside(found: Run) -> Iterator[tuple[str, str]]:
    """Figures that no bar is set on, and what is known of them elsewhere."""
    ranks = grouped(
        found,
        "SELECT row_number() OVER (PARTITION BY game ORDER BY supplies DESC, seat) AS key,"
        " supplies AS value, block FROM turns WHERE turn = 1",
    )
    after = " / ".join(one(Kind.AMOUNT, mean(ranks[rank], LEVEL)) for rank in sorted(ranks))
    example = "/".join(map(str, EXAMPLE))
    yield f"Supplies after Turn 1, first to last (the rulebook's example has {example})", after
    yield "Supplies of all players", one(Kind.AMOUNT, single(found, "supplies", "seats"))
    yield "Lead of the winner over the second", one(Kind.AMOUNT, single(found, "winning_margin", "games"))
    close = grouped(found, "SELECT 0 AS key, (winning_margin <= 5)::INT AS value, block FROM games")
    yield "Games decided by 5 Supplies or fewer", one(Kind.SHARE, share(close[0], LEVEL))
    by_game = "(SELECT sum(kills) AS kills, block FROM seats GROUP BY game, block)"
    yield "Scrappers killed by all players together", one(Kind.AMOUNT, single(found, "kills", by_game))
    yield "Market cards that a player buys", one(Kind.AMOUNT, single(found, "buys", "seats"))
    feat, unlocked = least(unlocked_feats(found))
    yield f"Players who unlock a Feat dealt to them, the rarest ({feat})", one(Kind.SHARE, unlocked)


def by_strategy(found: Run) -> Iterator[tuple[str, ...]]:
    """How each kind of player plays at these tables."""
    figures = [
        (kind, grouped(found, f"SELECT strategy AS key, {value} AS value, block FROM seats"))
        for kind, value in (
            (Kind.AMOUNT, "supplies"),
            (Kind.AMOUNT, "kills"),
            (Kind.AMOUNT, "buys"),
            (Kind.SHARE, "(feats_unlocked > 0)::INT"),
        )
    ]
    for name in found.manifest["experiment"]["strategies"]:
        yield (
            name,
            *(
                one(kind, (share if kind is Kind.SHARE else mean)(moments[name], LEVEL))
                for kind, moments in figures
            ),
        )


# --- playing and printing --------------------------------------------------------------------------------


def played(
    pack: str | None,
    games: int | None,
    seed: int | None,
    workers: int,
    out: Path | None,
    strategies: Sequence[str] | None = None,
) -> tuple[Run, Any]:
    """The run that the bars are measured on, played as far as it isn't yet, and its pack.

    `strategies` sit at the tables instead of the experiment's.
    """
    written = toml.read_toml(QUESTION, UsageError)
    written |= {"pack": str(Path(pack).resolve()) if pack and Path(pack).is_dir() else pack} if pack else {}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / QUESTION.name
        file.write_text(toml.dumps(written), encoding="utf-8")
        question = experiment.load(file, games=games, seed=seed, strategies=strategies)
    plan = runs.plan(question, out)
    runs.play(plan, workers)
    return open_run(plan.folder), question.settings.pack


def section(found: Run, pack: Any) -> tuple[Section, list[Bar]]:
    """What is printed, and the bars themselves."""
    counts = found.manifest["counts"]
    measured = list(bars(found, pack))
    table = Table(
        tuple(Column(title, Kind.TEXT) for title in ("Figure", "Measured", "Bar", "Verdict")),
        tuple((bar.title, one(bar.kind, bar.figure), bar.span, bar.verdict) for bar in measured),
        "Bars",
        "± is half of the 95 % interval, clustered on blocks. A bar holds if the whole interval lies inside.",
    )
    other = Table(
        (Column("Figure", Kind.TEXT), Column("Measured", Kind.TEXT)), tuple(beside(found)), "Beside the bars"
    )
    titles = ("Supplies", "Kills", "Market cards bought", "Unlock a Feat")
    each = Table(
        (Column("Strategy", Kind.TEXT), *(Column(title, Kind.TEXT) for title in titles)),
        tuple(by_strategy(found)),
        "By strategy, at the same tables",
    )
    seed = found.manifest["experiment"]["seed"]
    games = f"{counts['games']:,} games with {PLAYERS} players, seed {seed}"
    intro = f"Pack {pack.name}, version {pack.parts.version} ({pack.hash[:12]}), {games}."
    return Section("Calibration", (intro, table, other, each)), measured


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description="Hold a component pack to the bars of docs/packs.md.")
    parser.add_argument("--pack", help="name or folder; the shipped one if left out")
    parser.add_argument("--strategy", action="append", help="who plays instead of the three; several times")
    parser.add_argument("--games", type=int, help="games, rounded up to whole blocks")
    parser.add_argument("--seed", type=int, help="another seed than the experiment's")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--out", type=Path, help="the run's folder")
    return parser.parse_args()


def main() -> int:
    """Play, print; 0 if every bar holds, 1 if not, 2 if an argument is wrong."""
    options = arguments()
    try:
        how = (options.games, options.seed, options.workers, options.out, options.strategy)
        found, pack = played(options.pack, *how)
    except SimlabError as error:
        sys.stderr.write(f"calibration: {error}\n")
        return error.exit_code
    printed, measured = section(found, pack)
    terminal.show([printed], Console())
    irregular = set(found.manifest["counts"]["endings"]) - {"finished"}
    return 0 if not irregular and all(bar.verdict == HOLDS for bar in measured) else 1


if __name__ == "__main__":
    sys.exit(main())
