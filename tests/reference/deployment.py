"""The starting deployment."""

from .choices import Deploy
from .majority import renew
from .position import Position


def legal_deployments(position: Position, number: int) -> list[Deploy]:
    """CORE-018 Where the Leader goes, and with an odd number of Units where one more goes.

    Of two Regions with a Neutral Refuge each takes half; if both are one, it takes all.
    """
    regions = position.board.neutral_refuges
    scrappers = starters(position, number)
    odd = (scrappers + 1) % 2 == 1
    if not odd or not scrappers or len(regions) == 1:
        return [Deploy(region) for region in regions]
    return [Deploy(region, other) for region in regions for other in regions]


def starters(position: Position, number: int) -> int:
    """CORE-018 The Scrappers that a seat begins with."""
    return min(position.rules.starting_scrappers[number], position.reserve(number))


def deploy(position: Position, number: int, choice: Deploy) -> None:
    """CORE-018 Leader and Scrappers come onto the board."""
    seat, regions = position.seats[number], position.board.neutral_refuges
    units = starters(position, number) + 1
    shares = dict.fromkeys(regions, units // len(regions))
    shares[choice.odd_at or choice.leader_at] += units % len(regions)
    shares[choice.leader_at] -= 1
    seat.leader = choice.leader_at
    for region, share in shares.items():
        if share:
            seat.add_scrappers(region, share)
    renew(position)
