"""The icons on the fronts of cards, and how a pack writes them."""

from dataclasses import dataclass, replace

from .words import GAINS


@dataclass(frozen=True)
class Icon:
    """One icon: an action, in a plain or an advanced form, once or once per controlled Outpost."""

    # move, collect, enlist, build, technology, energy, supplies, kill, copy, candy, drone or extra move
    action: str
    form: str = ""  # tactic, logistic or machinery: the advanced forms (CORE-064 … CORE-066)
    construction: str = ""  # refuge, elevator, bridge or any
    amount: int = 1  # of a gain
    per: str = ""  # a colour, or any (CORE-063)
    drone: str = ""  # a Drone's name, or any (CORE-070)
    bonus: int = 0  # Regions that the card adds to the Drone's movement

    @property
    def is_gain(self) -> bool:
        """CORE-061 Whether it gains Supplies, Technology or Energy Cells."""
        return self.action in GAINS

    @property
    def once(self) -> "Icon":
        """CORE-063 The action itself, once, of an action per Outpost."""
        return replace(self, per="")

    def words(self) -> str:
        """The words with which a choice that spends this icon begins."""
        return f"{self.form} {self.action}".strip()

    def name(self) -> str:
        """The icon as `skip` and `declare` name it, without amounts."""
        if self.action == "build":
            return "any build" if self.construction == "any" else f"build {self.construction}"
        return self.words()


EXTRA_MOVE = Icon("extra move")  # CORE-055: what Feats give, printed on no card
COLLECT = Icon("collect")


def read_icons(text: str) -> tuple[Icon, ...]:
    """The icons of a card: `move*2` is two of them, `technology*2` one that gains two."""
    icons: list[Icon] = []
    for word in text.split():
        icon, count = _read_icon(word)
        if icon.is_gain:
            icons.append(replace(icon, amount=count))
        else:
            icons.extend([icon] * count)
    return tuple(icons)


def _read_icon(word: str) -> tuple[Icon, int]:
    per, count, bonus, form, detail = "", 1, 0, "", ""
    if "*" in word:
        before, _, behind = word.partition("*")
        number, slash, outposts = behind.partition("/")
        count, word = int(number), before + slash + outposts
    if "/" in word:
        word, _, per = word.partition("/")
        per = "any" if per == "outpost" else per
    if "+" in word:
        word, _, more = word.partition("+")
        bonus = int(more)
    if "@" in word:
        word, _, form = word.partition("@")
    if ":" in word:
        word, _, detail = word.partition(":")
    construction = detail if word == "build" else ""
    drone = detail if word == "drone" else ""
    return Icon(word, form=form, construction=construction, per=per, drone=drone, bonus=bonus), count
