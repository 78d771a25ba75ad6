"""The twin held to the rulebook's examples, to positions set by hand, and to what no game may break."""

import ast
import itertools
import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

from reference import (
    Deal,
    IllegalChoiceError,
    Play,
    Position,
    Rules,
    SeededLuck,
    Tile,
    ToldLuck,
    apply,
    describe,
    faults,
    legal,
    random_deal,
    read_icons,
    read_pack,
    renew,
    start,
)
from reference.agenda import (
    AskCard,
    AskColour,
    AskEnd,
    AskIcon,
    AskMission,
    AskRepeat,
    CleanUp,
    EndOwnPhase,
    LastMoves,
    NextCard,
)
from reference.board import Board
from reference.choices import (
    Activate,
    Build,
    Buy,
    Collect,
    Commit,
    Copy,
    Declare,
    Deploy,
    Discard,
    EndCard,
    EndPhase,
    Enlist,
    Excavate,
    Fly,
    Gain,
    Harvest,
    Kill,
    LayCandy,
    Move,
    NameColour,
    PassMission,
    PlaceScrapper,
    PlayFaceUp,
    Reap,
    Skip,
    TakeFeat,
    TakeMission,
)
from reference.icons import EXTRA_MOVE, Icon
from reference.majority import supremacies, value_in
from reference.pack import Card
from reference.scoring import final_count, next_priority, ranking
from reference.turn import advance
from reference.words import DRONES, FACTIONS, MARKETS, STARTER_DRONE

HERE = Path(__file__).parent
PACK = read_pack()
NO_LUCK = ToldLuck()


def tile(name: str, rows: tuple[str, ...], **symbols) -> Tile:
    """A tile with the symbols that are given, and no others."""
    empty = {"technology": {}, "energy": {}, "outposts": {}, "drone": None, "refuge": None}
    return Tile(name, 2, rows, **{**empty, "elevator": None, "bridge": None, **symbols})


X = ("aab", "aAb", "cAb")
Y = ("ddB", "deB", "Cef")


def table(
    tiles: list[Tile],
    factions: tuple[str, ...] = ("ravagers", "auxilia"),
    rules: Rules | None = None,
    feats: tuple[tuple[str, ...], ...] = (),
    cards: tuple[Card, ...] = (),
) -> Position:
    """A row of tiles with nothing on them, in the middle of the first seat's phase, nothing being asked."""
    pack = replace(
        PACK,
        tiles={laid.id: laid for laid in tiles},
        cards={**PACK.cards, **{card.id: card for card in cards}},
        order={card: place for place, card in enumerate([*PACK.cards, *(card.id for card in cards)])},
    )
    deal = Deal(
        factions=factions,
        layout=(tuple((laid.id, 0) for laid in tiles),),
        outpost_colours={"A": "tactic", "B": "logistic", "C": "machinery"},
        drones={},
        slots=dict.fromkeys(MARKETS, (None, None, None)),
        decks=dict.fromkeys(MARKETS, ()),
        missions=(),
        feats=(frozenset(),) * len(factions),
    )
    position = Position.bare(pack, rules or Rules(), deal)
    position.agenda = []
    position.turn, position.phase, position.active, position.cards_left = 2, 1, 0, 2
    for seat, unlocked in zip(position.seats, feats, strict=False):
        seat.feats = seat.unlocked = frozenset(unlocked)
    return position


def asked(position: Position, icons: str = "", candy: str | None = None) -> Position:
    """The first seat has played a card with these icons; the next card, if any, comes after it."""
    position.seats[0].plays.append(Play("laid", True, read_icons(icons), candy))
    position.agenda += [LastMoves(0), NextCard(0), AskIcon(0, read_icons(icons))]
    renew(position)
    return position


def sentences(position: Position) -> list[str]:
    return [choice.words() for choice in legal(position)]


def do(position: Position, *words: str, luck=NO_LUCK) -> Position:
    """Make the choices with these sentences, one after the other."""
    for sentence in words:
        found = [choice for choice in legal(position) if choice.words() == sentence]
        assert found, f"{sentence!r} is not among {sentences(position)}"
        position = apply(position, found[0], luck)
    return position


def table_for(players: int, seed: int = 0, rules: Rules | None = None, **how) -> Position:
    factions = FACTIONS[:players]
    return start(
        PACK, rules or Rules(), random_deal(PACK, rules or Rules(), factions, random.Random(seed), **how)
    )


# --- the board -------------------------------------------------------------------------------------


@pytest.mark.rule("CORE-004", "CORE-005")
def test_regions_run_on_over_tile_edges_and_borders_divide_them_within_a_tile():
    board = Board(table([tile("x", X), tile("y", Y)]).pack, ((("x", 0), ("y", 0)),))
    assert board.regions == ["x.A", "x.a", "x.b", "x.c", "y.B", "y.C", "y.e", "y.f"]
    assert board.region("y", "d") == "x.b"
    assert board.adjacent("x.a", "x.b")
    assert board.adjacent("x.b", "y.C")
    assert not board.adjacent("x.c", "x.b")


@pytest.mark.rule("CORE-002")
def test_a_tile_turns_clockwise():
    board = Board(table([tile("x", X)]).pack, ((("x", 1),),))
    assert board.adjacent("x.c", "x.a")
    assert board.spaces == {"x.A": 2, "x.a": 3, "x.b": 3, "x.c": 1}


@pytest.mark.rule("CORE-049")
def test_a_bridge_runs_straight_over_one_ground_of_one_tile_between_two_roofs():
    board = Board(table([tile("x", ("AbC", "Abd", "edF"))]).pack, ((("x", 0),),))
    assert board.bridge_sites == {("x.A", "x.C", "x.b"), ("x.C", "x.F", "x.d")}


