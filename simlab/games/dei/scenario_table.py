"""What a scenario is played on: `[game]`, with its rules, its pack and its board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from simlab.errors import ScenarioError
from simlab.games.dei.board import board_from_tiles, make_board
from simlab.games.dei.names import number_of
from simlab.games.dei.pack import load_pack, with_cards, with_tiles
from simlab.games.dei.scenario_keys import Keys, at, texts, typed
from simlab.games.dei.settings import resolve_rules, rules_record
from simlab.games.dei.vocabulary import FACTIONS, MAX_SEATS


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
        pack = load_pack(keys.take("pack", str, "reconstructed"))
    tiles, cards = keys.take("tile", list, []), keys.take("card", list, [])
    with at("game.tile"):
        pack = with_tiles(pack, [typed(tile, dict, "game.tile") for tile in tiles]) if tiles else pack
    with at("game.card"):
        pack = with_cards(pack, [typed(card, dict, "game.card") for card in cards]) if cards else pack
    with at("game.rules"):
        rules = resolve_rules(keys.take("rules", dict, {}))
    with at("game.handicaps"):
        record = rules_record(rules, _by_seat(keys, players), pack)
    deal = keys.take("deal", int, None)
    board = _board(keys, pack, len(players), deal)
    keys.done()
    return Table(players, record, pack, board, deal)


def _players(keys: Keys) -> list[int]:
    names = texts(keys.take("players", list, []), "game.players")
    with at("game.players"):
        players = [number_of(name, FACTIONS, "faction") for name in names]
    if not 1 <= len(players) <= MAX_SEATS or len(set(players)) < len(players):
        raise ScenarioError(f"game.players: 1 to {MAX_SEATS} different factions are needed")
    return players


def _by_seat(keys: Keys, players: list[int]) -> dict[str, dict[str, Any]]:
    """Handicaps are written by faction here; the rules know seats."""
    found: dict[str, dict[str, Any]] = {}
    for name, value, where in keys.rows("handicaps"):
        for faction, it in typed(value, dict, where).items():
            number = number_of(faction, FACTIONS, "faction")
            if number not in players:
                raise ScenarioError(f"{where}: {faction} doesn't play in this game")
            found.setdefault(name, {})[str(players.index(number))] = it
    return found


def _board(keys: Keys, pack: Any, n_players: int, deal: int | None) -> Any:
    """The tiles of `layout` (`id`, or `id@quarter turns`), else the pack's own for so many players."""
    rows = [texts(row, "game.layout") for row in keys.take("layout", list, [])]
    drawn = "random" if deal is not None else "quick"
    colours = "advanced" if deal is not None else "quick"
    how = keys.take("setup", str, drawn)
    letters = keys.take("outposts", str, colours)
    if how not in ("random", "quick") or letters not in ("advanced", "quick"):
        raise ScenarioError("game.setup: a layout is random or quick, Outposts are advanced or quick")
    if not rows:
        with at("game.layout"):
            return make_board(pack, n_players, deal or 0, how, letters)
    tiles = [[word.partition("@")[0] for word in row] for row in rows]
    turns = [[_turns(word.partition("@")[2]) for word in row] for row in rows]
    with at("game.layout"):
        return board_from_tiles(pack, tiles, turns)


def _turns(word: str) -> int:
    if word not in ("", "0", "1", "2", "3"):
        raise ScenarioError(f"game.layout: '@{word}' is no number of quarter turns (0 to 3)")
    return int(word or 0)
