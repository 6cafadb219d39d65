"""What a page holds: a pane that reads without script, rightly escaped, in the page's language."""

from __future__ import annotations

from pathlib import Path
from xml.etree.ElementTree import Element

import markdown
import pytest
from site_files import CORE, FENCE, text_of, tree, write

from tracepane.publish.fence import TracepaneExtension, unique
from tracepane.publish.publication import relative


def render(folder: Path, text: str = FENCE, files: dict[str, str] | None = None, **where: str) -> Element:
    """A page of Markdown as a tree, by Python-Markdown alone."""
    fence = TracepaneExtension(path=write(folder, files or {}) / "docs" / "index.md", **where)
    html = markdown.markdown(text, extensions=[fence, "fenced_code", "tables", "admonition"])
    fence.mistakes.stop()
    return tree(html)


def classed(root: Element, name: str) -> list[Element]:
    """Elements of a class, in order."""
    return [each for each in root.iter() if name in each.get("class", "").split()]


def test_the_element_names_its_job_scenario_and_language(tmp_path: Path) -> None:
    """It stands by itself between paragraphs, not in one."""
    pane = render(tmp_path, f"before\n\n{FENCE}\nafter", url="guide/start/", language="zh").findall("trace-pane")[0]
    job = pane.get("job") or ""
    assert (pane.get("id"), pane.get("scenario"), pane.get("lang")) == ("p", "one", "zh")
    assert job.startswith("../../assets/tracepane/jobs/p-")
    assert job.endswith(".json")


def test_the_source_is_the_file_s_own_text(tmp_path: Path) -> None:
    """Line by line, with its number and where a breakpoint stops, escaped once."""
    rows = classed(render(tmp_path), "tp-line")
    assert "\n".join(text_of(row.findall("code")[0]) for row in rows) + "\n" == CORE.partition("\n")[2]
    assert [(row.get("data-line"), row.get("data-breakpoint")) for row in rows] == [("2", "3"), ("3", "3"), ("4", "4")]
    assert [text_of(row.findall("span")[0]) for row in rows] == ["2", "3", "4"]
    assert "k" in {span.get("class") for span in rows[2].iter("span")}


def test_the_source_says_what_it_is(tmp_path: Path) -> None:
    """Its group has a name, can be reached by keyboard, and is left alone by translators."""
    source = classed(render(tmp_path), "tp-source")[0]
    kept = ("data-file", "data-first", "data-last", "role", "aria-label", "tabindex", "translate")
    assert [source.get(name) for name in kept] == [
        "core.py", "2", "4", "group", "Source of twice, lines 2–4", "0", "no",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("language", "labels"), [("en", ["One", "<Two>"]), ("zh", ["一", "二"]), ("zh-Hant", ["一", "二"])]
)
def test_labels_are_in_the_page_s_language(tmp_path: Path, language: str, labels: list[str]) -> None:
    """Of scenarios, nodes, and the note."""
    root = render(tmp_path, language=language)
    assert [text_of(each) for each in classed(root, "tp-scenarios")[0]] == labels
    assert text_of(classed(root, "tp-flow")[0][0]) == ("Take" if language == "en" else "取")
    assert text_of(classed(root, "tp-note")[0]).startswith("Real & true." if language == "en" else "真实的。时钟")


def test_the_flow_is_an_ordered_list_bound_to_lines(tmp_path: Path) -> None:
    """Each node with its lines and the nodes that may come next."""
    flow = classed(render(tmp_path), "tp-flow")[0]
    assert flow.tag == "ol"
    assert [dict(node.attrib) for node in flow] == [
        {"data-node": "a", "data-lines": "3", "data-to": "b"},
        {"data-node": "b", "data-lines": "4"},
    ]


def test_support_is_there_to_unfold(tmp_path: Path) -> None:
    """Every file under its own name; of the generated ones only the chosen scenario's is shown."""
    root = render(tmp_path, "```tracepane\npane: panes.yml#p\nscenario: two\n```\n")
    support = classed(root, "tp-support")[0]
    sections = [
        (each.get("data-file"), each.get("data-role"), each.get("data-scenario"), "hidden" in each.attrib)
        for each in support.iter("section")
    ]
    assert sections == [
        ("scenario.py", "scenario", "one", True),
        ("scenario.py", "scenario", "two", False),
        ("set.py", "setup", None, False),
        ("call.py", "call", None, False),
    ]
    assert text_of(next(iter(support.iter("summary")))) == "Setup, helpers and the call · 3 files"
    assert "n = 2" in text_of(support)


