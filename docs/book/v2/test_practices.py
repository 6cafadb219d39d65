"""The rules of practices.py, one test each.

`python3 -I -B docs/book/v2/test_practices.py` runs them with nothing but the standard library and writes
build/evidence/practices.json below the folder in which it was started: what ran, on what, with which outcome.
"""

import contextlib
import hashlib
import io
import json
import os
import platform
import random
import sys
import unittest
from dataclasses import FrozenInstanceError, asdict, replace
from datetime import datetime, timezone
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))  # -I leaves out the script's own folder

import practices  # noqa: E402
from practices import (  # noqa: E402
    Budget,
    CandidateRefused,
    CompressionCandidate,
    ExpansionFailed,
    Material,
    OverBudget,
    Snapshot,
    StaleRevision,
)

TEXT = "启动 ok, 测量 17.2"
DATA = TEXT.encode()
WIDE = Budget(bytes_limit=10_000, token_estimate_limit=10_000)
PARTS = {"goal": "find the fault", "fields": {"log": "log-7", "line": 3}, "unknown": ["is the sensor broken?"]}


def material(data=DATA, id="log-7", version="v3"):
    """Return an observation of one moment."""
    return Material(id, data, version, "2026-11-02T08:15:00Z")


def fold(what, start=0, end=None, budget=WIDE, **outline):
    """Fold with an outline, unless the test gives another one."""
    outline = {"scope": "team", "covers": "the start", "omits": "the reasons"} | outline
    return practices.fold(what, start, len(what.data) if end is None else end, budget=budget, **outline)


def expand(ref, what, start=None, end=None, allowed=("team",), budget=WIDE):
    """Expand as a reader who may see it."""
    return practices.expand(ref, what, allowed=allowed, budget=budget, start=start, end=end)


def snapshot(revision=7, **changed):
    """Return a snapshot, some parts of it changed."""
    return Snapshot.capture(revision, **(PARTS | changed))


def candidate(revision=7, summary="Line 3 is no number.", **changed):
    """Return a candidate, some parts of it changed."""
    return CompressionCandidate.propose(revision, **(PARTS | changed), summary=summary)


class MaterialTest(unittest.TestCase):
    """What was observed, and when."""

    def test_material_keeps_the_bytes_as_they_came(self):
        """Also such as are no text."""
        self.assertEqual(material(b"\x00\xff\xfe").data, b"\x00\xff\xfe")

    def test_material_refuses_bytes_that_can_change(self):
        """A bytearray could change under its hash, and a text has no bytes yet."""
        for data in (bytearray(DATA), TEXT, None):
            with self.assertRaises(ValueError):
                material(data)

    def test_material_needs_id_version_and_time(self):
        """Each of them, and none of them blank."""
        for name in ("id", "version", "retrieved_at"):
            for wrong in ("", "  ", None, 3):
                with self.assertRaises(ValueError):
                    replace(material(), **{name: wrong})

    def test_material_cannot_be_changed(self):
        """What was observed was observed."""
        with self.assertRaises(FrozenInstanceError):
            material().version = "v4"

    def test_reading_again_is_a_new_observation(self):
        """With its own time, even when the version is the same; the first stays as it was."""
        times = iter(["08:15", "09:00"])
        first, second = (practices.observe("log-7", lambda: ("v3", DATA), lambda: next(times)) for _ in "ab")
        self.assertEqual((first.retrieved_at, second.retrieved_at), ("08:15", "09:00"))
        self.assertEqual((first.data, first.version), (second.data, second.version))


