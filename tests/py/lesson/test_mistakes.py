"""Every mistake of an author is told with file, line and mend; all of them at once."""

# ruff: noqa: E501  # messages stand here as users read them

from __future__ import annotations

from pathlib import Path

import pytest
from authored import CALL, CORE, PANE, mistakes

from tracepane.lesson.find import load
from tracepane.lesson.mistake import LessonErrors

TAIL = "  scenarios:\n    one: {label: One, set: {n: 1}}\n"
FLOW = PANE + "  flow:\n"
IN_PANES = [
    (
        "unknown key",
        PANE + "  shwo: twice\n",
        "panes.yml:7: the pane `p` has the unknown key `shwo`. Known are: `title`, `setup`, `support`, `path`, `note`, `flow`, `stdin`, `files`, `argv`, `env`, `limits`.",
    ),
    (
        "no source",
        "p:\n  show: twice\n",
        "panes.yml:1: the pane `p` has no `source`. Add `source:`, a path.",
    ),
    (
        "wrong type",
        PANE.replace("call: call.py", "call: [call.py]"),
        'panes.yml:4: `call` cannot be ["call.py"]. It is a path.',
    ),
    (
        "missing file",
        PANE.replace("core.py", "cores.py"),
        "panes.yml:2: the file of `source` does not exist: cores.py. Did you mean `core.py`?",
    ),
    (
        "missing folder",
        PANE.replace("core.py", "lib/core.py"),
        "panes.yml:2: the file of `source` does not exist: core.py. The folder lib does not exist either.",
    ),
    (
        "no such function",
        PANE.replace("show: twice", "show: twize"),
        "panes.yml:3: there is no function or class `twize` in core.py. Did you mean `twice`?",
    ),
    (
        "lines outside",
        PANE.replace("show: twice", "show: 10-99"),
        "panes.yml:3: lines 10-99 are not in the file. It has lines 1 to 18; write the first, a hyphen, and the last.",
    ),
    (
        "lines that trace nothing",
        PANE.replace("show: twice", "show: 5-6"),
        "panes.yml:3: nothing that lines 5 to 6 show is traced. "
        "Only code whose every line is shown is traced; show whole functions, or the whole file.",
    ),
    (
        "import root is no folder",
        PANE + "  path: [lib]\n",
        "panes.yml:7: the import root lib is no folder. Paths start at panes.yml; name a folder that holds the modules.",
    ),
    (
        "scenario without label",
        PANE.replace("label: One, ", ""),
        "panes.yml:6: `scenarios.one` has no `label`. Add `label:`, a text, or one for each language.",
    ),
    (
        "no scenarios",
        PANE.replace("\n    one: {label: One, set: {n: 1}}", " {}"),
        "panes.yml:5: `scenarios` is empty. Give it a value or remove it.",
    ),
    (
        "set name is no identifier",
        PANE.replace("n: 1", "n: 1, a-b: 2"),
        "panes.yml:6: `set` cannot bind `a-b`: it is no Python name. Choose another name.",
    ),
    (
        "set name is a keyword",
        PANE.replace("n: 1", "n: 1, class: 2"),
        "panes.yml:6: `set` cannot bind `class`: it is a word of the Python language. Choose another name.",
    ),
    (
        "set name is reserved",
        PANE.replace("n: 1", "n: 1, __name__: 2"),
        "panes.yml:6: `set` cannot bind `__name__`: it is reserved: names that start with `__` are the interpreter's. "
        "Choose another name.",
    ),
    (
        "set value has no literal",
        PANE.replace("n: 1", "n: 2024-01-01"),
        "panes.yml:6: `set` cannot give `n` a value of type date (`2024-01-01`). "
        "Use null, true, false, numbers, texts, lists and mappings; quote what is meant as a text.",
    ),
    (
        "set value is infinite",
        PANE.replace("n: 1", "n: .inf"),
        "panes.yml:6: `set` cannot give `n` the number inf. "
        "Use null, true, false, numbers, texts, lists and mappings; quote what is meant as a text.",
    ),
    (
        "set name is not read",
        PANE.replace("n: 1", "n: 1, mm: 2"),
        "panes.yml:6: nothing that runs reads `mm`, which `one` sets. Known are: `n`, `twice`.",
    ),
    (
        "untranslated",
        PANE.replace("label: One", "label: {en: One}") + "  note: {en: Real., zh: 真实。}\n",
        "panes.yml:6: `scenarios.one.label` of the pane `p` is not translated: no text for zh. "
        "Add `zh:` beside en, or one text for all languages.",
    ),
    (
        "odd language",
        PANE.replace("label: One", "label: {English: One}"),
        "panes.yml:6: `English` is no name for a part of `scenarios.one.label`. Use a language's code, as in `en` or `zh`.",
    ),
    (
        "a file outside",
        PANE + "  files: {../x: y}\n",
        "panes.yml:7: `files` cannot make `../x`. Name a file below the working directory, as in `data/in.txt`.",
    ),
    (
        "a number where a text belongs",
        PANE + "  argv: [1]\n",
        "panes.yml:7: `argv.0` cannot be 1. It is a text (put it in quotes).",
    ),
    (
        "an unknown limit",
        PANE + "  limits: {step: 5}\n",
        "panes.yml:7: `limits` has the unknown key `step`. Did you mean `steps`?",
    ),
    (
        "stdin of a wrong form",
        PANE + "  stdin: {txt: a}\n",
        "panes.yml:7: `stdin` has the unknown key `txt`. Did you mean `text`?",
    ),
    (
        "anchor matches no line",
        FLOW + "    - {id: a, text: A, at: 'totel = n'}\n",
        "panes.yml:8: node `a`: no line of core.py 4-7 holds `totel = n`. Did you mean `total = n + n`?",
    ),
    (
        "anchor matches outside",
        FLOW + "    - {id: a, text: A, at: 'import math'}\n",
        "panes.yml:8: node `a`: no line of core.py 4-7 holds `import math`. "
        "It stands at line 1, outside of what is shown; show more, or choose another text.",
    ),
    (
        "anchor matches many lines",
        FLOW + "    - {id: a, text: A, at: total}\n",
        "panes.yml:8: node `a`: `total` stands on 2 lines of core.py: 6, 7. "
        "Give more of the line, or `{text: …, nth: 1}` for line 6.",
    ),
    (
        "anchor has no such line",
        FLOW + "    - {id: a, text: A, at: {text: total, nth: 3}}\n",
        "panes.yml:8: node `a`: `total` has no 3th line in core.py; it stands on 6, 7. Give `nth` up to 2.",
    ),
    (
        "anchor runs backwards",
        FLOW + "    - {id: a, text: A, at: {from: return, to: def}}\n",
        "panes.yml:8: node `a`: `to` stands at line 4, before `from` at line 7. Exchange them.",
    ),
    (
        "anchor of a wrong form",
        FLOW + "    - {id: a, text: A, at: {from: return}}\n",
        "panes.yml:8: `flow.0.at` has no `to`. Add `to:`, a text of the line or `{text, nth}`.",
    ),
    (
        "anchor on what never runs",
        FLOW + "    - {id: a, text: A, at: '# a comment'}\n",
        "panes.yml:8: node `a` can never be reached: nothing that is traced runs at line 5. "
        "Bind it to a line that runs: no comment, `else:` or text of a docstring.",
    ),
    (
        "no such node",
        FLOW + "    - {id: first, text: A, at: return, to: [frist]}\n",
        "panes.yml:8: node `first` leads to `frist`, which is no node. Did you mean `first`?",
    ),
    (
        "duplicate node",
        FLOW + "    - {id: a, text: A}\n    - {id: a, text: B}\n",
        "panes.yml:9: the flow has two nodes `a`. It is at line 8 too; give each node an id of its own.",
    ),
    (
        "duplicate pane",
        PANE + PANE,
        "panes.yml:7: `p` is given twice. It stands at line 1 too, and only one of them would count; rename or remove one.",
    ),
    (
        "no YAML",
        PANE + "  note: {en: 'a\n",
        "panes.yml:8: this is no YAML: while scanning a quoted scalar found unexpected end of stream. "
        "Check indentation, quotes and colons there; quote a text that holds `: ` or ` #`.",
    ),
    (
        "a value in itself",
        PANE.replace("n: 1", "n: &n [*n]"),
        "panes.yml:6: this value contains itself. Write it out; an alias must name something that is complete.",
    ),
    (
        "no panes",
        "- p\n",
        "panes.yml:1: a file of panes holds a name and a definition for each. Begin with `my_pane:` and its `source:`.",
    ),
    (
        "a pane's odd name",
        PANE.replace("p:\n", "my pane:\n", 1),
        "panes.yml:1: `my pane` is no name for a pane. "
        "Use letters of a to z, digits, `-` and `_`, and begin with a letter.",
    ),
]


