"""All facts of a position, from the engine's records and from the slow twin, in the twin's words.

The twin (`tests/reference`) knows nothing of the engine; all that both must agree on is written here. What
only one of them keeps, or what means nothing at a moment, is left out, each time with the reason.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import reference as twin
from reference import agenda as due
from reference.words import CONSTRUCTIONS, DRONES, MARKETS

from simlab.games.dei.icons import icon_name
from simlab.games.dei.names import Names
from simlab.games.dei.scenario_position import USED
from simlab.games.dei.state import Position
from simlab.games.dei.vocabulary import (
    ASK_CARD,
    ASK_COLOUR,
    ASK_COMMIT,
    ASK_DEPLOY,
    ASK_DISCARD,
    ASK_DRONE,
    ASK_END,
    ASK_FEAT,
    ASK_FLY,
    ASK_ICON,
    ASK_MISSION,
    ASK_REPEAT,
    BIN,
    BRIDGE,
    CANDIES,
    CANDY_IN_RESERVE,
    COLOURS,
    ENDINGS,
    FACE_UP,
    FEATS,
    FLY,
    HAND,
    N_CONSTRUCTIONS,
    N_FEATS,
    N_SLOTS,
    NONE,
    SOURCES,
)

Facts = dict[str, Any]

N_PHASES = 3
QUESTIONS = {
    ASK_COLOUR: due.AskColour,
    ASK_FEAT: due.AskFeat,
    ASK_COMMIT: due.AskCommit,
    ASK_DEPLOY: due.AskDeploy,
    ASK_CARD: due.AskCard,
    ASK_ICON: due.AskIcon,
    ASK_END: due.AskEnd,
    ASK_REPEAT: due.AskRepeat,
    ASK_DISCARD: due.AskDiscard,
    ASK_DRONE: due.AskDrone,
    ASK_FLY: due.AskFly,
    ASK_MISSION: due.AskMission,
}
# what comes below the question on top: a frame for the engine, a step or all rounds at once for the twin
RENEWED = {"AskCard", "AskEnd", "AskColour", "AskDeploy"}
DRAFT = {"AskColour", "AskFeat"}  # before Turn 1
# nobody's phase has begun, or all have ended: what comes once a phase means nothing
BETWEEN_PHASES = {*DRAFT, "AskCommit", None}
# CORE-106, CORE-107: marks that mean something only where the knob makes the Feat once a phase
ONCE_IF_NOT = {"sky_boots": "sky_boots_per_card", "field_engineer": "field_engineer_per_build"}


# --- the engine's facts ------------------------------------------------------------------------------------


def engine_facts(names: Names, position: Position) -> Facts:
    """The engine's position in the twin's words."""
    public, board = names.public, names.board
    seats = range(int(public.n_seats))
    regions = names.regions
    frames = [tuple(int(it) for it in frame) for frame in public.frame[: int(public.n_frames)]]
    question = QUESTIONS[frames[-1][0]].__name__ if frames else None
    holder = public.holder.tolist()
    value = public.value.tolist()
    facts = {
        "acting": names.seat_name(frames[-1][1]) if frames else None,
        "question": question,
        "asked": _asked(names, frames),
        "icons": Counter(icon_name(int(code)) for code in public.bag[: int(public.n_bag)]),
        "priority": [names.seat_name(int(seat)) for seat in public.priority[: len(seats)]],
        "regions": regions,
        "resources": {regions[r]: n for r, n in enumerate(public.resources.tolist()) if n},
        "outposts": [
            {
                "region": regions[int(board.outpost_region[outpost])],
                "colour": COLOURS[int(board.outpost_colour[outpost])],
                "holder": _seat_or_nobody(names, int(public.cube[outpost])),
            }
            for outpost in range(names.n_outposts)
        ],
        "drones": drones_of(names),
        "majority": {name: _seat_or_nobody(names, holder[r]) for r, name in enumerate(regions)},
        "market": slots_of(names),
        "deck": decks_of(names, position),
        "candy_reserve": _candy_reserve(names, position),
        "candy_reserve_number": int(public.candy_reserve),
        "missions": missions_of(names),
        "pads": {names.seat_name(seat): _pad(names, position, seat) for seat in seats},
        "ending": ENDINGS[int(public.ending)],
        "ranking": _ranking(names, position),
    }
    if question in DRAFT:
        facts["feats_left"] = _feats_left(names, position)
    else:
        facts["turn"] = int(public.turn)
        facts["phase"] = min(int(public.phase), N_PHASES)  # Missions of Confrontation: the engine's fourth
    if question not in BETWEEN_PHASES:
        once = [word for word, knob in ONCE_IF_NOT.items() if int(names.rules[knob])]
        used = [word for word, field in sorted(USED.items()) if int(public[field])]
        facts["used"] = [word for word in used if word not in once]
        facts["extra_moves"] = int(public.extra_moves)
    if question not in {*BETWEEN_PHASES, "AskMission", "AskEnd"}:
        facts["cards_left"] = int(public.cards_left)
    facts["value"] = {
        name: {names.seat_name(seat): value[r][seat] for seat in seats if value[r][seat]}
        for r, name in enumerate(regions)
    }
    return facts


def _asked(names: Names, frames: list[tuple[int, ...]]) -> list[str]:
    """What is asked now and after it, the next last, with the times left."""
    asked = []
    for number, (ask, seat, a, b, _) in enumerate(frames):
        word = QUESTIONS[ask].__name__
        if word in RENEWED and number < len(frames) - 1:
            continue
        left = f" {b}" if ask in (ASK_REPEAT, ASK_FLY) or (ask == ASK_DRONE and a != FLY) else ""
        asked.append(f"{names.seat_name(seat)} {word}{left}")
    return asked


def _seat_or_nobody(names: Names, seat: int) -> str:
    return "nobody" if seat == NONE else names.seat_name(seat)


def drones_of(names: Names) -> dict[str, str]:
    places = zip(DRONES, names.public.drone.tolist(), strict=True)
    return {drone: names.regions[region] for drone, region in places if region != NONE}


def slots_of(names: Names) -> dict[str, list[str | None]]:
    return {
        market: [
            None if card == NONE else names.card_name(card)
            for card in names.public.market[number].tolist()[:N_SLOTS]
        ]
        for number, market in enumerate(MARKETS)
    }


def decks_of(names: Names, position: Position) -> dict[str, list[str]]:
    """The next card first, as the twin has it; the engine keeps it last."""
    deck = position.hidden[0].deck.tolist()
    left = names.public.deck_left.tolist()
    return {
        market: [names.card_name(card) for card in reversed(deck[number][: left[number]])]
        for number, market in enumerate(MARKETS)
    }


def candy_tokens(names: Names, position: Position) -> list[tuple[str, int]]:
    """Kind and place of every Candy Boost."""
    table = names.pack.table[0]
    kinds = table.candy_kind.tolist()[: int(table.n_candy)]
    return [
        (CANDIES[kind], place)
        for kind, place in zip(kinds, position.hidden[0].token_at.tolist()[: len(kinds)], strict=True)
    ]


def _candy_reserve(names: Names, position: Position) -> dict[str, int]:
    kinds = [kind for kind, place in candy_tokens(names, position) if place == CANDY_IN_RESERVE]
    return dict(Counter(kinds))


def missions_of(names: Names) -> list[list[str]]:
    columns = names.public.mission.tolist()[: int(names.rules.turns)]
    return [[names.pack.mission_ids[card] for card in column if card != NONE] for column in columns]


def feat_names(bits: int) -> list[str]:
    return [FEATS[feat] for feat in range(N_FEATS) if bits >> feat & 1]


def _feats_left(names: Names, position: Position) -> list[str]:
    taken = 0
    for seat in range(int(names.public.n_seats)):
        taken |= int(position.own[seat].feats)
    return sorted(feat_names(((1 << N_FEATS) - 1) & ~taken))


def _pad(names: Names, position: Position, seat: int) -> Facts:
    public, own, regions = names.public, position.own[seat], names.regions
    leader = int(public.leader[seat])
    cards = _cards(names, seat)
    return {
        "scrappers": {regions[r]: n for r, n in enumerate(public.scrappers[seat].tolist()) if n},
        "reserve": int(public.reserve[seat]),
        "leader": "the reserve" if leader == NONE else regions[leader],
        "technology": int(public.technology[seat]),
        "energy": int(public.energy[seat]),
        "supplies": int(public.supplies[seat]),
        "supplies_by_source": {
            source: number
            for source, number in zip(SOURCES, position.log[0].supplies_from[seat].tolist(), strict=True)
            if source != "grant"  # a handicap, which the twin doesn't know
        },
        "candy": sorted(
            kind for kind, number in zip(CANDIES, own.candy.tolist(), strict=True) for _ in range(number)
        ),
        "candy_number": int(public.candy[seat]),
        "hand": [names.card_name(card) for card in cards[HAND]],
        "committed": [names.card_name(card) for card in own.committed.tolist()[: int(own.n_committed)]],
        "plays": _plays(names, seat),
        "bin": [names.card_name(card) for card in cards[BIN]],
        "feats": sorted(feat_names(int(own.feats))),
        "unlocked": sorted(feat_names(int(public.unlocked[seat]))),
        "built": built_of(names, seat),
        "control": dict(zip(COLOURS, public.cubes[seat].tolist(), strict=True)),
        "tokens": [column + 1 for column, row in enumerate(public.token[seat].tolist()) if row != NONE],
    }


def _cards(names: Names, seat: int) -> dict[int, list[int]]:
    """The cards of a seat by place, in the pack's order."""
    found: dict[int, list[int]] = {HAND: [], BIN: []}
    owners = names.public.card_owner.tolist()
    places = names.public.card_place.tolist()
    for card, owner in enumerate(owners):
        if owner == seat and places[card] in found:
            found[places[card]].append(card)
    return found