class BudgetTest(unittest.TestCase):
    """Bytes are enforced, the estimate is reported."""

    def test_budget_allows_what_fits_exactly(self):
        """The limit itself is allowed."""
        self.assertEqual(Budget(4, 1).check(b"abcd")["bytes"], 4)

    def test_budget_refuses_one_byte_more(self):
        """The error gives both figures."""
        with self.assertRaisesRegex(OverBudget, r"5 bytes are over the limit of 4"):
            Budget(4, 100).check(b"abcde")

    def test_budget_counts_bytes_not_characters(self):
        """Two characters of Chinese take six bytes."""
        with self.assertRaises(OverBudget):
            Budget(5, 100).check("启动".encode())

    def test_estimate_is_a_quarter_of_the_characters_rounded_up(self):
        """0, 1, 4, 5 and 8 characters."""
        estimates = [practices.estimate_tokens(b"a" * count) for count in (0, 1, 4, 5, 8)]
        self.assertEqual(estimates, [0, 1, 1, 2, 2])

    def test_estimate_decodes_with_replacement(self):
        """Bytes that are no UTF-8 are counted, and come to no harm."""
        data = "启".encode()[:2]
        self.assertEqual(Budget(10, 10).check(data)["token_estimate"], 1)
        self.assertEqual(data, b"\xe5\x90")

    def test_estimate_over_its_limit_is_told_and_not_enforced(self):
        """It is too rough to refuse anything."""
        self.assertEqual(
            Budget(100, 1).check(b"abcde"), {"bytes": 5, "token_estimate": 2, "within_token_estimate": False}
        )
        self.assertTrue(Budget(100, 2).check(b"abcde")["within_token_estimate"])

    def test_budget_refuses_limits_that_limit_nothing(self):
        """Zero, negative, a float, True."""
        for wrong in (0, -1, 2.0, True, "9", None):
            for limits in ((wrong, 9), (9, wrong)):
                with self.assertRaises(ValueError):
                    Budget(*limits)

    def test_budget_of_one_item_is_none_of_all(self):
        """Two items fit, each by itself; both together do not."""
        budget = Budget(6, 9)
        for item in (b"abcd", b"efgh"):
            budget.check(item)
        with self.assertRaises(OverBudget):
            budget.check(b"abcd" + b"efgh")


class SliceTest(unittest.TestCase):
    """Offsets are bytes."""

    def test_read_slice_byte_offsets(self):
        """The same offsets as the bytes have, not those of the characters."""
        self.assertEqual(practices.read_slice(DATA, 7, 9), b"ok")
        self.assertEqual(TEXT[3:5], "ok")

    def test_read_slice_may_cut_a_character(self):
        """The bytes come back as they are, although they are no UTF-8."""
        piece = practices.read_slice(DATA, 1, 4)
        self.assertEqual(piece, b"\x90\xaf\xe5")
        with self.assertRaises(UnicodeDecodeError):
            piece.decode()

    def test_read_slice_pieces_join_to_the_original(self):
        """Wherever it is cut."""
        for cut in range(len(DATA) + 1):
            joined = practices.read_slice(DATA, 0, cut) + practices.read_slice(DATA, cut, len(DATA))
            self.assertEqual(joined, DATA)

    def test_read_slice_of_random_bytes(self):
        """A thousand ranges, each held against the bytes taken one by one."""
        dice = random.Random(7)
        data = bytes(dice.randrange(256) for _ in range(300))
        for _ in range(1000):
            start, end = sorted(dice.randrange(301) for _ in range(2))
            self.assertEqual(practices.read_slice(data, start, end), bytes(data[at] for at in range(start, end)))

    def test_read_slice_allows_an_empty_range(self):
        """No bytes were asked for, and none come."""
        self.assertEqual(practices.read_slice(DATA, len(DATA), len(DATA)), b"")

    def test_read_slice_refuses_what_is_out_of_range(self):
        """Python's own slices would quietly give less, or count from the end."""
        for start, end in ((0, len(DATA) + 1), (-1, 4), (-4, -1)):
            with self.assertRaisesRegex(ValueError, "not within"):
                practices.read_slice(DATA, start, end)

    def test_read_slice_refuses_a_reversed_range(self):
        """It is a mistake, not an empty range."""
        with self.assertRaisesRegex(ValueError, "reversed"):
            practices.read_slice(DATA, 4, 2)

    def test_read_slice_refuses_offsets_that_are_no_ints(self):
        """Not even True, which Python takes for 1."""
        for wrong in (1.0, True, "1", None):
            for start, end in ((wrong, 4), (0, wrong)):
                with self.assertRaisesRegex(ValueError, "two ints"):
                    practices.read_slice(DATA, start, end)


