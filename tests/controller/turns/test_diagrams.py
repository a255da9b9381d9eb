"""docs/machines.md is drawn from the tables, and is as they are now."""

import re
from pathlib import Path

import pytest

from controller.cli.docs import pages, write
from controller.turns.diagrams import mermaid, page
from controller.turns.phases import ANY_GAME, TABLES, News, Phase, Row

PAGE = Path(__file__).parents[3] / "docs" / "machines.md"


def test_the_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "the tables have changed: run `make docs`"


@pytest.mark.parametrize("name", pages())
def test_every_drawn_file_is_current(name: str) -> None:
    assert (PAGE.parent / name).read_text(encoding="utf-8") == pages()[name], "the code has changed: run `make docs`"


@pytest.mark.parametrize("table", [*TABLES.values(), ANY_GAME], ids=[*TABLES, "any game"])
def test_the_diagram_has_every_arrow_once(table: tuple[Row, ...]) -> None:
    drawn = [
        (match[1], match[2], news)
        for line in mermaid(table).splitlines()
        if (match := re.fullmatch(r"    (\w+) --> (\w+): (.+)", line))
        for news in match[3].split(", ")
    ]
    wanted = {(source.value, row.target.value, row.news.value) for row in table for source in row.sources}
    assert set(drawn) == wanted
    assert len(drawn) == len(wanted)


def test_make_docs_writes_the_page_and_then_leaves_it_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path)
    assert (tmp_path / "machines.md").read_text(encoding="utf-8") == page()
    assert f"wrote {tmp_path / 'machines.md'}\n" in capsys.readouterr().out
    write(tmp_path)
    assert capsys.readouterr().out == ""


def test_a_small_table_word_by_word() -> None:
    table = (
        Row(News.ARRANGED, (Phase.SETUP,), Phase.WAITING),
        Row(News.TOUCHED, (Phase.WAITING, Phase.ASKING), Phase.HANDLING),
        Row(News.MENDED, (Phase.WAITING,), Phase.HANDLING),
    )
    assert mermaid(table).splitlines() == [
        "stateDiagram-v2",
        "    [*] --> setup",
        "    setup --> waiting: arranged",
        "    waiting --> handling: touched, mended",
        "    asking --> handling: touched",
        "    over --> [*]",
    ]


def test_the_page_names_every_phase_and_all_that_it_hears() -> None:
    for phase in Phase:
        heard = [news.value for news in News if any(row.news is news and phase in row.sources for row in ANY_GAME)]
        assert f"| {phase.value} | {', '.join(heard)} |" in page()
