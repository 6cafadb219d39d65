"""Each scenario of the lesson does what its label says: run plainly on CPython 3.14, without Tracepane."""

import ast
import json
import subprocess
from functools import cache
from pathlib import Path

import pytest
import yaml
from native import python

HERE = Path(__file__).resolve().parent
LESSON = HERE.parents[2] / "docs" / "lessons" / "context-compact"
SHOWN = (LESSON / "../../examples/s08/core/runtime.py").resolve()
PANES = yaml.safe_load((LESSON / "panes.yml").read_text("utf-8"))
SCENARIOS = [(pane, scenario) for pane in PANES for scenario in PANES[pane]["scenarios"]]
LINES = SHOWN.read_text("utf-8").splitlines()


class Run:
    """What one scenario did: stops in the shown function, output, error, files."""

    def __init__(self, seen):
        """Take what plain_run.py wrote."""
        self.stops, self.output, self.error, self.files = (seen[k] for k in ("stops", "output", "error", "files"))

    def at(self, text):
        """The variables at each stop on the line with this text."""
        return [names for line, names in self.stops if text in LINES[line - 1] and "raised" not in names]

    def last_line(self):
        """The text of the line at which the function was left."""
        return LINES[self.stops[-1][0] - 1].strip()

    def snapshots(self):
        """The messages of each snapshot."""
        return [[json.loads(line) for line in text.splitlines()] for text in self.files.values()]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Run a scenario, once for all tests of this file."""

    @cache
    def once(pane, scenario):
        definition = PANES[pane]
        order = {
            "path": [str((LESSON / root).resolve()) for root in definition["path"]],
            "main": [str(LESSON / definition["setup"]), str(LESSON / definition["call"])],
            "set": definition["scenarios"][scenario]["set"],
            "file": "s08/core/runtime.py",
            "function": definition["show"],
        }
        done = subprocess.run(
            [python(), "-I", "-B", str(HERE / "plain_run.py")],
            cwd=tmp_path_factory.mktemp(scenario),
            input=json.dumps(order),
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=True,
        )
        return Run(json.loads(done.stdout))

    return once


def test_there_are_three_panes_and_fourteen_scenarios():
    """The table of the contract, in its order."""
    assert {pane: len(PANES[pane]["scenarios"]) for pane in PANES} == {
        "split_history": 4,
        "trim_results": 3,
        "prepare_context": 7,
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


@pytest.mark.parametrize(("pane", "scenario"), SCENARIOS)
def test_a_run_changes_no_input(run, pane, scenario):
    """Wherever a run gets to, the messages given are what they were at the first line."""
    stops = [names["messages"] for _line, names in run(pane, scenario).stops if "messages" in names]
    assert all(messages == stops[0] for messages in stops)


@pytest.mark.parametrize("pane", PANES)
def test_each_node_is_visited_by_some_scenario(run, pane):
    """A node of the flow that no run reaches would teach nothing."""
    visited = {line for scenario in PANES[pane]["scenarios"] for line, _names in run(pane, scenario).stops}
    missed = [node["id"] for node in PANES[pane]["flow"] if not visited & set(node_lines(pane, node["at"]))]
    assert missed == []


@pytest.mark.parametrize("pane", PANES)
def test_the_shown_function_fits_a_pane(pane):
    """Twenty to forty-five lines."""
    first, last = shown_range(pane)
    assert 20 <= last - first + 1 <= 45


def shown_range(pane):
    """First and last line of the function that a pane shows."""
    function = next(
        node for node in ast.parse("\n".join(LINES)).body if getattr(node, "name", "") == PANES[pane]["show"]
    )
    return function.lineno, function.end_lineno


def node_lines(pane, anchors):
    """The lines that a node's anchors name; each must be found."""
    for anchor in anchors if isinstance(anchors, list) else [anchors]:
        if isinstance(anchor, dict) and "from" in anchor:
            yield from range(find(pane, anchor["from"]), find(pane, anchor["to"]) + 1)
        elif isinstance(anchor, dict):
            yield find(pane, anchor["text"], anchor["nth"])
        else:
            yield find(pane, anchor)


def find(pane, text, nth=None):
    """The one line of the shown function that holds the text, or the nth of several."""
    first, last = shown_range(pane)
    found = [number for number in range(first, last + 1) if text in LINES[number - 1]]
    assert nth or len(found) == 1, (text, found)
    return found[(nth or 1) - 1]
