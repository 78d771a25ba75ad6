"""Made-up games played again without a thing for one seat, so that the report's answer is known.

Buyers of `card-fair` always win (`components.py`), and win without it too: the association is everything,
the worth nothing. Without `card-sure`, which every winner buys, three in ten of them lose, and all have 4
Supplies less. Who unlocked Bombing and won loses four times in ten without it; who unlocked another tactic
Feat seldom comes out otherwise, as often for better as for worse. Fly, whom everybody uses where Auxilia
play, decides half of Farm-Z's wins and nobody else's. Move Boosts change no game, Outpost Boosts give 2
Supplies and change no choice. Without the skill of Refuge 42's Leader half of the faction's wins are lost;
those of the other Leaders do nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from components import filled

from simlab.games.dei.columns import KNOCK_OUTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd


def table(rng: np.random.Generator, tables: Mapping[str, pa.Table]) -> pa.Table:
    """The table of the games of `games`, `seats` and `market`."""
    seats = tables["seats"].to_pandas()
    bought = tables["market"].to_pandas().dropna(subset=["bought_by"])
    made = []
    for card, lost, supplies in (("card-fair", 0.0, 0), ("card-sure", 0.3, 4)):
        buyers = bought[bought["card"] == card][["game", "bought_by"]]
        users = seats.merge(buyers, left_on=["game", "seat"], right_on=["game", "bought_by"])
        made.append(_again(rng, users, "card", card, lost, supplies))
    tactic = seats[seats["feat_tactic_turn"].notna()]
    for feat in ("bombing", "fortress", "caravan"):
        users = tactic[tactic["feat_tactic"] == feat]
        made.append(_again(rng, users, "feat", feat, 0.4 if feat == "bombing" else 0.01))
    with_fly = seats["game"].isin(seats[seats["faction"] == "auxilia"]["game"])
    for faction, of in seats.groupby("faction", observed=True):
        made.append(_again(rng, of[with_fly[of.index]], "drone", "fly", 0.5 if faction == "farm_z" else 0.0))
        made.append(_again(rng, of, "leader", str(faction), 0.5 if faction == "refuge_42" else 0.0))
    for boost, supplies in (("move", 0), ("outpost", 2)):
        made.append(_again(rng, seats[seats["seat"] > 0], "candy", boost, 0.0, supplies, differs=False))
    columns = {name: np.concatenate([each[name] for each in made]) for name in made[0]}
    order = np.lexsort((columns["seat"], columns["game"]))
    values: dict[str, Any] = {name: pa.array(each[order].tolist()) for name, each in columns.items()}
    return filled(KNOCK_OUTS, values, len(order))


def _again(
    rng: np.random.Generator, users: pd.DataFrame, kind: str, thing: str, lost: float, supplies: int = 0,
    *, differs: bool = True,
) -> dict[str, Any]:  # fmt: skip
    """Rows of seats of which `lost` of the wins are lost without the thing."""
    won, n = users["win_share"].to_numpy(), len(users)
    without = np.where(rng.random(n) < lost, 0.0, won) if lost != 0.01 else _either_way(won)
    columns: dict[str, Any] = {
        name: users[name].to_numpy() for name in ("game", "block", "players", "seat", "supplies")
    }
    columns |= {name: users[name].astype(str).to_numpy() for name in ("faction", "strategy")}
    columns |= {"arm": np.zeros(n, int), "kind": np.full(n, kind), "thing": np.full(n, thing)}
    columns |= {"used": np.ones(n, bool), "differs": np.full(n, differs or supplies > 0)}
    columns["turn"] = np.where(differs, 2 + columns["seat"] % 2, None)
    columns["win_share"] = np.where(np.isnan(won), None, won)
    columns["win_share_without"] = np.where(np.isnan(won), None, without)
    noise = rng.integers(-1, 2, n) if supplies else 0
    columns["supplies_without"] = columns["supplies"] - supplies + noise
    return columns


def _either_way(won: Any) -> Any:
    """One winner in twenty loses, and as many losers win."""
    without = won.copy()
    changed = int(0.05 * (won == 1).sum())
    without[np.flatnonzero(won == 1)[:changed]] = 0.0
    without[np.flatnonzero(won == 0)[:changed]] = 1.0
    return without