@pytest.mark.rule(
    "CORE-001", "CORE-003", "CORE-008", "CORE-009", "CORE-010", "CORE-011", "CORE-013", "CORE-014"
)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_game_is_set_up_by_the_numbers_of_the_rulebook(players):
    position = table_for(players, random_layout=True)
    assert len(position.board.tiles) == {2: 9, 3: 12, 4: 16}[players]
    assert set(position.drones) == {STARTER_DRONE[faction] for faction in FACTIONS[:players]}
    assert len(position.outposts) == {2: 9, 3: 12, 4: 15}[players]
    assert sum(card is not None for cards in position.slots.values() for card in cards) == 12
    assert [len(position.decks[market]) for market in MARKETS] == [7 + players - 2] * 3 + [9]
    assert [len(column) for column in position.deal.missions] == [2] * 4
    assert all(len(seat.hand) == 8 and seat.technology == seat.energy == 1 for seat in position.seats)


@pytest.mark.rule("CORE-018")
def test_units_are_deployed_as_evenly_as_possible():
    tiles = [tile("x", X, refuge="c"), tile("y", Y, refuge="f")]
    position = table(tiles, ("ravagers", "auxilia", "farm_z"))
    position.turn, position.agenda = 0, Position.bare(position.pack, position.rules, position.deal).agenda
    advance(position)
    first = sentences(position)
    assert first == [
        f"deploy the Leader at {leader}, the odd Scrapper at {odd}"
        for leader in ("x.c", "y.f")
        for odd in ("x.c", "y.f")
    ]
    assert do(position, first[0]).seats[0].scrappers == {"x.c": 1, "y.f": 1}
    assert do(position, first[1]).seats[0].scrappers == {"y.f": 2}
    position = do(
        position, first[1], *["play ravagers-1 face up", "end card"], "play ravagers-2 face up", "end card"
    )
    assert sentences(position) == ["deploy the Leader at x.c", "deploy the Leader at y.f"]
    assert do(position, "deploy the Leader at y.f").seats[1].scrappers == {"x.c": 2, "y.f": 1}
    position.rules = Rules(starting_scrappers=(2, 0, 2))
    assert do(position, "deploy the Leader at y.f").seats[1].scrappers == {}


@pytest.mark.rule("CORE-018")
def test_both_refuges_in_one_region_take_all_units():
    position = table([tile("x", X, refuge="b"), tile("y", Y, refuge="d")])
    position.turn, position.agenda = 0, Position.bare(position.pack, position.rules, position.deal).agenda
    advance(position)
    position = do(position, "deploy the Leader at x.b")
    assert (position.seats[0].leader, position.seats[0].scrappers) == ("x.b", {"x.b": 2})


# --- Majority --------------------------------------------------------------------------------------


@pytest.mark.rule("CORE-020", "CORE-022", "CORE-023", "CORE-102")
def test_a_tie_gives_the_cube_back_unless_one_of_the_tied_has_field_knowledge():
    position = table([tile("x", X, outposts={"a": "A"})])
    position.seats[0].scrappers, position.seats[1].scrappers = {"x.a": 2}, {"x.a": 1}
    renew(position)
    assert position.outposts[0].holder == 0
    assert supremacies(position, 0) == ["x.a"]
    position.seats[1].scrappers = {"x.a": 2}
    renew(position)
    assert position.outposts[0].holder is None
    assert describe(position)["majority"]["x.a"] == "tie"
    position.seats[1].unlocked = frozenset({"field_knowledge"})
    renew(position)
    assert position.outposts[0].holder == 1
    position.seats[0].unlocked = frozenset({"field_knowledge"})
    renew(position)
    assert position.outposts[0].holder is None


@pytest.mark.rule("CORE-021", "CORE-090", "CORE-094", "CORE-100", "CORE-101", "CORE-103", "CORE-105")
def test_feats_and_leaders_add_to_majority():
    feats = ("bombing", "fortress", "trojan_horses", "caravan")
    position = table([tile("w", ("AbC", "Abd", "edF"))], ("farm_z", "auxilia"), feats=(feats,))
    seat = position.seats[0]
    seat.built["bridge"] = [("w.A", "w.C", "w.b")]
    seat.built["refuge"] = [("w.b",), ("w.d",)]
    position.drones = {"fly": "w.d", "simon": "w.d"}
    assert (value_in(position, 0, "w.b"), value_in(position, 0, "w.d")) == (5, 3)
    seat.leader = "w.d"
    assert value_in(position, 0, "w.d") == 8
    position.rules = Rules(majority_needs_unit=True)
    assert (value_in(position, 0, "w.b"), value_in(position, 0, "w.d")) == (0, 8)


@pytest.mark.rule("CORE-024")
def test_a_fifth_cube_of_a_colour_stays_until_there_is_room():
    tiles = [tile(f"t{number}", ("aB", "aB"), outposts={"a": "A"}) for number in range(5)]
    position = table(tiles)
    position.seats[0].scrappers = {f"t{number}.a": 1 for number in range(5)}
    renew(position)
    assert [outpost.holder for outpost in position.outposts] == [0, 0, 0, 0, None]
    position.seats[0].add_scrappers("t1.a", -1)
    renew(position)
    assert [outpost.holder for outpost in position.outposts] == [0, None, 0, 0, 0]


# --- Moves -----------------------------------------------------------------------------------------


@pytest.mark.rule("CORE-041")
def test_a_move_that_would_only_tie_is_refused():
    position = table([tile("x", X)])
    position.seats[0].scrappers, position.seats[0].leader = {"x.a": 2}, "x.a"
    position.seats[1].scrappers = {"x.b": 2}
    asked(position, "move")
    assert [words for words in sentences(position) if "x.b" in words] == [
        "move 2 and the Leader from x.a to x.b"
    ]
    with pytest.raises(IllegalChoiceError):
        apply(position, Move(Icon("move"), 2, False, 0, "x.a", "x.b"), NO_LUCK)


@pytest.mark.rule("CORE-064", "CORE-065", "CORE-091", "CORE-093")
def test_forms_and_leaders_open_moves():
    def moves(faction: str, icons: str) -> set[str]:
        position = table([tile("x", X)], (faction, "farm_z"))
        position.seats[0].scrappers, position.seats[0].leader = {"x.a": 1}, "x.a"
        position.seats[1].scrappers = {"x.b": 2}
        return {words for words in sentences(asked(position, icons)) if "move" in words}

    to_c = {
        "move 1 from x.a to x.c",
        "move the Leader from x.a to x.c",
        "move 1 and the Leader from x.a to x.c",
    }
    assert moves("ravagers", "move") == to_c
    assert moves("auxilia", "move") == to_c | {
        "move the Leader from x.a to x.b",
        "move 1 and the Leader from x.a to x.b",
    }
    assert moves("refuge_42", "move") == to_c | {"move the Leader from x.a to x.A"}
    assert "tactic move 1 from x.a to x.b" in moves("ravagers", "move@tactic")
    assert "logistic move 1 and the Leader from x.a to x.A" in moves("ravagers", "move@logistic")


