"""Every page of the documentation is in its index, and every link leads somewhere."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest
from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from markdown_it.token import Token

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
INDEX = DOCS / "README.md"
PAGES = sorted(
    [*ROOT.glob("*.md"), *DOCS.rglob("*.md"), ROOT / "benchmarks/README.md", ROOT / "tests/inputs/README.md"]
)


def parsed(page: Path) -> list[Token]:
    return MarkdownIt("commonmark", {"html": True}).enable("table").parse(page.read_text(encoding="utf-8"))


def links(page: Path) -> list[str]:
    """Where the links and pictures of a page lead, inside the repository."""
    inline = [child for token in parsed(page) for child in token.children or []]
    found = [str(token.attrs.get("href") or token.attrs.get("src") or "") for token in inline]
    return [link for link in found if link and not re.match(r"[a-z][a-z0-9+.-]*:", link)]


@cache
def anchors(page: Path) -> frozenset[str]:
    """The names that a repository's web page gives to headings."""
    found: set[str] = set()
    tokens = parsed(page)
    for opening, content in pairwise(tokens):
        if opening.type == "heading_open":
            text = "".join(child.content for child in content.children or [])
            name = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
            repeated = sum(1 for other in found if re.fullmatch(rf"{re.escape(name)}(-\d+)?", other))
            found.add(f"{name}-{repeated}" if name in found else name)
    return frozenset(found)


def faults(page: Path, root: Path = ROOT) -> list[str]:
    """The links of a page that lead nowhere in the repository."""
    found = []
    for link in links(page):
        path, _, anchor = unquote(link).partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or not target.is_relative_to(root):
            found.append(f"{link}: there is no such file")
        elif anchor and anchor not in anchors(target):
            found.append(f"{link}: the page has no such heading")
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    assert faults(page) == []


def test_every_page_is_in_the_index_once() -> None:
    listed = [(DOCS / link).resolve() for link in links(INDEX)]
    assert sorted(listed) == sorted(set(DOCS.rglob("*.md")) - {INDEX})


def test_the_readme_leads_to_the_index() -> None:
    assert "docs/README.md" in links(ROOT / "README.md")


def test_a_link_that_leads_nowhere_is_found(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    page = root / "page.md"
    page.write_text(
        "# A `heading`, twice\n\n## A heading, twice\n\n"
        "[a](#a-heading-twice) [b](#a-heading-twice-1) [c](page.md#none)\n"
        "[d](missing.md) ![e](missing.png) [f](https://example.org/none) [g](../outside.md)\n",
        encoding="utf-8",
    )
    (tmp_path / "outside.md").write_text("", encoding="utf-8")
    found = [fault.partition(":")[0] for fault in faults(page, root)]
    assert found == ["page.md#none", "missing.md", "missing.png", "../outside.md"]
