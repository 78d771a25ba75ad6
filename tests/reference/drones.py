"""The four Drones: their movement and their actions."""

from . import candy, feats, resources
from .agenda import AskDrone, AskFly, Renew
from .choices import Activate, Choice, Fly, Harvest, PlaceScrapper, Reap, Skip
from .icons import Icon
from .luck import Luck
from .moves import is_ground
from .position import Position


def legal_activations(position: Position, number: int, icon: Icon) -> list[Activate]:
    """CORE-032, CORE-070, CORE-111 Each Region within reach of each Drone that the icon activates.

    Staying is among them where the Drone could act.
    """
    names = sorted(position.drones) if icon.drone == "any" else [icon.drone]
    steps = position.rules.drone_movement + icon.bonus
    if feats.has(position.seats[number], "remote_drive"):
        steps += position.rules.remote_drive_movement
    activations = []
    for drone in names:
        if drone in position.drones:
            here = position.drones[drone]
            reached = within(position, here, steps)
            if not could_act(position, number, drone, here):
                reached -= {here}
            activations += [Activate(icon, drone, region) for region in position.board.in_order(reached)]
    return activations


def within(position: Position, start: str, steps: int) -> set[str]:
    """CORE-006, CORE-070 Regions that a Drone can reach over Adjacent ones, whatever their level."""
    reached = {start}
    for _ in range(steps):
        reached |= {region for known in reached for region in position.board.touching[known]}
    return reached


def could_act(position: Position, number: int, drone: str, region: str) -> bool:
    """CORE-032 Whether the Drone's action could change something in a Region."""
    return uses(position, drone) > 0 and bool(actions(position, number, drone, region))


def uses(position: Position, drone: str) -> int:
    """CORE-071 … CORE-074 How many times a Drone acts, one thing at a time."""
    rules = position.rules
    return {"masamune": rules.masamune_resources, "simon": rules.simon_scrappers, "fly": 1, "draco": 1}[drone]


def activate(position: Position, number: int, choice: Activate) -> None:
    """CORE-026, CORE-032, CORE-070 The Drone moves; its action follows if it could change something there.

    Majority is renewed after both.
    """
    position.drones[choice.drone] = choice.region
    position.agenda.append(Renew())
    if could_act(position, number, choice.drone, choice.region):
        position.agenda.append(AskDrone(number, choice.drone, uses(position, choice.drone)))


def actions(position: Position, number: int, drone: str, region: str) -> list[Choice]:
    """CORE-071 … CORE-074 What a Drone can do in a Region."""
    kinds = {"masamune": _harvests, "simon": _placings, "fly": _flights, "draco": _reapings}
    return kinds[drone](position, number, region)


def legal_actions(position: Position, ask: AskDrone) -> list[Choice]:
    """CORE-032, CORE-070 The Drone's action where it is, or to waive it."""
    region = position.drones[ask.drone]
    return [*actions(position, ask.seat, ask.drone, region), Skip("drone")]


def _harvests(position: Position, number: int, region: str) -> list[Choice]:
    """CORE-071 A resource of its Region; Majority only where the knob asks for it."""
    if position.rules.drone_collect_needs_majority and position.majority[region] != number:
        return []
    return [Harvest(region)] if position.resources.get(region) else []


def _placings(position: Position, number: int, region: str) -> list[Choice]:
    """CORE-072 From the reserve; from another Region when that is empty, or whenever the knob allows it."""
    choices: list[Choice] = []
    if position.reserve(number):
        choices.append(PlaceScrapper(None, region))
    if not position.reserve(number) or position.rules.place_from_board:
        others = position.board.in_order(position.seats[number].scrappers)
        choices += [PlaceScrapper(other, region) for other in others if other != region]
    return choices


def _flights(position: Position, number: int, region: str) -> list[Choice]:
    """CORE-073 A Scrapper of its Region to any other."""
    if not position.seats[number].scrappers.get(region):
        return []
    return [Fly(other) for other in position.board.regions if other != region]


def _reapings(position: Position, number: int, region: str) -> list[Choice]:
    """CORE-074 A Kill on each opponent there, and the gain, which doesn't depend on it."""
    victims = victims_of(position, number, region)
    supplies = position.rules.draco_supplies > 0
    sweets = position.rules.draco_candy > 0 and any(position.candy_reserve.values())
    return [Reap(region)] if victims or supplies or sweets else []


def victims_of(position: Position, number: int, region: str) -> list[int]:
    """CORE-074 Opponents with a Scrapper in the Region, in Priority order."""
    return [other for other in position.opponents(number) if position.seats[other].scrappers.get(region)]


def legal_next_flights(position: Position, ask: AskFly) -> list[Choice]:
    """CORE-073 A further Scrapper follows to a Ground, the same or another."""
    flights = _flights(position, ask.seat, position.drones["fly"])
    return [*(flight for flight in flights if is_ground(position, flight.region)), Skip("drone")]


def harvest(position: Position, number: int, choice: Harvest) -> None:
    """CORE-071 Masamune collects one."""
    position.take_resource(choice.region)
    resources.store(position, number, resources.kind_in(position, choice.region))


def place(position: Position, number: int, choice: PlaceScrapper) -> None:
    """CORE-072 Simon places one."""
    seat = position.seats[number]
    if choice.origin:
        seat.add_scrappers(choice.origin, -1)
    seat.add_scrappers(choice.region, 1)


def fly(position: Position, number: int, choice: Fly, left: int) -> None:
    """CORE-073 Fly takes one; after a Ground another may follow while uses and Scrappers are left."""
    seat = position.seats[number]
    seat.add_scrappers(position.drones["fly"], -1)
    seat.add_scrappers(choice.region, 1)
    if left and is_ground(position, choice.region) and seat.scrappers.get(position.drones["fly"]):
        position.agenda.append(AskFly(number, left))


def reap(position: Position, number: int, choice: Reap, luck: Luck) -> None:
    """CORE-074 Draco kills; the victims gain their Candy first, then the actor gains."""
    for victim in victims_of(position, number, choice.region):
        kill(position, victim, choice.region, luck)
    position.seats[number].add_supplies("draco", position.rules.draco_supplies)
    candy.gain(position, number, position.rules.draco_candy, luck)


def kill(position: Position, victim: int, region: str, luck: Luck) -> None:
    """CORE-062 The victim removes a Scrapper and gains Candy."""
    position.seats[victim].add_scrappers(region, -1)
    candy.gain(position, victim, position.rules.kill_candy, luck)