@pytest.mark.rule("CORE-005", "CORE-007", "CORE-049", "CORE-050", "CORE-109")
def test_constructions_link():
    def ways(position: Position) -> set[str]:
        found = (
            re.match(r"move 1 from (\S+) to (\S+)", words) for words in sentences(asked(position, "move"))
        )
        return {f"{way[1]} {way[2]}" for way in found if way}

    tiles = [tile("w", ("AbC", "Abd", "edF"), bridge=("A", "C"), elevator=("F", "d"))]
    position = table(tiles)
    position.seats[0].scrappers = {"w.A": 1, "w.d": 1, "w.e": 1}
    assert ways(position) == {"w.A w.C", "w.d w.F", "w.d w.b", "w.d w.e", "w.e w.d"}
    tiles = [tile("w", ("AbC", "Abd", "edF"), elevator=("C", "b"))]
    position = table(tiles, feats=(("underground_shortcut",),))
    position.seats[0].scrappers = {"w.e": 1}
    position.seats[0].built["elevator"] = [("w.e", "w.A")]
    position.seats[1].built["elevator"] = [("w.d", "w.F")]
    assert ways(position) == {"w.e w.A", "w.e w.b", "w.e w.d"}


@pytest.mark.rule("CORE-105")
def test_a_refuge_moves_with_caravan():
    position = table([tile("x", X)], feats=(("caravan",),))
    position.seats[0].scrappers = {"x.a": 1}
    position.seats[0].built["refuge"] = [("x.a",), ("x.a",)]
    position.seats[1].scrappers = {"x.b": 1}
    asked(position, "move")
    to_b = [words for words in sentences(position) if words.endswith("to x.b")]
    assert to_b == [
        "move 1 and 1 Refuge from x.a to x.b",
        "move 1 and 2 Refuges from x.a to x.b",
        "move 2 Refuges from x.a to x.b",
    ]
    assert do(position, to_b[2]).seats[0].built["refuge"] == [("x.b",), ("x.b",)]


# --- other basic actions ---------------------------------------------------------------------------


@pytest.mark.rule("CORE-040", "CORE-064", "CORE-066", "CORE-110")
def test_enlist():
    position = table([tile("x", X, refuge="c")], rules=Rules(scrappers=3), feats=(("outnumber",),))
    position.seats[0].scrappers = {"x.a": 2}
    position.seats[1].built["refuge"] = [("x.b",)]
    assert sentences(asked(position.copy(), "enlist")) == ["end card", "enlist at x.c"]
    assert "tactic enlist at x.a" in sentences(asked(position.copy(), "enlist@tactic"))
    after = do(asked(position.copy(), "enlist@machinery"), "machinery enlist at x.c with a resource")
    assert (after.seats[0].scrappers, after.resources) == ({"x.a": 2, "x.c": 1}, {"x.c": 1})
    position.seats[0].scrappers = {"x.a": 2, "x.b": 1}
    position.resources = {"x.a": 1}
    full = sentences(asked(position, "enlist"))
    assert {"enlist at x.c from x.a", "enlist at x.c from x.b", "enlist as collect at x.a"} <= set(full)
    assert "enlist as move 2 from x.a to x.b" in full


@pytest.mark.rule("CORE-043")
def test_an_eleventh_resource_costs_one_that_was_there():
    position = table([tile("x", X)])
    position.seats[0].scrappers, position.resources = {"x.a": 1}, {"x.a": 2}
    position.seats[0].technology, position.seats[0].energy = 0, 10
    position = do(asked(position, "collect*2 technology"), "collect at x.a")
    assert (position.seats[0].technology, position.seats[0].energy) == (1, 9)
    assert "gain 1 technology" not in sentences(position)
    assert sentences(do(position, "collect at x.a")) == ["discard Energy", "discard Technology"]


@pytest.mark.rule("CORE-065", "CORE-066", "CORE-104", "CORE-112", "CORE-115")
def test_collects():
    feats = ("extreme_remedies", "deep_excavation")
    position = table([tile("x", X, elevator=("a", "A"))], feats=(feats,))
    position.seats[0].scrappers, position.seats[1].scrappers = {"x.a": 2, "x.b": 1}, {"x.b": 1}
    position.resources = {"x.a": 1, "x.b": 1}
    assert sentences(asked(position.copy(), "collect")) == [
        "collect as excavation at x.a",
        "collect as excavation at x.b",
        "collect as kill auxilia at x.b",
        "collect at x.a",
        "end card",
    ]
    after = do(
        asked(position.copy(), "collect@logistic"), "logistic collect at x.a swapping for an Energy Cell"
    )
    assert (after.seats[0].technology, after.seats[0].energy) == (1, 2)
    after = do(asked(position.copy(), "collect@machinery"), "machinery collect at x.a")
    assert after.seats[0].technology == 3
    position.seats[0].unlocked = frozenset({"exploitation_camp"})
    assert "collect at x.a swapping for an Energy Cell" in sentences(asked(position, "collect"))


@pytest.mark.rule("CORE-092")
def test_abraham_collects_once_more():
    position = table([tile("x", X)])
    position.seats[0].scrappers, position.seats[0].leader = {"x.b": 1}, "x.a"
    position.resources = {"x.a": 3, "x.b": 1}
    position = do(asked(position, "collect*3"), "collect at x.b", "collect at x.a")
    assert sentences(position) == ["collect at x.a", "skip collect"]
    skipped = do(position, "skip collect", "collect at x.a")
    assert "skip collect" in sentences(skipped)
    done = do(position, "collect at x.a", "collect at x.a")
    assert sentences(done) == ["end card"]


