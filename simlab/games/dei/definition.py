"""D.E.I. – Divide et Impera as the rest of the package sees it.

Everything that needs compiled code is imported when it is called, so that lists, help and reports don't.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simlab.game import Game, Knob, Settings
from simlab.games.dei.bars import BARS
from simlab.games.dei.columns import TABLES
from simlab.games.dei.knock_outs import PROVIDED
from simlab.games.dei.rules import HANDICAP_SETS, HANDICAPS, RULES
from simlab.games.dei.settings import resolve_rules, resolve_settings
from simlab.games.dei.vocabulary import FACTION_TITLES, FACTIONS

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

    from simlab.story import Teller
    from simlab.strategy import Strategy


def _resolve_settings(settings: Settings, players: tuple[int, ...], factions: tuple[str, ...]) -> Settings:
    from simlab.games.dei.patches import check_in_play

    resolved = resolve_settings(settings, players, factions)
    check_in_play(settings.pack, factions)
    return resolved


def _load_pack(name: str) -> Any:
    from simlab.games.dei.pack import load_pack

    return load_pack(name)


def _patch_pack(pack: Any, patch: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    from simlab.games.dei.patches import patch_pack

    return patch_pack(pack, patch)


def _may_bite(base: Settings, arm: Settings, schedule: np.ndarray[Any, Any], logs: Any) -> Any:
    from simlab.games.dei.bites import may_bite

    return may_bite(base, arm, schedule, logs)


def _check_pack(pack: Any, draws: int) -> tuple[list[str], list[str]]:
    from simlab.games.dei.pack_check import check_pack

    return check_pack(pack, draws)


def _sample_pack(pack: Any, seed: int, index: int, keep: int) -> tuple[str, dict[str, str]]:
    from simlab.games.dei.pack_sample import sample_pack

    return sample_pack(pack, seed, index, keep)


def _play(
    settings: Settings,
    schedule: np.ndarray[Any, Any],
    strategies: Sequence[Strategy],
    checkpoint: Callable[[], None],
) -> Any:
    from simlab.games.dei.block import play_logs

    return play_logs(settings, schedule, strategies, checkpoint)


def _open(settings: Settings, row: Any) -> Any:
    from simlab.games.dei.live import LiveGame

    return LiveGame(settings, row)


def _tables_of(
    settings: Settings, schedule: np.ndarray[Any, Any], strategies: Sequence[Strategy], logs: Any
) -> dict[str, pa.Table]:
    import numpy as np

    from simlab.games.dei.record import tables_of

    if isinstance(logs, list):
        logs = np.concatenate(logs)
    return tables_of(schedule, logs, settings.pack, [strategy.name for strategy in strategies])


def _outcome(schedule: np.ndarray[Any, Any], logs: Any) -> tuple[Any, Any]:
    from simlab.games.dei.record import outcome

    return outcome(schedule, logs)


def _teller(live: Any) -> Teller:
    # by name: words are no part of the engine, whose source (catalog.engine_sources) names a run
    teller: Teller = import_module("simlab.games.dei.telling").teller_of(live)
    return teller


def _signature() -> str:
    from simlab.games.dei.signature import signature

    return signature()


def _warm_up() -> None:
    from simlab.games.dei.block import warm_up

    warm_up()


GAME = Game(
    name="dei",
    title="D.E.I. – Divide et Impera",
    rules_version="dei-core-1",
    players=(2, 3, 4),
    factions=FACTIONS,
    faction_titles=FACTION_TITLES,
    knobs=tuple(Knob(rule.name, rule.default, rule.low, rule.high, rule.source, rule.says) for rule in RULES),
    handicaps={handicap.name: handicap.says for handicap in HANDICAPS} | HANDICAP_SETS,
    options={"layout": ("random", "quick"), "outposts": ("advanced", "quick")},
    tables=TABLES,
    packs=Path(__file__).parent / "packs",
    default_pack="reconstructed",
    resolve_rules=resolve_rules,
    resolve_settings=_resolve_settings,
    load_pack=_load_pack,
    patch_pack=_patch_pack,
    check_pack=_check_pack,
    sample_pack=_sample_pack,
    play=_play,
    open=_open,
    tables_of=_tables_of,
    outcome=_outcome,
    teller=_teller,
    view="simlab.games.dei.view:view_of",
    signature=_signature,
    warm_up=_warm_up,
    bars=BARS,
    may_bite=_may_bite,
    knock_outs=PROVIDED,
)
