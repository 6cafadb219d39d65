"""Each scenario of the lesson does what its label says: run plainly on CPython 3.14, without Tracepane."""

import json
import re
import shutil
from functools import cache
from pathlib import Path

import pytest
import yaml
from scenario import Shown, missed, run_plainly

HERE = Path(__file__).resolve().parent
LESSON = HERE.parents[2] / "docs" / "lessons" / "context-compact"
PANES = yaml.safe_load((LESSON / "panes.yml").read_text("utf-8"))
SCENARIOS = [(pane, scenario) for pane in PANES for scenario in PANES[pane]["scenarios"]]
SHOWN = {pane: Shown(LESSON, PANES[pane]) for pane in PANES}


class Run:
    """What one scenario did: stops in the shown function, output, error, files."""

    def __init__(self, pane, seen):
        """Take what plain_run.py wrote."""
        self.lines = SHOWN[pane].lines
        self.stops, self.output, self.error, self.files = (seen[k] for k in ("stops", "output", "error", "files"))

    def at(self, text):
        """The variables at each stop on the line with this text."""
        return [names for line, names in self.stops if text in self.lines[line - 1] and "raised" not in names]

    def last_line(self):
        """The text of the line at which what is shown was left."""
        return self.lines[self.stops[-1][0] - 1].strip()

    def snapshots(self):
        """The messages of each snapshot."""
        texts = [text for path, text in self.files.items() if path.startswith(".context")]
        return [[json.loads(line) for line in text.splitlines()] for text in texts]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Run a scenario, once for all tests of this file."""

    @cache
    def once(pane, scenario):
        definition = PANES[pane]
        folder = tmp_path_factory.mktemp(scenario)
        for name, given in definition.get("files", {}).items():
            (folder / name).parent.mkdir(exist_ok=True)
            shutil.copy(LESSON / given["copy"], folder / name)
        file = definition["source"].removeprefix("../../examples/")
        return Run(pane, run_plainly(LESSON, definition, scenario, file=file, folder=folder))

    return once


def test_the_panes_and_their_scenarios():
    """The table of the contract, in its order; then what goes on from it."""
    assert {pane: len(PANES[pane]["scenarios"]) for pane in PANES} == {
        "split_history": 4,
        "trim_results": 4,
        "prepare_context": 7,
        "run_loop": 4,
        "attach_plan": 4,
        "practice": 5,
        "evidence": 6,
    }


def test_normal(run):
    """Three pairs, one at a time; two are older."""
    seen = run("split_history", "normal")
    assert [(stop["start"], len(stop["pairs"])) for stop in seen.at("pairs.append(")] == [(0, 0), (2, 1), (4, 2)]
    assert seen.at("parts = {")[0]["cut"] == 2
    assert "history unchanged: True" in seen.output


def test_one_result_missing(run):
    """It fails before grouping."""
    seen = run("split_history", "missing")
    assert seen.error == ["ValueError", "results are not all in: the last call has no answer yet"]
    assert seen.last_line().startswith('raise ValueError("results are not all in')
    assert seen.at("pairs = []") == []


def test_id_mismatch(run):
    """It fails at the second pair."""
    seen = run("split_history", "mismatch")
    stops = seen.at("pairs.append(")
    assert seen.last_line().startswith("pairs.append(")
    assert [len(stop["pairs"]) for stop in stops] == [0, 1]
    assert stops[1]["request"]["content"][0]["id"] == "call_2"
    assert stops[1]["response"]["content"][0]["tool_use_id"] == "call_9"
    assert seen.error[0] == "ValueError"


def test_several_calls_in_one_group(run):
    """Three calls of one message stay together, results in another order."""
    seen = run("split_history", "several")
    pairs = seen.at("cut = max(")[0]["pairs"]
    assert [len(response["content"]) for _request, response in pairs] == [3, 1]
    assert [block["is_error"] for block in pairs[0][1]["content"]] == [True, False, False]


def test_old_large_result(run):
    """It becomes a stub; the snapshot holds the full text."""
    seen = run("trim_results", "old")
    before = seen.at('block["content"] = result_stub(')[0]["block"]["content"]
    end = seen.at("return candidate")[0]
    assert len(before) == 859
    assert end["receipt"] in end["candidate"][2]["content"][0]["content"]
    assert end["messages"][2]["content"][0]["content"] == before
    assert seen.snapshots() == [end["messages"]]


def test_error_flag_kept(run):
    """Only the large one of two results is replaced, and it stays an error."""
    seen = run("trim_results", "error")
    first, second = seen.at("return candidate")[0]["candidate"][2]["content"]
    assert (first["content"].startswith("[Trimmed."), first["is_error"]) == (True, True)
    assert (second["content"], second["is_error"]) == ("print(6 * 7)", False)


def test_recent_large_result(run):
    """It is left alone: one question, about the small old result, and no stub."""
    seen = run("trim_results", "recent")
    assert len(seen.at('if len(block["content"]) > max_chars:')) == 1
    assert seen.at("result_stub(") == []
    end = seen.at("return candidate")[0]
    assert end["candidate"] == end["messages"]


def test_no_receipt(run):
    """It fails in the first line: nothing is looked at, nothing trimmed."""
    seen = run("trim_results", "no_receipt")
    assert seen.error == ["ValueError", "save a snapshot first: without a receipt the text is lost"]
    assert seen.last_line().startswith('raise ValueError("save a snapshot first')
    assert seen.at("older = split_history(") == []
    assert seen.files == {}


def test_fits(run):
    """A copy, no file."""
    seen = run("prepare_context", "fits")
    assert seen.last_line() == "return copy.deepcopy(messages)"
    assert seen.files == {}


def test_trimming_is_enough(run):
    """A snapshot, stubs, no summary."""
    seen = run("prepare_context", "trimmed")
    end = seen.at("return candidate")
    assert (len(end), end[0]["state"]["summaries"]) == (1, 0)
    assert seen.snapshots() == [end[0]["messages"]]
    assert "committed: 7 messages" in seen.output


def test_summary_needed(run):
    """Trimming changes nothing, a summary does; counted before it is asked."""
    seen = run("prepare_context", "summary")
    ask, end = seen.at("summary = summarize(")[0], seen.at("return candidate")[-1]
    assert (len(ask["parts"]["older"]), ask["state"]["summaries"]) == (6, 1)
    assert ask["candidate"] == ask["messages"]
    assert (len(end["messages"]), len(end["candidate"])) == (15, 3)
    assert seen.snapshots() == [end["messages"]]


def test_blank_summary(run):
    """The attempt is used up, the snapshot stays, the history too."""
    seen = run("prepare_context", "blank")
    assert seen.at('state["summaries"] += 1')[0]["state"]["summaries"] == 0
    assert seen.at("summary = summarize(")[0]["state"]["summaries"] == 1
    assert seen.last_line().startswith("opening = compact_opening(")
    assert "ValueError: the summary is blank" in seen.output
    assert "input unchanged: True" in seen.output
    assert "summaries used: 1 of 2\n" in seen.output
    assert len(seen.files) == 1


def test_archive_fails(run):
    """The writer itself refuses: nothing is trimmed, nothing written."""
    seen = run("prepare_context", "archive")
    assert seen.last_line().startswith("receipt = archive(")
    assert seen.at("candidate = trim_results(") == []
    assert "ValueError: a snapshot of 2530 bytes is over the limit of 500" in seen.output
    assert seen.files == {}


def test_summary_budget_used_up(run):
    """Archived, then refused, without asking."""
    seen = run("prepare_context", "used_up")
    assert seen.last_line().startswith('raise failure("no summary is left')
    assert seen.at("summary = summarize(") == []
    assert "summaries used: 2 of 2" in seen.output
    assert len(seen.files) == 1


def test_recent_exchange_alone_too_large(run):
    """There is nothing older."""
    seen = run("prepare_context", "recent")
    assert seen.last_line().startswith('raise failure("recent exchange alone too large: shrink')
    assert seen.at('if not parts["older"]:')[0]["parts"]["older"] == []
    assert "input unchanged: True" in seen.output
    assert len(seen.files) == 1


def test_committed(run):
    """The first log is a stub from the third request on; the list is the same one."""
    seen = run("run_loop", "success")
    assert [len(stop["messages"]) for stop in seen.at("messages[:] = candidate")] == [1, 3, 5]
    commit = seen.at("messages[:] = candidate")[2]
    assert commit["candidate"] != commit["messages"]
    assert seen.at("request = copy.deepcopy(messages)")[2]["messages"] == commit["candidate"]
    assert "status: finished, requests sent: 3" in seen.output
    assert "the first log in it: [Trimmed." in seen.output


def test_the_preparation_raises(run):
    """The third request is not sent, the history stays, and there is no file."""
    seen = run("run_loop", "raises")
    assert len(seen.at("messages[:] = candidate")) == 2
    assert seen.last_line().startswith('return ended("context_error"')
    assert "status: context_error, requests sent: 2" in seen.output
    assert "the first log in it: Mon 09:00" in seen.output
    assert seen.files == {}


def test_it_returns_no_list(run):
    """The snapshot is there, the candidate was made, and nothing is committed."""
    seen = run("run_loop", "no_list")
    assert len(seen.at("messages[:] = candidate")) == 2
    assert "error: TypeError: prepare must return a list of messages, not NoneType" in seen.output
    assert "this file's own list: 5 messages" in seen.output
    assert len(seen.snapshots()) == 1


def test_the_request_fails(run):
    """It was sent and counts; the candidate of before it stays committed."""
    seen = run("run_loop", "cut")
    assert seen.last_line().startswith('return ended("model_error"')
    assert "status: model_error, requests sent: 3" in seen.output
    assert "the first log in it: [Trimmed." in seen.output


def test_the_plan_after_results(run):
    """The result first, the plan of now last, and the history untouched."""
    seen = run("attach_plan", "results")
    end = seen.at("return attached")[-1]
    assert [block["type"] for block in end["attached"][-1]["content"]] == ["tool_result", "text"]
    assert "revision 2" in end["attached"][-1]["content"][1]["text"]
    assert len(end["messages"][-1]["content"]) == 1
    assert "the history can be cut: 1 recent" in seen.output


def test_the_plan_after_the_question(run):
    """The question's text becomes a block before it."""
    end = run("attach_plan", "question").at("return attached")[-1]
    assert [block["type"] for block in end["attached"][-1]["content"]] == ["text", "text"]
    assert type(end["messages"][-1]["content"]) is str