class FoldTest(unittest.TestCase):
    """What a stub carries."""

    def test_fold_carries_all_that_expansion_needs(self):
        """Reference, version, range, time, scope and outline."""
        ref = fold(material(), 0, 9, covers="the start", omits="the measurement")
        told = asdict(ref)
        del told["sha256"]
        self.assertEqual(
            told,
            {
                "reference": "log-7",
                "version": "v3",
                "start": 0,
                "end": 9,
                "retrieved_at": "2026-11-02T08:15:00Z",
                "scope": "team",
                "covers": "the start",
                "omits": "the measurement",
            },
        )

    def test_fold_hashes_the_whole_original(self):
        """Not the range."""
        self.assertEqual(fold(material(), 2, 5).sha256, hashlib.sha256(DATA).hexdigest())

    def test_fold_holds_no_bytes_of_the_original(self):
        """The stub is what is shown; the detail has left."""
        secret = material(b"password=hunter2")
        self.assertNotIn(b"hunter2", fold(secret).encoded())

    def test_fold_needs_an_outline_and_a_scope(self):
        """What is covered, what is not, and who may see it."""
        for name in ("scope", "covers", "omits"):
            for wrong in ("", " ", None):
                with self.assertRaises(ValueError):
                    fold(material(), **{name: wrong})

    def test_fold_refuses_a_range_outside_of_the_material(self):
        """As read_slice does."""
        for start, end in ((0, len(DATA) + 1), (5, 2), (-1, 2), (0, 2.0)):
            with self.assertRaises(ValueError):
                fold(material(), start, end)

    def test_fold_refuses_an_empty_range(self):
        """A stub for nothing would only cost."""
        with self.assertRaisesRegex(ValueError, "empty"):
            fold(material(), 3, 3)

    def test_fold_budget_limits_the_stub(self):
        """The stub's own encoded bytes, whatever the size of what it stands for."""
        size = len(fold(material()).encoded())
        self.assertEqual(len(fold(material(), budget=Budget(size, 9)).encoded()), size)
        with self.assertRaises(OverBudget):
            fold(material(), budget=Budget(size - 1, 9))

    def test_fold_leaves_the_material_alone(self):
        """Folding is no deletion."""
        original = material()
        fold(original)
        self.assertEqual(original, material())

    def test_fold_stub_is_canonical_json(self):
        """Two stubs that say the same are the same bytes, and can be read back."""
        ref = fold(material(), covers="启动")
        self.assertEqual(practices.MaterialRef(**json.loads(ref.encoded())), ref)
        self.assertIn("启动".encode(), ref.encoded())