@pytest.mark.parametrize(("panes", "expected"), [case[1:] for case in IN_PANES], ids=[case[0] for case in IN_PANES])
def test_a_mistake_in_a_definition(tmp_path: Path, panes: str, expected: str) -> None:
    """It is told alone, at its own line, in these words."""
    assert mistakes(tmp_path, {"panes.yml": panes}) == [expected]


IN_SOURCES = [
    (
        "shown source does not compile",
        {"core.py": CORE + "def (:\n"},
        "core.py:19: this does not compile: SyntaxError: invalid syntax. Correct it there.",
    ),
    (
        "call does not compile",
        {"call.py": "from core import twice\nn\nx = 1 +\n"},
        "call.py:3: this does not compile: SyntaxError: invalid syntax. Correct it there.",
    ),
    (
        "an imported module does not compile",
        {"call.py": "import more\n" + CALL, "more.py": "x = \n"},
        "more.py:1: this does not compile: SyntaxError: invalid syntax. Correct it there.",
    ),
    (
        "two functions of one name",
        {"core.py": "def twice(n):\n    return n\ndef twice(n):\n    return 2 * n\n"},
        "panes.yml:3: `twice` is defined more than once in core.py, at lines 1 and 3. "
        "Show one of them by its lines, as in `show: 1-2`.",
    ),
    (
        "the shown file is not imported",
        {"call.py": "n\n"},
        "panes.yml:1: neither setup nor call of `p` imports the shown file core.py. "
        "Import it there, as in `from core import …`; names start at the import roots in `path`.",
    ),
    (
        "setup assigns what a scenario sets",
        {"panes.yml": PANE + "  setup: setup.py\n", "setup.py": "if True:\n    for n in []: pass\n"},
        "setup.py:2: setup assigns `n`, which the scenario `one` of `p` sets. Give one of the two another name.",
    ),
    (
        "two sources of one name",
        {"panes.yml": PANE + "  support: [more/call.py]\n", "more/call.py": "", "core.py": CORE},
        None,
    ),
    (
        "a source that is named as the generated one",
        {"call.py": "import scenario\n" + CALL, "scenario.py": ""},
        "panes.yml:1: two sources are named scenario.py; one is the generated source that binds what `set` gives. "
        "Rename it, or give import roots in `path` below which the two names differ.",
    ),
]


