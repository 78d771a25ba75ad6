"""One report as HTML, Markdown, JSON, SVG and CSV: the same numbers, whole and on its own."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

import reports
from reports import guide
from reports.document import Table
from reports.html import Explained
from reports.numbers import texts

VOID = {"meta", "link", "br", "img", "hr"}


class Page(HTMLParser):
    """What a test asks of a page; an element that isn't closed in order is an error."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tables: list[list[list[str]]] = []
        self.labels: list[str] = []
        self.loads: list[str] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.open += [] if tag in VOID else [tag]
        self.ids += [str(given["id"])] if "id" in given else []
        self.links += [str(given["href"])] if tag == "a" else []
        self.loads += [str(given[key]) for key in ("src", "xlink:href") if key in given]
        self.loads += [str(given["href"])] if tag in {"link", "use", "image"} and "href" in given else []
        if tag == "svg":
            self.labels.append(str(given.get("aria-label", "")))
        if tag == "table":
            self.tables.append([])
        if tag == "tr":
            self.tables[-1].append([])
        if tag in {"td", "th"}:
            self.tables[-1][-1].append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in {"td", "th"}:
            self.tables[-1][-1][-1] += data


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory, written: Callable[..., Path]) -> Path:
    folder = tmp_path_factory.mktemp("reports")
    run = written(
        folder / "run", blocks=150, players=(3, 4), strategies=("dei/greedy", "dei/uniform"), full=True
    )
    reports.write(run, folder / "out")
    return folder


@pytest.fixture(scope="module")
def out(report: Path) -> Path:
    return report / "out"


@pytest.fixture(scope="module")
def page(out: Path) -> Page:
    return Page((out / "report.html").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def data(out: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((out / "report.json").read_text(encoding="utf-8"))
    return found


def json_tables(data: dict[str, Any]) -> list[list[list[str]]]:
    return [
        [
            [column["title"] for column in part["columns"]],
            *([cell["text"] for cell in row] for row in part["rows"]),
        ]
        for section in data["sections"]
        for part in section["parts"]
        if "table" in part
    ]


def markdown_tables(text: str) -> list[list[list[str]]]:
    found = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
    rows = [
        [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in table.splitlines()]
        for table in found
    ]
    return [[head, *body] for head, _, *body in rows]


def test_html_markdown_and_json_show_the_same_tables(out: Path, page: Page, data: dict[str, Any]) -> None:
    in_json = json_tables(data)
    assert len(in_json) > 25
    assert markdown_tables((out / "report.md").read_text(encoding="utf-8")) == in_json
    shown = page.tables[: len(in_json) - 1]  # then come those of the guide
    assert shown == in_json[1:]  # the first is a list of facts there


def test_the_files_are_written_though_nobody_reads_on(make_run: Callable[..., Path]) -> None:
    """A report into `head`: rich ends the program at the first line that nobody takes."""
    run = make_run()
    command = f"{sys.executable} -m simlab.cli report '{run}' --section faction 2>&1 | head -n 1"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "COLUMNS": "20"}
    subprocess.run(["sh", "-c", command], env=environment, stdout=subprocess.PIPE, check=True)
    assert (run / "report.html").is_file()


def test_html_and_json_say_the_same_sentences(out: Path, data: dict[str, Any]) -> None:
    shown = re.sub(r"<[^>]+>", "", (out / "report.html").read_text(encoding="utf-8"))
    for section in data["sections"]:
        for part in section["parts"]:
            if "text" in part and not re.search(r"[*`'\"&<]", part["text"]):
                assert part["text"] in shown


def test_numbers_in_json_are_those_of_their_texts(data: dict[str, Any]) -> None:
    cells = [
        (column["kind"], cell)
        for section in data["sections"]
        for part in section["parts"]
        if "table" in part
        for row in part["rows"]
        for column, cell in zip(part["columns"], row, strict=True)
    ]
    shares = [cell for kind, cell in cells if kind == "share" and cell["value"] is not None]
    assert len(shares) > 100
    for cell in shares:
        assert cell["low"] <= cell["value"] <= cell["high"]
        assert cell["blocks"] > 0
        said = cell["text"].split(" %")[0].replace("−", "-")  # a part of variance may come out below 0
        assert abs(float(said) - 100 * cell["value"]) <= 0.0501
    assert all(cell["text"] == "–" for _, cell in cells if "n" in cell and cell["n"] == 0)


def test_each_table_is_a_csv_with_plain_numbers(report: Path, out: Path) -> None:
    tables = {
        name: part
        for section in reports.compose(report / "run")
        for name, part in section.named()
        if isinstance(part, Table)
    }
    assert {path.stem for path in (out / "report/tables").iterdir()} == set(tables)
    for name, table in tables.items():
        with (out / f"report/tables/{name}.csv").open(encoding="utf-8", newline="") as file:
            head, *rows = csv.reader(file)
        assert len(rows) == len(table.rows)
        assert {len(row) for row in rows} == {len(head)}
        labels = texts(table)[0]
        assert [row[0] for row in rows] == labels
    with (out / "report/tables/faction-win-share-by-faction-4-players.csv").open(encoding="utf-8") as file:
        row = next(csv.DictReader(file))
    assert float(row["Win share low"]) < float(row["Win share"]) < float(row["Win share high"])
    assert row["Win share n"] == row["Games"] == "600"


def test_the_page_needs_nothing_else(out: Path, page: Page) -> None:
    text = (out / "report.html").read_text(encoding="utf-8")
    assert len(text.encode()) < 5_000_000
    assert all(load.startswith(("data:", "#")) for load in page.loads)
    assert not re.search(r"@import|url\((?!#)|https?://(?!www\.w3\.org/)", text)
    assert "nan" not in re.sub(r"<[^>]+>", " ", text).lower().split()


def test_links_lead_somewhere_and_ids_are_unique(page: Page) -> None:
    assert len(page.ids) == len(set(page.ids))
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)
    assert all(link.startswith("#") for link in page.links)


