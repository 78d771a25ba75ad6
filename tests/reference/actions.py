"""The icons: what each lets a seat choose, and what the choice does."""

from dataclasses import replace

from . import candy, constructions, drones, feats, moves, resources
from .agenda import AskIcon, AskRepeat
from .choices import Activate, Build, Choice, Collect, Copy, Declare, Enlist, Excavate, Gain, Kill, Move
from .icons import COLLECT, Icon
from .leaders import seeks
from .luck import Luck
from .majority import renew
from .position import Play, Position


def choices_of(position: Position, number: int, icon: Icon) -> list[Choice]:
    """CORE-032 All that an icon offers: none if it can change nothing."""
    if icon.per:
        return _declarations(position, number, icon)
    return KINDS[icon.action](position, number, icon)


# --- gains and actions per Outpost -----------------------------------------------------------------


def _gains(position: Position, number: int, icon: Icon) -> list[Choice]:
    """CORE-061 A gain that finds no room, or no Candy, changes nothing."""
    seat = position.seats[number]
    fruitful = {
        "supplies": icon.amount > 0,
        "technology": resources.room(position, seat) > 0,
        "energy": resources.room(position, seat) > 0,
        "candy": any(position.candy_reserve.values()),
    }
    return [Gain(icon)] if fruitful[icon.action] else []


def _declarations(position: Position, number: int, icon: Icon) -> list[Choice]:
    """CORE-063 With an Outpost to count, and something to do at least once."""
    counted = position.outposts_counted(number, icon.per)
    return [Declare(icon)] if counted and choices_of(position, number, icon.once) else []


def gain(position: Position, number: int, icon: Icon, times: int, luck: Luck) -> None:
    """CORE-061 Gain at once."""
    seat = position.seats[number]
    if icon.action == "supplies":
        seat.add_supplies("card_icons", icon.amount * times)
    elif icon.action == "candy":
        candy.gain(position, number, times, luck)
    else:
        resources.gain(position, seat, icon.action, icon.amount * times)


def declare(position: Position, number: int, icon: Icon, luck: Luck) -> None:
    """CORE-063 Count the Outposts now; a gain comes at once, other actions one time after the other."""
    times = position.outposts_counted(number, icon.per)
    if icon.is_gain or icon.action == "candy":
        gain(position, number, icon.once, times, luck)
    else:
        position.agenda.append(AskRepeat(number, icon.once, times))


# --- Copy ------------------------------------------------------------------------------------------


def copied_icons(play: Play) -> tuple[Icon, ...]:
    """CORE-060 What a card gives a Copy: all icons that it bears but Copy itself."""
    return tuple(icon for icon in play.icons if icon.action != "copy")


def _copies(position: Position, number: int, icon: Icon) -> list[Choice]:
    """CORE-060 Own cards played face up earlier this Turn that bear something to copy."""
    earlier = position.seats[number].plays[:-1]
    return [Copy(icon, play.card) for play in earlier if play.face_up and copied_icons(play)]


def copy(position: Position, number: int, choice: Copy) -> None:
    """CORE-060 The copied icons are now the Copy card's own too."""
    plays = position.seats[number].plays
    copied = next(copied_icons(play) for play in plays[:-1] if play.card == choice.card)
    plays[-1] = replace(plays[-1], icons=plays[-1].icons + copied)
    add_icons(position, copied)


def add_icons(position: Position, icons: tuple[Icon, ...]) -> None:
    """CORE-060, CORE-082 Further icons of the card that is being resolved."""
    where = position.card_resolved
    assert where is not None
    ask = position.agenda[where]
    assert isinstance(ask, AskIcon)
    position.agenda[where] = ask.with_more(icons)


# --- Enlist ----------------------------------------------------------------------------------------


def _enlists(position: Position, number: int, icon: Icon) -> list[Choice]:
    """CORE-040, CORE-064, CORE-066, CORE-110 Enlist, and with Outnumber Move or Collect instead."""
    seat = position.seats[number]
    regions = set(position.board.neutral_refuges) | {region for (region,) in seat.built["refuge"]}
    if icon.form == "tactic":
        regions |= {region for region in position.board.regions if seat.units(region)}
    origins: list[str | None] = [None] if position.reserve(number) else sorted(seat.scrappers)
    with_resource = (False, True) if icon.form == "machinery" else (False,)
    choices: list[Choice] = [
        Enlist(icon, region, origin, resource)
        for region in position.board.in_order(regions)
        for origin in origins
        if origin != region
        for resource in with_resource
    ]
    if feats.has(seat, "outnumber") and not position.reserve(number):
        choices += moves.legal_moves(position, number, icon)
        choices += _collects(position, number, icon)
    return choices


