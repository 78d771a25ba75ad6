"""The flow of a game: what follows when nothing is asked."""

from itertools import combinations

from . import candy, feats, markets, missions, scoring
from .agenda import (
    AskCard,
    AskColour,
    AskCommit,
    AskDeploy,
    AskEnd,
    AskMission,
    BeginOwnPhase,
    BeginPhase,
    BeginTurn,
    CleanUp,
    CompleteMission,
    EndGame,
    EndOwnPhase,
    FinalCount,
    LastMoves,
    NextCard,
    Question,
    Renew,
    Step,
)
from .choices import Commit
from .majority import renew
from .position import Play, Position


def start(position: Position) -> None:
    """CORE-131 Before the first Turn, perhaps, a draft; then go on to the first question."""
    if position.rules.feats_draft:
        seats = list(range(len(position.seats)))
        position.agenda.extend(AskColour(seat) for seat in reversed(seats + seats[::-1] + seats))
    renew(position)
    advance(position)


def advance(position: Position) -> None:
    """Take all steps up to the next question, or to the end."""
    while position.agenda and not isinstance(position.agenda[-1], Question):
        step = position.agenda.pop()
        match step:
            case Renew():
                renew(position)
            case BeginTurn(turn):
                begin_turn(position, turn)
            case BeginPhase(phase):
                begin_phase(position, phase)
            case BeginOwnPhase(seat):
                begin_own_phase(position, seat)
            case NextCard(seat):
                next_card(position, seat)
            case LastMoves(seat):
                last_moves(position, seat)
            case EndOwnPhase(seat):
                end_own_phase(position, seat)
            case CompleteMission(seat):
                complete_mission(position, seat)
            case FinalCount(seat):
                scoring.final_count(position, seat)
            case CleanUp():
                clean_up(position)
            case EndGame():
                end_game(position)


def due(position: Position, *steps: Question | Step) -> None:
    """Put what is due on the agenda, the first of it to come first."""
    position.agenda.extend(reversed(steps))


def begin_turn(position: Position, turn: int) -> None:
    """CORE-030, CORE-035 Three Action Phases, then the Clean-up, which the last Turn doesn't have."""
    position.turn = turn
    last = turn == position.rules.turns
    due(position, BeginPhase(1), BeginPhase(2), BeginPhase(3), EndGame() if last else CleanUp())


def begin_phase(position: Position, phase: int) -> None:
    """CORE-030, CORE-132, CORE-133 All players' phases in Priority order, after all have committed cards."""
    position.phase = phase
    position.active = None
    steps: list[Question | Step] = []
    if position.rules.planning:
        steps += [AskCommit(seat) for seat in position.priority if position.seats[seat].hand]
    steps += [BeginOwnPhase(seat) for seat in position.priority]
    if phase == 3 and position.rules.confrontation:
        for seat in position.priority:
            steps += mission_and_count(position, seat)
    due(position, *steps)


def begin_own_phase(position: Position, seat: int) -> None:
    """CORE-018, CORE-030 What comes once a phase is there again; in the first phase Units are deployed.

    CORE-132 With Planning as many cards are due as were committed.
    """
    position.active = seat
    planned = position.rules.planning
    position.cards_left = len(position.seats[seat].committed) if planned else position.rules.cards_per_phase
    position.extra_moves = 0
    position.used = frozenset()
    first = position.turn == 1 and position.phase == 1 and position.board.neutral_refuges
    deployment = (AskDeploy(seat),) if first else ()
    due(position, *deployment, NextCard(seat), LastMoves(seat), EndOwnPhase(seat))


def legal_commitments(position: Position, number: int) -> list[Commit]:
    """CORE-132 As many cards of the hand as a phase has, or all of a smaller hand."""
    hand = position.seats[number].hand
    return [Commit(cards) for cards in combinations(hand, min(position.rules.cards_per_phase, len(hand)))]


