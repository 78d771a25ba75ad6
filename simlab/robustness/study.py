"""All that is asked of unknown data in one go: packs drawn, played and judged, then screened if wanted."""

from __future__ import annotations

from collections.abc import Callable

from simlab import results
from simlab.robustness.as_json import as_json
from simlab.robustness.morris import imported
from simlab.robustness.question import Asked
from simlab.robustness.robustness import Playing, Robustness, held, play, sampled_packs
from simlab.robustness.screen import Screen, Screening

JSON = "robust.json"
LEAST_DRAWN = 12  # packs that say what an assumed value may be


def study(
    asked: Asked, playing: Playing, screen: int | None, say: Callable[[str], None]
) -> tuple[Robustness, Screen | None]:
    """Play what is missing, and write `robust.json` into the folder of the question.

    `screen`: trajectories of the screening, None for none; `say` hears what a screening costs before it is
    played. Raises UsageError for what can't be asked, RunError for what fails.
    """
    if screen is not None:
        imported()  # rather than after all that is played before
    with held(asked.folder):
        sampled = sampled_packs(asked, playing, max(asked.packs, 0 if screen is None else LEAST_DRAWN))
        found = play(asked, playing, sampled[: asked.packs])
        screened = None if screen is None else Screening(asked, playing, screen, say).run(sampled)
        results.write_whole(asked.folder / JSON, as_json(found, screened).encode())
    return found, screened
