"""The Turn: the only file that knows what comes next.

`apply_choice` performs one choice and goes on to the next decision. The end of an own Action Phase comes
in CORE-054's order: Feats in the second, the Mission in the third, then, in the last Turn, the final
count. CORE-029 and CORE-053 speak of expansions only and have their place here when those come.
"""

from __future__ import annotations

from simlab import chance
from simlab.games.dei.agenda import active_seat, asked, empty_bag, frame_field, pop, push
from simlab.games.dei.candy import return_candy
from simlab.games.dei.choices import (
    ACTIVATE,
    BUY,
    COLOUR,
    COMMIT,
    CONSTRUCT,
    DEPLOY,
    DEPLOYMENT,
    DISCARD,
    END_CARD,
    END_PHASE,
    FEAT,
    KILLING,
    LAY_CANDY,
    MISSION,
    MOVING,
    PASS,
    PLAY,
    SKIP,
    a_of,
    b_of,
    c_of,
    kind_of,
)
from simlab.games.dei.feats import draft_is_over, draft_seat, name_colour, sky_boots, take_feat, unlock_feats
from simlab.games.dei.legal import hand_size, starting_units
from simlab.games.dei.majority import cubes_held, renew_all, renew_region, settle_cubes
from simlab.games.dei.missions import complete_mission, has_mission_left
from simlab.games.dei.modifiers import changes_values, has_feat
from simlab.games.dei.perform import perform_card, perform_drone, perform_icon, spend
from simlab.games.dei.resources import discard_resource
from simlab.games.dei.scoring import end_game, final_count
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
    ASK_MISSION,
    BIN,
    DECISION_CAP,
    DELIVERY_BOT,
    FACE_DOWN,
    FACE_UP,
    HAND,
    MAX_PLAYS,
    NONE,
    PLAYING,
)
from simlab.jit import inner

N_PHASES = 3
MISSIONS_PHASE = 4  # Confrontation: after all third phases


@inner
def apply_choice(public, own, hidden, log, rules, pack, board, code):
    """Perform one legal choice and advance to the next decision or the end of the game."""
    seat = active_seat(public)
    public.decisions += 1
    log.game_hash = chance.draw(log.game_hash, chance.GAME, code, 0)
    kind = kind_of(code)
    in_drone = drone_is_acting(public)
    answers_drone = asked(public) == ASK_DRONE or asked(public) == ASK_FLY
    if kind == PLAY or kind == BUY or kind == LAY_CANDY:
        perform_card(public, own, hidden, log, rules, pack, seat, code)
    elif answers_drone:
        perform_drone(public, own, hidden, log, rules, pack, board, seat, code)
    elif kind == END_CARD or kind == END_PHASE or kind == SKIP:
        close(public, rules, pack, seat, code)
    elif is_occasional(kind):
        perform_occasional(public, own, log, rules, pack, board, seat, code)
    else:
        perform_icon(public, own, hidden, log, rules, pack, board, seat, code)
    renew_after(public, rules, board, seat, code, in_drone)
    if kind == END_PHASE:
        end_phase(public, own, log, rules, pack, board, seat)
    elif kind == MISSION or kind == PASS:
        after_mission(public, log, rules, seat)
    advance(public, own, hidden, log, rules, pack, board)


@inner
def renew_after(public, rules, board, seat, code, in_drone):
    """CORE-024, CORE-026: Majority, control and cubes after an action, never inside one.

    A Drone's action goes on while it is asked. Only the Regions whose values the action can change are
    looked at; where those may lie anywhere (constructions, Drones), all are.
    """
    if drone_is_acting(public):
        return
    kind = kind_of(code)
    changed = True
    if kind == MOVING:
        changed = renew_region(public, rules, board, a_of(code))
        changed = renew_region(public, rules, board, b_of(code)) or changed
    elif kind == KILLING:
        changed = renew_region(public, rules, board, a_of(code))
    elif kind == DEPLOYMENT:
        changed = renew_region(public, rules, board, a_of(code))
        if b_of(code) > 0:
            changed = renew_region(public, rules, board, b_of(code) - 1) or changed
    elif kind == CONSTRUCT and not changes_values(public, seat):
        changed = False
    elif in_drone or kind == CONSTRUCT or kind == DEPLOY or kind == ACTIVATE:
        renew_all(public, rules, board)
    else:
        changed = False
    if changed:  # else the cubes lie right as they are
        settle_cubes(public, rules, board)


@inner
def drone_is_acting(public):
    """CORE-026: whether a Drone's action is under way, a discard that it brought about included."""
    for i in range(int(public.n_frames)):
        ask = public.frame[i, 0]
        if ask == ASK_DRONE or ask == ASK_FLY or (ask == ASK_DISCARD and public.frame[i, 3] == 1):
            return True
    return False


