"""The command line: what it prints, its exit codes, and errors that say where and what to do."""

from __future__ import annotations

import json
import os
import signal
import textwrap
from functools import partialmethod
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tracepane.check.reasons import KINDS
from tracepane.cli import commands
from tracepane.record.trace import Trace

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test has a folder of its own and works in it."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str, given: str | bytes = b"") -> Result:
    """One call of `tracepane`."""
    return CliRunner().invoke(commands, list(arguments), input=given)


def write(name: str, text: str) -> str:
    """Write a file below the working directory; its name."""
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(textwrap.dedent(text).lstrip("\n"), encoding="utf-8")
    return name


def recorded(source: str, given: str | bytes = b"") -> Result:
    """Record a program natively as `prog.trace`."""
    return run("record", write("prog.py", source), "-o", "prog.trace", given=given)


def test_ctrl_c_while_a_recording_is_written_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was meant for the run; only a second one gives the file up."""
    save = Trace.save

    def saved(trace: Trace, path: str | Path, times: int) -> None:
        for _ in range(times):
            os.kill(os.getpid(), signal.SIGINT)
        save(trace, path)

    monkeypatch.setattr(Trace, "save", partialmethod(saved, times=1))
    done = recorded("x = 1\n")
    assert done.exit_code == 0, done.output
    assert "prog.trace is being written; Ctrl-C once more gives it up" in done.stderr
    assert run("show", "prog.trace").exit_code == 0
    monkeypatch.setattr(Trace, "save", partialmethod(saved, times=2))
    assert recorded("x = 1\n").exit_code == 1


def test_record_and_show() -> None:
    """One line an event: step, place, what happened, what changed; calls are indented."""
    done = recorded("def double(n):\n    return n * 2\n\nx = double([1])\nprint(x)\n")
    assert done.exit_code == 0, done.output
    assert "events · finished" in done.stderr
    lines = [line.split(maxsplit=1)[1] for line in run("show", "prog.trace").stdout.splitlines()[1:-1]]
    assert lines == [
        "prog.py    call <module>",
        "prog.py:1  line",
        "prog.py:4  line   double = <function double>",
        "prog.py:1    call double   n = [1]",
        "prog.py:2    line",
        "prog.py:2    return [1, 1]",
        "prog.py:5  line   x = [1, 1]",
        r"prog.py:5  stdout | '[1, 1]\n'",
        "prog.py:5  return None",
        "-          end",
    ]


def test_show_as_json() -> None:
    """Expanded JSON, nothing else on standard output."""
    recorded("x = 1\n")
    document = json.loads(run("show", "--json", "prog.trace").stdout)
    assert document["format"] == "tracepane/1"
    assert [event["kind"] for event in document["events"]] == ["call", "line", "return", "end"]


def test_show_folds_a_long_trace() -> None:
    """The middle is folded, and can be asked for."""
    recorded("for n in range(500):\n    pass\n")
    lines = run("show", "prog.trace").stdout.splitlines()
    assert len(lines) < 300
    assert any("steps more; --all shows them" in line for line in lines)
    assert len(run("show", "--all", "prog.trace").stdout.splitlines()) > 1000
    part = run("show", "--from", "700", "--to", "702", "prog.trace").stdout.splitlines()[1:-1]
    assert [line.split()[0] for line in part] == ["700", "701", "702"]


def test_show_says_how_a_program_failed() -> None:
    """The traceback stands at the end, with the message."""
    recorded("def f():\n    raise ValueError('no')\n\nf()\n")
    assert run("show", "prog.trace").stdout.splitlines()[-4:] == [
        "end: exception",
        "  prog.py:4 in <module>",
        "  prog.py:2 in f",
        "  ValueError: no",
    ]


def test_show_keeps_control_characters_from_the_terminal() -> None:
    """A program's escape sequences are shown, not obeyed."""
    recorded("x = '\\x1b[31m'\nprint(x)\n")
    assert "\x1b" not in run("show", "prog.trace").stdout


def test_standard_input_is_the_programs() -> None:
    """It is given when the program asks for it."""
    assert recorded("a = input()\nb = input()\nprint(b + a)\n", given="1\n2\n").exit_code == 0
    assert json.loads(run("show", "--json", "prog.trace").stdout)["stdout"] == "21\n"


def test_standard_input_that_ends_is_an_end_of_file() -> None:
    """As at a shell."""
    recorded("input()\n")
    assert "EOFError" in run("show", "prog.trace").stdout


def test_standard_input_that_is_no_text_is_refused() -> None:
    """A job carries text."""
    done = recorded("input()\n", given=b"\xff\n")
    assert (done.exit_code, "is not UTF-8 (byte 0)" in done.stderr) == (2, True)


def test_a_program_that_does_not_compile_is_a_run_like_any_other() -> None:
    """It ends with the SyntaxError, as a reader would see it."""
    assert recorded("x = (\n").exit_code == 0
    assert "SyntaxError" in run("show", "prog.trace").stdout


