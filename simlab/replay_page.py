"""`simlab replay --html`: a game as one page that needs nothing else, with a slider through its choices.

The page holds the final position and a table of all choices, which can be read without its script. The
script puts any other position there: each part of the game's scene comes with the steps at which its
markup changes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reports.figures.ink import DARK, LIGHT, css
from simlab.chronicle import Step
from simlab.failures import ORDINALS
from simlab.match import Failure
from simlab.replay import Replay, seat_names, seat_titles
from simlab.story import Facts, Line
from simlab.wording import place

_PART = re.compile(r'<[^>]* data-part="([^"]+)"[^>]*>')
_CHART = (600, 90)  # width and height of the line of scores


@dataclass
class Timeline:
    """What stands in each part of a scene, step by step: only changes are kept."""

    changes: dict[str, tuple[list[int], list[str]]] = field(default_factory=dict)

    def note(self, step: int, parts: Mapping[str, str]) -> None:
        """The parts after a step."""
        for name, markup in parts.items():
            steps, texts = self.changes.setdefault(name, ([], []))
            if not texts or texts[-1] != markup:
                steps.append(step)
                texts.append(markup)


class ReplayPage:
    """A page of a replay; `text` plays it."""

    def __init__(self, replay: Replay) -> None:
        self._replay = replay
        self._names = seat_names(replay)
        self._titles = seat_titles(replay)
        self._dealt = replay.teller.dealt()
        self._steps: list[Step] = []

    def text(self) -> str:
        """Play the game; the page as HTML."""
        teller = self._replay.teller
        failure = self._replay.play(self._steps.append)
        positions: list[Facts] = [self._replay.start, *(step.facts for step in self._steps)]
        timeline, scores = Timeline(), [teller.scores(facts) for facts in positions]
        for number, facts in enumerate(positions):
            timeline.note(number, teller.parts(facts))
        played = self._replay.played
        page = _environment().get_template("replay.html.j2")
        text: str = page.render(
            title=f"{played.plan.experiment.game.title}, game {played.number}",
            facts=self._facts(),
            seats=self._seats(),
            moments=self._moments(),
            last=len(self._steps),
            rows=[self._row(step) for step in self._steps],
            scene=_filled(teller.scene(), teller.parts(positions[-1])),
            chart=_chart(scores),
            timeline=_json(timeline.changes),
            result=self._result(failure),
            light=css(LIGHT),
            dark=css(DARK),
        )
        return text

    def _facts(self) -> list[tuple[str, str]]:
        played = self._replay.played
        made = played.plan.experiment
        return [
            ("From", place(played.source)),
            (
                "Seed",
                f"{made.seed}, block {int(played.row['block'])}, rotation {int(played.row['rotation'])}",
            ),
            *([("Arm", played.arm)] if played.arm else []),
            ("Pack", played.settings.pack.name),
            ("Signature", played.plan.signature),
            ("As recorded", f"every Turn’s choices and the result (game_hash {played.record.game_hash})"),
            (
                "Hidden",
                "In play nobody saw others’ face-down Feats, kinds of Candy Boosts or what lies in decks.",
            ),
        ]

    def _seats(self) -> list[dict[str, str]]:
        rows = zip(self._titles, self._replay.played.strategies, self._dealt, strict=True)
        return [
            {"seat": ORDINALS[seat], "faction": title, "strategy": strategy.name, "dealt": dealt}
            for seat, (title, strategy, dealt) in enumerate(rows)
        ]

    def _moments(self) -> list[tuple[int, str]]:
        """The first step of each phase."""
        found: dict[str, int] = {}
        for step in self._steps:
            found.setdefault(step.moment.words, step.number)
        return [(number, words) for words, number in found.items()]

    def _row(self, step: Step) -> dict[str, Any]:
        own = [event.told(self._names, step.seat) for event in step.events if not event.under]
        under = dict.fromkeys(event.under for event in step.events if event.under)
        for heading in under:
            told = "; ".join(event.told(self._names) for event in step.events if event.under == heading)
            own.append(f"{heading}: {told}")
        return {
            "number": step.number,
            "moment": step.moment.words,
            "who": self._titles[step.seat],
            "sentence": step.words.sentence,
            "note": step.words.note,
            "told": "; ".join(own),
        }

    def _result(self, failure: Failure | None) -> str:
        record = self._replay.played.record
        if failure is not None:
            strategy = self._replay.played.strategies[failure.seat].name
            return f"{strategy} ended the game at decision {failure.decision}: {record.ending}"
        if record.ending != "finished":
            return f"The game ended irregularly: {record.ending}"
        return "\n".join(map(_plain, self._replay.teller.result(self._steps[-1].facts)))


def _filled(scene: str, parts: Mapping[str, str]) -> str:
    """A scene with what stands in its parts."""
    return _PART.sub(lambda found: found[0] + parts[found[1]], scene)


def _plain(line: Line) -> str:
    return "".join(text for text, _ in line).rstrip()


def _environment() -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("simlab", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _json(value: Any) -> str:
    """Data that can stand in a script element, whatever its texts hold."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _chart(scores: Sequence[Sequence[int]]) -> dict[str, Any]:
    """Each seat's score after each step, as points of a line."""
    width, height = _CHART
    most, steps = max(1, *(max(row) for row in scores)), max(1, len(scores) - 1)
    lines = []
    for seat in range(len(scores[0])):
        points = [f"0,{_height(scores[0][seat], most)}"]
        for number in range(1, len(scores)):
            x = round(number * width / steps, 1)
            if scores[number][seat] != scores[number - 1][seat]:
                points += [f"{x:g},{_height(scores[number - 1][seat], most)}"]
                points += [f"{x:g},{_height(scores[number][seat], most)}"]
        lines.append(" ".join([*points, f"{width},{_height(scores[-1][seat], most)}"]))
    return {"width": width, "height": height, "most": most, "lines": lines, "last": scores[-1]}


def _height(score: int, most: int) -> str:
    return f"{round(_CHART[1] * (1 - score / most), 1):g}"
