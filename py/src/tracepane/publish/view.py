"""A pane as HTML (docs/reference/page.md): readable without script, enhanced by the element."""

from __future__ import annotations

from collections.abc import Iterable

from tracepane.lesson.flow import Node
from tracepane.lesson.pane import Pane
from tracepane.lesson.source import Source
from tracepane.publish.highlight import highlight
from tracepane.publish.markup import Markup, join, tag
from tracepane.publish.words import say


def render(pane: Pane, job: str, id: str, scenario: str, language: str) -> Markup:
    """The element with all that is readable in it. `job` is the URL of the pane's jobs as seen from the page."""
    return tag(
        "trace-pane",
        header(pane, language),
        source(pane, language),
        flow(pane, language),
        support(pane, scenario, language),
        note(pane, language),
        id=id,
        class_="tracepane",
        job=job,
        scenario=scenario,
        lang=language,
    )


def header(pane: Pane, language: str) -> Markup:
    """File, shown name, lines, and the scenarios to choose from."""
    title = [
        tag("span", pane.shown.name, class_="tp-file", translate="no"),
        *([tag("strong", named(pane), class_="tp-show", translate="no")] if named(pane) else []),
        tag("span", span(pane, language), class_="tp-lines"),
    ]
    items = [tag("li", each.label.best(language), data_scenario=each.id) for each in pane.scenarios]
    heading = [tag("p", pane.title.best(language), class_="tp-name")] if pane.title else []
    return tag(
        "header",
        *heading,
        tag("p", *spaced(title), class_="tp-title"),
        tag("ul", *items, class_="tp-scenarios", aria_label=say(language, "scenarios")),
        class_="tp-head",
    )


def spaced(parts: Iterable[Markup]) -> list[Markup]:
    """The parts with a space between them."""
    return [piece for part in parts for piece in (Markup(" "), part)][1:]


def named(pane: Pane) -> str:
    """The function or class that is shown; nothing for lines or a whole file."""
    return "" if pane.show is None or pane.show[0].isdecimal() else pane.show


def span(pane: Pane, language: str) -> str:
    """The shown lines in words."""
    first, last = pane.lines
    if pane.show is None:
        return say(language, "whole")
    return say(language, "line" if first == last else "lines", first=first, last=last)


def source(pane: Pane, language: str) -> Markup:
    """The shown lines, each with its number and the line where a breakpoint on it stops."""
    first, last = pane.lines
    lines = highlight(pane.shown)
    rows = [row(number, lines[number - 1], pane.stops.get(number)) for number in range(first, last + 1)]
    label = say(language, "source", name=named(pane) or pane.shown.name, lines=span(pane, language))
    return tag(
        "div",
        *rows,
        class_="tp-source highlight",
        data_file=pane.shown.name,
        data_first=first,
        data_last=last,
        role="group",
        aria_label=label,
        tabindex="0",
        translate="no",
    )


def row(number: int, code: str, stop: int | None) -> Markup:
    """One line of the source."""
    return tag(
        "div",
        tag("span", str(number), class_="tp-number"),
        tag("code", Markup(code)),
        class_="tp-line",
        data_line=number,
        data_breakpoint=stop,
    )


def flow(pane: Pane, language: str) -> Markup:
    """The diagram's nodes as an ordered list."""
    if not pane.flow:
        return Markup("")
    label = say(language, "flow", name=named(pane) or pane.shown.name)
    return tag("ol", *(node(each, language) for each in pane.flow), class_="tp-flow", aria_label=label)


def node(each: Node, language: str) -> Markup:
    """One node."""
    lines = " ".join(f"{first}" if first == last else f"{first}-{last}" for first, last in each.lines)
    text = each.text.best(language)
    return tag("li", text, data_node=each.id, data_lines=lines or None, data_to=" ".join(each.to) or None)


def support(pane: Pane, chosen: str, language: str) -> Markup:
    """All that runs besides the shown source, to unfold and read."""
    generated = [part(each.source, language, each.id, each.id == chosen) for each in pane.scenarios if each.source]
    others = [each for each in (pane.setup, *pane.support, pane.call) if each]
    count = bool(generated) + len(others)
    if not count:
        return Markup("")
    files = say(language, "file" if count == 1 else "files", count=count)
    summary = tag("summary", f"{say(language, 'support')} · {files}")
    return tag("details", summary, *generated, *(part(each, language) for each in others), class_="tp-support")


def part(each: Source, language: str, scenario: str | None = None, chosen: bool = True) -> Markup:
    """One support source under its own name; of the generated ones only the chosen scenario's is shown."""
    heading = [
        tag("strong", each.name, translate="no"),
        tag("span", say(language, f"role.{each.role}"), class_="tp-role"),
    ]
    code = tag("code", Markup("\n".join(highlight(each))))
    # A long text scrolls inside its box, which keyboards must reach.
    pre = tag("pre", code, tabindex="0", role="group", aria_label=say(language, "code", name=each.name), translate="no")
    return tag(
        "section",
        tag("p", *spaced(heading), class_="tp-support-name"),
        tag("div", pre, class_="highlight"),
        data_file=each.name,
        data_role=each.role,
        data_scenario=scenario,
        **({} if chosen else {"hidden": ""}),
    )


def note(pane: Pane, language: str) -> Markup:
    """What is real and what is a stand-in."""
    own = [pane.note.best(language)] if pane.note else []
    space = "" if language.startswith("zh") else " "
    return tag("p", join(space.join([*own, say(language, "clock"), say(language, "home")])), class_="tp-note")
