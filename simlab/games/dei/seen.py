"""Facts as one seat may know them: what lies face down on the Pads of others has no name (CORE-016)."""

from __future__ import annotations

from simlab.games.dei import choices as ch
from simlab.story import Facts, Words

HIDDEN_FEAT = "hidden"
HIDDEN_CANDY = "of a hidden kind"
_SECRET = {ch.FEAT: "take a feat", ch.COMMIT: "commit cards"}  # what others aren't shown of a choice


def seen(facts: Facts, seat: int) -> Facts:
    """The facts of a position without what a seat can't know."""
    pads = [pad if owner == seat else _covered(pad) for owner, pad in enumerate(facts["pads"])]
    return {**facts, "pads": pads}


def _covered(pad: Facts) -> Facts:
    held = sum(pad["candy"].values())
    return {
        **pad,
        "feats_face_down": [HIDDEN_FEAT] * len(pad["feats_face_down"]),
        "candy": {HIDDEN_CANDY: held} if held else {},
    }


def covered_words(code: int, words: Words) -> Words:
    """A choice of another seat, which may be secret."""
    secret = _SECRET.get(ch.plain_kind(code))
    return words if secret is None else Words(secret)
