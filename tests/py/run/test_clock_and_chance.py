"""Time is simulated, and chance is seeded."""

from __future__ import annotations

from running import run


def test_clock_starts_at_one_moment_and_ticks() -> None:
    """Each look takes a microsecond; the clocks move together."""
    found = run(
        "import time\nprint(time.time_ns(), time.monotonic_ns(), time.perf_counter_ns(), time.process_time_ns())"
    )
    assert found.stdout == "1767225600000001000 1000002000 1000003000 4000\n"


def test_sleep_takes_no_time_but_moves_the_clock() -> None:
    """An hour passes at once."""
    # The program's own sleep is what is tested: on the simulated clock, so that nobody waits.
    source = "import time\nt = time.time()\ntime.sleep(3600)\nprint(round(time.time() - t))"
    found = run(source)
    assert found.stdout == "3600\n"
    assert found.end["wall"] < 20


def test_sleep_refuses_what_cpython_refuses() -> None:
    """With its words."""
    # None of these sleeps: each is an error.
    source = "import time\nfor bad in (-1, 'x', None):\n try: time.sleep(bad)\n except Exception as e: print(repr(e))"
    assert run(source).stdout == (
        "ValueError('sleep length must be non-negative')\n"
        "TypeError(\"'str' object cannot be interpreted as an integer\")\n"
        "TypeError(\"'NoneType' object cannot be interpreted as an integer\")\n"
    )


def test_dates_follow_the_clock() -> None:
    """`datetime` and the functions of `time` without an argument."""
    source = (
        "import time\nfrom datetime import date, datetime, timezone\n"
        "print(date.today(), datetime.now(timezone.utc).isoformat(), time.ctime())\n"
        "print(time.strftime('%H:%M %Z'), time.tzname)\n"
        # A day on the simulated clock, no time on ours.
        "time.sleep(86400)\nprint(repr(date.today()))"
    )
    assert run(source).stdout == (
        "2026-01-01 2026-01-01T00:00:00.000002+00:00 Thu Jan  1 00:00:00 2026\n00:00 UTC ('UTC', 'UTC')\n"
        "datetime.date(2026, 1, 2)\n"
    )


def test_a_clock_in_a_class_is_no_method() -> None:
    """As a built-in function, `time.time` does not bind when it is an attribute of a class."""
    assert run("import time\nclass C: clock = time.time\nprint(C().clock() > 0, time.time)").stdout == (
        "True <built-in function time>\n"
    )


CHANCE = """
import os, random, secrets, tempfile, uuid
class R(random.Random): pass
random.seed()
print(random.random(), random.Random().random(), R().random(), random.SystemRandom().random(), os.urandom(4))
print(uuid.uuid4(), uuid.uuid1(), uuid.uuid7(), secrets.token_hex(), tempfile.mktemp())
"""


def test_chance_is_the_same_in_every_run() -> None:
    """Also what is seeded in C, past `os.urandom`."""
    assert run(CHANCE).stdout == run(CHANCE).stdout


def test_chance_does_not_repeat_within_a_run() -> None:
    """Two unseeded generators differ."""
    assert run("import random\nprint(random.Random().random() == random.Random().random())").stdout == "False\n"


def test_a_seed_gives_what_it_gives_in_cpython() -> None:
    """Seeded chance is not touched."""
    assert run("import random\nrandom.seed(1)\nprint(random.random())").stdout == "0.13436424411240122\n"


def test_sets_of_strings_have_one_order() -> None:
    """The hash seed is fixed."""
    source = "print({w for w in 'the quick brown fox jumps over the lazy dog'.split()})"
    assert run(source).stdout == run(source).stdout