@pytest.mark.rule("CORE-048", "CORE-049", "CORE-050", "CORE-051", "CORE-106", "CORE-108")
def test_builds():
    position = table([tile("w", ("AbC", "Abd", "edF"))], rules=Rules(refuges=1), feats=(("field_engineer",),))
    position.seats[0].scrappers = {"w.C": 1}
    assert sentences(asked(position.copy(), "build:any")) == [
        "any build bridge from w.A to w.C over w.b",
        "any build bridge from w.C to w.F over w.d",
        "any build elevator from w.b to w.C",
        "any build elevator from w.d to w.C",
        "any build refuge at w.C",
        "end card",
    ]
    after = do(asked(position.copy(), "build:bridge"), "build bridge from w.A to w.C over w.b")
    assert after.extra_moves == 2
    assert "extra move 1 from w.C to w.A" in sentences(after)
    position.seats[0].built["refuge"] = [("w.C",)]
    assert sentences(asked(position.copy(), "build:refuge")) == ["end card"]
    position.seats[0].unlocked = frozenset({"drop_pod"})
    assert "build refuge at w.e moving the one at w.C" in sentences(asked(position, "build:refuge"))


# --- purchases -------------------------------------------------------------------------------------


def stall(feats: tuple[str, ...] = (), rules: Rules | None = None) -> Position:
    """A tactic card for sale in the middle slot for 1 Technology, and the first card is asked for."""
    cards = (
        Card("first", "tactic", read_icons("move"), 1, 0, 2),
        Card("second", "tactic", read_icons("collect*2"), 0, 0, 0),
        Card("hum", "simon", read_icons("drone:simon"), 1, 1, 0),
    )
    position = table([tile("x", X, outposts={"a": "A"})], feats=(feats,), cards=cards, rules=rules)
    position.slots["tactic"], position.decks["tactic"] = [None, "first", None], ["second"]
    position.seats[0].scrappers = {"x.a": 1}
    position.seats[0].hand = ["ravagers-1"]
    position.agenda = [NextCard(0), AskCard(0)]
    renew(position)
    return position


def purchases(position: Position) -> list[str]:
    return [words.removeprefix("buy ") for words in sentences(position) if words.startswith("buy")]


@pytest.mark.rule("CORE-031", "CORE-044", "CORE-117")
def test_a_purchase_is_paid_and_slides_the_market():
    position = stall(("trading_post",))
    words = "first from tactic slot 2 paying 1 Technology 0 Energy, laying down ravagers-1"
    assert purchases(position) == [words]
    position = do(position, f"buy {words}", "end card")
    assert position.slots["tactic"] == ["second", None, None]
    assert (position.seats[0].technology, position.seats[0].total_supplies) == (0, 1)
    assert sentences(position) == ["play first face up"]


@pytest.mark.rule("CORE-031", "CORE-080")
def test_one_candy_boost_helps_a_purchase_that_needs_it():
    position = stall()
    position.seats[0].technology = 0
    position.seats[0].candy = ["outpost", "technology"]
    help_needed = (
        "first from tactic slot 2 paying 1 Technology 0 Energy with candy technology, laying down ravagers-1"
    )
    assert purchases(position) == [help_needed]
    after = do(position, f"buy {help_needed}")
    assert (after.seats[0].technology, sentences(after)) == (0, ["end card"])
    position.seats[0].scrappers = {}
    renew(position)
    assert purchases(position) == []
    position.seats[0].technology = 1
    assert [words for words in purchases(position) if "candy outpost" in words] == purchases(position) != []


@pytest.mark.rule("CORE-045")
def test_the_black_market_asks_or_gives_technology():
    position = stall()
    position.slots["tactic"] = [None] * 3
    position.slots["black"] = ["first", "first", "first"]
    assert [words.split(" paying ")[1][:12] for words in purchases(position)] == ["1 Technology"] * 2
    position = do(
        position, "buy first from black slot 3 paying 1 Technology 0 Energy, laying down ravagers-1"
    )
    assert position.seats[0].technology == 1


@pytest.mark.rule("CORE-113", "CORE-116")
def test_other_ways_to_pay():
    def paid(*feats: str) -> set[str]:
        position = stall(feats)
        position.slots["tactic"] = [None, None, "hum"]
        position.seats[0].technology = position.seats[0].energy = 3
        return {
            re.search(r"paying (\d) Technology (\d)", words).expand(r"\1\2") for words in purchases(position)
        }

    assert paid() == {"11"}
    assert paid("alternative_energy") == {"11", "20", "02"}
    assert paid("low_energy_remote_control") == {"01", "10"}


@pytest.mark.rule("CORE-114", "CORE-080")
def test_delivery_bot_buys_without_a_card():
    for extra, after_it in ((True, True), (False, False)):
        position = stall(("delivery_bot",), Rules(delivery_bot_extra_buy=extra))
        position.slots["tactic"] = [None, "first", "first"]
        position.seats[0].technology = 2
        position = do(position, "buy first from tactic slot 3 paying 1 Technology 0 Energy, by Delivery Bot")
        assert (position.seats[0].energy, position.cards_left) == (0, 2)
        assert bool(purchases(position)) == after_it


@pytest.mark.rule("CORE-030", "CORE-114")
def test_an_empty_hand_ends_the_cards_unless_delivery_bot_brings_one():
    position = stall(("delivery_bot",))
    position.seats[0].hand = []
    words = "buy first from tactic slot 2 paying 1 Technology 0 Energy, by Delivery Bot"
    assert sentences(position) == [words]
    assert sentences(do(position, words)) == ["play first face up"]
    position.seats[0].energy = 0
    position.agenda = [NextCard(0)]
    advance(position)
    assert position.agenda == []


# --- advanced actions ------------------------------------------------------------------------------


