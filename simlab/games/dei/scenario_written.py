"""A game that is played, written as a scenario file: its deal, all choices so far, and what holds then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from simlab.games.dei.position_facts import position_facts
from simlab.games.dei.vocabulary import FACTIONS, PLAYING
from simlab.scenario import GameSoFar
from simlab.toml import dumps

RULES = ("CORE-030",)  # Turns and their phases: a whole game holds to them first of all


def scenario_text(live: Any, played: GameSoFar) -> str:
    """The file of a game in progress or at its end."""
    settings, row = played.settings, played.row
    factions = [FACTIONS[faction] for faction in row["faction"][: int(row["players"])]]
    content: dict[str, Any] = {"rule": list(RULES), "says": played.says}
    content["game"] = {
        "name": "dei",
        "players": factions,
        "pack": played.pack,
        "deal": int(row["deal_key"]),
        "setup": settings.options["layout"],
        "outposts": settings.options["outposts"],
        **({"rules": dict(settings.rules)} if settings.rules else {}),
        **({"handicaps": _by_faction(settings.handicaps, factions)} if settings.handicaps else {}),
    }
    steps = "".join(f"\n[[do]]\n{dumps({'choose': sentence})}" for sentence in played.sentences)
    return dumps(content) + steps + dumps({"expect": _expected(live, factions)})


def _by_faction(handicaps: Mapping[str, Any], factions: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Handicaps as scenario files have them, seats that nobody takes left out."""
    return {name: dict(zip(factions, by_seat, strict=False)) for name, by_seat in handicaps.items()}


def _expected(live: Any, factions: Sequence[str]) -> dict[str, Any]:
    facts = position_facts(live.position, live.pack)
    pads = dict(zip(factions, facts["pads"], strict=True))
    found: dict[str, Any] = {
        "turn": facts["turn"],
        "priority": [factions[seat] for seat in facts["priority"]],
        "supplies": {faction: pad["supplies"] for faction, pad in pads.items()},
        "reserve": {faction: pad["reserve"] for faction, pad in pads.items()},
        "pad": {
            faction: {
                "technology": pad["technology"],
                "energy": pad["energy"],
                "candy": [kind for kind, n in pad["candy"].items() for _ in range(n)],
                "hand": pad["hand"],
                "bin": pad["bin"],
            }
            for faction, pad in pads.items()
        },
    }
    if facts["asked"] is not None and live.ending == PLAYING:
        found["phase"] = facts["phase"]
        found["active"] = factions[facts["asked"]["seat"]]
        return found
    order = sorted(range(len(factions)), key=lambda seat: facts["places"][seat])
    return found | {"ending": facts["ending"], "ranking": [factions[seat] for seat in order]}
