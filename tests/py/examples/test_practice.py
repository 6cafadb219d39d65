"""The practice as its reader runs it: each row of the contract's table, its output, and its exit codes."""

import io
import json
import shutil

import pytest
from native import run_on_ascii

from s08.user_code import practice
from s08.user_code.stand_ins import stand_ins


@pytest.fixture
def run(tmp_path, capsys):
    """Run the command with these arguments in a directory of its own; give what it printed and its exit code."""

    def run(*arguments):
        code = practice.main([*arguments, "--work-dir", str(tmp_path / "work")])
        return capsys.readouterr().out, code

    return run


@pytest.fixture
def report(run):
    """The same as JSON, which must agree with the exit code."""

    def report(*arguments):
        printed, code = run(*arguments, "--json")
        loaded = json.loads(printed)
        assert loaded["exit_code"] == code
        return loaded

    return report


def test_allow(report, tmp_path):
    """Thirteen requests, one summary, a real process, and a comparison with the whole expected text."""
    told = report("--decision", "allow")
    assert (told["status"], told["exit_code"]) == ("finished", 0)
    assert told["requests"] == {"parent": 9, "child": 3, "summary": 1, "total": 13}
    assert told["process"] == {"exit_code": 0, "stdout": "42\n", "stderr": ""}
    assert (tmp_path / "work" / "started.txt").read_text("utf-8") == "yes\n"
    assert told["answer"] == "main.py printed '42\\n'; compared with the whole expected text: equal."
    receipts = [receipt for note in told["preparations"] for receipt in note["receipts"]]
    assert sorted(receipts) == sorted(path.name for path in (tmp_path / "work" / ".context").iterdir())


def test_deny(report, tmp_path):
    """The same requests; the program was never started."""
    told = report("--decision", "deny")
    assert (told["status"], told["exit_code"], told["process"]) == ("finished", 0, None)
    assert told["requests"] == {"parent": 9, "child": 3, "summary": 1, "total": 13}
    assert not (tmp_path / "work" / "started.txt").exists()


def test_the_preparations_of_allow(report):
    """The first with something older trims, the next trims more and summarises, and no other does."""
    notes = report("--decision", "allow")["preparations"]
    assert [note["request"] for note in notes] == list(range(1, 10))
    assert [bool(note["receipts"]) for note in notes] == [False, False, True, True, True, False, False, True, False]
    assert [note["request"] for note in notes if note["summarised"]] == [4]
    assert all(note["after"] <= 3200 for note in notes)


def test_no_summary_left(report):
    """The third request was carried out; the next preparation ends the run, once."""
    told = report("--summary-limit", "0")
    assert (told["status"], told["calls"], told["exit_code"]) == ("context_error", 3, 3)
    assert told["requests"] == {"parent": 3, "child": 0, "summary": 0, "total": 3}
    assert (told["process"], told["permissions"], told["marker"]) == (None, [], False)
    assert ["after" not in note for note in told["preparations"]] == [False, False, False, True]


def test_a_budget_that_is_too_small(report):
    """The first log does not fit; the second request is not sent."""
    told = report("--budget", "1600")
    assert (told["status"], told["calls"], told["exit_code"]) == ("context_error", 1, 3)
    assert told["error"].startswith("ValueError: recent exchange alone too large: shrink the tool output")
    assert told["requests"]["total"] == 1


def test_the_output_says_bytes_and_receipts(run, tmp_path):
    """Before and after each preparation, where the snapshots are, and how it ended."""
    printed, code = run("--decision", "allow")
    names = {path.name for path in (tmp_path / "work" / ".context").iterdir()}
    rows = [line for line in printed.splitlines() if "snapshot " in line]
    assert code == 0
    assert {row.rsplit(" ", 1)[1] for row in rows} == names
    assert all(int(row.split()[1]) > 3200 >= int(row.split()[2]) for row in rows)
    for part in (f"work       {tmp_path / 'work'}", "fixed stand-ins", "13: parent 9, child 3, summary 1", "finished"):
        assert part in printed


def test_a_failure_is_told(run):
    """In the row of the preparation, and at the end."""
    printed, code = run("--summary-limit", "0")
    assert code == 3
    assert "-  failed: history kept, request not sent; snapshot context-" in printed
    assert "error      ValueError: no summary is left to spend (history unchanged" in printed


@pytest.mark.parametrize(("typed", "allowed"), [("yes\n", True), ("YES\n", True), ("no\n", False), ("", False)])
def test_the_user_is_asked_at_the_terminal(report, monkeypatch, typed, allowed):
    """Without --decision; what is no yes is a no, also the end of the input."""
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    told = report()
    assert (told["permissions"], told["marker"]) == ([{"path": "main.py", "allowed": allowed}], allowed)


@pytest.mark.parametrize("output", ["42\\n\\n", "42\\n43\\n", "42", "41\\n", ""])
def test_another_output_is_a_mismatch(report, monkeypatch, tmp_path, output):
    """One line more, one less, another one: the answer says so, and the exit code."""
    project = tmp_path / "project"
    shutil.copytree(practice.PROJECT, project)
    (project / "main.py").write_text(f'print("{output}", end="")\n', "utf-8")
    monkeypatch.setattr(practice, "PROJECT", project)
    told = report("--decision", "allow")
    assert (told["status"], told["exit_code"]) == ("finished", 1)
    assert "not equal" in told["answer"]
    assert told["check"].startswith("not equal")


