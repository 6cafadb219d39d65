"""The checks of the example can fail: a broken rule is noticed by the check that is about it, and by the exit code."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[3] / "docs" / "examples"
LOOP, PLAN, CONTEXT = "s01/core/runtime.py", "s05/core/plan.py", "s08/core/runtime.py"
HOST, STAND_INS, FILES = (f"s08/user_code/{name}.py" for name in ("host", "stand_ins", "files"))

BROKEN = [
    (CONTEXT, "if sorted(asked) != sorted(answered):", "if False:", "a pair: each call has one result"),
    (CONTEXT, "if len(set(ids)) != len(ids):", "if False:", "a pair: ids are distinct"),
    (CONTEXT, "if type(block.get(name)) is not kind:", "if not isinstance(block.get(name), (kind, int)):", "0 is not"),
    (CONTEXT, "type(keep_recent) is not int", "not isinstance(keep_recent, int)", "a cut: keep_recent"),
    (CONTEXT, "len(exchanges) % 2 != 0", "False", "odd number of messages"),
    (CONTEXT, "return copy.deepcopy(parts)", "return parts", "a cut gives copies"),
    (CONTEXT, "> max_chars:", ">= max_chars:", "what has just the limit stays"),
    (CONTEXT, "ensure_ascii=False", "ensure_ascii=True", "sizes are UTF-8 bytes"),
    (CONTEXT, "allow_nan=False", "allow_nan=True", "nan is no JSON"),
    (CONTEXT, '.open("xb")', '.open("wb")', "a snapshot never overwrites"),
    (CONTEXT, "1_000_000", "2_000_000", "more than 1,000,000 bytes"),
    (CONTEXT, "archive(copy.deepcopy(messages))", "archive(messages)", "archived first"),
    (CONTEXT, '    state["summaries"] += 1', "    pass", "counted before"),
    (CONTEXT, "    check_candidate(candidate, messages", "    (candidate, messages", "must be whole, must fit"),
    (CONTEXT, "return summary.strip()", "return summary", "the stripped summary"),
    (CONTEXT, "= compact_opening(question,", '= compact_opening(messages[0]["content"],', "stacks no summary"),
    (CONTEXT, "if size >= history_bytes(messages):", "if False:", "must be smaller"),
    (LOOP, "prepare(copy.deepcopy(messages))", "prepare(messages)", "a preparation that raises: context_error"),
    (LOOP, "if not isinstance(candidate, list):", "if candidate is None:", "no list is not committed"),
    (LOOP, "messages[:] = candidate", "messages = candidate", "in place"),
    (LOOP, "calls + 1, error=error", "calls, error=error", "a model that raises"),
    (PLAN, "attached = copy.deepcopy(messages)", "attached = messages", "the history never holds it"),
    (HOST, "self.rules = None  # a text", "pass  # a text", "rules are loaded again"),
    (HOST, "if not allowed:", "if False:", "deny: the program was never started"),
    (HOST, "allowed = self.decide(", "allowed = len(self.asked) > 0 or self.decide(", "each start is asked for"),
    (STAND_INS, "return int(ids[-1]", "return len(ids) and int(ids[0]", "13 requests"),
    (STAND_INS, 'or expected["content"].startswith(STUB)', "", "nothing is claimed"),
    (FILES, "if output == expected:", "if output.strip() == expected.strip():", "one line more"),
    (FILES, "not in found.parents", "in found.parents and False", "nothing outside"),
]


def verify(examples):
    """Run the checks of a copy of the examples."""
    return subprocess.run(
        [sys.executable, "-I", "-B", str(examples / "s08/user_code/verify_practice.py")],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.fixture
def copied(tmp_path):
    """A copy of the examples, to be broken."""
    return Path(shutil.copytree(EXAMPLES, tmp_path / "examples", ignore=shutil.ignore_patterns("__pycache__")))


def test_all_checks_pass(copied):
    """There are 34 or more of them, each printed."""
    done = verify(copied)
    passed = [line for line in done.stdout.splitlines() if line.startswith("  ok ")]
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(passed) >= 34
    assert f"{len(passed)} checks: {len(passed)} passed, 0 failed" in done.stdout


@pytest.mark.parametrize(("file", "text", "instead", "noticed"), BROKEN, ids=[case[3] for case in BROKEN])
def test_a_broken_rule_is_noticed(copied, file, text, instead, noticed):
    """One change of the source, and the check of that rule fails."""
    source = (copied / file).read_text("utf-8")
    assert source.count(text) == 1, f"{text} stands {source.count(text)} times in {file}"
    (copied / file).write_text(source.replace(text, instead), "utf-8")
    done = verify(copied)
    failed = [line for line in done.stdout.splitlines() if line.startswith("  FAILED")]
    assert done.returncode == 1, done.stdout + done.stderr
    assert any(noticed in line for line in failed), failed