@pytest.mark.rule("CORE-060", "CORE-107")
def test_a_copy_repeats_an_earlier_card_and_bears_its_icons():
    position = table([tile("x", X)], feats=(("sky_boots",),))
    position.seats[0].scrappers = {"x.a": 1}
    position.seats[0].plays = [
        Play("ravagers-1", True, read_icons("move copy")),
        Play("ravagers-2", False),
        Play("ravagers-3", True, read_icons("copy")),
    ]
    position = asked(position, "copy")
    assert sentences(position) == ["copy ravagers-1", "end card"]
    position = do(position, "copy ravagers-1")
    assert "move 1 from x.a to x.b" in sentences(position)
    assert "copy ravagers-1" not in sentences(position)
    assert do(position, "end card").extra_moves == 1


@pytest.mark.rule("CORE-062")
def test_a_kill_gives_its_victim_candy():
    position = table([tile("x", X)])
    position.seats[0].leader = "x.a"
    position.seats[1].scrappers, position.seats[1].leader = {"x.a": 1, "x.b": 1}, "x.c"
    position = asked(position, "kill*2")
    assert sentences(position) == ["end card", "kill auxilia at x.a"]
    position = do(position, "kill auxilia at x.a", luck=ToldLuck("move"))
    assert (position.reserve(1), position.seats[1].candy) == (14, ["move"])
    assert sentences(position) == ["end card"]
    position.rules = Rules(kill_needs_unit=False)
    assert sentences(position) == ["end card", "kill auxilia at x.b"]


@pytest.mark.rule("CORE-063", "CORE-080")
def test_an_action_per_outpost_is_done_one_time_after_the_other():
    tiles = [tile("x", X, outposts={"a": "AB"})]
    position = table(tiles)
    position.seats[0].scrappers, position.resources = {"x.a": 1}, {"x.a": 3}
    position = asked(position, "collect/tactic supplies/outpost*2 move/machinery", candy="outpost")
    assert {"declare collect per tactic Outpost", "declare 2 supplies per any Outpost"} <= set(
        sentences(position)
    )
    assert do(position, "declare 2 supplies per any Outpost").seats[0].total_supplies == 6
    position = do(position, "declare collect per tactic Outpost", "collect at x.a")
    assert position.agenda[-1] == AskRepeat(0, Icon("collect"), 1)
    assert "declare move per machinery Outpost" in sentences(do(position, "skip collect"))


# --- Drones ----------------------------------------------------------------------------------------


def hangar(drone: str, rules: Rules | None = None) -> Position:
    position = table([tile("x", X), tile("y", Y)], rules=rules)
    position.drones = {drone: "x.A"}
    return position


@pytest.mark.rule("CORE-006", "CORE-070", "CORE-111")
def test_a_drone_moves_over_adjacent_regions():
    position = asked(hangar("simon"), "drone:simon drone:any+1")
    assert {words for words in sentences(position) if words.startswith("activate simon")} == {
        f"activate simon to {region}" for region in ("x.A", "x.a", "x.b", "x.c", "y.B", "y.C", "y.e")
    }
    assert "activate any simon +1 to y.f" in sentences(position)


@pytest.mark.rule("CORE-032")
def test_a_drone_that_can_neither_move_nor_act_isnt_offered():
    position = asked(hangar("fly", Rules(drone_movement=0)), "drone:fly")
    assert sentences(position) == ["end card"]
    position.seats[0].scrappers = {"x.A": 1}
    assert sentences(position) == ["activate fly to x.A", "end card"]


@pytest.mark.rule("CORE-071")
def test_masamune_harvests_up_to_two_without_majority():
    position = hangar("masamune")
    position.resources = {"x.a": 3}
    position = do(asked(position, "drone:masamune"), "activate masamune to x.a", "harvest at x.a")
    assert sentences(position) == ["harvest at x.a", "skip drone"]
    position = do(position, "harvest at x.a")
    assert (position.seats[0].technology, position.resources, sentences(position)) == (
        3,
        {"x.a": 1},
        ["end card"],
    )
    strict = hangar("masamune", Rules(drone_collect_needs_majority=True))
    strict.resources = {"x.a": 3}
    assert sentences(do(asked(strict, "drone:masamune"), "activate masamune to x.b")) == ["end card"]


@pytest.mark.rule("CORE-072")
def test_simon_places_from_the_reserve_and_from_the_board_when_that_is_empty():
    position = hangar("simon", Rules(scrappers=2))
    position.seats[0].scrappers = {"x.b": 1}
    position = do(asked(position, "drone:simon"), "activate simon to x.a")
    assert sentences(position) == ["place from reserve at x.a", "skip drone"]
    position = do(position, "place from reserve at x.a")
    assert sentences(position) == ["place from x.b at x.a", "skip drone"]


@pytest.mark.rule("CORE-073")
def test_fly_takes_two_to_grounds_or_one_to_a_roof():
    position = hangar("fly")
    position.seats[0].scrappers = {"x.a": 2}
    position = do(asked(position, "drone:fly"), "activate fly to x.a")
    assert sentences(do(position, "fly 1 to y.B")) == ["end card"]
    position = do(position, "fly 1 to y.f")
    assert "fly 1 to y.B" not in sentences(position)
    assert "fly 1 to x.a" not in sentences(position)
    assert do(position, "fly 1 to y.f").seats[0].scrappers == {"y.f": 2}


@pytest.mark.rule("CORE-074")
def test_draco_kills_one_of_each_opponent():
    position = hangar("draco")
    position.seats[0].scrappers, position.seats[1].scrappers = {"x.A": 1}, {"x.A": 2}
    position = do(asked(position, "drone:draco"), "activate draco to x.A")
    position = do(position, "reap at x.A", luck=ToldLuck("move", "enlist"))
    assert [seat.candy for seat in position.seats] == [["enlist"], ["move"]]
    assert (position.seats[1].scrappers, position.seats[0].supplies) == ({"x.A": 1}, {"draco": 1})


@pytest.mark.rule("CORE-026", "CORE-103")
def test_majority_is_renewed_after_a_drones_action_only():
    position = table([tile("x", X, outposts={"a": "A"})], feats=((), ("trojan_horses",)))
    position.drones = {"simon": "x.A"}
    position.seats[0].scrappers, position.seats[1].scrappers = {"x.a": 1}, {"x.a": 1}
    position = do(asked(position, "drone:simon"), "activate simon to x.a")
    assert position.majority["x.a"] is None
    assert do(position, "skip drone").majority["x.a"] == 1


