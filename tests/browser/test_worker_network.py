"""Code stays home: nothing is asked for while a program runs, and the program can reach nothing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from worker_page import WorkerPage, outcome

if TYPE_CHECKING:
    from playwright.sync_api import Playwright

from tracepane.check.browser import Browser


def test_everything_comes_from_below_the_sites_own_path(cold_page: WorkerPage, tmp_path: Path) -> None:
    """No other origin, and nothing outside of /some/repo/."""
    cold_page.run(tmp_path, "print(1)")
    cold_page.until_idle()
    base = f"{cold_page.site.origin}/some/repo/"
    assert [url for url in cold_page.requests if not url.startswith((base, "data:"))] == []


def test_each_large_part_is_fetched_once(cold_page: WorkerPage, tmp_path: Path) -> None:
    """Later interpreters are made of the bytes that the page has."""
    for _ in range(3):
        cold_page.run(tmp_path, "print(1)")
    cold_page.until_idle()
    names = [urlsplit(url).path.rpartition("/")[2] for url in cold_page.requests]
    assert [names.count(name) for name in ("pyodide.asm.wasm", "stdlib.zip", "recorder.zip")] == [1, 1, 1]


def test_nothing_is_requested_while_a_program_runs(worker_page: WorkerPage, tmp_path: Path) -> None:
    """Not even for the next interpreter, which gets warm beside it from bytes in the page."""
    before = len(worker_page.requests)
    run = worker_page.begin(tmp_path, "n = 0\nwhile True:\n    n += 1\n")
    worker_page.page.wait_for_function(
        "() => tracepane.runtime.census.running === 1 && tracepane.runtime.census.ready === 1"
    )
    during = worker_page.requests[before:]
    worker_page.stop(run)
    assert during == []


def test_nothing_is_requested_by_a_run_pressed_on_a_cold_page(cold_page: WorkerPage, tmp_path: Path) -> None:
    """Whatever was still being loaded when the program starts is given up."""
    run = cold_page.begin(tmp_path, "n = 0\nwhile True:\n    n += 1\n")
    cold_page.until_chunks(run, 1)
    before = len(cold_page.requests)
    cold_page.until_chunks(run, 5)
    during = cold_page.requests[before:]
    cold_page.stop(run)
    assert during == []


@pytest.mark.parametrize(
    "name", ["js", "pyodide", "pyodide_js", "_pyodide_core", "_pyodide", "pyodide.ffi", "pyodide_js._api"]
)
def test_no_module_leads_out(worker_page: WorkerPage, tmp_path: Path, name: str) -> None:
    """They fail to import as on any CPython that has no such module."""
    top = name.partition(".")[0]
    assert outcome(worker_page.run(tmp_path, f"import {name}\n")) == f"ModuleNotFoundError: No module named '{top}'"


def test_no_javascript_object_is_found_in_memory(worker_page: WorkerPage, tmp_path: Path) -> None:
    """The collector's list of all objects holds no proxy of one."""
    source = "import gc\nprint([o for o in gc.get_objects() if type(o).__name__.startswith('JsProxy')])\n"
    assert worker_page.run(tmp_path, source).expand()["stdout"] == "[]\n"


REACHES = {
    "urlopen": "import urllib.request\nurllib.request.urlopen('{origin}/some/repo/')\n",
    "connection": "import socket\nsocket.create_connection(('127.0.0.1', {port}))\n",
    "socket": "import socket\ns = socket.socket()\ns.connect(('127.0.0.1', {port}))\n",
    "name": "import socket\nsocket.create_connection(('example.com', 80))\n",
    "http": "import http.client\nhttp.client.HTTPConnection('127.0.0.1', {port}).request('GET', '/')\n",
}


