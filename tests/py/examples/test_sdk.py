"""The practice by the official SDK, against a loopback server that speaks the Messages API's form."""

import importlib.metadata
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from messages_api import KEY, MessagesAPI

from s08.user_code import practice, stand_ins

ROOT = Path(__file__).resolve().parents[3]
LIVE = ["--live", "--model", "test-model", "--json"]


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run the practice by the SDK against a server with such faults; give the report, the server and the exit code."""

    def run(faults=None, decision="allow"):
        with MessagesAPI(faults) as api:
            monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
            monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
            code = practice.main([*LIVE, "--decision", decision, "--work-dir", str(tmp_path / "work")])
        printed = capsys.readouterr()
        assert "Each request costs tokens, those for summaries too" in printed.err
        return json.loads(printed.out), api, code

    return run


def assert_kept(report, calls):
    """There is the history of the first `calls` requests, as a run without faults leaves it, and nothing after it."""
    messages = report["history"]
    assert messages[-1]["role"] == "user"
    assert stand_ins.last_step(messages) == calls


@pytest.mark.parametrize("decision", ["allow", "deny"])
def test_thirteen_requests(run, tmp_path, decision):
    """The same run as with fixed models: requests, history and answer; and the tokens that were told add up."""
    report, api, code = run(decision=decision)
    assert (code, report["requests"]["total"], report["marker"]) == (0, 13, decision == "allow")
    assert api.roles() == {"parent": 9, "child": 3, "summary": 1}
    assert report["usage"] == api.tokens
    asked = api.summaries[0]["messages"][0]["content"].splitlines()
    assert [json.loads(line)["role"] for line in asked[2:]] == ["user", "assistant", "user", "assistant", "user"]
    offline = practice.practice(stand_ins.stand_ins(), lambda _question: decision == "allow", work=tmp_path / "other")
    names = re.compile(r"context-[0-9a-f]{12}")
    same = [names.sub("context", json.dumps(each["history"])) for each in (report, offline)]
    assert same[0] == same[1]
    assert report["answer"] == offline["answer"]


def test_the_command_itself(tmp_path):
    """As a reader types it, in a process of its own."""
    command = [sys.executable, "-I", "-B", practice.__file__, *LIVE, "--decision", "allow", "--work-dir", str(tmp_path)]
    with MessagesAPI() as api:
        environment = os.environ | {"ANTHROPIC_BASE_URL": api.url, "ANTHROPIC_API_KEY": KEY}
        done = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, json.loads(done.stdout)["check"]) == (0, "equal")


def test_a_truncated_summary_is_refused(run):
    """`max_tokens` is no end of a summary: the run ends, the history stays, the attempt is counted."""
    report, api, code = run({("summary", 1): {"stop_reason": "max_tokens"}})
    assert (code, report["status"], report["calls"]) == (3, "context_error", 3)
    assert "the summary is not complete: it ended by max_tokens" in report["error"]
    assert report["summaries"] == {"used": 1, "limit": 2}
    assert api.roles() == {"parent": 3, "child": 0, "summary": 1}
    assert_kept(report, 3)


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("429", "RateLimitError: Error code: 429"),
        ("529", "OverloadedError: Error code: 529"),
        ("cut", "APIConnectionError"),
        ("malformed", "ModelError: the server's answer is no JSON"),
        ("html", "ModelError: the server's answer is no message"),
        ("list", "ModelError: the server's answer is no message"),
        ({"content": None}, "ModelError: the server's answer is no message"),
        ({"stop_reason": "max_tokens"}, "ModelError: the turn is not complete: it ended by max_tokens"),
        ({"stop_reason": "refusal", "content": []}, "ModelError: the turn is not complete: it ended by refusal"),
        ({"content": [{"type": "thinking", "thinking": "", "signature": ""}]}, "has no place for a block of type"),
    ],
    ids=str,
)
def test_a_failed_turn_ends_the_run(run, fault, told):
    """In a clear status, without a hidden repetition, and with the history as it was."""
    report, api, code = run({("parent", 5): fault})
    assert (code, report["status"], report["calls"]) == (4, "model_error", 5)
    assert told in report["error"]
    assert api.roles() == {"parent": 5, "child": 0, "summary": 1}
    assert_kept(report, 4)


@pytest.mark.parametrize("fault", ["429", "529", "cut", "malformed"])
def test_a_failed_summary_ends_the_run(run, fault):
    """As a failed preparation: nothing is committed, nothing sent."""
    report, api, code = run({("summary", 1): fault})
    assert (code, report["status"], report["calls"]) == (3, "context_error", 3)
    assert api.roles() == {"parent": 3, "child": 0, "summary": 1}
    assert_kept(report, 3)


def test_a_failed_child_is_told_to_the_parent(run):
    """As a result that is an error; the parent goes on by itself."""
    report, api, code = run({("child", 2): "529"})
    newest = Path(report["snapshots"], *report["preparations"][-1]["receipts"])
    messages = [json.loads(line) for line in newest.read_text("utf-8").splitlines()]
    told = stand_ins.result_of(messages, "delegate", task="What does main.py import and print?")
    assert told["is_error"] is True
    assert "the child ended as model_error: OverloadedError" in told["content"]
    assert (code, api.roles()["child"]) == (0, 2)


def test_an_answer_without_evidence_claims_nothing(run):
    """The longer result of a failed child costs one more summary, and with it the expected text."""
    report, _api, _code = run({("child", 2): "529"})
    assert report["summaries"]["used"] == 2
    assert report["answer"].startswith("I lack the evidence: the complete expected text")


def test_without_a_key_nothing_starts(tmp_path, monkeypatch, capsys):
    """It says what to set, and leaves no directory."""
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    assert practice.main([*LIVE, "--work-dir", str(tmp_path / "work")]) == 2
    assert capsys.readouterr().err == "error: there is no key: set ANTHROPIC_API_KEY\n"
    assert not (tmp_path / "work").exists()


def test_without_the_sdk_nothing_starts(tmp_path, monkeypatch, capsys):
    """It says what to install, with the pinned release."""
    monkeypatch.setitem(sys.modules, "anthropic", None)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    assert practice.main([*LIVE, "--work-dir", str(tmp_path / "work")]) == 2
    assert capsys.readouterr().err == "error: the SDK is not installed: pip install anthropic==1.13.0\n"
    assert not (tmp_path / "work").exists()


def test_the_sdk_is_the_pinned_one():
    """The release that the adapter was written against is the one that these tests ran with."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert f"anthropic=={importlib.metadata.version('anthropic')}" in extras["sdk"]
