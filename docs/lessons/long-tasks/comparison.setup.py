"""Run the same small task twice, once with the whole log in each request and once with a stub, and measure both."""

from fractions import Fraction

from station import WIDE, reading

from comparison import OUTCOMES, Prices, Request, Run, Usage
from practices import canonical_json, expand, fold

log = reading()
size = len(log.data)
QUESTIONS = ["When does it start?", "When does it end?", "What is the last value?"]


def payload(purpose, *texts, cached=0):
    """Return a request with its real size, and with the tokens that the scenario lets the interface tell."""
    data = canonical_json([{"role": "user", "content": text} for text in texts])
    told = Usage(input=len(data) // 4, output=12, cached=cached) if scenario in ("usage", "silent") else None
    return Request(purpose, len(data), told)


def full():
    """Ask the three questions with the whole log in each request, which a cache knows from the second one on."""
    text = log.data.decode()
    return [payload("task", text, question, cached=180 if number else 0) for number, question in enumerate(QUESTIONS)]


def folded():
    """Ask them with a stub, too short for a cache; for the last question the end of the log is expanded."""
    ref = fold(log, 0, size, scope="team", covers="08:00 to 08:40", omits="all values", budget=WIDE)
    stub = ref.encoded().decode()
    fragment = expand(ref, log, allowed=["team"], budget=WIDE, start=size - 16, end=size).decode()
    requests = [payload("task", stub, question) for question in QUESTIONS]
    return [*requests, payload("expansion", stub, QUESTIONS[2], fragment)], fragment.endswith("nan")


outcome = dict.fromkeys(OUTCOMES, True)
requests, exact = folded()
if scenario == "silent":
    requests[1] = Request(requests[1].purpose, requests[1].bytes)  # one answer came without its usage

baseline = Run("the full run", tuple(full()), storage_bytes=0, outcome=outcome)
other = Run("the folded run", tuple(requests), storage_bytes=size, outcome=outcome | {"originals exact": exact})
if scenario == "worse":
    other.outcome["corrections kept"] = False  # the stub did not say that the clock is an hour late
elif scenario == "unchecked":
    del other.outcome["refusals explicit"]
prices = Prices("2026-11-01", "USD", Fraction(3), Fraction(3, 10), Fraction(15)) if scenario == "usage" else None
