"""What a run folder says of itself: everything that its games rest on, and which parts are there."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from simlab import results
from simlab.arms import NOISE
from simlab.errors import ResultsError, RunError, UsageError
from simlab.experiment import BAND
from simlab.plan import Plan
from simlab.toml import value as toml_value
from simlab.until import UNTIL
from simlab.wording import place, plain, shown

_LIBRARIES = ("simlab", "numpy", "numba", "llvmlite", "pyarrow")
_NOT_SETTINGS = ("name", "games", "pack", "strategies")  # keys of an experiment that the hash sees otherwise


def manifest_of(
    plan: Plan, parts: results.Parts, *, finished: bool, ended: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Everything a reader of the results must know; no clock in it, so equal runs give equal bytes.

    `ended`: how a run with `until` came to its end.
    """
    experiment, game, pack = plan.experiment, plan.experiment.game, plan.experiment.settings.pack
    counted: dict[str, Any] = _counted(plan, parts) if finished else {"digest": None, "counts": None}
    resolved = experiment.resolved()
    if finished and counted["counts"]["games"] > sum(part.games for part in plan.parts):
        resolved["games"] = counted["counts"]["games"] // (
            len(experiment.players) * len(experiment.settings_by_arm)
        )
    strategies = zip(plan.strategies, plan.strategy_hashes, strict=True)
    return {
        "format": results.FORMAT,
        "name": experiment.name,
        "hash": plan.hash,
        "finished": finished,
        **counted,
        **({} if ended is None else {"ended": ended}),
        "experiment": resolved,
        "rules": game.resolve_rules(experiment.settings.rules),
        "rules_version": game.rules_version,
        "engine": plan.engine,
        "signature": plan.signature,
        "pack": {key: getattr(pack, key) for key in ("name", "version", "hash", "share_assumed")},
        "arms": _arms(plan),
        "strategies": [{"name": s.name, "says": s.says, "hash": hashed} for s, hashed in strategies],
        "balanced_every": {str(players): plan.design.replicate(players) for players in experiment.players},
        "versions": versions(),
        "tables": plan.tables,
        "parts": parts,
    }


def _arms(plan: Plan) -> list[dict[str, Any]]:
    """The arms by number: name, hash of the pack, another noise, of a sweep which and the value."""
    experiment = plan.experiment
    found: list[dict[str, Any]] = [{"name": experiment.arms.base, "pack": experiment.settings.pack.hash}]
    for arm in experiment.arms.others:
        swept = {} if arm.value is None else {"sweep": arm.sweep, "value": arm.value}
        noise = {NOISE: arm.noise} if arm.noise else {}
        found.append({"name": arm.name, "pack": arm.settings.pack.hash, **noise, **swept})
    return found


def versions(*more: str) -> dict[str, str]:
    """Of Python and the libraries that results can depend on, and of some `more`."""
    found = {"python": platform.python_version()}
    for library in (*_LIBRARIES, *more):
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            found[library] = "not installed"
    return found


def _counted(plan: Plan, parts: results.Parts) -> dict[str, Any]:
    """Digest and counts of all games of the parts: sums, so their order does not matter."""
    stored = results.Run(plan.folder, {}, results.files_of(plan.folder, plan.tables, parts))
    games, blocks, digest = stored.sql(
        "SELECT count(*), max(block) + 1, sum(game_hash::HUGEINT) FROM games"
    ).fetchall()[0]
    endings = stored.sql("SELECT ending, count(*) FROM games GROUP BY ending ORDER BY ending").fetchall()
    players = stored.sql("SELECT players, count(*) FROM games GROUP BY players ORDER BY players").fetchall()
    return {
        "digest": f"{int(digest) % 2**64:016x}",
        "counts": {
            "games": games,
            "blocks": blocks,
            "players": {str(number): count for number, count in players},
            "endings": dict(endings),
        },
    }


def manifest_there(plan: Plan) -> dict[str, Any] | None:
    """The manifest of the run that is in the folder; refuses another's: games are never mixed."""
    folder = plan.folder
    if results.is_empty(folder):
        return None
    try:
        there = results.read_manifest(folder)
    except (ResultsError, UsageError) as error:
        raise RunError(f"{error}; choose another --out") from None
    if there["hash"] != plan.hash:
        raise RunError(
            f"{place(folder)} holds another run: {' and '.join(differences(there, plan))};"
            " choose another --out"
        )
    declared, band = there["experiment"].get("band", BAND), plan.experiment.band
    if band != declared:
        raise RunError(
            f"{place(folder)} was begun with band = {declared:g}, not {band:g}, and a band is declared before"
            " games are looked at; choose another --out or seed"
        )
    begun, until = there["experiment"].get(UNTIL), plan.experiment.until
    asked = None if until is None else until.written()
    if asked != begun:
        raise RunError(
            f"{place(folder)} was begun {_with_until(begun)}, not {_with_until(asked)}, and when to stop is"
            " declared before games are looked at; choose another --out or seed"
        )
    return there


def _with_until(written: Any) -> str:
    return f"without {UNTIL}" if written is None else f"with {UNTIL} = {plain(toml_value(written), 100)}"


def differences(there: Mapping[str, Any], plan: Plan) -> list[str]:
    """How the run in a folder differs from a plan, in words."""
    here = manifest_of(plan, {}, finished=False)
    before, now = there["experiment"], here["experiment"]
    found = [
        f"{key} = {shown(before.get(key))}, not {shown(now.get(key))}"
        for key in {**now, **before}
        if key not in _NOT_SETTINGS and before.get(key) != now.get(key)
    ]
    if there["pack"]["hash"] != here["pack"]["hash"]:
        found.append(f"its pack {shown(there['pack']['name'])} has other content")
    old, new = ({entry["name"]: entry["hash"] for entry in each["strategies"]} for each in (there, here))
    if list(old) != list(new):
        found.append(f"strategies = {shown(list(old))}, not {shown(list(new))}")
    found += [
        f"strategy {shown(name)} has changed since" for name in old if new.get(name, old[name]) != old[name]
    ]
    if there["engine"] != plan.engine:
        found.append("the engine's code has changed since")
    if there["signature"] != plan.signature:
        found.append(f"games come out otherwise (signature {there['signature']}, not {plan.signature})")
    return found or ["what is recorded of a game has changed since"]