@inner
def is_occasional(kind):
    """Whether a choice answers a question asked once a game, a Turn or a collection."""
    return kind in (DEPLOY, COMMIT, COLOUR, FEAT, MISSION, PASS, DISCARD)


@inner
def perform_occasional(public, own, log, rules, pack, board, seat, code):
    """CORE-018, CORE-034, CORE-043, CORE-131, CORE-132: deployment, Mission, discard, draft, commitment.

    Of a Mission passed (CORE-134) nothing is left to do.
    """
    kind, a, b = kind_of(code), a_of(code), b_of(code)
    pop(public)
    if kind == DEPLOY:
        deploy(public, rules, board, seat, a, b)
    elif kind == MISSION:
        complete_mission(public, log, rules, pack, board, seat, a, b)
    elif kind == DISCARD:
        discard_resource(public, log, seat, a)
    elif kind == COLOUR:
        name_colour(public, own, seat, a)
        push(public, ASK_FEAT, seat, a, 0, 0)
    elif kind == FEAT:
        take_feat(own, log, seat, a)
        public.draft_step += 1
    elif kind == COMMIT:
        commit(own, seat, a, b, c_of(code))


@inner
def close(public, rules, pack, seat, code):
    """CORE-032, CORE-054, CORE-082, CORE-107: end a card (waiving what is pending), a phase or an action."""
    kind = kind_of(code)
    if kind == SKIP:
        spend(public, code)
        return
    if kind == END_CARD:
        play = frame_field(public, 2)
        empty_bag(public)
        if play != NONE:
            sky_boots(public, rules, pack, seat, play)
    pop(public)


@inner
def deploy(public, rules, board, seat, leader_region, odd_region):
    """CORE-018: the Units split as evenly as possible over the Regions with a Neutral Refuge."""
    units = starting_units(public, rules, seat)
    regions = int(board.n_refuge_regions)
    public.leader[seat] = leader_region
    public.reserve[seat] -= units - 1
    for i in range(regions):
        region = int(board.refuge_regions[i])
        here = units // regions
        if regions > 1 and region == odd_region:
            here += units % regions
        if region == leader_region:
            here -= 1
        public.scrappers[seat, region] += here


@inner
def commit(own, seat, first, second, third):
    """CORE-132: cards put down hidden; each number is card + 1, 0 = none."""
    size = 0
    for number in (first, second, third):
        if number > 0:
            own[seat].committed[size] = number - 1
            size += 1
    own[seat].n_committed = size


@inner
def advance(public, own, hidden, log, rules, pack, board):
    """Go on until someone is asked something or the game is over."""
    while public.ending == PLAYING:
        if public.decisions >= rules.decision_cap:
            public.ending = DECISION_CAP
        elif public.n_frames == 0:
            next_step(public, hidden, log, rules, pack)
        elif asked(public) == ASK_CARD and cards_are_played(public, rules):
            # CORE-030: an empty hand ends the card plays as well
            seat = active_seat(public)
            pop(public)
            if public.extra_moves > 0 or bot_may_bring_a_card(public, rules, seat):
                push(public, ASK_END, seat, 0, 0, 0)
            else:
                end_phase(public, own, log, rules, pack, board, seat)
        elif asked(public) == ASK_END and not cards_are_played(public, rules):
            # CORE-044: the card that Delivery Bot brought can be played
            seat = active_seat(public)
            pop(public)
            push(public, ASK_CARD, seat, 0, 0, 0)
        else:
            return


@inner
def cards_are_played(public, rules):
    """CORE-030, CORE-132: no card must or can be played any more in this phase."""
    if public.cards_left == 0:
        return True
    return rules.planning == 0 and hand_size(public, active_seat(public)) == 0


@inner
def bot_may_bring_a_card(public, rules, seat):
    """CORE-030, CORE-114: cards are still due, the hand is empty, and Delivery Bot hasn't been used."""
    if public.cards_left == 0 or rules.planning != 0 or public.bot_used != 0:
        return False
    return has_feat(public, seat, DELIVERY_BOT)


@inner
def next_step(public, hidden, log, rules, pack):
    """CORE-030, CORE-131, CORE-133: with nothing asked: the draft, the next player, phase or Turn."""
    if public.phase == 0:
        if not draft_is_over(public, rules):
            push(public, ASK_COLOUR, draft_seat(public, int(public.draft_step)), 0, 0, 0)
        else:
            begin_phase(public, log, rules)
        return
    public.place += 1
    if public.place < public.n_seats:
        begin_own_phase(public, log, rules)
    elif public.phase < N_PHASES or (public.phase == N_PHASES and rules.confrontation != 0):
        begin_phase(public, log, rules)
    else:
        end_turn(public, hidden, log, rules, pack)