# --- Candy Boosts ----------------------------------------------------------------------------------


@pytest.mark.rule("CORE-080", "CORE-081", "CORE-082")
def test_one_candy_boost_a_card():
    position = table([tile("x", X)])
    position.seats[0].candy = ["refuge", "technology"]
    position.seats[0].scrappers = {"x.a": 1}
    position = asked(position)
    assert sentences(position) == ["end card", "lay candy refuge", "lay candy technology"]
    assert sentences(do(position, "lay candy refuge")) == ["build refuge at x.a", "end card"]
    assert do(position, "lay candy technology").seats[0].technology == 2


# --- the Turn --------------------------------------------------------------------------------------


@pytest.mark.rule("CORE-036", "CORE-037")
def test_the_priority_example():
    position = table([tile("x", X)], ("ravagers", "refuge_42", "auxilia", "farm_z"))
    for seat, supplies in zip(position.seats, (9, 5, 5, 7), strict=True):
        seat.add_supplies("draco", supplies)
    order = [position.seats[number].faction for number in next_priority(position)]
    assert order == ["auxilia", "refuge_42", "farm_z", "ravagers"]


@pytest.mark.rule("CORE-055", "CORE-107")
def test_extra_moves_are_asked_for_after_the_last_card():
    position = table([tile("x", X)], feats=(("sky_boots",),))
    position.seats[0].scrappers = {"x.a": 1}
    position.cards_left = 0
    position.seats[0].plays = [Play("laid", True, read_icons("move"))]
    position.agenda = [LastMoves(0), NextCard(0), AskIcon(0, read_icons("move"))]
    position = do(position, "end card")
    assert isinstance(position.question, AskEnd)
    assert "end phase" in sentences(position)
    position = do(position, "extra move 1 from x.a to x.b")
    assert sentences(position) == ["end phase"]
    assert do(position, "end phase").agenda == []


@pytest.mark.rule("CORE-106", "CORE-107")
def test_extra_moves_come_once_a_phase_where_the_knobs_say_so():
    rules = Rules(field_engineer_per_build=False, sky_boots_per_card=False)
    position = table([tile("x", X)], feats=(("field_engineer", "sky_boots"),), rules=rules)
    position.seats[0].scrappers = {"x.a": 1}
    position.seats[0].hand = ["farm-z-1"]
    position = do(asked(position, "move build:elevator*2"), *["build elevator from x.a to x.A"] * 2)
    assert position.extra_moves == 2
    position = do(position, "extra move 1 from x.a to x.b", "end card", "extra move 1 from x.b to x.a")
    assert (position.extra_moves, position.used) == (1, {"field_engineer", "sky_boots"})
    assert do(position, "play farm-z-1 face up", "end card", "end phase").agenda == []


@pytest.mark.rule("CORE-033")
def test_feats_unlock_at_the_end_of_the_second_phase():
    position = table([tile("x", X, outposts={"a": "AA", "b": "BB"})])
    seat = position.seats[0]
    seat.feats = frozenset({"fortress", "sky_boots", "trading_post"})
    seat.scrappers, position.seats[1].scrappers = {"x.a": 1}, {"x.b": 1}
    seat.built["refuge"] = [("x.b",)]
    position.phase, position.agenda = 2, [EndOwnPhase(0)]
    renew(position)
    advance(position)
    assert seat.unlocked == {"fortress", "sky_boots"}


@pytest.mark.rule("CORE-034", "CORE-120", "CORE-124", "CORE-134")
def test_missions_on_time_and_late():
    position = table([tile("x", X)], rules=Rules(rebel=True))
    position.deal = replace(
        position.deal, missions=(("scrappers", "technologies"), ("outposts",), ("scrappers",))
    )
    position.seats[0].scrappers, position.seats[0].tokens = {"x.a": 7}, frozenset({2})
    position.agenda = [AskMission(0)]
    assert sentences(position) == [
        "mission scrappers in column 1",
        "mission scrappers in column 3",
        "mission technologies in column 1",
        "pass the Mission",
    ]
    assert do(position, "mission scrappers in column 1").seats[0].supplies == {"missions_late": 4}
    assert do(position, "mission scrappers in column 3").seats[0].supplies == {"missions_on_time": 6}


@pytest.mark.rule("CORE-035")
def test_the_clean_up_bins_what_lay_face_down():
    position = table([tile("x", X)])
    seat = position.seats[0]
    seat.hand = ["ravagers-3"]
    seat.plays = [Play("ravagers-1", False, (), "move"), Play("ravagers-2", True)]
    position.candy_reserve["move"] = 1
    position.agenda = [CleanUp()]
    advance(position)
    assert (seat.hand, seat.bin, seat.plays) == (["ravagers-2", "ravagers-3"], ["ravagers-1"], [])
    assert (position.candy_reserve["move"], position.turn, position.phase) == (2, 3, 1)


@pytest.mark.rule("CORE-038", "CORE-039")
def test_the_final_count_and_the_winner():
    position = table([tile("x", X, outposts={"a": "AB"})], feats=(("fortress", "sky_boots"),))
    position.seats[0].scrappers = {"x.a": 1}
    position.seats[0].technology, position.seats[0].energy = 5, 2
    renew(position)
    final_count(position, 0)
    assert position.seats[0].supplies == {"outposts": 2, "feats": 3, "technology": 2, "energy": 2}
    position.seats[1].add_supplies("draco", 9)
    position.priority = [1, 0]
    assert ranking(position) == [1, 0]


# --- optional rules --------------------------------------------------------------------------------


@pytest.mark.rule("CORE-130")
def test_no_choices_has_one_mission_a_column():
    assert [len(column) for column in table_for(2, rules=Rules(no_choices=True)).deal.missions] == [1] * 4


@pytest.mark.rule("CORE-131")
def test_feats_are_drafted_in_snake_order():
    position = table_for(3, rules=Rules(feats_draft=True))
    pickers = []
    while isinstance(position.question, AskColour):
        pickers.append(position.acting)
        position = do(position, sentences(position)[0])
        assert all(words.startswith("take feat") for words in sentences(position))
        position = do(position, sentences(position)[0])
    assert pickers == [0, 1, 2, 2, 1, 0, 0, 1, 2]
    drafted = [feat for seat in position.seats for feat in seat.feats]
    assert len(set(drafted)) == 9