@pytest.mark.parametrize(("files", "expected"), [case[1:] for case in IN_SOURCES], ids=[case[0] for case in IN_SOURCES])
def test_a_mistake_in_a_source(tmp_path: Path, files: dict[str, str], expected: str | None) -> None:
    """It is told at the source's line, or where the source is named; files of one name in two folders are none."""
    assert mistakes(tmp_path, files) == ([expected] if expected else [])


IN_PAGES = [
    ("no pane", "```tracepane\n```\n", "page.md:1: this fence names no pane. Write `pane: panes.yml#name`, or a definition that begins with `id:` and `source:`."),
    ("unknown pane", "\n```tracepane\npane: panes.yml#q\n```\n", "page.md:3: there is no pane `q` in panes.yml. Known are: `p`."),
    ("unknown file", "```tracepane\npane: pains.yml#p\n```\n", "page.md:2: the file of panes pains.yml does not exist. Did you mean `panes.yml`?"),
    ("no name", "```tracepane\npane: panes.yml\n```\n", "page.md:2: `pane` cannot be `panes.yml`. Write the file, `#`, and the pane's name, as in `panes.yml#name`."),
    ("unknown option", "```tracepane\npane: panes.yml#p\nscenaro: one\n```\n", "page.md:3: a fence that names a pane has no option `scenaro`. Did you mean `scenario`?"),
    ("unknown scenario", "```tracepane\npane: panes.yml#p\nscenario: two\n```\n", "page.md:1: the pane `p` has no scenario `two`. Known are: `one`."),
    ("no id", "```tracepane\nsource: core.py\n```\n", "page.md:1: a pane that is defined in a page needs an `id`. Add `id: my_pane`: letters of a to z, digits, `-` and `_`, a letter first; or take a pane with `pane:`."),
    ("unknown key", "```tracepane\nid: x\nsource: core.py\nsetupp: a.py\n```\n", "page.md:4: the pane `x` has the unknown key `setupp`. Did you mean `setup`?"),
    ("two panes of one id", "```tracepane\nid: x\nsource: core.py\n```\n\n```tracepane\nsource: core.py\nid: x\n```\n", "page.md:8: this page defines two panes `x`. The other is at line 2; give each pane an id of its own."),
    ("no such file to take home", "```tracepane\ndownload: x\nfiles: [core.py, cal.py]\n```\n", "page.md:3: no file is called `cal.py`. Did you mean `call.py`?"),
    ("a file outside", "```tracepane\ndownload: x\nroot: .\nfiles:\n- ../core.py\n```\n", "page.md:5: `../core.py` leads out of the root. Choose a `root` above all files."),
    ("no such root", "```tracepane\ndownload: x\nroot: lib\nfiles: [core.py]\n```\n", "page.md:3: the folder lib does not exist. Paths start at the page."),
    ("no files", "```tracepane\ndownload: x\n```\n", "page.md:1: this download has no `files`. Add `files:`, a list of files and patterns."),
    ("never closed", "```tracepane\npane: panes.yml#p\n", "page.md:1: this fence is never closed. Close it with the same marks, as in ```."),
    ("options outside", "```tracepane pane=x\npane: panes.yml#p\n```\n", "page.md:1: this fence has options after its language: pane=x. Write options as lines inside the fence, as in `pane: panes.yml#name`."),
    ("no YAML", "text\n\n```tracepane\npane: [\n```\n", "page.md:4: this is no YAML: while parsing a flow node expected the node content, but found '<stream end>'. Check indentation, quotes and colons there; quote a text that holds `: ` or ` #`."),
]  # fmt: skip