def test_a_pane_that_stands_twice_has_two_ids(tmp_path: Path) -> None:
    """And two pages have the same ones, since each counts for itself."""
    assert [pane.get("id") for pane in render(tmp_path, f"{FENCE}\n{FENCE}").iter("trace-pane")] == ["p", "p-2"]
    assert [pane.get("id") for pane in render(tmp_path).iter("trace-pane")] == ["p"]


def test_an_id_that_was_made_up_is_not_given_again() -> None:
    """Whatever the panes of a page are called."""
    given: set[str] = set()
    assert [unique(id, given) for id in ("p", "p", "p-2", "p", "p-3")] == ["p", "p-2", "p-2-2", "p-3", "p-3-2"]


def test_a_heading_that_is_called_as_a_pane_has_another_id(tmp_path: Path) -> None:
    """A lesson about `p` may well begin with a heading of that name."""
    fence = TracepaneExtension(path=write(tmp_path, {}) / "docs" / "index.md")
    parser = markdown.Markdown(extensions=[fence, "fenced_code", "toc"])
    for _ in range(2):  # one parser may render many pages
        root = tree(parser.reset().convert(f"# p\n\n{FENCE}\n\n## p\n\n{FENCE}"))
        ids = [each.get("id") for each in root.iter() if each.get("id") and each.tag in ("h1", "h2", "trace-pane")]
        assert ids == ["p_1", "p", "p_2", "p-2"]
        assert "tracepane-id" not in {each.tag for each in root.iter()}


def test_a_pane_in_a_list_and_in_a_note(tmp_path: Path) -> None:
    """The fence may be indented where something holds it."""
    indented = "".join(f"    {line}\n" for line in FENCE.splitlines())
    root = render(tmp_path, f"- item\n\n{indented}\n!!! note\n\n{indented}")
    parents = [parent.tag for parent in root.iter() for child in parent if child.tag == "trace-pane"]
    assert parents == ["li", "div"]


def test_hostile_text_stays_text(tmp_path: Path) -> None:
    """Markup in labels, titles, sources and names is shown, never obeyed."""
    bad = '<img src=x onerror="1">\'&amp;'
    definition = (
        "p:\n  source: core.py\n  title: '" + bad.replace("'", "''") + "'\n"
        "  scenarios: {one: {label: '" + bad.replace("'", "''") + "'}}\n"
    )
    root = render(tmp_path, files={"docs/panes.yml": definition, "docs/core.py": f"x = 1  # {bad} *a* [b](c)\n"})
    assert not list(root.iter("img"))
    assert text_of(classed(root, "tp-name")[0]) == bad
    assert text_of(classed(root, "tp-scenarios")[0]) == bad
    assert text_of(classed(root, "tp-line")[0].findall("code")[0]) == f"x = 1  # {bad} *a* [b](c)"


def test_lines_that_other_tools_would_break(tmp_path: Path) -> None:
    """A form feed or U+2028 inside a line leaves it one line."""
    core = "a = '\u2028\x85'\n\fb = '''\n\n'''\n"
    root = render(tmp_path, files={"docs/panes.yml": "p: {source: core.py}\n", "docs/core.py": core})
    assert [text_of(row.findall("code")[0]) for row in classed(root, "tp-line")] == core.removesuffix("\n").split("\n")


@pytest.mark.parametrize(
    ("target", "url", "expected"),
    [
        ("assets/x.js", "", "assets/x.js"),
        ("assets/x.js", "index.html", "assets/x.js"),
        ("assets/x.js", "a/b/", "../../assets/x.js"),
        ("assets/x.js", "a/b.html", "../assets/x.js"),
        ("assets/x.js", "./", "assets/x.js"),
    ],
)
def test_addresses_are_relative(target: str, url: str, expected: str) -> None:
    """So that a site works under any base path, with directory addresses or without."""
    assert relative(target, url) == expected


def test_the_ten_lines_of_the_docs_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The script that docs/authors/plain.md shows makes a page with its files."""
    docs = Path(__file__).resolve().parents[3] / "docs" / "authors" / "plain.md"
    script = docs.read_text("utf-8").split("```python\n")[1].split("```")[0]
    write(tmp_path, {})
    (tmp_path / "docs" / "lesson.md").write_text(FENCE)
    (tmp_path / "docs" / "www").mkdir()
    monkeypatch.chdir(tmp_path / "docs")
    exec(compile(script, "plain.md", "exec"), {})
    root = tree((tmp_path / "docs/www/lesson.html").read_text("utf-8"))
    script_at = next(iter(root.iter("script"))).get("src") or ""
    job_at = next(iter(root.iter("trace-pane"))).get("job") or ""
    assert (tmp_path / "docs/www" / script_at).is_file()
    assert (tmp_path / "docs/www" / job_at).is_file()