def test_each_run_has_a_fresh_directory():
    """Unless one is named."""
    first, second = practice.fresh(), practice.fresh()
    try:
        assert first != second
        assert (first / "main.py").is_file()
    finally:
        shutil.rmtree(first)
        shutil.rmtree(second)


def test_the_mark_of_an_earlier_run_does_not_count(report):
    """A directory that is named again starts without it."""
    report("--decision", "allow")
    assert report("--decision", "deny")["marker"] is False


@pytest.mark.parametrize(
    "arguments", [["--budget", "399"], ["--budget", "x"], ["--summary-limit", "-1"], ["--live"], ["--decison", "deny"]]
)
def test_wrong_arguments(arguments, capsys):
    """Exit code 2, before anything is started."""
    with pytest.raises(SystemExit) as exit:
        practice.main(arguments)
    assert exit.value.code == 2
    assert "error:" in capsys.readouterr().err


def test_help_names_every_exit_code(capsys):
    """And where to find them."""
    with pytest.raises(SystemExit) as exit:
        practice.main(["--help"])
    told = capsys.readouterr().out
    assert exit.value.code == 0
    assert all(f"{code} " in told for code in sorted({0, 1, 2, *practice.EXITS.values(), practice.INTERRUPTED}))


def test_a_program_that_hangs_is_ended(tmp_path):
    """The parent gets an error instead of waiting for ever."""
    program = tmp_path / "main.py"
    program.write_text("input_is_closed = open(0).read()\nwhile True: pass\n", "utf-8")
    with pytest.raises(practice.subprocess.TimeoutExpired):
        practice.start(program, seconds=0.2)


def test_the_history_of_a_run_is_reported(tmp_path):
    """It ends with the answer; no plan and no system text is in it."""
    told = practice.practice(stand_ins(), lambda _question: True, work=tmp_path / "work")
    text = json.dumps(told["history"])
    assert told["history"][-1]["content"][0]["text"] == told["answer"]
    assert "The current plan" not in text
    assert told["plan"]["revision"] == 2


@pytest.mark.parametrize(
    ("program", "check", "ran"),
    [
        ("import sys; sys.stdout.buffer.write(b'\\xff42\\n')", "not equal", r"exit code 0, printed '\\xff42\n'"),
        ("print(42); raise SystemExit(3)", "failed with exit code 3", r"exit code 3, printed '42\n'"),
        ("while True: pass", "started, and no output came back", "started, end unknown"),
    ],
    ids=["no UTF-8", "exit code", "hangs"],
)
def test_what_was_started_is_never_called_not_started(run, report, monkeypatch, tmp_path, program, check, ran):
    """Whatever comes of it: the check says so, and the exit code is 1."""
    project = tmp_path / "project"
    shutil.copytree(practice.PROJECT, project)
    (project / "main.py").write_text(program + "\n", "utf-8")
    monkeypatch.setattr(practice, "PROJECT", project)
    monkeypatch.setattr(practice.start, "__defaults__", (0.5,))
    told = report("--decision", "allow")
    assert (told["status"], told["exit_code"]) == ("finished", 1)
    assert told["check"].startswith(check)
    assert f"process    {ran}\n" in run("--decision", "allow")[0]


@pytest.mark.parametrize("found", ["a file", "below a file", "another program"])
def test_without_a_place_to_work_nothing_starts(tmp_path, capsys, found):
    """A clear error and exit code 2; what was there is still there."""
    (tmp_path / "main.py").write_text("mine = True\n", "utf-8")
    place = {"a file": "main.py", "below a file": "main.py/below", "another program": "."}[found]
    assert practice.main(["--decision", "allow", "--work-dir", str(tmp_path / place)]) == 2
    printed = capsys.readouterr()
    assert printed.err.startswith("error: there is no place to work: ")
    assert printed.out == ""
    assert [(path.name, path.read_text("utf-8")) for path in tmp_path.iterdir()] == [("main.py", "mine = True\n")]


def test_ctrl_c_at_the_question(tmp_path, monkeypatch, capsys):
    """It ends the run, in words instead of a traceback, and nothing is started."""

    class Interrupted:
        def readline(self):
            raise KeyboardInterrupt

    monkeypatch.setattr("sys.stdin", Interrupted())
    assert practice.main(["--work-dir", str(tmp_path / "work")]) == 130
    assert capsys.readouterr().err == "May main.py be started now? Type yes to allow it: \nerror: interrupted\n"
    assert not (tmp_path / "work" / "started.txt").exists()


def test_an_input_that_was_closed_is_a_no(report, monkeypatch):
    """As an input that has ended is."""
    monkeypatch.setattr("sys.stdin", None)
    told = report()
    assert told["permissions"] == [{"path": "main.py", "allowed": False}]


@pytest.mark.parametrize("form", [[], ["--json"]], ids=["people", "machines"])
def test_a_terminal_that_knows_only_ascii(tmp_path, form):
    """The report is printed whole; what cannot be shown is escaped."""
    done = run_on_ascii(practice.__file__, "--summary-limit", "0", "--work-dir", tmp_path / "目录", *form)
    assert (done.returncode, done.stderr) == (3, "")
    assert r"\u76ee\u5f55" in done.stdout


def test_a_name_is_no_option_of_python(tmp_path):
    """A model that asks to start `-c` gets the file of that name, and no shell of its own."""
    program = tmp_path / "-V"
    program.write_text("print('the file')\n", "utf-8")
    assert practice.start(program)["stdout"] == "the file\n"