@pytest.mark.rule("CORE-132")
def test_committed_cards_are_played_and_no_others():
    position = table_for(2, rules=Rules(planning=True))
    position = do(position, "commit refuge-42-1 and refuge-42-3", "commit farm-z-1 and farm-z-2")
    position = do(position, sentences(position)[0])
    faces = [words for words in sentences(position) if words.startswith("play")]
    assert faces == ["play refuge-42-1 face up", "play refuge-42-3 face up"]


@pytest.mark.rule("CORE-133")
def test_confrontation_leaves_missions_to_the_end_of_the_turn():
    position, asked_of = table_for(3, rules=Rules(confrontation=True, turns=1)), []
    while not position.over:
        if isinstance(position.question, AskMission):
            asked_of.append(position.acting)
        elif asked_of:
            pytest.fail("a card was played after a Mission")
        position = apply(position, legal(position)[0], SeededLuck(1))
    assert asked_of == [0, 1, 2]


# --- sentences -------------------------------------------------------------------------------------


def test_the_choices_say_what_the_page_of_scenarios_prints():
    move, collect, enlist = Icon("move"), Icon("collect"), Icon("enlist")
    bridge = ("w.A", "w.C", "w.b")
    said = [
        Deploy("x.a"),
        Deploy("x.a", "y.e"),
        PlayFaceUp("ravagers-1"),
        Buy("first", "tactic", 2, 1, 0, None, "ravagers-1"),
        Buy("first", "tactic", 2, 1, 1, "outpost", "ravagers-1"),
        Buy("first", "tactic", 2, 1, 0),
        Move(move, 2, True, 1, "x.a", "x.b"),
        Move(move, 0, True, 0, "x.a", "x.b"),
        Move(move, 0, False, 2, "x.a", "x.b"),
        Move(Icon("move", "tactic"), 1, False, 0, "x.a", "x.b"),
        Move(Icon("move", "logistic"), 1, False, 0, "x.a", "x.A"),
        Move(EXTRA_MOVE, 1, False, 0, "x.a", "x.b"),
        Move(enlist, 1, False, 0, "x.a", "x.b"),
        Move(Icon("enlist", "machinery"), 1, True, 0, "x.a", "x.b"),
        Collect(collect, "x.a"),
        Collect(Icon("collect", "logistic"), "x.a", swap=True),
        Collect(Icon("collect", "machinery"), "x.a"),
        Collect(Icon("enlist", "tactic"), "x.a"),
        Excavate(collect, "x.a"),
        Kill(Icon("kill"), "auxilia", "x.a"),
        Kill(collect, "auxilia", "x.a"),
        Kill(enlist, "auxilia", "x.a"),
        Enlist(enlist, "x.a"),
        Enlist(Icon("enlist", "tactic"), "x.a", "x.b"),
        Enlist(Icon("enlist", "machinery"), "x.a", None, resource=True),
        Build(Icon("build", construction="refuge"), "refuge", ("x.a",)),
        Build(Icon("build", construction="refuge"), "refuge", ("x.a",), ("x.b",)),
        Build(Icon("build", construction="elevator"), "elevator", ("x.a", "x.A")),
        Build(Icon("build", construction="bridge"), "bridge", bridge),
        Build(Icon("build", construction="bridge"), "bridge", ("w.A", "w.D", "w.b"), bridge),
        Build(Icon("build", construction="any"), "elevator", ("x.b", "x.A"), ("x.a", "x.A")),
        Gain(Icon("supplies", amount=2)),
        Gain(Icon("technology")),
        Gain(Icon("candy")),
        Declare(Icon("collect", per="tactic")),
        Declare(Icon("supplies", amount=2, per="any")),
        Copy(Icon("copy"), "ravagers-2"),
        Activate(Icon("drone", drone="simon", bonus=1), "simon", "x.A"),
        Activate(Icon("drone", drone="any"), "fly", "x.a"),
        Harvest("x.a"),
        PlaceScrapper(None, "x.a"),
        PlaceScrapper("x.b", "x.a"),
        Fly("x.b"),
        Reap("x.a"),
        Discard("technology"),
        Discard("energy"),
        LayCandy("move"),
        TakeMission("technologies", 1),
        PassMission(),
        NameColour("tactic"),
        TakeFeat("fortress"),
        Commit(("ravagers-1", "ravagers-3")),
        Skip("collect"),
        Skip("drone"),
        EndCard(),
        EndPhase(),
    ]
    page = (HERE.parents[1] / "docs" / "scenarios.md").read_text(encoding="utf-8")
    printed = page.partition("```sentences\n")[2].partition("```")[0].splitlines()
    assert [choice.words() for choice in said] == printed


# --- whole games -----------------------------------------------------------------------------------

RULE_SETS = {
    "as printed": Rules(),
    "all options": Rules(no_choices=True, feats_draft=True, planning=True, confrontation=True, rebel=True),
    "draft and planning": Rules(feats_draft=True, planning=True, feat_unlock_cubes=1),
    "the other readings": Rules(
        majority_needs_unit=True,
        drone_collect_needs_majority=True,
        place_from_board=True,
        kill_needs_unit=False,
        field_engineer_per_build=False,
        sky_boots_per_card=False,
        delivery_bot_extra_buy=False,
    ),
    "scarce": Rules(
        turns=2,
        cards_per_phase=3,
        scrappers=4,
        resource_limit=4,
        refuges=1,
        elevators=1,
        bridges=0,
        cube_limit_per_color=1,
        feat_unlock_cubes=1,
        fly_scrappers=3,
        starting_scrappers=(1, 2, 3, 4),
    ),
    "long": Rules(turns=6, cards_per_phase=1, confrontation=True, seeker_collects=2, draco_candy=3),
}


def busy(position: Position, chance: random.Random):
    """Any choice, but rather one that does something."""
    choices = legal(position)
    doing = [choice for choice in choices if not isinstance(choice, EndCard | EndPhase | Skip)]
    return chance.choice(doing if doing and chance.random() < 0.9 else choices)