class ExpandTest(unittest.TestCase):
    """The bytes, or a failure that keeps the reference."""

    def assert_failed(self, ref, reason, *arguments, **options):
        """Expand, and hold the failure to its reason and to the reference it keeps."""
        with self.assertRaisesRegex(ExpansionFailed, reason) as caught:
            expand(ref, *arguments, **options)
        self.assertIs(caught.exception.ref, ref)
        told = f"log-7 was not expanded: {caught.exception.reason}. The reference is kept"
        self.assertEqual(str(caught.exception), told)

    def test_fold_expand_reference(self):
        """What was folded comes back, byte for byte, at any range."""
        for start in range(len(DATA)):
            for end in range(start + 1, len(DATA) + 1):
                self.assertEqual(expand(fold(material(), start, end), material()), DATA[start:end])

    def test_expand_a_part_of_the_range(self):
        """Offsets are those of the original."""
        ref = fold(material(), 7, 16)
        self.assertEqual(expand(ref, material(), 7, 9), b"ok")

    def test_expand_nothing_outside_of_the_range(self):
        """What was folded away elsewhere has a reference of its own."""
        ref = fold(material(), 7, 9)
        for start, end in ((6, 9), (7, 10), (0, 2)):
            self.assert_failed(ref, "not within", material(), start, end)

    def test_expand_refuses_ranges_that_are_none(self):
        """Reversed, no ints."""
        self.assert_failed(fold(material()), "reversed", material(), 5, 2)
        self.assert_failed(fold(material()), "two ints", material(), True, 2)

    def test_expand_cuts_a_character_and_repairs_nothing(self):
        """The first and last byte are thirds of a character."""
        self.assertEqual(expand(fold(material()), material(), 2, 4), b"\xaf\xe5")

    def test_expand_refuses_another_version(self):
        """Even when its bytes are the same."""
        self.assert_failed(fold(material()), "version v4, not v3", material(version="v4"))

    def test_expand_refuses_other_content(self):
        """Also when the change lies outside of the range that is asked for."""
        ref = fold(material(), 0, 6)
        self.assert_failed(ref, "its hash differs", material(DATA + b"!"))
        self.assert_failed(ref, "its hash differs", material(DATA[:-1] + b"3"))

    def test_expand_refuses_other_material(self):
        """Even when version and bytes are the same."""
        self.assert_failed(fold(material()), "this is log-8", material(id="log-8"))

    def test_expand_asks_for_permission_again(self):
        """What was allowed when it was folded may be forbidden now."""
        ref = fold(material())
        expand(ref, material())
        self.assert_failed(ref, "scope team may not be shown", material(), allowed=("public",))
        self.assert_failed(ref, "scope team may not be shown", material(), allowed=())

    def test_expand_takes_no_text_for_a_list_of_scopes(self):
        """In a text, "team" would be found inside of "steamers"."""
        with self.assertRaisesRegex(ValueError, "not one text"):
            expand(fold(material()), material(), allowed="steamers")

    def test_expand_budget_limits_the_fragment(self):
        """Not the stub and not the original."""
        ref = fold(material())
        self.assertEqual(len(expand(ref, material(), 0, 8, budget=Budget(8, 9))), 8)
        self.assert_failed(ref, "9 bytes are over the limit of 8", material(), 0, 9, budget=Budget(8, 9))

    def test_expand_works_after_a_failure(self):
        """The reference was kept, and the next try may go well."""
        ref = fold(material())
        self.assert_failed(ref, "v4", material(version="v4"))
        self.assertEqual(expand(ref, material()), DATA)

    def test_expand_of_what_was_read_again_is_refused_when_it_changed(self):
        """The new observation is no replacement for the one that was folded."""
        ref = fold(material())
        again = practices.observe("log-7", lambda: ("v4", DATA + b"\n"), lambda: "2026-11-02T09:00:00Z")
        self.assert_failed(ref, "version v4, not v3", again)


class SnapshotTest(unittest.TestCase):
    """What must survive, fixed."""

    def test_snapshot_does_not_notice_later_changes(self):
        """Neither of the fields, however deep, nor of the list of unknowns."""
        fields, unknown = {"files": ["a"]}, ["why?"]
        taken = Snapshot.capture(1, "goal", fields, unknown)
        fields["files"].append("b")
        unknown.clear()
        self.assertEqual((taken.fields, taken.unknown), (b'{"files":["a"]}', ("why?",)))

    def test_snapshot_fields_are_canonical(self):
        """The order of the keys is none of their content; Chinese stays Chinese."""
        one, other = (snapshot(fields=fields) for fields in ({"a": 1, "测": 2}, {"测": 2, "a": 1}))
        self.assertEqual(one, other)
        self.assertEqual(one.fields, '{"a":1,"测":2}'.encode())

    def test_snapshot_refuses_what_json_would_change(self):
        """Keys that are no text, tuples, not-a-number, bytes, a list inside of itself."""
        circle = []
        circle.append(circle)
        for wrong in ({1: "a"}, {"a": [(1,)]}, {"a": float("nan")}, {"a": b"x"}, {"a": circle}, {"a": {None: 1}}):
            with self.assertRaises(TypeError):
                snapshot(fields=wrong)

    def test_snapshot_fields_have_names(self):
        """A list of values would say nothing of what they are."""
        for wrong in ([1, 2], "log", None):
            with self.assertRaises(ValueError):
                snapshot(fields=wrong)

    def test_snapshot_needs_a_revision_and_a_goal(self):
        """An int from 0 up; text with something in it."""
        self.assertEqual(snapshot(revision=0).revision, 0)
        for wrong in (-1, True, 1.0, "1", None):
            with self.assertRaises(ValueError):
                snapshot(revision=wrong)
        for wrong in ("", " ", None):
            with self.assertRaises(ValueError):
                snapshot(goal=wrong)

    def test_snapshot_unknowns_are_a_list_of_texts(self):
        """An empty one says that nothing is unknown; one text is no list."""
        self.assertEqual(snapshot(unknown=[]).unknown, ())
        for wrong in ("why?", [""], [3]):
            with self.assertRaises(ValueError):
                snapshot(unknown=wrong)