def enlist(position: Position, number: int, choice: Enlist) -> None:
    """CORE-040, CORE-066 A Scrapper comes, and perhaps a resource with it."""
    seat = position.seats[number]
    if choice.origin:
        seat.add_scrappers(choice.origin, -1)
    seat.add_scrappers(choice.region, 1)
    if choice.resource:
        position.place_resource(choice.region)


# --- Collect ---------------------------------------------------------------------------------------


def _collects(position: Position, number: int, icon: Icon) -> list[Choice]:
    """CORE-042, CORE-104, CORE-115 Collect, and what Feats let it be used for."""
    seat = position.seats[number]
    choices: list[Choice] = []
    for region in position.board.regions:
        if position.resources.get(region) and position.majority[region] == number:
            choices.append(Collect(icon, region))
            if _may_swap(position, number, icon, region):
                choices.append(Collect(icon, region, swap=True))
        if feats.has(seat, "deep_excavation") and seat.units(region):
            choices.append(Excavate(icon, region))
        if feats.has(seat, "extreme_remedies") and position.majority[region] != number:
            choices += _kills_in(position, number, icon, region)
    return choices


def _may_swap(position: Position, number: int, icon: Icon, region: str) -> bool:
    """CORE-065, CORE-112 A collected Technology for an Energy Cell."""
    if not moves.is_ground(position, region):
        return False
    if icon.action == "collect" and icon.form == "logistic":
        return True
    camp = feats.has(position.seats[number], "exploitation_camp")
    return camp and region in moves.elevator_grounds(position, number)


def collect(position: Position, number: int, choice: Collect) -> None:
    """CORE-042, CORE-043, CORE-066, CORE-092 Take a resource; then what the form and Abraham give."""
    seat, rules = position.seats[number], position.rules
    if seeks(position, number, choice.region):
        position.agenda.append(AskRepeat(number, COLLECT, rules.seeker_collects, seeker=True))
    position.take_resource(choice.region)
    kind = "energy" if choice.swap else resources.kind_in(position, choice.region)
    resources.store(position, number, kind)
    if choice.icon.action == "collect" and choice.icon.form == "machinery":
        resources.gain(position, seat, "technology", rules.machinery_collect_technology)


# --- Kill ------------------------------------------------------------------------------------------


def _kills(position: Position, number: int, icon: Icon) -> list[Choice]:
    """CORE-062 In any Region, an own Unit being there if the knob asks for it."""
    return [kill for region in position.board.regions for kill in _kills_in(position, number, icon, region)]


def _kills_in(position: Position, number: int, icon: Icon, region: str) -> list[Choice]:
    """CORE-062, CORE-104 Each opponent with a Scrapper in the Region."""
    if position.rules.kill_needs_unit and not position.seats[number].units(region):
        return []
    victims = drones.victims_of(position, number, region)
    return [Kill(icon, position.seats[victim].faction, region) for victim in victims]


def _moves(position: Position, number: int, icon: Icon) -> list[Choice]:
    """CORE-041 Moves with an icon."""
    return list(moves.legal_moves(position, number, icon))


def _builds(position: Position, number: int, icon: Icon) -> list[Choice]:
    """CORE-048 Builds with an icon."""
    return list(constructions.legal_builds(position, number, icon))


def _activations(position: Position, number: int, icon: Icon) -> list[Choice]:
    """CORE-070 Activations with an icon."""
    return list(drones.legal_activations(position, number, icon))


KINDS = {
    "enlist": _enlists,
    "move": _moves,
    "collect": _collects,
    "build": _builds,
    "technology": _gains,
    "energy": _gains,
    "supplies": _gains,
    "candy": _gains,
    "kill": _kills,
    "copy": _copies,
    "drone": _activations,
}


def perform(position: Position, number: int, choice: Choice, luck: Luck) -> None:
    """CORE-026 Resolve an icon's choice; Majority is renewed after it, a Drone's after its action only."""
    match choice:
        case Move():
            moves.move(position, number, choice)
        case Collect():
            collect(position, number, choice)
        case Excavate():
            position.place_resource(choice.region)
        case Kill():
            drones.kill(position, position.seat_of(choice.faction), choice.region, luck)
        case Enlist():
            enlist(position, number, choice)
        case Build():
            constructions.build(position, number, choice)
        case Gain():
            gain(position, number, choice.icon, 1, luck)
        case Declare():
            declare(position, number, choice.icon, luck)
        case Copy():
            copy(position, number, choice)
        case Activate():
            drones.activate(position, number, choice)
            return
        case _:
            raise ValueError(f"no icon gives this: {choice.words()}")
    renew(position)