def test_no_plan_yet(run):
    """The copy leaves at once."""
    seen = run("attach_plan", "none")
    assert seen.last_line() == "return attached"
    assert seen.at("last = attached[-1]") == []


def test_a_plan_kept_in_the_history(run):
    """The next cut refuses it."""
    seen = run("attach_plan", "kept")
    assert seen.error == ["ValueError", "the message after a call may hold tool_result blocks only"]


def test_the_practice_allowed(run):
    """Trim, then trim and summarise, then start once; thirteen requests."""
    seen = run("practice", "allow")
    assert "request 3: 3758 -> 2660 bytes, trimmed" in seen.output
    assert "request 4: 4770 -> 2661 bytes, summarised" in seen.output
    assert "requests: {'parent': 9, 'child': 3, 'summary': 1} - started: True" in seen.output
    assert "compared with the whole expected text: equal." in seen.output
    assert seen.files["started.txt"] == "yes\n"
    assert len(seen.at("self.rules = None  # a text")) == 1
    assert len(seen.snapshots()) == 4


def test_the_practice_denied(run):
    """The same requests, and no mark."""
    seen = run("practice", "deny")
    assert "requests: {'parent': 9, 'child': 3, 'summary': 1} - started: False" in seen.output
    assert seen.at("self.outcome = self.start(") == []
    assert "started.txt" not in seen.files


