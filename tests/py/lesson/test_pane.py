"""Panes: what is shown, what runs, and the jobs that come of it."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from authored import CALL, CORE, PANE, pane, write
from jsonschema import Draft202012Validator

from tracepane.lesson import find, program
from tracepane.lesson.mistake import LessonErrors
from tracepane.lesson.page import fences
from tracepane.lesson.schema import schema
from tracepane.lesson.source import Source
from tracepane.record import process
from tracepane.record.job import check, digest


@pytest.mark.parametrize(
    ("show", "lines"),
    [
        ("twice", (4, 7)),
        ("Bag", (10, 18)),
        ("Bag.fill", (15, 18)),
        ("Bag.Pocket.put", (12, 13)),
        ("10-18", (10, 18)),
        (None, (1, 18)),
    ],
)
def test_what_is_shown(tmp_path: Path, show: str | None, lines: tuple[int, int]) -> None:
    """A function, a class, a method at any depth, lines, or all; that is what the job traces."""
    definition = PANE.replace("  show: twice\n", f"  show: {show}\n" if show else "")
    shown = pane(tmp_path, {"panes.yml": definition})
    assert shown.lines == lines
    assert [s["traced"] for s in shown.jobs()["one"]["sources"] if s["role"] == "shown"] == [[list(lines)]]


def test_decorators_belong_to_what_they_decorate(tmp_path: Path) -> None:
    """The range begins at the first decorator."""
    core = "def same(f):\n    return f\n\n@same\n@same\ndef twice(n):\n    return n\n"
    assert pane(tmp_path, {"core.py": core}).lines == (4, 7)


def test_the_job_of_a_scenario(tmp_path: Path) -> None:
    """Scenario, setup, shown, support and call in this order; all but shown and support run."""
    files = {
        "panes.yml": PANE.replace("p:\n", "p:\n  setup: set.up.py\n  support: [notes.py]\n"),
        "set.up.py": "import helper\n",
        "helper.py": "from deep import inside\n",
        "deep/__init__.py": "",
        "deep/inside.py": "from . import beside\n",
        "deep/beside.py": "",
        "notes.py": "",
    }
    job = pane(tmp_path, files).jobs()["one"]
    check(job)
    assert [(source["role"], source["name"]) for source in job["sources"]] == [
        ("scenario", "scenario.py"),
        ("setup", "set.up.py"),
        ("shown", "core.py"),
        ("support", "notes.py"),
        ("support", "helper.py"),
        ("support", "deep/__init__.py"),
        ("support", "deep/inside.py"),
        ("support", "deep/beside.py"),
        ("call", "call.py"),
    ]
    assert job["main"] == ["scenario.py", "set.up.py", "call.py"]
    assert job["sources"][0]["text"] == "n = 1\n"
    assert (job["pane"], job["scenario"]) == ("panes.yml#p", "one")


def test_names_are_relative_to_the_import_root(tmp_path: Path) -> None:
    """A source below a root of `path` is named from there, another one by its own name."""
    files = {
        "docs/a/panes.yml": PANE.replace("core.py", "../../lib/deep/core.py") + "  path: [../../lib]\n",
        "docs/a/call.py": "from deep.core import twice\ntwice(n)\n",
        "lib/deep/core.py": CORE,
    }
    shown = pane(tmp_path, files, "docs/a/panes.yml#p")
    assert shown.name == "docs/a/panes.yml#p"
    assert [source["name"] for source in shown.jobs()["one"]["sources"]] == ["scenario.py", "deep/core.py", "call.py"]


def test_the_name_does_not_depend_on_where_it_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same job, whatever the working directory."""
    shown = pane(tmp_path, {"docs/panes.yml": PANE, "docs/core.py": CORE, "docs/call.py": CALL}, "docs/panes.yml#p")
    monkeypatch.chdir(tmp_path / "docs")
    assert find.pane("panes.yml#p").digests == shown.digests


def test_the_shown_file_may_itself_be_the_call(tmp_path: Path) -> None:
    """Without `call`, and with `call` naming the same file."""
    definition = "p:\n  source: core.py\n  show: twice\n"
    for extra in ("", "  call: core.py\n"):
        job = pane(tmp_path, {"panes.yml": definition + extra}).jobs()["example"]
        assert job["main"] == ["core.py"]
        assert [source["role"] for source in job["sources"]] == ["shown"]