def check(position: Position) -> None:
    """What holds at every decision."""
    rules, pack = position.rules, position.pack
    tokens = sum(position.candy_reserve.values())
    for number, seat in enumerate(position.seats):
        assert 0 <= position.reserve(number) <= rules.scrappers
        assert all(scrappers > 0 for scrappers in seat.scrappers.values())
        assert min(seat.technology, seat.energy) >= 0
        over = type(position.question).__name__ == "AskDiscard" and position.acting == number
        assert seat.technology + seat.energy <= rules.resource_limit + over
        for colour in MARKETS[:3]:
            assert position.cubes(number, colour) <= rules.cube_limit_per_color
        built = (rules.refuges, rules.elevators, rules.bridges)
        assert all(len(places) <= limit for places, limit in zip(seat.built.values(), built, strict=True))
        assert set(seat.committed) <= set(seat.hand)
        assert seat.unlocked <= seat.feats
        tokens += len(seat.candy) + sum(play.candy is not None for play in seat.plays)
    assert tokens == sum(pack.candy.values()) == 16
    assert all(out.holder in {None, position.majority[out.region]} for out in position.outposts)
    owned = [card for seat in position.seats for card in seat.cards]
    sold = [card for cards in (*position.slots.values(), *position.decks.values()) for card in cards if card]
    assert len(owned + sold) == len(set(owned + sold)) == 36 + 11 * len(position.seats)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_random_games_end_and_break_nothing(players, rules):
    chance, luck = random.Random(players), SeededLuck(players)
    factions = tuple(chance.sample(FACTIONS, players))
    position = start(PACK, rules, random_deal(PACK, rules, factions, chance, random_layout=players % 2 == 1))
    for decision in itertools.count():
        if position.over:
            break
        assert decision < 5000
        check(position)
        words = sentences(position)
        assert words
        assert len(set(words)) == len(words)
        before = position.copy() if decision % 20 == 0 else None
        after = apply(position, busy(position, chance), luck, check=False)
        assert before is None or before == position != after
        position = after
    assert sorted(position.places) == list(range(players))
    totals = [position.seats[number].total_supplies for number in position.places]
    assert totals == sorted(totals, reverse=True)
    assert describe(position)["ending"] == "finished"


def test_random_games_meet_every_kind_of_choice():
    met, chance = set(), random.Random(5)
    rules = Rules(
        feats_draft=True, planning=True, rebel=True, feat_unlock_cubes=1, resource_limit=4, refuges=1
    )
    for seed in range(8):
        position = table_for(4, seed, rules)
        luck = SeededLuck(seed)
        while not position.over:
            choice = busy(position, chance)
            met.add(type(choice).__name__)
            position = apply(position, choice, luck, check=False)
    assert len(DRONES) == 4
    assert {"Buy", "Build", "Discard", "Harvest", "PlaceScrapper", "Fly", "Reap", "Kill", "LayCandy"} <= met


def test_the_twin_knows_nothing_of_the_engine():
    for path in HERE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            foreign = [name for name in names if name.split(".")[0] in {"simlab", "strategies"}]
            assert set(foreign) <= {"simlab.games.dei.vocabulary"}, path.name


# --- deals that the rules don't allow -------------------------------------------------------------


@pytest.mark.rule("CORE-003", "CORE-008", "CORE-011", "CORE-013", "CORE-015")
@pytest.mark.parametrize("rules", [Rules(), Rules(feats_draft=True), Rules(no_choices=True, turns=6)])
def test_a_random_deal_has_no_faults(rules):
    for players in (2, 3, 4):
        for seed in range(3):
            deal = random_deal(PACK, rules, FACTIONS[:players], random.Random(seed), random_layout=seed > 0)
            assert faults(PACK, rules, deal) == []


def test_each_fault_of_a_deal_is_told():
    rules = Rules()
    deal = random_deal(PACK, rules, FACTIONS[:2], random.Random(1))
    (first, *rest), (other, *others) = deal.slots["tactic"], deal.slots["logistic"]
    tile, another = deal.layout[0][0], next(iter(deal.drones.values()))
    refuges = [tile for tile in PACK.tiles.values() if tile.refuge]
    swapped = {refuges[0].id: deal.layout[0][0][0], deal.layout[0][0][0]: refuges[0].id}
    swapped |= {refuges[1].id: deal.layout[0][1][0], deal.layout[0][1][0]: refuges[1].id}
    apart = tuple(tuple((swapped.get(name, name), turns) for name, turns in row) for row in deal.layout)
    wrong = {
        "the board isn't 3 × 3": {"layout": deal.layout[:2]},
        "these tiles lie": {"layout": ((tile, *deal.layout[0][:2]), *deal.layout[1:])},
        "the tiles with a Neutral Refuge are adjacent": {"layout": apart},
        "the letters bear": {"outpost_colours": dict.fromkeys("ABC", "tactic")},
        "these Drones are in play": {"drones": {}},
        "Drones lie on": {"drones": dict.fromkeys(deal.drones, another)},
        "the tactic market has": {"slots": {**deal.slots, "tactic": (None, *rest)}},
        "cards of its own are not in the tactic market": {
            "slots": {**deal.slots, "tactic": (other, *rest), "logistic": (first, *others)}
        },
        "the markets have so many Drone cards": {"decks": dict.fromkeys(deal.decks, ())},
        "these Missions lie": {"missions": deal.missions[:3]},
        "Feats of these colours were dealt": {"feats": (frozenset(),) * 2},
        "a Feat was dealt twice": {"feats": (deal.feats[0],) * 2},
    }
    for says, change in wrong.items():
        assert any(fault.startswith(says) for fault in faults(PACK, rules, replace(deal, **change))), says
    strict = replace(PACK, largest_region_percent=1)
    assert faults(strict, rules, random_deal(PACK, rules, FACTIONS[:2], random.Random(1))) == []
    drawn = random_deal(PACK, rules, FACTIONS[:2], random.Random(1), random_layout=True)
    assert faults(strict, rules, drawn) == ["a Region is too large"]