class ValidationTest(unittest.TestCase):
    """Compared exactly, and no more claimed than that."""

    def assert_refused(self, reason, **changed):
        """Validate a candidate that differs in one part."""
        with self.assertRaisesRegex(CandidateRefused, reason):
            practices.validate_compression(snapshot(), candidate(**changed))

    def test_validation_claims_structure_only(self):
        """Nobody compared the meaning."""
        told = practices.validate_compression(snapshot(), candidate())
        self.assertEqual(told, {"structure_verified": True, "semantic_lossless": "unknown"})

    def test_validation_of_a_false_summary_passes(self):
        """This is why the meaning stays unknown: all parts are equal, and the text is wrong."""
        told = practices.validate_compression(snapshot(), candidate(summary="All is well."))
        self.assertEqual(told["semantic_lossless"], "unknown")

    def test_validation_refuses_another_revision(self):
        """Older or newer."""
        for revision in (6, 8):
            with self.assertRaisesRegex(StaleRevision, f"made from {revision}, this is 7"):
                practices.validate_compression(snapshot(), candidate(revision))

    def test_validation_refuses_true_for_one(self):
        """They are equal to Python."""
        wrong = replace(candidate(1), base_revision=True)
        with self.assertRaises(ValueError):
            practices.validate_compression(snapshot(1), wrong)

    def test_validation_refuses_another_goal(self):
        """Not even a space may differ."""
        self.assert_refused("goal: ", goal="find the fault ")

    def test_validation_compares_fields_byte_for_byte(self):
        """1, 1.0 and True are equal to Python, and so are 0.0 and -0.0."""
        for line in (3.0, "3", True, None):
            self.assert_refused("byte for byte", fields={"log": "log-7", "line": line})
        self.assert_refused("byte for byte", fields={"log": "log-7"})
        with self.assertRaises(CandidateRefused):
            practices.validate_compression(snapshot(fields={"x": 0.0}), candidate(fields={"x": -0.0}))

    def test_validation_keeps_unknowns_unknown(self):
        """None may be lost, answered or added."""
        for unknown in ([], ["the sensor is broken"], ["is the sensor broken?", "who knows?"]):
            self.assert_refused("unknown: ", unknown=unknown)

    def test_validation_wants_text_for_a_summary(self):
        """An empty one is text; whether it is of use is not compared."""
        self.assert_refused("a summary is text", summary=None)
        practices.validate_compression(snapshot(), candidate(summary=""))


class CommitTest(unittest.TestCase):
    """One revision further, or nothing."""

    def test_commit_returns_the_next_revision_and_keeps_the_old(self):
        """Everything else is the same."""
        old = snapshot()
        new = practices.commit_compression(old, candidate(), 7)
        self.assertEqual((old, new), (snapshot(7), snapshot(8)))

    def test_compression_cas_one_coordinator(self):
        """Of two candidates from one revision the first is committed; the second is stale, whatever it expects."""
        current, first, second = snapshot(), candidate(summary="one"), candidate(summary="two")
        current = practices.commit_compression(current, first, expected_revision=7)
        for expected in (7, 8):
            with self.assertRaises(StaleRevision):
                practices.commit_compression(current, second, expected)
        self.assertEqual(current, snapshot(8))

    def test_commit_refuses_an_expectation_that_is_not_met(self):
        """Also for a candidate that was made from the very snapshot that is there."""
        for expected in (6, 8):
            with self.assertRaisesRegex(StaleRevision, f"expected {expected}, this is 7"):
                practices.commit_compression(snapshot(), candidate(), expected)

    def test_commit_validates_again(self):
        """A candidate that was never validated, or validated against something else, is refused."""
        with self.assertRaises(CandidateRefused):
            practices.commit_compression(snapshot(), candidate(unknown=[]), 7)

    def test_commit_stores_no_summary(self):
        """A snapshot has no place for one."""
        new = practices.commit_compression(snapshot(), candidate(summary="a text that nobody keeps"), 7)
        self.assertNotIn("nobody keeps", repr(new))

    def test_commit_needs_a_revision_to_expect(self):
        """Not none, not True."""
        for wrong in (None, True, 7.0, -1):
            with self.assertRaises(ValueError):
                practices.commit_compression(snapshot(), candidate(), wrong)