def test_what_a_scenario_gives(tmp_path: Path) -> None:
    """It is added to, or stands in place of, what the pane gives."""
    definition = (
        PANE
        + "    two: {label: Two, stdin: {text: b, closed: false}, argv: [y], env: {B: c}, "
        + "limits: {steps: 5}, files: {b: c}}\n"
        + "  stdin: |\n    a\n  argv: [x]\n  env: {A: b}\n  limits: {seconds: 2}\n"
        + "  files: {a: b, data/c.bin: {copy: c.bin}}\n"
    )
    jobs = pane(tmp_path, {"panes.yml": definition, "c.bin": b"\xff\x00"}).jobs()
    kept = {key: jobs["two"][key] for key in ("stdin", "argv", "env", "limits", "files")}
    assert kept == {
        "stdin": {"text": "b", "closed": False},
        "argv": ["y"],
        "env": {"A": "b", "B": "c"},
        "limits": {"steps": 5, "bytes": 67108864, "seconds": 2},
        "files": [{"name": "a", "text": "b"}, {"name": "data/c.bin", "base64": "/wA="}, {"name": "b", "text": "c"}],
    }
    assert jobs["one"]["stdin"] == {"text": "a\n", "closed": True}


def test_set_values_are_literals(tmp_path: Path) -> None:
    """What YAML gives comes back from Python equal, long values on several lines."""
    values = "{n: {a: [1, -2.5, null, true], 'b c': \"it's\\n\", long: [" + ", ".join(["word"] * 40) + "]}}"
    text = pane(tmp_path, {"panes.yml": PANE.replace("{n: 1}", values)}).jobs()["one"]["sources"][0]["text"]
    bound: dict[str, object] = {}
    exec(text, bound)
    assert bound["n"] == {"a": [1, -2.5, None, True], "b c": "it's\n", "long": ["word"] * 40}
    assert max(map(len, text.split("\n"))) <= 100


def test_keys_that_yaml_would_read_as_other_types(tmp_path: Path) -> None:
    """`on`, `no` and `1` are scenarios' names like any other."""
    definition = PANE.replace("    one:", "    on: {label: X}\n    no: {label: Y}\n    1: {label: Z}\n    one:")
    assert list(pane(tmp_path, {"panes.yml": definition}).jobs()) == ["on", "no", "1", "one"]


def test_yaml_anchors_and_merges(tmp_path: Path) -> None:
    """A key that starts with a dot is no pane, and may be merged into one."""
    definition = ".base: &base\n  source: core.py\n  call: call.py\n" + PANE.replace(
        "  source: core.py\n  show: twice\n  call: call.py\n", "  <<: *base\n  show: twice\n"
    )
    assert pane(tmp_path, {"panes.yml": definition}).shown.name == "core.py"


@pytest.mark.parametrize(
    ("anchor", "lines"),
    [
        ("'n + n'", ((6, 6),)),
        ("{text: total, nth: 2}", ((7, 7),)),
        ("{from: def, to: {text: total, nth: 1}}", ((4, 6),)),
        ("['def twice', 'return total']", ((4, 4), (7, 7))),
    ],
)
def test_anchors(tmp_path: Path, anchor: str, lines: tuple[tuple[int, int], ...]) -> None:
    """A text, its nth line, a range, and a list."""
    flow = f"  flow:\n    - {{id: a, text: A, at: {anchor}, to: [a]}}\n    - {{id: end, text: End}}\n"
    assert [node.lines for node in pane(tmp_path, {"panes.yml": PANE + flow}).flow] == [lines, ()]


def test_an_anchor_stands_for_its_whole_statement(tmp_path: Path) -> None:
    """The events of a statement wander over its lines."""
    core = "def twice(n):\n    return max(\n        n,\n        n + n,\n    )\n"
    flow = "  flow: [{id: a, text: A, at: 'n + n'}]\n"
    assert pane(tmp_path, {"core.py": core, "panes.yml": PANE + flow}).flow[0].lines == ((2, 5),)


def test_bytes_that_are_no_plain_utf_8_travel_as_they_are() -> None:
    """A latin-1 cookie and a byte order mark keep their bytes in the job, and show as what they mean."""
    latin = b"# -*- coding: latin-1 -*-\nword = 'caf\xe9'\n"
    marked = b"\xef\xbb\xbfword = '\xc3\xa9'\r\n"
    for data, shown in ((latin, "word = 'café'"), (marked, "word = 'é'")):
        source = Source("a.py", "shown", data)
        assert base64.b64decode(source.job()["base64"]) == data
        assert source.lines[-1] == shown
        assert source.syntax["error"] is None
    assert Source("a.py", "shown", "x = 'é'\r\n".encode()).job()["text"] == "x = 'é'\r\n"