def test_every_figure_says_what_it_shows(out: Path, page: Page, data: dict[str, Any]) -> None:
    alts = [part["alt"] for section in data["sections"] for part in section["parts"] if "figure" in part]
    assert page.labels == alts
    assert len(alts) > 15
    assert all(re.search(r"\d", alt) for alt in alts)
    names = [part["figure"] for section in data["sections"] for part in section["parts"] if "figure" in part]
    markdown = (out / "report.md").read_text(encoding="utf-8")
    for name in names:
        assert f"(report/figures/{name}.svg)" in markdown
        root = ET.parse(out / f"report/figures/{name}.svg").getroot()
        assert root.get("role") == "img"
        assert "prefers-color-scheme:dark" in ET.tostring(root, encoding="unicode")
        assert "#0101" not in ET.tostring(root, encoding="unicode")  # every stand-in has its colour


def test_a_word_is_linked_where_it_is_first_used_and_only_there() -> None:
    explained = Explained()
    first = explained.text("The band and the **block**: `band`.")
    assert first.count("<a ") == 2
    assert "<code>band</code>" in first
    assert 'href="#word-block"' in first
    assert "<a " not in explained.text("A band again, two blocks.")


def test_a_longer_name_is_linked_before_a_word_in_it() -> None:
    text = Explained().text("The win share model gives a win share.")
    assert 'href="#word-win-share-model"' in text.split("win share model</a>")[0]
    assert text.count('href="#word-win-share"') == 1


def test_the_words_of_the_guide_are_explained(page: Page) -> None:
    words = guide.words()
    assert {"block", "win share", "band", "interval", "verdict", "seat", "association", "all at once"} <= set(
        words
    )
    assert all(len(word.says) > 30 and "**" not in word.says for word in words.values())
    assert {word.anchor for word in words.values()} <= set(page.ids)
    assert sum(link.startswith("#word-") for link in page.links) >= 10


def test_an_earlier_report_leaves_no_figures(report: Path, tmp_path: Path) -> None:
    reports.write(report / "run", tmp_path)
    kept = tmp_path / "report/figures/notes.txt"
    kept.write_text("mine", encoding="utf-8")
    reports.write(report / "run", tmp_path, ["seat"])
    names = [path.name for path in (tmp_path / "report/figures").iterdir() if path.suffix == ".svg"]
    assert names
    assert all(name.startswith("seat-") for name in names)
    assert kept.exists()
