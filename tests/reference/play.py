"""Start a game, ask what is legal, apply a choice."""

from dataclasses import replace

from . import actions, candy, deployment, drones, markets, missions, moves, resources, turn
from .agenda import (
    AskCard,
    AskColour,
    AskCommit,
    AskDeploy,
    AskDiscard,
    AskDrone,
    AskEnd,
    AskFeat,
    AskFly,
    AskIcon,
    AskMission,
    AskRepeat,
    LastMoves,
    NextCard,
)
from .choices import (
    Buy,
    Choice,
    Commit,
    Deploy,
    Discard,
    EndCard,
    EndPhase,
    Fly,
    Harvest,
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
from .deal import Deal
from .icons import EXTRA_MOVE
from .luck import Luck
from .pack import Pack
from .position import Position
from .rules import Rules
from .words import COLOURS


class IllegalChoiceError(ValueError):
    """A choice that the rules forbid."""


def start(pack: Pack, rules: Rules, deal: Deal) -> Position:
    """The position at the first decision of a game."""
    position = Position.bare(pack, rules, deal)
    turn.start(position)
    return position


def legal(position: Position) -> list[Choice]:
    """All choices at the decision that is due, sorted by their sentences; none once the game is over."""
    return sorted(_legal(position), key=lambda choice: choice.words())


def apply(position: Position, choice: Choice, luck: Luck, check: bool = True) -> Position:
    """The position at the next decision, or at the end; the given one stays as it is."""
    if check and choice not in _legal(position):
        raise IllegalChoiceError(choice.words())
    after = position.copy()
    _perform(after, choice, luck)
    turn.advance(after)
    return after


# --- what is legal ---------------------------------------------------------------------------------


def _legal(position: Position) -> list[Choice]:
    match ask := position.question:
        case None:
            return []
        case AskColour():
            return list(_colours(position, ask.seat))
        case AskFeat():
            left = position.feats_left
            return [TakeFeat(feat) for feat in left if position.pack.feats[feat] == ask.colour]
        case AskCommit():
            return list(turn.legal_commitments(position, ask.seat))
        case AskDeploy():
            return list(deployment.legal_deployments(position, ask.seat))
        case AskCard():
            return _cards(position, ask.seat)
        case AskIcon():
            return _icons(position, ask)
        case AskRepeat():
            return [*actions.choices_of(position, ask.seat, ask.icon), Skip(ask.icon.name())]
        case AskDiscard():
            return [Discard(kind) for kind in ask.kinds]
        case AskDrone():
            return drones.legal_actions(position, ask)
        case AskFly():
            return drones.legal_next_flights(position, ask)
        case AskEnd():
            return [*_beside(position, ask.seat), EndPhase()]
        case AskMission():
            return missions.legal_missions(position, ask.seat)
    raise AssertionError(ask)


def _colours(position: Position, number: int) -> list[NameColour]:
    """CORE-131 A colour of which the seat has no Feat and of which one is left."""
    colour_of = position.pack.feats
    owned = {colour_of[feat] for feat in position.seats[number].feats}
    left = {colour_of[feat] for feat in position.feats_left}
    return [NameColour(colour) for colour in COLOURS if colour in left - owned]


def _cards(position: Position, number: int) -> list[Choice]:
    """CORE-030, CORE-031, CORE-055, CORE-114 A card for its icons or for a purchase, and what Feats offer."""
    cards = turn.playable(position, number)
    return [
        *(PlayFaceUp(card) for card in cards),
        *markets.legal_purchases(position, number, cards),
        *_beside(position, number),
    ]


def _icons(position: Position, ask: AskIcon) -> list[Choice]:
    """CORE-032, CORE-082 An icon left, a Candy Boost on the card, what Feats offer, or the card's end."""
    icons = dict.fromkeys(ask.icons)
    return [
        *(choice for icon in icons for choice in actions.choices_of(position, ask.seat, icon)),
        *candy.layable(position, ask.seat),
        *_beside(position, ask.seat),
        EndCard(),
    ]


def _beside(position: Position, number: int) -> list[Choice]:
    """CORE-055, CORE-114 Extra Moves and Delivery Bot, between any two cards or icons."""
    return [*moves.extra_moves(position, number), *markets.legal_bot_purchases(position, number)]


# --- what a choice does ----------------------------------------------------------------------------


def _perform(position: Position, choice: Choice, luck: Luck) -> None:
    ask = position.agenda.pop()
    match ask:
        case AskColour():
            assert isinstance(choice, NameColour)
            position.agenda.append(AskFeat(ask.seat, choice.colour))
        case AskFeat():
            assert isinstance(choice, TakeFeat)
            position.seats[ask.seat].feats |= {choice.feat}
            position.feats_left -= {choice.feat}
        case AskCommit():
            assert isinstance(choice, Commit)
            position.seats[ask.seat].committed = list(choice.cards)
        case AskDeploy():
            assert isinstance(choice, Deploy)
            deployment.deploy(position, ask.seat, choice)
        case AskCard():
            _answer_card(position, ask, choice, luck)
        case AskIcon():
            _answer_icon(position, ask, choice, luck)
        case AskRepeat():
            _answer_repeat(position, ask, choice, luck)
        case AskDiscard():
            assert isinstance(choice, Discard)
            resources.add(position.seats[ask.seat], choice.kind, -1)
        case AskDrone():
            _answer_drone(position, ask, choice, luck)
        case AskFly():
            if isinstance(choice, Fly):
                drones.fly(position, ask.seat, choice, ask.uses - 1)
        case AskEnd():
            _answer_end(position, ask, choice, luck)
        case AskMission():
            if isinstance(choice, TakeMission):
                missions.complete(position, ask.seat, choice)
            else:
                assert isinstance(choice, PassMission)
        case _:
            raise AssertionError(ask)


def _answer_card(position: Position, ask: AskCard, choice: Choice, luck: Luck) -> None:
    """CORE-031 A card played or laid down is resolved until it is ended."""
    if isinstance(choice, PlayFaceUp):
        turn.play_face_up(position, ask.seat, choice.card)
        position.cards_left -= 1
        position.agenda.append(AskIcon(ask.seat, position.pack.cards[choice.card].icons))
    elif isinstance(choice, Buy):
        markets.buy(position, ask.seat, choice)
        if choice.laying_down:
            position.cards_left -= 1
            position.agenda.append(AskIcon(ask.seat, ()))
    else:
        assert isinstance(choice, Move)
        actions.perform(position, ask.seat, choice, luck)


def _answer_icon(position: Position, ask: AskIcon, choice: Choice, luck: Luck) -> None:
    """CORE-032, CORE-082 Whatever is chosen, the card goes on until it is ended."""
    match choice:
        case EndCard():
            turn.sky_boots(position, ask.seat)
        case LayCandy():
            candy.lay(position, ask.seat, choice.kind)
            position.agenda.append(ask.with_more(candy.icon_of(choice.kind)))
        case Buy():
            position.agenda.append(ask)
            markets.buy(position, ask.seat, choice)
        case Move(icon=icon) if icon == EXTRA_MOVE:
            position.agenda.append(ask)
            actions.perform(position, ask.seat, choice, luck)
        case _:
            position.agenda.append(ask.without(choice.icon))
            actions.perform(position, ask.seat, choice, luck)


def _answer_end(position: Position, ask: AskEnd, choice: Choice, luck: Luck) -> None:
    """CORE-055, CORE-114 Asked until the phase is ended, or Delivery Bot has brought a card that is due."""
    if isinstance(choice, EndPhase):
        return
    if isinstance(choice, Buy):
        markets.buy(position, ask.seat, choice)
    else:
        actions.perform(position, ask.seat, choice, luck)
    if turn.card_is_due(position, ask.seat):
        position.agenda += [LastMoves(ask.seat), NextCard(ask.seat)]
    else:
        position.agenda.append(ask)


def _answer_repeat(position: Position, ask: AskRepeat, choice: Choice, luck: Luck) -> None:
    """CORE-063, CORE-092 Once done or skipped; Abraham's is used up only when it is done."""
    if ask.times > 1:
        position.agenda.append(replace(ask, times=ask.times - 1))
    if not isinstance(choice, Skip):
        if ask.seeker:
            position.used |= {"abraham"}
        actions.perform(position, ask.seat, choice, luck)


def _answer_drone(position: Position, ask: AskDrone, choice: Choice, luck: Luck) -> None:
    """CORE-071 … CORE-074 One use of a Drone's action, or none of what is left."""
    if ask.uses > 1 and not isinstance(choice, Skip):
        position.agenda.append(replace(ask, uses=ask.uses - 1))
    match choice:
        case Harvest():
            drones.harvest(position, ask.seat, choice)
        case PlaceScrapper():
            drones.place(position, ask.seat, choice)
        case Fly():
            drones.fly(position, ask.seat, choice, position.rules.fly_scrappers - 1)
        case Reap():
            drones.reap(position, ask.seat, choice, luck)
        case Skip():
            pass
