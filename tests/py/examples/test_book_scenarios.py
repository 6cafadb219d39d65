"""Each scenario of the chapter does what its label says: run plainly on CPython 3.14, without Tracepane."""

import doctest
import re
from functools import cache
from pathlib import Path

import pytest
import yaml
from scenario import Shown, missed, run_plainly

HERE = Path(__file__).resolve().parent
LESSON = HERE.parents[2] / "docs" / "lessons" / "long-tasks"
FILES = ["fold.yml", "compress.yml", "keep.yml", "handover.yml"]
PANES = {f"{file}#{id}": pane for file in FILES for id, pane in yaml.safe_load((LESSON / file).read_text()).items()}

# What the output says.
SAID = {
    "fold.yml#retention": {
        "matters": ["-> outline and reference: it matters"],
        "changed": ["-> original kept: the only observation"],
        "minor": ["-> open to deletion: minor, its source still has it"],
        "archived": ["-> archived and evicted: minor, only the archive has it"],
        "only_copy": ["importance 0", "-> original kept: the only observation"],
        "hard": ["importance 0", "-> original kept: goal version: no score removes it"],
        "typo": ["ValueError: log of the morning: nobody knows the kind 'goal versoin'", "stays where it is"],
    },
    "fold.yml#fold": {
        "whole": ["734 bytes leave the input; a stub of 284 bytes stays", "in full: True"],
        "line": ["16 bytes leave the input; a stub of 286 bytes stays", "in full: True"],
        "missing": ["ValueError: omits must be text", "no stub", "in full: True"],
        "reversed": ["ValueError: the range [734, 0) is reversed", "no stub", "in full: True"],
        "past": ["ValueError: the range [0, 735) is not within [0, 734)", "no stub", "in full: True"],
        "long": ["OverBudget: 491 bytes are over the limit of 400", "no stub", "in full: True"],
    },
    "fold.yml#expand": {
        "lines": ["08:39 温度 17.9\n08:40 温度 nan", "as in the original: True"],
        "cut": [r"bytes [700, 708): b'08:39 \xe6\xb8'", "people: 08:39 �\n", "as in the original: True"],
        "version": ["ExpansionFailed: station.log was not expanded: version v4, not v3", "as before: True"],
        "edited": ["ExpansionFailed: station.log was not expanded: it changed: its hash differs", "as before: True"],
        "scope": ["ExpansionFailed: station.log was not expanded: scope team may not be shown", "as before: True"],
        "outside": ["the range [-34, -1) is not within [0, 734)", "as before: True"],
        "large": ["734 bytes are over the limit of 64", "as before: True"],
    },
    "fold.yml#budget": {
        "english": ["{'bytes': 120, 'token_estimate': 30, 'within_token_estimate': False}; characters: 120"],
        "chinese": ["{'bytes': 120, 'token_estimate': 10, 'within_token_estimate': True}; characters: 40"],
        "cut": ["{'bytes': 35, 'token_estimate': 3, 'within_token_estimate': True}; characters: 12"],
        "long": ["OverBudget: 121 bytes are over the limit of 120"],
        "three": ["{'bytes': 80,", "OverBudget: 160 bytes are over the limit of 120"],
    },
    "compress.yml#validate": {
        "equal": ["{'structure_verified': True, 'semantic_lossless': 'unknown'}", "nan at 08:40"],
        "wrong": ["{'structure_verified': True, 'semantic_lossless': 'unknown'}", "All of them are fine."],
        "stale": ["StaleRevision: made from 6, this is 7", "stays as it is, at revision 7"],
        "field": ["CandidateRefused: fields: not the same, byte for byte", "stays as it is"],
        "unknown": ["CandidateRefused: unknown: (), not ('is the sensor broken?',)", "stays as it is"],
    },
    "compress.yml#commit": {
        "one": ["committed: 7 -> 8; the old snapshot still says 7"],
        "two": ["committed: 7 -> 8", "StaleRevision: expected 7, this is 8\nnothing changed: True"],
        "insists": ["committed: 7 -> 8", "StaleRevision: made from 7, this is 8\nnothing changed: True"],
        "goal": ["StaleRevision: made from 7, this is 8\nnothing changed: True"],
    },
    "compress.yml#candidate": {
        "whole": ["corrections: compared exactly", "evidence: found word for word", "summary: not compared"],
        "decision": ["decisions: linked to its record; the wording was not compared", "summary: not compared"],
        "lost": ["CandidateRefused: corrections/wait is missing"],
        "version": ["CandidateRefused: evidence/nan comes from result 3 version v2, but that is v3"],
        "quoted": ["CandidateRefused: evidence/nan does not stand in result 3"],
        "tidied": ["CandidateRefused: open_actions/restart is 'done', but it was 'sent, no answer'"],
    },
    "compress.yml#boundary": {
        "quiet": ["COMMITTED: committed\nmessages of the next request: 2\nmessages on the way back: 3"],
        "flight": ["kept the old: in flight: call_2\nkept the old: revision was 7, is 8\nCOMMITTED: committed"],
        "unresolved": ["kept the old: no result of call_2\nmessages of the next request: 3"],
        "objection": ["kept the old: the adapter objects: this interface wants its reasoning back in full"],
        "goal": ["kept the old: goal_revision was 2, is 3\nmessages of the next request: 3"],
        "room": ["kept the old: old record not kept: 866 bytes, and there is room for 500"],
    },
    "keep.yml#store": {
        "written": ["committed: 243 bytes of 734 stand in the input.\nexpanded: 08:39 温度 17.9\n08:40 温度 nan"],
        "full": ["failed: 44040 bytes of 44040", "disk is full\nLater", "committed: 245 bytes of 44040"],
        "locked": ["failed: 734 bytes of 734", "not written: database is locked\nLater", "committed: 243 bytes"],
        "unknown": ["unknown: 734 bytes of 734", "not confirmed: database is locked\nLater", "committed: 243 bytes"],
    },
    "keep.yml#deletion": {
        "alone": [
            "copies that remain: []",
            "raw logs go after 30 days'; copies that remained: none",
            "in the file: False",
        ],
        "copies": ["remain: ['station.log (public)', \"Monday's backup tape\"]", "in the file: True"],
        "no_rule": ["ValueError: rule must be text", "leads to 734 bytes"],
        "twice": ["Deleted: station.log was deleted at 2026-12-02T", "says: station.log was deleted at 2026-12-02T"],
    },
    "keep.yml#pairs": {
        "whole": ["call_1 read_file: done\ncall_2 read_file: failed\ncall_3 restart_station: refused\n"],
        "unknown": ["call_3 restart_station: refused\ncall_4 send_mail: unknown\n"],
        "half": ["call_5 read_file: done\ncall_6 read_file: done\ncall_7 send_mail: unresolved\n"],
        "late": ["Mismatch: call_5 waits for no answer in message 7"],
        "silent": ["Mismatch: the result of call_4 states no outcome"],
    },
    "keep.yml#rewrite": {
        "settled": ["may go: ['call_1', 'call_2']\n7 messages become 5"],
        "refusal": ["refused: call_3 is refused, and left out", "stays selected: 7 messages"],
        "tidied": ["refused: call_4: state was unknown, and is done", "stays selected: 7 messages"],
        "half": ["refused: call_2 is left out, half of its batch", "stays selected: 7 messages"],
    },
    "keep.yml#ledger": {
        "agrees": ["unknowns: ['act-2 (line 4): mail the technician']", "agrees with the ledger"],
        "left_out": ["unknowns: []", "CandidateRefused: unknowns/act-2 is missing"],
        "made_up": ["CandidateRefused: open_actions/act-4 was added"],
        "reworded": [
            "CandidateRefused: unknowns/act-2 is 'mail the technician again', but it was 'mail the technician'"
        ],
        "older": ["CandidateRefused: open_actions/act-3 was added"],
    },
    "keep.yml#recover": {
        "found": ["looked up: act-2\nact-2 is done. 250 accepted\n", "mails sent: 1"],
        "never": ["looked up: act-2\nact-2 is not done.", "mails sent: 0"],
        "no_answer": ["looked up: act-2\nact-2 is unknown.\n", "unknown now: ['act-1', 'act-2']\nmails sent: 1"],
        "reading": ["read again: station.log\nact-1 is done.", "mails sent: 1"],
        "known": ["ValueError: nothing is lost: it is failed", "mails sent: 0"],
    },
    "handover.yml#items": {
        "signed": ["visible thinking: ", "\nsignature: ", "\nopaque continuation: ", "the record carries all of it"],
        "sealed": ["reasoning summary: ", "\nopaque continuation: ", "the record carries all of it"],
        "signature": ["ContinuationChanged: answer 1 lost its signature"],
        "dropped": ["ContinuationChanged: answer 1 lost its opaque continuation"],
        "shortened": ["ContinuationChanged: answer 1 lost its visible thinking"],
    },
    "handover.yml#reasoning": {
        "tools": [
            "request 4, with tools: 7 messages, reasoning ['First the log.', 'Nothing after 08:40.', 'Nothing to"
        ],
        "no_tools": ["request 3, without tools: 5 messages, reasoning [None, None]"],
        "dropped": ["ToolsDropped: the task still needs its tools", "the service answered 2 times"],
        "shortened": ["ContinuationChanged: answer 1 lost its visible thinking", "the service answered 2 times"],
        "mismatch": ["ModeMismatch: thinking is off, and there is reasoning", "the service answered 1 times"],
    },
    "handover.yml#accept": {
        "accepted": ["accepted: tell the technician what is wrong"],
        "unknown": ["refused: look up first: act-2 may be done\n"],
        "same_name": ["refused: send_mail is not what send_mail was\n"],
        "three": ["are (3, 7)\nrefused: act-3 has not ended\nrefused: the tool read_file has no successor\n"],
    },
    "handover.yml#dispatch": {
        "starts": [
            "session-2 starts",
            "its one message is the user's",
            "Permissions that",
            '{"first_bad_value":"08:40"',
        ],
        "permission": ["refused: send_mail is not permitted now\n"],
        "updater": ["refused: session-1 still writes to the task\n"],
        "deleted": ["refused: station.log was deleted at 2026-12-02T"],
        "scope": ["refused: station.log was not expanded: scope team may not be shown"],
    },
    "handover.yml#comparison": {
        "bytes": ["2558          1443       -1115", "input tokens              not measured  not measured"],
        "usage": ["cost                          0.001485      0.001800   +0.000315", "prices: USD"],
        "silent": ["input tokens                       639  not measured            \n"],
        "unchecked": ["not checked", "verdict: open: the folded run, 'refusals explicit' was not checked"],
        "worse": ["verdict: no gain: the folded run, 'corrections kept' does not hold"],
    },
}
REFUSALS = (
    *("Error: ", "OverBudget: ", "Failed: ", "Refused: ", "StaleRevision: ", "Deleted: ", "Mismatch: ", "Changed: "),
    *("Dropped: ", "kept the old: ", "failed: ", "refused: ", "no gain: "),
)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Run a scenario, once for all tests of this file: the lines stopped at, the output, the error, the files."""

    @cache
    def once(pane, scenario):
        definition = PANES[pane]
        return run_plainly(
            LESSON,
            definition,
            scenario,
            file=Path(definition["source"]).name,
            folder=tmp_path_factory.mktemp(scenario),
            env={"TMPDIR": str(tmp_path_factory.mktemp("elsewhere"))},
        )

    return once


def test_every_scenario_is_held_to_its_label():
    """None is missing below, and none is left over."""
    assert {pane: list(each["scenarios"]) for pane, each in PANES.items()} == {
        pane: list(said) for pane, said in SAID.items()
    }


@pytest.mark.parametrize(("pane", "scenario"), [(pane, scenario) for pane in SAID for scenario in SAID[pane]])
def test_a_scenario_does_what_its_label_says(run, pane, scenario):
    """The output says so; what is refused to the end has a label that says that it fails, and nothing else has."""
    seen = run(pane, scenario)
    assert seen["error"] is None
    for text in SAID[pane][scenario]:
        assert text in seen["output"]
    label = PANES[pane]["scenarios"][scenario]["label"]
    refused = any(kind in seen["output"] for kind in REFUSALS)
    fails = label["en"].startswith("Fails: ")
    assert label["zh"].startswith("失败：") == fails
    assert refused == fails or "COMMITTED" in seen["output"]


def test_a_commit_keeps_the_record_and_nothing_else_writes(run):
    """The old representation is in the file; what was refused has left none."""
    for scenario in SAID["compress.yml#boundary"]:
        files = run("compress.yml#boundary", scenario)["files"]
        assert len(files) == (scenario in ("quiet", "flight"))
        for text in files.values():
            assert "call_1: read station.log" in text


@pytest.mark.parametrize("pane", SAID)
def test_each_node_is_visited_by_some_scenario(run, pane):
    """A node of the flow that no run reaches would teach nothing."""
    stops = [stop for scenario in SAID[pane] for stop in run(pane, scenario)["stops"]]
    assert missed(LESSON, PANES[pane], stops) == []


@pytest.mark.parametrize("pane", SAID)
def test_what_is_shown_fits_a_pane(pane):
    """Ten to forty-five lines, a class up to a hundred; at least three scenarios, one of which fails."""
    shown = Shown(LESSON, PANES[pane])
    most = 100 if shown.lines[shown.first - 1].startswith("class ") else 45
    assert 10 <= shown.last - shown.first + 1 <= most
    labels = [each["label"]["en"] for each in PANES[pane]["scenarios"].values()]
    assert len(labels) >= 3
    assert any(label.startswith("Fails: ") for label in labels)


@pytest.mark.parametrize("page", ["fold.md", "fold.zh.md", "compress.md", "compress.zh.md"])
def test_what_a_page_lets_a_reader_ask_is_answered_so(page):
    """The lines with >>> are run, and answer as the page says."""
    text = (LESSON / page).read_text("utf-8").replace("\n```", "\n")
    test = doctest.DocTestParser().get_doctest(text, {}, page, page, 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0


@pytest.mark.parametrize(
    ("page", "length"), [("index.md", r"(\d+) panes, (\d+) runs"), ("index.zh.md", r"(\d+) 个窗格，(\d+) 次")]
)
def test_the_chapter_says_how_long_its_pages_are(page, length):
    """Panes and runs of each page, as its file of panes has them."""
    rows = re.findall(rf"^\| \[.*\]\((\w+)\.md\) .*{length}", (LESSON / page).read_text("utf-8"), re.MULTILINE)
    told = {name: (int(panes), int(runs)) for name, panes, runs in rows}
    files = {path.stem: yaml.safe_load(path.read_text("utf-8")) for path in LESSON.glob("*.yml")}
    assert told == {
        name: (len(panes), sum(len(pane["scenarios"]) for pane in panes.values())) for name, panes in files.items()
    }