def _plays(names: Names, seat: int) -> list[Facts]:
    public = names.public
    number = int(public.n_plays[seat])
    laid = zip(public.play[seat].tolist()[:number], public.play_candy[seat].tolist()[:number], strict=True)
    return [
        {
            "card": names.card_name(card),
            "face_up": int(public.card_place[card]) == FACE_UP,
            "candy": None if candy == NONE else CANDIES[candy],
        }
        for card, candy in laid
    ]


def built_of(names: Names, seat: int) -> list[str]:
    """The constructions of a seat as scenario files name them, sorted."""
    built = []
    for construction in range(N_CONSTRUCTIONS):
        for place in names.public.built[seat, construction].tolist():
            if place != NONE:
                ends = names.ends(construction, place)
                ends = [*ends[:2], "over", ends[2]] if construction == BRIDGE else ends
                built.append(" ".join([CONSTRUCTIONS[construction], *ends]))
    return sorted(built)


def _ranking(names: Names, position: Position) -> list[str] | None:
    places = position.log[0].place.tolist()[: int(names.public.n_seats)]
    if not any(places):
        return None
    return [names.seat_name(places.index(place)) for place in sorted(places)]


# --- the twin's facts --------------------------------------------------------------------------------------


def twin_facts(position: twin.Position) -> Facts:
    """What `describe` tells, as far as the engine keeps it too."""
    facts = twin.describe(position)
    question = facts["question"]
    facts["asked"] = _twin_asked(position)
    facts["icons"] = Counter(
        _icon_words(icon) for ask in position.agenda if isinstance(ask, due.AskIcon) for icon in ask.icons
    )
    facts["majority"] = {
        region: "nobody" if number is None else position.seats[number].faction
        for region, number in position.majority.items()
    }
    facts["missions"] += [[]] * (position.rules.turns - len(facts["missions"]))
    facts["used"] = sorted(
        word
        for word in facts["used"]
        if word not in ONCE_IF_NOT or not getattr(position.rules, ONCE_IF_NOT[word])
    )
    facts["candy_reserve_number"] = sum(facts["candy_reserve"].values())
    for pad in facts["pads"].values():
        pad["candy_number"] = len(pad["candy"])
        for told in ("seat", "face_up", "face_down", "supremacy"):  # follow from the rest
            del pad[told]
        pad["bin"] = position.pack.in_order(pad["bin"])  # its order means nothing
        pad["built"] = sorted(pad["built"])
    for key in ("level", "active"):  # follow from the rest
        del facts[key]
    if question in DRAFT:
        del facts["turn"], facts["phase"]
    else:
        del facts["feats_left"]
    if question in BETWEEN_PHASES:
        del facts["used"], facts["extra_moves"]
    if question in {*BETWEEN_PHASES, "AskMission", "AskEnd"}:
        del facts["cards_left"]
    return facts


