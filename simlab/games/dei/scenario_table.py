"""What a scenario is played on: `[game]`, with its rules, its pack and its board."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from simlab.errors import ScenarioError
from simlab.games.dei.board import LAYOUTS, OUTPOSTS, board_from_tiles, make_board
from simlab.games.dei.names import number_of
from simlab.games.dei.pack import load_pack, with_cards, with_tiles
from simlab.games.dei.patches import patch_pack
from simlab.games.dei.scenario_keys import Keys, at, ranged, texts, typed
from simlab.games.dei.settings import resolve_rules, rules_record
from simlab.games.dei.vocabulary import FACTIONS, N_FACTIONS


@dataclass(frozen=True)
class Table:
    """The tables of one scenario, who plays, and the deal where the game is really set up."""

    players: list[int]  # factions by seat, in Priority order
    rules: Any
    pack: Any
    board: Any
    deal: int | None


def read_table(game: dict[str, Any]) -> Table:
    """`[game]` of a scenario file."""
    keys = Keys(game, "game")
    keys.take("name", str, "dei")
    players = _players(keys)
    with at("game.pack"):
        pack = _pack(keys.take("pack", str, "reconstructed"))
    tiles, cards = keys.take("tile", list, []), keys.take("card", list, [])
    with at("game.tile"):
        pack = with_tiles(pack, [typed(tile, dict, "game.tile") for tile in tiles]) if tiles else pack
    with at("game.card"):
        pack = with_cards(pack, [typed(card, dict, "game.card") for card in cards]) if cards else pack
    patch = keys.take("patch", dict, None)
    with at("game.patch"):
        pack = pack if patch is None else patch_pack(pack, patch)[0]
    with at("game.rules"):
        rules = resolve_rules(keys.take("rules", dict, {}))
    with at("game.handicaps"):
        record = rules_record(rules, _by_seat(keys, players), pack)
    deal = keys.take("deal", int, None)
    if deal is not None:
        ranged(deal, 0, 2**63 - 1, keys.path("deal"))
        _enough_scrappers(record[0], len(players))
    layout = _layout(keys, deal)
    keys.done()
    return Table(players, record, pack, _board(layout, pack, len(players), deal), deal)


def _enough_scrappers(rules: Any, n_players: int) -> None:
    for seat in range(n_players):
        deployed = int(rules.starting_scrappers[seat]) + int(rules.grant_scrappers[seat])
        if deployed > int(rules.scrappers):
            raise ScenarioError(
                f"game.rules: seat {seat} would deploy {deployed} Scrappers of {rules.scrappers}"
            )


@cache
def _pack(name: str) -> Any:
    """Many files in a row use one pack, which nothing changes."""
    return load_pack(name)


def _players(keys: Keys) -> list[int]:
    names = texts(keys.take("players", list, []), "game.players")
    with at("game.players"):
        players = [number_of(name, FACTIONS, "faction") for name in names]
    if not 1 <= len(players) <= N_FACTIONS or len(set(players)) < len(players):
        raise ScenarioError(f"game.players: 1 to {N_FACTIONS} different factions are needed")
    return players


def _by_seat(keys: Keys, players: list[int]) -> dict[str, dict[str, Any]]:
    """Handicaps are written by faction here; the rules know seats."""
    found: dict[str, dict[str, Any]] = {}
    for name, value, where in keys.rows("handicaps"):
        if not typed(value, dict, where):
            raise ScenarioError(f"{where}: a faction of this game is needed")
        for faction, it in value.items():
            number = number_of(faction, FACTIONS, "faction")
            if number not in players:
                raise ScenarioError(f"{where}: {faction} doesn't play in this game")
            found.setdefault(name, {})[str(players.index(number))] = it
    return found


@dataclass(frozen=True)
class Layout:
    """How tiles lie: in written rows (`id`, or `id@quarter turns`), else drawn or as the pack says."""

    rows: list[list[str]]
    setup: str
    outposts: str


def _layout(keys: Keys, deal: int | None) -> Layout:
    given = keys.has("layout")
    rows = [texts(row, "game.layout") for row in keys.take("layout", list, [])]
    if given and not rows:
        raise ScenarioError("game.layout: rows of tile ids are needed")
    setup = keys.take("setup", str, "quick" if deal is None else "random")
    outposts = keys.take("outposts", str, "quick" if deal is None else "advanced")
    with at("game.setup"):
        number_of(setup, LAYOUTS, "setup of a board")
    with at("game.outposts"):
        number_of(outposts, OUTPOSTS, "setup of Outposts")
    return Layout(rows, setup, outposts)


def _board(layout: Layout, pack: Any, n_players: int, deal: int | None) -> Any:
    if not layout.rows:
        with at("game.layout"):
            return make_board(pack, n_players, deal or 0, layout.setup, layout.outposts)
    tiles = [[word.partition("@")[0] for word in row] for row in layout.rows]
    turns = [[_turns(word.partition("@")[2]) for word in row] for row in layout.rows]
    try:
        return board_from_tiles(pack, tiles, turns)
    except ScenarioError as error:
        raise ScenarioError(f"game.{error}") from error


def _turns(word: str) -> int:
    if word not in ("", "0", "1", "2", "3"):
        raise ScenarioError(f"game.layout: '@{word}' is no number of quarter turns (0 to 3)")
    return int(word or 0)
