"""Every strategy that comes along plays every kind of game, and only by what it may."""

from __future__ import annotations

import pytest
from hypothesis import given

from simlab import catalog
from simlab.game import Settings
from simlab.games.dei import block
from simlab.games.dei.vocabulary import DECISION_CAP, ENDINGS, FINISHED
from simlab.strategy import Strategy
from tests.dei.drawn_games import Drawn, examples, games
from tests.dei.randomly import PACK, RULE_SETS
from tests.dei.test_contract import schedule_of

NAMES = [*catalog.strategies("dei"), *(f"{family}:4" for family in catalog.families("dei"))]
named = pytest.mark.parametrize("name", NAMES)


def spoilt(settings: Settings, schedule: object, strategies: list[Strategy]) -> list[str]:
    """How games ended that neither came to their end nor to the most decisions a game may have."""
    logs = block.play_logs(settings, schedule, strategies)
    return [ENDINGS[ending] for ending in logs["ending"].tolist() if ending not in {FINISHED, DECISION_CAP}]


@pytest.mark.compiled_only
@named
@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_plays_every_optional_rule_with_any_number_of_players(name: str, players: int) -> None:
    mine, uniform = (catalog.strategy(each, "dei") for each in (name, "dei/uniform"))
    schedule = schedule_of(players, 2 * players)
    for rules in RULE_SETS:
        settings = Settings(rules, {"layout": "random", "outposts": "advanced"}, {}, PACK)
        assert spoilt(settings, schedule, [mine, mine]) == []
        assert spoilt(settings, schedule, [mine, uniform]) == []


@pytest.mark.compiled_only
@named
def test_it_plays_any_rules_and_handicaps(name: str) -> None:
    strategy = catalog.strategy(name, "dei")

    @examples(compiled=60, plain=1)
    @given(games(shipped=True))
    def plays(drawn: Drawn) -> None:
        assert spoilt(drawn.settings(), drawn.row(), [strategy]) == []

    plays()
