"""The chapter on long tasks as its reader meets it: each scenario debugged, and compared with native CPython."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from lesson_page import Stop, assert_same_in_chinese, assert_shows_the_native_run, one_open, opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

STOPS = {
    "fold": [
        Stop("retention", "matters", "return Decision(OUTLINE", "outline"),
        Stop("retention", "changed", "in_source = sources.get(piece.source)", "elsewhere"),
        Stop("retention", "minor", "return Decision(DELETABLE", "minor"),
        Stop("retention", "archived", "return Decision(EVICTED", "minor"),
        Stop("retention", "only_copy", "the only observation", "keep"),
        Stop("retention", "hard", "no score removes it", "keep"),
        Stop("retention", "typo", "check_piece(piece)", "check"),
        Stop("fold", "whole", "budget.check(ref.encoded())", "measure"),
        Stop("fold", "line", "return ref", "done"),
        Stop("fold", "missing", "check_texts(scope=scope", "outline"),
        Stop("fold", "reversed", "check_range(start, end", "range"),
        Stop("fold", "past", "check_range(start, end", "range"),
        Stop("fold", "long", "budget.check(ref.encoded())", "measure"),
        Stop("expand", "lines", "return fragment", "give"),
        Stop("expand", "cut", "budget.check(fragment)", "read"),
        Stop("expand", "version", "if material.version != ref.version", "same"),
        Stop("expand", "edited", "its hash differs", "refuse"),
        Stop("expand", "scope", "may not be shown", "refuse"),
        Stop("expand", "outside", "check_range(start, end", "read"),
        Stop("expand", "large", "raise ExpansionFailed(ref, str(error))", "refuse"),
        Stop("budget", "english", "fits = estimate", "report"),
        Stop("budget", "chinese", "fits = estimate", "report"),
        Stop("budget", "cut", "if size > self.bytes_limit", "enforce"),
        Stop("budget", "long", "raise OverBudget(", "refuse"),
        Stop("budget", "three", "if size > self.bytes_limit", "enforce", hit=3),
    ],
    "compress": [
        Stop("validate", "equal", 'return {"structure_verified"', "say"),
        Stop("validate", "wrong", 'return {"structure_verified"', "say"),
        Stop("validate", "stale", "raise StaleRevision(", "refuse"),
        Stop("validate", "field", "if candidate.fields != snapshot.fields", "fields"),
        Stop("validate", "unknown", 'f"unknown: ', "refuse"),
        Stop("commit", "one", "return replace(snapshot", "next"),
        Stop("commit", "two", "if snapshot.revision != expected_revision", "expected", hit=2),
        Stop("commit", "insists", "validate_compression(snapshot", "again", hit=2),
        Stop("commit", "goal", "validate_compression(snapshot", "again"),
        Stop("candidate", "whole", "report[part] = how", "report", hit=4),
        Stop("candidate", "decision", "return report", "summary"),
        Stop("candidate", "lost", "check_same(part", "exact", hit=2),
        Stop("candidate", "version", "check_link(f", "link", hit=5),
        Stop("candidate", "quoted", "check_quotes(part", "quoted"),
        Stop("candidate", "tidied", "check_same(part", "exact", hit=4),
        Stop("boundary", "quiet", "receipt = save(", "record"),
        Stop("boundary", "flight", "if now.in_flight", "quiet", hit=3),
        Stop("boundary", "unresolved", "no result of", "keep"),
        Stop("boundary", "objection", "the adapter objects", "keep"),
        Stop("boundary", "goal", "if then != today", "same", hit=2),
        Stop("boundary", "room", "record not kept", "keep"),
    ],
    "keep": [
        Stop("store", "written", "confirmed = self.holds(kept)", "confirm"),
        Stop("store", "full", 'return Fold("failed"', "keep"),
        Stop("store", "locked", "if self.holds(kept):", "there"),
        Stop("store", "unknown", "if self.holds(kept):", "there", hit=2),
        Stop("deletion", "alone", "return Tombstone(", "tell"),
        Stop("deletion", "copies", "remaining.append(name)", "copies", hit=2),
        Stop("deletion", "no_rule", "check_texts(rule=rule", "rule"),
        Stop("deletion", "twice", "self.entry(id, version)", "there", hit=2),
        Stop("pairs", "whole", "return calls", "done"),
        Stop("pairs", "unknown", "return calls", "done"),
        Stop("pairs", "half", "waiting = []", "calls", hit=7),
        Stop("pairs", "late", 'raise Mismatch(f"{id} waits', "results"),
        Stop("pairs", "silent", "calls = [answered(", "state"),
        Stop("rewrite", "settled", "return gone", "may"),
        Stop("rewrite", "refusal", "if call.state not in SETTLED:", "gone", hit=3),
        Stop("rewrite", "tidied", "check_same(record[id], call)", "same", hit=4),
        Stop("rewrite", "half", "if call.turn in turns:", "gone"),
        Stop("ledger", "agrees", "return projection", "project"),
        Stop("ledger", "left_out", "check_same(part", "compare", hit=2),
        Stop("ledger", "made_up", "check_same(part", "compare"),
        Stop("ledger", "reworded", "check_same(part", "compare", hit=2),
        Stop("ledger", "older", "check_same(part", "compare"),
        Stop("recover", "found", "found = look_up(identity)", "look"),
        Stop("recover", "never", "return self.settle(identity, state, result)", "settle"),
        Stop("recover", "no_answer", "return action  # still unknown", "still"),
        Stop("recover", "reading", "if not action.effects:", "effects"),
        Stop("recover", "known", "if action.state != UNKNOWN:", "lost"),
    ],
    "handover": [
        Stop("items", "signed", "self.held.append(", "take"),
        Stop("items", "sealed", "if task_needs_tools and any(", "objection"),
        Stop("items", "signature", "raise ContinuationChanged(told)", "stop"),
        Stop("items", "dropped", "if items != held:", "compare"),
        Stop("items", "shortened", "if items != held:", "compare"),
        Stop("reasoning", "tools", 'request["extra_body"] = ', "send", hit=4),
        Stop("reasoning", "no_tools", 'request["messages"] = [without_reasoning(', "without"),
        Stop("reasoning", "dropped", "raise ToolsDropped(", "tools"),
        Stop("reasoning", "shortened", "self.check(record)", "check", hit=3),
        Stop("reasoning", "mismatch", "raise ModeMismatch(", "mode"),
        Stop("accept", "accepted", "return Accepted(", "accept"),
        Stop("accept", "unknown", "if action.state == UNKNOWN:", "actions", hit=2),
        Stop("accept", "same_name", "elif offered[name].digest()", "tools", hit=2),
        Stop("accept", "three", "raise TransferRefused(reasons)", "refuse"),
        Stop("dispatch", "starts", "return Session(", "start"),
        Stop("dispatch", "permission", "is not permitted now", "permission"),
        Stop("dispatch", "updater", "still writes to the task", "updaters"),
        Stop("dispatch", "deleted", "reasons.append(problem)", "references"),
        Stop("dispatch", "scope", "problem = unreadable(", "references"),
        Stop("comparison", "bytes", "return sum(known) if whole", "total"),
        Stop("comparison", "usage", "return cost / 1_000_000", "cost", hit=2),
        Stop("comparison", "silent", "return sum(known) if whole", "total", hit=2),
        Stop("comparison", "unchecked", 'return f"open: ', "verdict"),
        Stop("comparison", "worse", 'return f"no gain: ', "verdict"),
    ],
}
EACH = [pytest.param(page, stop, id=f"{page}-{stop}") for page, stops in STOPS.items() for stop in stops]


@pytest.fixture(scope="module")
def lesson(chromium: Browser, root: str) -> Iterator[Callable[[str], Page]]:
    """Open an English page of the chapter."""
    with one_open(chromium, f"{root}lessons/long-tasks/") as open_page:
        yield open_page


@pytest.mark.parametrize(("page", "stop"), EACH)
def test_debug_shows_what_the_native_run_did(lesson: Callable[[str], Page], www: Path, page: str, stop: Stop) -> None:
    """The breakpoint's hit, every variable, the output and the flow's node; and at the end the pane says so itself."""
    assert_shows_the_native_run(lesson(f"{page}/"), www, stop)


@pytest.mark.parametrize("page", STOPS)
def test_the_chinese_page_shows_the_same_panes_in_chinese(chromium: Browser, root: str, page: str) -> None:
    """Scenarios, flow and note in the page's language; the same source, line by line."""
    with (
        opened(chromium, f"{root}lessons/long-tasks/{page}/") as english,
        opened(chromium, f"{root}zh/lessons/long-tasks/{page}/") as chinese,
    ):
        assert_same_in_chinese(english, chinese, dict.fromkeys(stop.pane for stop in STOPS[page]))