@pytest.mark.parametrize(("page", "expected"), [case[1:] for case in IN_PAGES], ids=[case[0] for case in IN_PAGES])
def test_a_mistake_in_a_page(tmp_path: Path, page: str, expected: str) -> None:
    """It is told at the page's line."""
    assert mistakes(tmp_path, {"page.md": page}) == [expected]


def test_all_mistakes_at_once(tmp_path: Path) -> None:
    """One pass tells them all, in order of file and line."""
    files = {
        "panes.yml": PANE.replace("show: twice", "show: twize") + "q:\n  source: core.py\n  shw: x\n",
        "call.py": "1 +\n",
        "page.md": "```tracepane\npane: panes.yml#r\n```\n",
    }
    places = [message.split(": ")[0] for message in mistakes(tmp_path, files)]
    assert places == ["call.py:1", "page.md:2", "panes.yml:3", "panes.yml:9"]


def test_a_page_s_language_needs_its_texts(tmp_path: Path) -> None:
    """A pane whose texts are in one language only cannot stand on a page in another."""
    files = {
        "panes.yml": PANE.replace("label: One", "label: {en: One}"),
        "page.zh.md": "```tracepane\npane: panes.yml#p\n```\n",
    }
    assert mistakes(tmp_path, files) == [
        "panes.yml:6: `scenarios.one.label` of the pane `p` is not translated: no text for zh. "
        "Add `zh:` beside en, or one text for all languages."
    ]


def test_loading_raises_what_check_tells(tmp_path: Path) -> None:
    """Who loads one pane gets its mistakes as LessonErrors, with places relative to the project."""
    (tmp_path / "mkdocs.yml").touch()
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "panes.yml").write_text("p: {source: x.py}\n")
    with pytest.raises(LessonErrors) as caught:
        load(tmp_path / "docs" / "panes.yml", "p")
    assert [(error.file, error.line) for error in caught.value.errors] == [("docs/panes.yml", 1)]


@pytest.mark.parametrize(
    ("file", "content", "expected"),
    [
        (
            "panes.yml",
            b"# one\n# \xff\n",
            "panes.yml:2: this file of panes is not UTF-8 (byte 0xff). Save it as UTF-8.",
        ),
        ("page.md", b"one\n\ntwo \xe9\n", "page.md:3: this page is not UTF-8 (byte 0xe9). Save it as UTF-8."),
        (
            "panes.yml",
            b"# one\n# \x01\n",
            "panes.yml:2: this is no YAML: the character U+0001 may not stand in it. Remove it, or write it as an escape in double quotes.",
        ),
    ],
)
def test_what_is_no_text(tmp_path: Path, file: str, content: bytes, expected: str) -> None:
    """A byte or a character that cannot stand in a file is told with its line."""
    assert mistakes(tmp_path, {file: content}) == [expected]


@pytest.mark.parametrize("name", ["nothing.yml", "nothing.md"])
def test_a_missing_file_is_a_mistake(tmp_path: Path, name: str) -> None:
    """A target that does not exist is told, not raised as a traceback."""
    with pytest.raises(LessonErrors) as caught:
        load(tmp_path / name, "p")
    assert len(caught.value.errors) == 1
