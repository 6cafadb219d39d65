#!/usr/bin/env python3
"""An agent checks a program, with a history that has to be shortened on the way.

Models are fixed stand-ins unless --live is given. Files, snapshots and, once allowed, the process
are real. Exit codes: 0 the run finished (and a program that was started gave the expected output),
1 it gave another one, none, or failed, 2 wrong arguments, no place to work, or SDK or key missing,
3 context_error, 4 model_error, 5 call_limit, 130 interrupted.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from s05.core.plan import plan_state  # noqa: E402 - the import root is set above
from s08.user_code.agents import first_message, run_parent  # noqa: E402
from s08.user_code.files import Files, compared  # noqa: E402
from s08.user_code.host import Host  # noqa: E402
from s08.user_code.stand_ins import stand_ins  # noqa: E402

PROJECT = HERE / "project"
MARKER = "started.txt"  # main.py writes it first of all: the proof that it was started
EXITS = {"finished": 0, "context_error": 3, "model_error": 4, "call_limit": 5}
INTERRUPTED = 130  # as a shell says it of what Ctrl-C ended


def main(arguments=None):
    """Run the practice as the command line says, print the report, return the exit code."""
    options = parsed(arguments)
    usage = {}
    try:
        models = live(options.model, usage) if options.live else stand_ins()
    except Exception as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    try:
        report = practice(models, user(options.decision), options.budget, options.summary_limit, options.work_dir)
    except OSError as error:
        print(f"error: there is no place to work: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nerror: interrupted", file=sys.stderr)
        return INTERRUPTED
    report |= {"models": options.model if options.live else "fixed stand-ins", "usage": usage or None}
    print(json.dumps(report, indent=2) if options.json else printable(told(report)))
    return report["exit_code"]


def parsed(arguments):
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument(
        "--decision", choices=["ask", "allow", "deny"], default="ask",
        help="what the user says when a program is to be started; ask (the default) asks at the terminal",
    )  # fmt: skip
    parser.add_argument("--budget", type=budget, default=3200, help="bytes of the messages, at least 400; 3200")
    parser.add_argument("--summary-limit", type=limit, default=2, help="how many summaries may be tried; 2")
    parser.add_argument("--work-dir", type=Path, help="where to work; a fresh temporary directory unless named")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.add_argument("--live", action="store_true", help="ask a real model by the Anthropic SDK; needs --model")
    parser.add_argument("--model", help="the name of the real model")
    options = parser.parse_args(arguments)
    if options.live != bool(options.model):
        parser.error("--live and --model NAME go together")
    return options


def budget(text):
    """Return a budget from the command line."""
    if int(text) < 400:
        raise argparse.ArgumentTypeError("a budget has at least 400 bytes")
    return int(text)


def limit(text):
    """Return a number of summaries from the command line."""
    if int(text) < 0:
        raise argparse.ArgumentTypeError("a number of summaries is 0 or more")
    return int(text)


def live(model, usage):
    """Return real models, and say what they cost; raises before anything is started."""
    from s08.user_code.sdk import client_from, live_models

    client = client_from()
    print(
        f"Live: {model} is asked for parent, child and summary. Each request costs tokens, those for summaries too.",
        file=sys.stderr,
    )
    return live_models(client, model, usage)


def user(decision):
    """Return who decides: a fixed answer, or the person at the terminal; no answer is a no."""

    def ask(question):
        print(f"{question} Type yes to allow it: ", end="", file=sys.stderr, flush=True)
        answer = sys.stdin.readline() if sys.stdin else ""  # None when the input was closed from the start
        if not answer.endswith("\n"):
            print(file=sys.stderr)
        return answer.strip().lower() == "yes"

    return ask if decision == "ask" else lambda _question: decision == "allow"


def practice(models, decide, budget=3200, summary_limit=2, work=None):
    """Run once in a work directory and return the report."""
    models, requests = models.counted()
    host = Host(Files(fresh(work)), models.summary, decide, start, budget, summary_limit)
    messages, plan = [first_message()], plan_state()
    ended = run_parent(host, models, messages, plan)
    return report_of(host, ended) | {
        "budget": budget,
        "requests": {**requests, "total": sum(requests.values())},
        "plan": plan,
        "history": messages,
    }


def fresh(work=None):
    """Return a directory with a copy of the project, and without the mark of an earlier start.

    OSError: it cannot be written, or another file stands where the project has one.
    """
    work = Path(tempfile.mkdtemp(prefix="s08-practice-") if work is None else work).resolve()
    for file in filter(Path.is_file, PROJECT.rglob("*")):
        there = work / file.relative_to(PROJECT)
        if there.exists() and there.read_bytes() != file.read_bytes():
            raise FileExistsError(f"{there} is another file than the project's, and would be lost")
    shutil.copytree(PROJECT, work, dirs_exist_ok=True)
    (work / MARKER).unlink(missing_ok=True)
    return work


def start(program, seconds=10):
    """Start a Python program as a process of its own, in its directory, and return how it ended."""
    done = subprocess.run(
        [sys.executable, "-I", "-B", "-X", "utf8", str(program)],  # its whole path: "-c" would be an option
        cwd=program.parent,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="backslashreplace",
        timeout=seconds,
        check=False,
    )
    return {"exit_code": done.returncode, "stdout": done.stdout, "stderr": done.stderr}


def report_of(host, ended):
    """Return what the run did, as JSON can hold it."""
    check = checked(host)
    fails = ended["status"] == "finished" and check not in ("equal", "not started")
    return {
        **ended,
        "exit_code": 1 if fails else EXITS[ended["status"]],
        "preparations": host.preparations,
        "summaries": {"used": host.context["summaries"], "limit": host.context["max_summaries"]},
        "permissions": host.asked,
        "process": host.outcome,
        "marker": (host.files.directory / MARKER).exists(),
        "check": check,
        "work": str(host.files.directory),
        "snapshots": str(host.files.directory / ".context"),
    }


def checked(host):
    """Return what came of the check: `equal`, or in words what did not."""
    if host.outcome is None:
        allowed = any(each["allowed"] for each in host.asked)
        return "started, and no output came back" if allowed else "not started"
    if host.outcome["exit_code"] != 0:
        return f"failed with exit code {host.outcome['exit_code']}"
    return compared(host.outcome["stdout"], (PROJECT / "expected.txt").read_text(encoding="utf-8"))


def told(report):
    """Return the report as people read it."""
    requests, summaries, process = report["requests"], report["summaries"], report["process"]
    asked = [f"{each['path']}: {'allowed' if each['allowed'] else 'denied'}" for each in report["permissions"]]
    ran = "started, end unknown" if any(each["allowed"] for each in report["permissions"]) else "never started"
    if process is not None:
        ran = f"exit code {process['exit_code']}, printed {process['stdout']!r}"
    rows = {
        "work": report["work"],
        "models": report["models"],
        "budget": f"{report['budget']} bytes of messages, {summaries['limit']} summaries",
        "requests": f"{requests['total']}: parent {requests['parent']}, child {requests['child']}, "
        f"summary {requests['summary']}",
        "usage": report["usage"],
        "asked": "; ".join(asked) or "nothing",
        "process": ran,
        "marker": f"{MARKER} {'is there' if report['marker'] else 'is not there'}",
        "check": report["check"],
        "snapshots": report["snapshots"],
        "status": report["status"],
        "error": report["error"],
        "answer": report["answer"],
    }
    table = ["request  bytes before  after  what was done with the history", *map(prepared, report["preparations"])]
    lines = [f"{name:<11}{value}" for name, value in rows.items() if value]
    return "\n".join([*lines[:3], "", *table, "", *lines[3:]])


def printable(text):
    """Return the text with escapes for what this terminal cannot show."""
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def prepared(note):
    """Return one line about one preparation."""
    done = "nothing, it fits"
    if note["receipts"]:
        done = "trimmed, then summarised" if note["summarised"] else "trimmed"
    if "after" not in note:
        done = "failed: history kept, request not sent"
    receipts = "".join(f"; snapshot {receipt}" for receipt in note["receipts"])
    return f"{note['request']:>7}{note['before']:>14}{note.get('after', '-'):>7}  {done}{receipts}"


if __name__ == "__main__":
    sys.exit(main())