def test_the_practice_without_its_rules(run):
    """The user is not even asked."""
    seen = run("practice", "forgetful")
    assert len(seen.at('raise PermissionError("load the rules first')) == 1
    assert seen.at("allowed = self.decide(") == []
    assert "Nothing to compare. PermissionError: load the rules first" in seen.output


def test_the_practice_without_a_summary(run):
    """It ends before the fourth request, with two snapshots."""
    seen = run("practice", "no_summary")
    assert "request 4: 4770 -> - bytes, failed, not sent" in seen.output
    assert "status: context_error ValueError: no summary is left" in seen.output
    assert len(seen.snapshots()) == 2


def test_the_practice_with_a_small_budget(run):
    """It ends before the second request."""
    seen = run("practice", "small")
    assert "request 2: 2284 -> - bytes, failed, not sent" in seen.output
    assert "'parent': 1, 'child': 0, 'summary': 0" in seen.output


@pytest.mark.parametrize(
    ("scenario", "said"),
    [
        ("equal", "main.py printed '42\\n'; compared with the whole expected text: equal."),
        ("more", "not equal; lines of output 2, expected 1; at line 2 there is ['\\n'] for []."),
        ("summary", "I lack the evidence: the complete expected text is no longer in the active history."),
        ("stub", "I lack the evidence: the complete expected text is no longer in the active history."),
        ("denied", "Nothing to compare. PermissionError: main.py was not started: the user did not allow it"),
        ("crashed", "main.py failed with exit code 1."),
    ],
)
def test_the_evidence(run, scenario, said):
    """The parent claims what the active history shows in full, and nothing else."""
    assert said in run("evidence", scenario).output


UNTOUCHED = [(pane, scenario) for pane, scenario in SCENARIOS if pane not in ("run_loop", "practice")]


@pytest.mark.parametrize(("pane", "scenario"), UNTOUCHED)
def test_a_run_changes_no_input(run, pane, scenario):
    """Wherever a run gets to, the messages given are what they were at the first line."""
    stops = [names["messages"] for _line, names in run(pane, scenario).stops if "messages" in names]
    assert all(messages == stops[0] for messages in stops)


@pytest.mark.parametrize("pane", PANES)
def test_each_node_is_visited_by_some_scenario(run, pane):
    """A node of the flow that no run reaches would teach nothing."""
    stops = [stop for scenario in PANES[pane]["scenarios"] for stop in run(pane, scenario).stops]
    assert missed(LESSON, PANES[pane], stops) == []


@pytest.mark.parametrize("pane", PANES)
def test_of_three_scenarios_or_more_one_fails(run, pane):
    """With an error that comes out, or one that is told."""
    seen = [run(pane, scenario) for scenario in PANES[pane]["scenarios"]]
    assert len(seen) >= 3
    assert any(each.error or re.search(r"Error: |context_error|not equal", each.output) for each in seen)


@pytest.mark.parametrize("pane", PANES)
def test_what_is_shown_fits_a_pane(pane):
    """Ten to fifty lines."""
    assert 10 <= SHOWN[pane].last - SHOWN[pane].first + 1 <= 50