def playable(position: Position, number: int) -> list[str]:
    """CORE-030, CORE-132 The cards that may be played: of the hand, or of those committed."""
    seat = position.seats[number]
    return seat.committed if position.rules.planning else seat.hand


def card_is_due(position: Position, number: int) -> bool:
    """CORE-030, CORE-132 Whether a card has to be played and there is one."""
    return position.cards_left > 0 and bool(playable(position, number))


def next_card(position: Position, seat: int) -> None:
    """CORE-030 Ask for the next card, as long as one is due."""
    if card_is_due(position, seat):
        due(position, AskCard(seat), NextCard(seat))


def bot_may_bring(position: Position, number: int) -> bool:
    """CORE-030, CORE-114 Whether cards are due to an empty hand, and Delivery Bot hasn't been used yet."""
    has_bot = feats.has(position.seats[number], "delivery_bot") and "delivery_bot" not in position.used
    return has_bot and position.cards_left > 0 and not position.rules.planning


def play_face_up(position: Position, number: int, card: str) -> None:
    """CORE-031 A card goes face up on the Pad."""
    markets.take_from_hand(position, number, card)
    position.seats[number].plays.append(Play(card, face_up=True, icons=position.pack.cards[card].icons))


def sky_boots(position: Position, number: int) -> None:
    """CORE-107 An extra Move when a card with a Move icon, or with a Move Candy Boost, is ended."""
    seat, rules = position.seats[number], position.rules
    play = seat.plays[-1]
    moving = play.candy == "move" or any(icon.action == "move" for icon in play.icons)
    if not moving or not feats.has(seat, "sky_boots"):
        return
    if rules.sky_boots_per_card:
        position.extra_moves += rules.sky_boots_moves
    elif "sky_boots" not in position.used:
        position.extra_moves += rules.sky_boots_moves
        position.used |= {"sky_boots"}


def last_moves(position: Position, seat: int) -> None:
    """CORE-055, CORE-114 After the last card extra Moves may be made, or Delivery Bot bring a card."""
    if position.extra_moves or bot_may_bring(position, seat):
        due(position, AskEnd(seat))


def end_own_phase(position: Position, seat: int) -> None:
    """CORE-033, CORE-034, CORE-054 Extra Moves lapse; then Feats, or the Mission and the final count."""
    position.extra_moves = 0
    if position.phase == 2:
        unlock_feats(position, seat)
    if position.phase == 3 and not position.rules.confrontation:
        due(position, *mission_and_count(position, seat))


def unlock_feats(position: Position, number: int) -> None:
    """CORE-033 All that can be unlocked is, together, and again until nothing changes."""
    while ready := feats.unlockable(position, number):
        for feat in ready:
            feats.unlock(position.seats[number], feat)
        renew(position)


def mission_and_count(position: Position, seat: int) -> list[Step]:
    """CORE-034, CORE-038 A Mission, and in the last Turn the final count right after it."""
    last = position.turn == position.rules.turns
    return [CompleteMission(seat), *([FinalCount(seat)] if last else [])]


def complete_mission(position: Position, seat: int) -> None:
    """CORE-034 Ask for a Mission if there is one to complete."""
    if missions.legal_missions(position, seat):
        due(position, AskMission(seat))


def clean_up(position: Position) -> None:
    """CORE-035, CORE-036 Cards and Candy Boosts go where they belong, and the next Turn begins."""
    for seat in position.seats:
        for play in seat.plays:
            if play.face_up:
                seat.hand = position.pack.in_order([*seat.hand, play.card])
            else:
                seat.bin.append(play.card)
            if play.candy:
                candy.give_back(position, play.candy)
        seat.plays = []
    position.priority = scoring.next_priority(position)
    due(position, BeginTurn(position.turn + 1))


def end_game(position: Position) -> None:
    """CORE-038, CORE-039 Market cards count; most Supplies win."""
    for number in position.priority:
        scoring.count_market_cards(position, number)
    position.active = None
    position.places = scoring.ranking(position)