@inner
def begin_phase(public, log, rules):
    """CORE-030, CORE-132: the next phase of the Turn, from the first player on."""
    public.phase += 1
    public.place = 0
    begin_own_phase(public, log, rules)
    if rules.planning == 0 or public.phase == MISSIONS_PHASE:
        return
    for place in range(int(public.n_seats) - 1, -1, -1):
        seat = int(public.priority[place])
        if hand_size(public, seat) > 0:
            push(public, ASK_COMMIT, seat, 0, 0, 0)


@inner
def begin_own_phase(public, log, rules):
    """CORE-018, CORE-030: a player's phase; in the very first one the starting Units come first."""
    seat = int(public.priority[public.place])
    if public.phase == MISSIONS_PHASE:
        come_to_mission(public, log, rules, seat)
        return
    public.fresh[0] = NONE
    public.fresh[1] = NONE
    public.bought = 0
    public.bot_used = 0
    public.swap_used = 0
    public.seeker_used = 0
    public.boots_used = 0
    public.engineer_used = 0
    public.extra_moves = 0
    public.cards_left = rules.cards_per_phase
    if rules.planning != 0:
        public.cards_left = min(int(rules.cards_per_phase), hand_size(public, seat))
    push(public, ASK_CARD, seat, 0, 0, 0)
    if public.turn == 1 and public.phase == 1 and public.leader[seat] == NONE:
        push(public, ASK_DEPLOY, seat, 0, 0, 0)


@inner
def end_phase(public, own, log, rules, pack, board, seat):
    """CORE-033, CORE-034, CORE-054: the end of an own Action Phase; unused extra Moves lapse before."""
    public.extra_moves = 0
    public.cards_left = 0
    if public.phase == 2:
        unlock_feats(public, own, log, rules, board, seat)
    elif public.phase == N_PHASES and rules.confrontation == 0:
        come_to_mission(public, log, rules, seat)


@inner
def come_to_mission(public, log, rules, seat):
    """CORE-034: a Mission, while a column without an own token is left."""
    if has_mission_left(public, rules, seat):
        push(public, ASK_MISSION, seat, 0, 0, 0)
    else:
        after_mission(public, log, rules, seat)


@inner
def after_mission(public, log, rules, seat):
    """CORE-038: in the last Turn the final count follows the player's own Mission."""
    if public.turn == rules.turns:
        note_standing(public, log, seat)
        final_count(public, log, rules, seat)


@inner
def note_standing(public, log, seat):
    """What a seat has after a Turn, before the final count."""
    turn = int(public.turn) - 1
    log.turn_supplies[turn, seat] = public.supplies[seat]
    log.turn_outposts[turn, seat] = cubes_held(public, seat)


@inner
def end_turn(public, hidden, log, rules, pack):
    """CORE-030, CORE-035, CORE-036, CORE-038: Clean-up and Priority, or after the last Turn the end."""
    turn = int(public.turn) - 1
    log.turn_hash[turn] = log.game_hash
    for region in range(public.resources.shape[0]):
        log.turn_resources[turn] += int(public.resources[region])
        holder = int(public.holder[region])
        if holder != NONE:
            log.held[holder, region] += 1
    for place in range(int(public.n_seats)):
        seat = int(public.priority[place])
        log.turn_place[turn, seat] = place
        if public.turn != rules.turns:
            note_standing(public, log, seat)
    if public.turn == rules.turns:
        end_game(public, log, pack)
        return
    clean_up(public, hidden, pack)
    new_priority(public)
    public.turn += 1
    public.phase = 0


@inner
def clean_up(public, hidden, pack):
    """CORE-035: face-down cards to the Recycle Bin, face-up ones to hand, Candy Boosts on cards back."""
    for card in range(int(pack.n_cards)):
        if public.card_place[card] == FACE_DOWN:
            public.card_place[card] = BIN
        elif public.card_place[card] == FACE_UP:
            public.card_place[card] = HAND
    for seat in range(int(public.n_seats)):
        public.n_plays[seat] = 0
        for play in range(MAX_PLAYS):
            public.play[seat, play] = NONE
            for i in range(public.copied.shape[2]):
                public.copied[seat, play, i] = NONE
    return_candy(public, hidden, pack)


@inner
def new_priority(public):
    """CORE-036, CORE-037: ascending Supplies; of tied players the one who played earlier plays later.

    An insertion sort from the last player to the first keeps that reversed order among equals.
    """
    size = int(public.n_seats)
    for i in range(size // 2):
        public.priority[i], public.priority[size - 1 - i] = public.priority[size - 1 - i], public.priority[i]
    for i in range(1, size):
        seat = int(public.priority[i])
        j = i
        while j > 0 and public.supplies[int(public.priority[j - 1])] > public.supplies[seat]:
            public.priority[j] = public.priority[j - 1]
            j -= 1
        public.priority[j] = seat