def test_lines_end_as_python_says() -> None:
    """A form feed, U+2028 and NEL end no line; `\\r\\n` and `\\r` do."""
    source = Source("a.py", "shown", "a = 1\f\r\nb = '\u2028\x85'\rc = 3\n".encode())
    assert source.lines == ["a = 1\f", "b = '\u2028\x85'", "c = 3"]
    assert source.syntax["statements"] == [[1, 1], [2, 2], [3, 3]]


def test_newer_syntax_than_the_host_s() -> None:
    """Sources are read by CPython 3.14, whatever builds the site."""
    assert Source("a.py", "shown", b"x = t'{1}'\ntry: pass\nexcept A, B: pass\n").syntax["error"] is None


@pytest.mark.parametrize("data", [b"x = '\0'\n", b"# coding: no-such\n", b"\xff\n", b"(" * 5000, b"if 1:\nx\n"])
def test_sources_that_no_compiler_takes(data: bytes) -> None:
    """They are an error with a line, never an exception, and the next source is read."""
    error = Source("a.py", "shown", data).syntax["error"]
    assert error["line"] >= 1
    assert error["message"]
    assert Source("b.py", "shown", data[:0] + b"x = 1\n").syntax["error"] is None


def test_a_program_on_its_own(tmp_path: Path) -> None:
    """Traced whole, with the modules beside it; its name does not tell where it lies."""
    write(tmp_path, {"prog.py": "import beside, os\n\nprint(input())\n", "beside.py": ""})
    job = program.job(tmp_path / "prog.py", stdin="x\n", argv=["a"])
    check(job)
    assert [(each["name"], each.get("traced")) for each in job["sources"]] == [
        ("prog.py", [[1, 3]]),
        ("beside.py", None),
    ]
    assert (job["pane"], job["main"], job["stdin"], job["argv"]) == (
        "prog.py",
        ["prog.py"],
        {"text": "x\n", "closed": True},
        ["a"],
    )
    assert process.record(job).end["status"] == "finished"


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    """It is a mistake that is told."""
    with pytest.raises(LessonErrors, match="cannot be read"):
        program.job(tmp_path / "none.py")


def test_all_panes_of_a_folder(tmp_path: Path) -> None:
    """Those of its files of panes and those that pages define, each once."""
    page = "```tracepane\npane: panes.yml#p\n```\n\n```tracepane\nid: own\nsource: core.py\n```\n"
    write(tmp_path, {"page.md": page, "page.zh.md": page, "node_modules/x/panes.yml": "[", "other.yml": "a: b\n"})
    assert [each.name for each in find.panes(tmp_path)] == ["panes.yml#p", "page.md#own", "page.zh.md#own"]
    assert find.pane(f"{tmp_path}/page.md#own").name == "page.md#own"


@pytest.mark.parametrize(
    ("page", "first"),
    [
        ("text\n\n```tracepane\na\n```\n", [3]),
        ("~~~ tracepane\na\n~~~~\n", [1]),
        ("````markdown\n```tracepane\na\n```\n````\n", []),
        ("<!--\n```tracepane\na\n```\n-->\n", []),
        ("    ```tracepane\n    a\n    ```\n", []),
        ("text\n\n    ```tracepane\n    a\n    ```\n", []),
        ("- item\n\n    ```tracepane\n    a\n    ```\n", [3]),
        ('!!! note "x"\n\n    text\n\n    ```tracepane\n    a\n    ```\n', [5]),
        ('=== "A"\n\n    === "B"\n\n        ```tracepane\n        a\n        ```\n', [5]),
        ("```python\nx\n```\n\n```tracepane\na\n```\n", [5]),
        ("```tracepanes\na\n```\n", []),
        ("`` ```tracepane ``\n", []),
    ],
)
def test_which_fences_are_panes(page: str, first: list[int]) -> None:
    """One in another fence, a comment or a code block is an example; one in a list, note or tab is a pane."""
    assert [(fence.first, fence.text) for fence in fences(page)] == [(line, "a") for line in first]


def test_digests_follow_the_sources(tmp_path: Path) -> None:
    """Any byte of any source changes the job's digest; the same files give the same."""
    before = pane(tmp_path).digests["one"]
    assert pane(tmp_path).digests["one"] == before == digest(pane(tmp_path).jobs()["one"])
    assert pane(tmp_path, {"call.py": CALL + "# more\n"}).digests["one"] != before


def test_the_published_schema_is_one() -> None:
    """Editors can use it as it lies in the package, and it says of every key what it is for."""
    Draft202012Validator.check_schema(schema())
    parts = schema()["$defs"]
    keys = parts["pane"]["properties"].items()
    assert [name for name, key in keys if "description" not in {**parts.get(key.get("$ref", "/")[8:], {}), **key}] == []
