"""What a shell offers for a word that is being written: names that are there.

Where nothing fits, a shell offers its own files. Nobody can be told what goes wrong meanwhile, so whatever
others have plugged in isn't loaded: names are enough.
"""

from __future__ import annotations

from collections.abc import Iterable


def games(incomplete: str) -> list[str]:
    """Names of games."""
    from simlab import catalog

    return _fitting(incomplete, catalog.games())


def strategies(incomplete: str) -> list[str]:
    """Names of strategies of all games; families end with a colon, behind which a number goes."""
    from simlab import catalog

    return _fitting(
        incomplete,
        (
            name
            for game in catalog.games()
            for name in [*catalog.strategies(game), *(f"{family}:" for family in catalog.families(game))]
        ),
    )


def opponents(incomplete: str) -> list[str]:
    """Names of strategies behind a comma too."""
    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in strategies(last)]


def factions(incomplete: str) -> list[str]:
    """Factions of all games."""
    from simlab import catalog

    return _fitting(incomplete, (word for name in catalog.games() for word in catalog.game(name).factions))


def packs(incomplete: str) -> list[str]:
    """Packs that come with the games."""
    from simlab import catalog

    folders = (catalog.game(name).packs for name in catalog.games())
    return _fitting(
        incomplete, (path.parent.name for folder in folders for path in folder.glob("*/pack.toml"))
    )


def sections(incomplete: str) -> list[str]:
    """Sections of a report."""
    from reports.dei.contents import SECTIONS
    from simlab import catalog

    return _fitting(incomplete, [*SECTIONS, *catalog.section_names("dei")])


def runs(incomplete: str) -> list[str]:
    """Folders of runs where they go if nobody says."""
    from simlab.plan import RUNS

    return _fitting(incomplete, (str(path.parent) for path in RUNS.glob("*/manifest.json")))


def _fitting(incomplete: str, names: Iterable[str]) -> list[str]:
    return sorted(name for name in names if name.startswith(incomplete))