class DemoTest(unittest.TestCase):
    """The walk-through."""

    def run_main(self, *arguments):
        """Return exit code and output of a run."""
        with contextlib.redirect_stdout(io.StringIO()) as output:
            code = practices.main(arguments)
        return code, output.getvalue()

    def test_demo_walks_through(self):
        """It folds, expands, fails, commits and refuses; twice the same."""
        code, output = self.run_main("--demo")
        self.assertEqual((code, output), self.run_main("--demo"))
        for part in ("observed", "folded", "b'\\xe5\\x90\\xaf\\xe5'", "may not be shown", "committed", "refused"):
            self.assertIn(part, output)

    def test_without_demo_it_says_what_it_can(self):
        """And does nothing."""
        code, output = self.run_main()
        self.assertEqual(code, 2)
        self.assertIn("--demo", output)


class Record(unittest.TextTestResult):
    """Notes the outcome of each test, by name."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.outcomes = {}

    def startTest(self, test):
        """It passes unless something is told to the contrary."""
        super().startTest(test)
        self.outcomes[test.id()] = "passed"

    def addFailure(self, test, error):
        """A rule does not hold."""
        super().addFailure(test, error)
        self.outcomes[test.id()] = "failed"

    def addError(self, test, error):
        """The test itself broke, or what stands around a class did."""
        super().addError(test, error)
        self.outcomes[test.id()] = "error"

    def addSubTest(self, test, subtest, error):
        """A part of a test failed."""
        super().addSubTest(test, subtest, error)
        if error is not None:
            self.outcomes[test.id()] = "failed"

    def addSkip(self, test, reason):
        """It did not run."""
        super().addSkip(test, reason)
        self.outcomes[test.id()] = f"skipped: {reason}"


def write_evidence(outcomes, path):
    """Write what ran into a file, whole or not at all."""
    passed = sum(outcome == "passed" for outcome in outcomes.values())
    evidence = {
        "what": "tests of docs/book/v2/practices.py",
        "when": datetime.now(timezone.utc).isoformat(timespec="seconds"),  # noqa: UP017 (3.10 knows no other)
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": platform.platform(),
        "sha256": {name: practices.hash_bytes((HERE / name).read_bytes()) for name in FILES},
        "passed": passed,
        "not_passed": len(outcomes) - passed,
        "tests": dict(sorted(outcomes.items())),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(f".{os.getpid()}")
    beside.write_text(json.dumps(evidence, indent=2) + "\n", encoding="utf-8")
    beside.replace(path)


FILES = ("practices.py", "test_practices.py")


def main():
    """Run all tests, write the evidence, and return the exit code."""
    tests = unittest.defaultTestLoader.loadTestsFromModule(sys.modules[__name__])
    result = unittest.TextTestRunner(resultclass=Record, verbosity=1).run(tests)
    path = Path("build", "evidence", "practices.json")
    try:
        write_evidence(result.outcomes, path)
    except OSError as error:
        print(f"{len(result.outcomes)} tests ran; evidence not written: {error}")
        return 1
    print(f"{len(result.outcomes)} tests ran; evidence: {path}")
    return 0 if result.wasSuccessful() and result.outcomes else 1


if __name__ == "__main__":
    sys.exit(main())
