"""Colours by role, and what turns matplotlib's SVG into one that fits a page.

Colours are drawn as stand-ins and then replaced by CSS variables, so that one picture serves light, dark and
paper. The series are those of Okabe and Ito (2008), "Color universal design": told apart by people with any
kind of colour vision.
"""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

INK, MUTED, LINE, BAND, ACCENT, PAPER = "#010101", "#010102", "#010103", "#010104", "#010105", "#010106"
HIGH, LOW = "#010107", "#010108"  # above and below the centre of a heat table
SERIES = tuple(f"#01011{k}" for k in range(8))
ON_SERIES = ("#ffffff", *["#111111"] * 2, "#ffffff", *["#111111"] * 4)  # text on each

ROLES = {
    INK: "ink",
    MUTED: "muted",
    LINE: "line",
    BAND: "band",
    ACCENT: "accent",
    PAPER: "paper",
    HIGH: "high",
    LOW: "low",
    **{stand_in: f"s{k}" for k, stand_in in enumerate(SERIES)},
}
LIGHT = {
    "ink": "#1c2127",
    "muted": "#5b6570",
    "line": "#dfe3e8",
    "band": "#e9eef3",
    "accent": "#0072b2",
    "paper": "#ffffff",
    "high": "#d55e00",
    "low": "#0072b2",
    "out": "#b04a00",
    "in": "#00734f",
    "s0": "#0072b2",
    "s1": "#e69f00",
    "s2": "#009e73",
    "s3": "#d55e00",
    "s4": "#cc79a7",
    "s5": "#56b4e9",
    "s6": "#b8a900",
    "s7": "#7f8a95",
}
DARK = {
    **LIGHT,
    "ink": "#e8ebee",
    "muted": "#a3adb8",
    "line": "#343b43",
    "band": "#2a3138",
    "accent": "#56b4e9",
    "paper": "#15191d",
    "high": "#f08a3c",
    "out": "#f08a3c",
    "in": "#3ccf9f",
    "low": "#56b4e9",
    "s0": "#3d9fdb",
    "s3": "#f0783c",
    "s6": "#f0e442",
}
LABEL = "label"  # how the gid of a text begins that may lie on other marks
HALO = f".{LABEL} text{{paint-order:stroke;stroke:var(--paper);stroke-width:3px;stroke-linejoin:round}}"
SVG = "http://www.w3.org/2000/svg"
XLINK = "{http://www.w3.org/1999/xlink}href"
STYLE: Any = {  # settings of matplotlib
    "svg.fonttype": "none",  # text stays text: small, searched and read aloud
    "svg.hashsalt": "simlab",
    "font.size": 10.5,
    "text.color": INK,
    "axes.edgecolor": LINE,
    "axes.labelcolor": MUTED,
    "axes.labelsize": 9.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.axisbelow": True,
    "xtick.color": LINE,
    "xtick.labelcolor": MUTED,
    "xtick.labelsize": 9.5,
    "ytick.color": LINE,
    "ytick.labelcolor": INK,
    "ytick.labelsize": 10.5,
    "ytick.major.size": 0,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "path.simplify": False,
}

ET.register_namespace("", SVG)
ET.register_namespace("xlink", "http://www.w3.org/1999/xlink")


def css(colours: dict[str, str]) -> str:
    """Colours as CSS variables."""
    return "".join(f"--{name}:{value};" for name, value in colours.items())


def finished(drawn: Figure, name: str, tips: Sequence[str], alt: str) -> str:
    """The picture as SVG for a page: alt text, a tip on whatever bears the gid `tip-…`, ids of its own."""
    buffer = io.BytesIO()
    drawn.savefig(
        buffer, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None}
    )
    root = ET.fromstring(buffer.getvalue())
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in {f"{{{SVG}}}metadata", f"{{{SVG}}}style"}:
                parent.remove(child)
    _name_apart(root, name, tips)
    _, _, width, height = root.attrib.pop("viewBox").split()
    for key in ("width", "height", "version"):
        root.attrib.pop(key, None)
    root.attrib |= {
        "viewBox": f"0 0 {width} {height}",
        "width": f"{float(width):.0f}",
        "height": f"{float(height):.0f}",
        "role": "img",
        "aria-label": alt,
        "stroke-linejoin": "round",
        "stroke-linecap": "butt",
    }
    text = ET.tostring(root, encoding="unicode")
    for stand_in, role in ROLES.items():
        text = text.replace(stand_in, f"var(--{role})")
    text = re.sub(r"font: ([\d.]+)px [^;\"]*", r"font-size: \1px", text)
    return re.sub(r"\n\s*", "\n", text).strip() + "\n"


def _name_apart(root: ET.Element, name: str, tips: Sequence[str]) -> None:
    """Ids that something refers to get the figure's name; the others go, but for those of tips."""
    text = ET.tostring(root, encoding="unicode")
    used = set(re.findall(r"url\(#([^)]+)\)", text)) | set(re.findall(r'href="#([^"]+)"', text))
    for element in root.iter():
        given = element.attrib.pop("id", "")
        if given in used:
            element.set("id", f"{name}-{given}")
        elif given.startswith("tip-"):
            title = ET.Element(f"{{{SVG}}}title")
            title.text = tips[int(given.removeprefix("tip-"))]
            element.insert(0, title)
        elif given.startswith(LABEL):
            element.set("class", LABEL)
        for key in ("clip-path", XLINK):
            if key in element.attrib:
                element.set(key, element.attrib[key].replace("#", f"#{name}-"))


def alone(svg: str) -> str:
    """The picture as a file of its own, with its colours and font."""
    style = (
        f"<style>svg{{{css(LIGHT)}font-family:system-ui,sans-serif}}{HALO}"
        f"@media (prefers-color-scheme:dark){{svg{{{css(DARK)}}}}}</style>"
    )
    head, sign, rest = svg.partition(">")
    return f"{head}{sign}\n{style}{rest}"