def _twin_asked(position: twin.Position) -> list[str]:
    asked = []
    for number, ask in enumerate(position.agenda):
        word = type(ask).__name__
        if not isinstance(ask, due.Question) or (word in RENEWED and number < len(position.agenda) - 1):
            continue
        left = ""
        if isinstance(ask, due.AskRepeat):
            left = f" {ask.times}"
        elif isinstance(ask, due.AskFly) or (isinstance(ask, due.AskDrone) and ask.drone != "fly"):
            left = f" {ask.uses}"
        asked.append(f"{position.seats[ask.seat].faction} {word}{left}")
    return asked


def _icon_words(icon: twin.Icon) -> str:
    """An icon as a pack writes it."""
    words = icon.action
    for mark, part in (("@", icon.form), (":", icon.construction or icon.drone), ("+", icon.bonus)):
        words += f"{mark}{part}" if part else ""
    if icon.is_gain and icon.amount != 1:
        words += f"*{icon.amount}"
    return words + ("/outpost" if icon.per == "any" else f"/{icon.per}" if icon.per else "")


def in_a_drone_action(position: twin.Position) -> bool:
    """CORE-026: whether a Drone's movement and action are under way, so that nothing is renewed yet."""
    return any(isinstance(ask, due.Renew) for ask in position.agenda)