def test_compare_equal_and_different() -> None:
    """0 and 1; the words name both files."""
    recorded("x = 1\ny = x\n")
    Path("prog.trace").rename("one.trace")
    recorded("x = 2\ny = x\n")
    same = run("compare", "one.trace", "one.trace")
    assert (same.exit_code, same.stdout) == (0, "equal: 5 events\n")
    other = run("compare", "one.trace", "prog.trace")
    assert other.exit_code == 1
    assert other.stdout.splitlines() == [
        "step 2 differs (the 2 events before it are equal): a text",
        "  one.trace:  line at prog.py:2 in <module>, depth 1; x = 1",
        "  prog.trace: line at prog.py:2 in <module>, depth 1; x = 2",
    ]


PANES = """
    sum:
      source: core.py
      show: add
      call: sum.call.py
      scenarios:
        small: {label: Small, set: {n: 1}}
        large: {label: Large, set: {n: 10}}
"""


def project(panes: str = PANES) -> None:
    """A small project with one pane."""
    write("mkdocs.yml", "site_name: x\n")
    write("docs/panes.yml", panes)
    write("docs/core.py", "ONE = 1\n\n\ndef add(n):\n    return n + ONE\n")
    write("docs/sum.call.py", "from core import add\n\nprint(add(n))\n")


def test_a_pane_is_recorded_by_its_name_and_scenario() -> None:
    """`FILE#ID`; only the shown function is traced."""
    project()
    assert run("record", "docs/panes.yml#sum", "-s", "large", "-o", "sum.trace").exit_code == 0
    document = json.loads(run("show", "--json", "sum.trace").stdout)
    assert (document["stdout"], document["events"][0]["function"]) == ("11\n", "add")


def test_check_is_content() -> None:
    """0, and how many panes there are."""
    project()
    done = run("check")
    assert (done.exit_code, done.stdout, "1 pane" in done.stderr) == (0, "", True), done.output


def test_check_names_file_line_and_mend() -> None:
    """1; the line is the mistake's own."""
    project(PANES.replace("show: add", "show: ad"))
    done = run("check")
    assert done.exit_code == 1
    assert done.stdout.startswith("docs/panes.yml:3: ")
    assert "Did you mean `add`?" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("record", "nothing.py", "-o", "x"), "nothing.py: this program cannot be read: No such file or directory"),
        (("record", "docs/panes.yml#none", "-o", "x"), "there is no pane `none` in"),
        (("record", "docs/panes.yml#sum", "-o", "x"), "several scenarios; choose one with --scenario: small, large"),
        (("record", "docs/panes.yml#sum", "-s", "huge", "-o", "x"), "no scenario `huge`; its scenarios are: small"),
        (("record", "docs/sum.call.py", "-s", "huge", "-o", "x"), "a program has none"),
        (("record", "docs/none.yml", "-o", "x"), "docs/none.yml does not exist"),
        (("record", "docs/sum.call.py", "-o", "none/x"), "none/x: No such file or directory"),
        (("show", "mkdocs.yml"), "mkdocs.yml: "),
        (("show", "none.trace"), "'none.trace' does not exist"),
        (("compare", "mkdocs.yml", "mkdocs.yml"), "mkdocs.yml: "),
        (("verify", "--shard", "3/2"), "write it as I/N with 1 <= I <= N"),
        (("verify", "--site", "docs"), "is no built site with panes"),
        (("verify", "--accept", "luck"), "'luck' is not one of"),
        (("verify", "docs/panes.yml#none"), "there is no pane `none` in"),
        (("verify", "empty"), "there is no pane in empty; name a program or FILE#ID"),
        (("record", "empty", "-o", "x"), "there is no pane in empty; name a program or FILE#ID"),
        (("verify", "docs/sum.call.py", "--junit", "none/x.xml"), "none/x.xml: No such file or directory"),
        (("verify", "docs/sum.call.py", "--json", "none/x.json"), "none/x.json: No such file or directory"),
    ],
)  # fmt: skip
def test_a_mistake_in_the_call_is_told_and_exits_with_2(arguments: tuple[str, ...], told: str) -> None:
    """What happened and what to do, without a traceback."""
    project()
    Path("empty").mkdir()
    done = run(*arguments)
    assert done.exit_code == 2, done.output
    assert told in done.stderr
    assert "Traceback" not in done.output


def test_a_project_without_panes_proves_nothing() -> None:
    """2, not a silent success."""
    write("mkdocs.yml", "site_name: x\n")
    write("docs/index.md", "# Empty\n")
    done = run("verify")
    assert (done.exit_code, "there is no pane below" in done.stderr) == (2, True)


def test_a_python_that_is_named_wrongly(monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable is named, and what to do with it."""
    monkeypatch.setenv("TRACEPANE_PYTHON", "/bin/true")
    done = recorded("x = 1\n")
    assert (done.exit_code, "TRACEPANE_PYTHON" in done.stderr) == (2, True)


def test_every_reason_is_documented() -> None:
    """`--accept` takes these kinds, and the reference lists them."""
    text = (ROOT / "docs" / "reference" / "command-line.md").read_text(encoding="utf-8")
    assert [kind for kind in KINDS if f"| `{kind}` |" not in text] == []
