"""The machines as Mermaid text, for `docs/machines.md`. Pure text from the tables."""

from collections.abc import Iterable

from controller.turns.phases import ANY_GAME, TABLES, News, Phase, Row

_HEADER = """# Turn machines

Generated from `controller/turns/phases.py` by `make docs`; a test compares. An arrow is labelled with the news that
leads from one phase to the next.
"""


def mermaid(table: Iterable[Row]) -> str:
    """Return a Mermaid state diagram: one arrow for each pair of phases, with all news that leads there."""
    arrows: dict[tuple[str, str], list[str]] = {}
    for row in table:
        for source in row.sources:
            arrows.setdefault((source.value, row.target.value), []).append(row.news.value)
    lines = [f"    {source} --> {target}: {', '.join(news)}" for (source, target), news in arrows.items()]
    return "\n".join(["stateDiagram-v2", "    [*] --> setup", *lines, "    over --> [*]"])


def page() -> str:
    """Return the whole of `docs/machines.md`."""
    parts = [_HEADER]
    tables = {**TABLES, "every other game": ANY_GAME}
    for name, table in tables.items():
        parts.append(f"## {name}\n\n```mermaid\n{mermaid(table)}\n```\n")
    parts.append("## Phases\n\n| phase | news that it can hear |\n| --- | --- |")
    for phase in Phase:
        heard = [news.value for news in News if any(row.news is news and phase in row.sources for row in ANY_GAME)]
        parts.append(f"| {phase.value} | {', '.join(heard) or '-'} |")
    return "\n".join(parts) + "\n"