@pytest.mark.parametrize("source", REACHES.values(), ids=REACHES)
def test_a_program_that_reaches_out_gets_an_ordinary_error(
    worker_page: WorkerPage, tmp_path: Path, source: str
) -> None:
    """An OSError that the program can catch, and no request."""
    origin = worker_page.site.origin
    trace = worker_page.run(tmp_path, source.format(origin=origin, port=urlsplit(origin).port))
    assert trace.end["status"] == "exception"
    caught = f"try:\n    {source.replace(chr(10), chr(10) + '    ')}pass\nexcept OSError:\n    print('caught')\n"
    before = len(worker_page.requests)
    again = worker_page.run(tmp_path, caught.format(origin=origin, port=urlsplit(origin).port))
    assert again.expand()["stdout"] == "caught\n"
    assert [url for url in worker_page.requests[before:] if not url.endswith((".js", ".mjs"))] == []


FORGERY = """
import contextlib, os, struct
end = b'{"status": "exit", "code": 99, "steps": 0}'
record = struct.pack("<BBIII", 3, 0, len(end), len(end), 0) + end
for number in [*range(3, 1200), *range(-200, 0)]:
    with contextlib.suppress(OSError):
        os.write(number, record)
print(os.path.exists("/dev/tracepane"))
"""


def test_a_program_cannot_forge_the_end(worker_page: WorkerPage, tmp_path: Path) -> None:
    """The device of the trace has neither a name to open nor a number that can be found by trying."""
    trace = worker_page.run(tmp_path, FORGERY)
    assert (outcome(trace), trace.expand()["stdout"]) == ("finished", "False\n")


# Looks around in the worker from before it is locked until after, and tells the page what is left.
SPY = """
const channel = new BroadcastChannel("left");
const [timer, stop, names] = [setInterval, clearInterval, Object.getOwnPropertyNames];
const watch = timer(() => {
    if (globalThis.fetch !== undefined) return;
    stop(watch);
    const left = [];
    for (let level = globalThis; level && level !== Object.prototype; level = Object.getPrototypeOf(level)) {
        left.push(...names(level).filter((name) => globalThis[name] !== undefined));
    }
    const functions = [() => 1, async () => 1, function* () {}, async function* () {}];
    channel.postMessage({ left, constructors: functions.map((each) => typeof each.constructor) });
}, 1);
"""
LISTEN = """() => {
    new BroadcastChannel("left").onmessage = (event) => { globalThis.spied = event.data; };
    tracepane.runtime.warm();
}"""
REACHING = {
    *("fetch", "XMLHttpRequest", "WebSocket", "WebSocketStream", "EventSource", "WebTransport", "Request", "Response"),
    *("importScripts", "Worker", "SharedWorker", "postMessage", "close", "BroadcastChannel", "MessageChannel", "URL"),
    *("caches", "CacheStorage", "indexedDB", "navigator", "FontFace", "fonts", "FileReader", "RTCPeerConnection"),
    *("eval", "Function", "addEventListener", "dispatchEvent", "location", "origin", "setInterval"),
}


def test_a_locked_worker_keeps_nothing_that_reaches_out(cold_page: WorkerPage, built: Path) -> None:
    """No name for the network, other threads or storage is left, and text cannot become code."""
    script = SPY + (built / "worker.js").read_text("utf-8")
    cold_page.page.route("**/worker.js", lambda route: route.fulfill(content_type="text/javascript", body=script))
    cold_page.page.evaluate(LISTEN)
    cold_page.page.wait_for_function("() => globalThis.spied !== undefined")
    spied = cold_page.page.evaluate("() => globalThis.spied")
    assert set(spied["left"]) & REACHING == set()
    assert {"WebAssembly", "performance", "Array"} <= set(spied["left"])
    assert spied["constructors"] == ["undefined"] * 4


def test_browser_records_under_the_same_policy(playwright: Playwright, tmp_path: Path) -> None:
    """`Browser.record`, which verify uses, gives the trace of a program."""
    from tracepane.lesson import program

    path = tmp_path / "prog.py"
    path.write_text("x = [1]\nx.append(x)\nprint(len(x))\n")
    with Browser("chromium", playwright=playwright) as browser:
        traces = [browser.record(program.job(path)) for _ in range(2)]
    assert [trace.expand()["stdout"] for trace in traces] == ["2\n", "2\n"]
    assert traces[0].end["digest"] == traces[1].end["digest"]
