"""The report: figures where something was measured, words where not, and the outcome before all of them."""

from dataclasses import replace
from fractions import Fraction

import pytest

from comparison import NOT_MEASURED, OUTCOMES, Comparison, Prices, Request, Run, Usage, print_report

WELL = dict.fromkeys(OUTCOMES, True)
PRICES = Prices("2026-11-01", "USD", Fraction(3), Fraction(3, 10), Fraction(15))
BEFORE = Run(
    "full", (Request("task", 1000, Usage(250, 20, 0)), Request("task", 3000, Usage(750, 30, 500))), 0, 2500, WELL
)
AFTER = Run(
    "folded",
    (
        Request("task", 1000, Usage(250, 20, 0)),
        Request("expansion", 900, Usage(225, 5, 200)),
        Request("summary", 800, Usage(200, 60, 0)),
    ),
    4096,
    1250,
    WELL,
)


def compare(*arguments, prices=None):
    """Return the rows of a comparison."""
    return Comparison(*arguments, prices).rows()


def figures(run, prices):
    """Return the figures of one run."""
    return Comparison(run, run, prices).figures(run)


def row(rows, name):
    """Return the row of one name."""
    return next(row for row in rows if row[0] == name)


def test_what_was_measured_is_shown_with_its_difference():
    """All requests count, those for summaries and expansions too."""
    rows = compare(BEFORE, AFTER)
    assert row(rows, "requests") == ("requests", "2", "3", "+1")
    assert row(rows, "of these for summaries")[1:] == ("0", "1", "+1")
    assert row(rows, "of these for expansions")[1:] == ("0", "1", "+1")
    assert row(rows, "payload bytes")[1:] == ("4000", "2700", "-1300")
    assert row(rows, "input tokens")[1:] == ("1000", "675", "-325")
    assert row(rows, "of these cached")[1:] == ("500", "200", "-300")
    assert row(rows, "output tokens")[1:] == ("50", "85", "+35")
    assert row(rows, "bytes kept outside")[1:] == ("0", "4096", "+4096")
    assert row(rows, "milliseconds")[1:] == ("2500", "1250", "-1250")


def test_a_cost_needs_a_price_list_with_a_date():
    """Cached input has its own price; nothing is rounded before the end."""
    rows = compare(BEFORE, AFTER, prices=PRICES)
    # 500*3 + 500*0.3 + 50*15 = 2400 millionths; 475*3 + 200*0.3 + 85*15 = 2760
    assert row(rows, "cost")[1:] == ("0.002400", "0.002760", "+0.000360")
    assert row(compare(BEFORE, AFTER), "cost")[1:] == (NOT_MEASURED, NOT_MEASURED, "")


def test_one_request_without_usage_leaves_no_total():
    """The sum of the others would look like a whole."""
    silent = replace(AFTER, requests=(*AFTER.requests, Request("task", 10)))
    rows = compare(BEFORE, silent, prices=PRICES)
    for name in ("input tokens", "of these cached", "output tokens", "cost"):
        assert row(rows, name)[2:] == (NOT_MEASURED, "")
    assert row(rows, "payload bytes")[2] == "2710"


def test_no_word_on_the_cache_is_no_zero():
    """An interface that does not tell leaves the cached part and the cost open; the tokens stand."""
    mute = replace(BEFORE, requests=(Request("task", 10, Usage(5, 1)),))
    values = figures(mute, PRICES)
    assert (values["input tokens"], values["of these cached"]) == (5, None)
    assert values["cost"] is None


def test_without_measurements_there_is_no_figure():
    """A run of which nothing is known but its requests' bytes."""
    bare = Run("bare", (Request("task", 10),))
    unmeasured = [name for name, value in figures(bare, PRICES).items() if value is None]
    assert len(unmeasured) == 6
    for name, was, now, change in compare(bare, bare, prices=PRICES):
        if name in unmeasured:
            assert (was, now, change) == (NOT_MEASURED, NOT_MEASURED, "")


@pytest.mark.parametrize("name", OUTCOMES)
def test_a_worse_outcome_is_no_gain(name):
    """Whatever it saved; and an outcome that nobody checked leaves it open."""
    assert (
        compare(BEFORE, replace(AFTER, outcome=WELL | {name: False}))[-1][3]
        == f"no gain: folded, '{name}' does not hold"
    )
    unchecked = {other: True for other in OUTCOMES if other != name}
    assert compare(BEFORE, replace(AFTER, outcome=unchecked))[-1][3].startswith("open: ")
    assert compare(BEFORE, AFTER)[-1][3] == "the task ended as well: the figures may be compared"


def test_the_report_prints_every_row(capsys):
    """Words stand where figures are missing."""
    comparison = Comparison(BEFORE, replace(AFTER, milliseconds=None), PRICES)
    print_report(comparison)
    *printed, prices = capsys.readouterr().out.splitlines()
    assert prices == "prices: USD for a million tokens, as of 2026-11-01"
    assert len(printed) == len(comparison.rows())
    assert any(line.startswith("milliseconds") and NOT_MEASURED in line for line in printed)


@pytest.mark.parametrize("day", ["", "today", "2026-13-01", None, 20261101])
def test_a_price_list_has_a_date(day):
    """A cost from a list of no day is the cost of no day."""
    with pytest.raises(ValueError, match="day"):
        replace(PRICES, day=day)


@pytest.mark.parametrize("usage", [(-1, 0), (1, None), (1.5, 0), (True, 0), (10, 5, 11), (10, 5, -1)])
def test_a_usage_that_no_interface_returns_is_refused(usage):
    """More from the cache than there is of input would make a cost below nothing."""
    with pytest.raises(ValueError, match="tokens"):
        Usage(*usage)
