"""Whole runs of the practice, and what the host and the fixed parent make of a shortened history."""

import json
import tempfile
from pathlib import Path

from s08.core.runtime import history_bytes, trim_results
from s08.user_code import practice
from s08.user_code.checks.ground import LARGE_OLD, call, check, expect, history, pair, refuses, result, short
from s08.user_code.files import Files, compared
from s08.user_code.host import Host
from s08.user_code.stand_ins import answer, parent, stand_ins

RUNS = {}


def run(name):
    """Return the report of a practice run, made once; the directory lives as long as this practice."""
    options = {
        "allow": {},
        "deny": {},
        "no summary": {"summary_limit": 0},
        "small": {"budget": 1600},
    }[name]
    if name not in RUNS:
        folder = tempfile.TemporaryDirectory()
        allowed = name != "deny"
        report = practice.practice(stand_ins(), lambda _question: allowed, work=folder.name, **options)
        RUNS[name] = (report, folder)
    return RUNS[name][0]


def clean():
    """Remove the directories of the runs."""
    for _report, folder in RUNS.values():
        folder.cleanup()


def snapshots(report):
    """Return the messages of each snapshot, in the order of the receipts."""
    receipts = [receipt for note in report["preparations"] for receipt in note["receipts"]]
    texts = [Path(report["snapshots"], receipt).read_text(encoding="utf-8") for receipt in receipts]
    return [[json.loads(line) for line in text.splitlines()] for text in texts]


@check("allow: 9 parent and 3 child decisions and 1 summary are 13 requests")
def _():
    expect(run("allow")["requests"] == {"parent": 9, "child": 3, "summary": 1, "total": 13})
    expect((run("allow")["status"], run("allow")["exit_code"]) == ("finished", 0))


@check("allow: first a trim that is committed, then trim and summary, and no second summary")
def _():
    notes = run("allow")["preparations"]
    expect([bool(note["receipts"]) for note in notes[:4]] == [False, False, True, True])
    expect([note["summarised"] for note in notes] == [False] * 3 + [True] + [False] * 5)
    expect(all(note["after"] <= 3200 < note["before"] for note in notes if note["receipts"]))


@check("allow: the process really ran and printed 42")
def _():
    report = run("allow")
    expect(report["process"] == {"exit_code": 0, "stdout": "42\n", "stderr": ""})
    expect(report["marker"], "main.py left no mark")


@check("allow: the answer compares with the whole expected text")
def _():
    expect("whole expected text: equal" in run("allow")["answer"] and run("allow")["check"] == "equal")


@check("deny: the same 13 requests")
def _():
    expect(run("deny")["requests"] == {"parent": 9, "child": 3, "summary": 1, "total": 13})
    expect(run("deny")["status"] == "finished")


@check("deny: the program was never started")
def _():
    report = run("deny")
    expect(report["process"] is None and not report["marker"] and report["permissions"][0]["allowed"] is False)
    expect("was not started" in report["answer"])


@check("an old permission starts nothing: the log and the summary tell of one, the user is asked all the same")
def _():
    old = json.dumps([snapshots(run("deny")), run("deny")["history"]])
    expect("a user allowed one start of main.py" in old, "no old permission in the history")
    expect(len(run("deny")["permissions"]) == 1 and run("deny")["process"] is None)


@check("a permission is for one start: each start is asked for")
def _():
    with tempfile.TemporaryDirectory() as folder:
        answers, started = [True, False, "yes"], []
        host = Host(Files(practice.fresh(folder)), None, lambda _question: answers.pop(0), started.append)
        host.load_skill("checking")
        host.run_program("main.py")
        for _ in range(2):
            refuses(host.run_program, "main.py", kind=PermissionError, says="did not allow")
    expect(len(started) == 1)


@check("rules are loaded again after a summary, or nothing is started")
def _():
    with tempfile.TemporaryDirectory() as folder:
        asked = []
        host = Host(Files(practice.fresh(folder)), lambda _older: "Rules were loaded.", asked.append, None, budget=1600)
        host.load_skill("checking")
        host.prepare(short(12))
        refuses(host.run_program, "main.py", kind=PermissionError, says="load the rules")
    expect(asked == [])


@check("nothing outside of the project is read or started")
def _():
    with tempfile.TemporaryDirectory() as folder:
        files = Files(practice.fresh(folder))
        for path in ("../secret", "/etc/hostname", "logs/../../secret"):
            refuses(files.read, path, kind=PermissionError, says="outside")


@check("summary limit 0: context_error after the third parent request, nobody asked, nothing started")
def _():
    report = run("no summary")
    expect((report["status"], report["calls"], report["exit_code"]) == ("context_error", 3, 3))
    expect(report["requests"] == {"parent": 3, "child": 0, "summary": 0, "total": 3})
    expect(not report["marker"] and report["process"] is None and report["permissions"] == [])


@check("summary limit 0: the history is what the snapshot holds; the failure was not committed")
def _():
    report = run("no summary")
    expect(report["history"] == snapshots(report)[-1])
    expect(len(report["preparations"]) == 4, "prepared again after a failure")


@check("budget 1600: the first recent log does not fit, the second request is not sent")
def _():
    report = run("small")
    expect((report["status"], report["calls"]) == ("context_error", 1))
    expect("recent exchange alone too large" in report["error"] and report["summaries"]["used"] == 0)


@check("snapshots hold the histories in full, as they were before")
def _():
    report = run("allow")
    sizes = [note["before"] for note in report["preparations"] if note["receipts"]]
    expect([history_bytes(messages) for messages in snapshots(report)] == sizes)
    expect("测试 job links" in json.dumps(snapshots(report)[1], ensure_ascii=False))


@check("the child has a history and a budget of its own; only its answer comes back")
def _():
    text = json.dumps(run("allow")["history"])
    expect("Imports: " in text and "child_" not in text)
    expect(run("allow")["calls"] == 9, "the child's requests are counted as the parent's")


@check("a summarised history does not start the parent anew")
def _():
    reply = parent({"messages": [*history()[:1], *pair(result("parent_3_1"))]})
    expect([block["input"].get("path") for block in reply] == ["logs/thursday.txt"])


def finished(output, expected):
    """Return the history of a check in which main.py printed this, and this was read as the expected text."""
    outcome = json.dumps({"exit_code": 0, "stdout": output, "stderr": ""})
    calls = [call("e", path="expected.txt"), {**call("r", path="main.py"), "name": "run_program"}]
    results = [result("e", expected), result("r", outcome)]
    return [*history(), {"role": "assistant", "content": calls}, {"role": "user", "content": results}]


@check("an output with one line more, or one less, is not equal")
def _():
    expect(compared("42\n", "42\n") == "equal")
    for output in ("42\n\n", "42\n43\n", "42", ""):
        expect(answer(finished(output, "42\n")).count("not equal") == 1, f"{output!r} passed as equal")
    expect("not equal" not in answer(finished("42\n", "42\n")))


@check("without the complete expected text nothing is claimed")
def _():
    stub = trim_results(LARGE_OLD, "r")[2]["content"][0]["content"]
    lost = finished("42\n", "42\n")
    lost[1]["content"][0]["input"] = {"path": "other.txt"}
    lost[0]["content"] += " [Summary: expected.txt holds 42; the output is equal.]"
    for messages in (finished("42\n", stub), lost):
        expect("I lack the evidence" in answer(messages))
