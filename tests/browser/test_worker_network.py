"""Code stays home: nothing is asked for while a program runs, and the program can reach nothing."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from worker_page import WorkerPage, outcome

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


def test_a_program_cannot_forge_messages(worker_page: WorkerPage, tmp_path: Path) -> None:
    """The device of the trace has no name, so there is nothing to open."""
    source = "import os\nprint(sorted(n for n in os.listdir('/dev') if 'trace' in n))\nopen('/dev/tracepane', 'wb')\n"
    trace = worker_page.run(tmp_path, source)
    assert trace.expand()["stdout"] == "[]\n"
    assert outcome(trace).startswith(("FileNotFoundError", "PermissionError", "OSError"))


NAMES = """() => {
    const names = [];
    for (let level = globalThis; level && level !== Object.prototype; level = Object.getPrototypeOf(level)) {
        for (const name of Object.getOwnPropertyNames(level)) if (globalThis[name] !== undefined) names.push(name);
    }
    return names;
}"""
REACHING = set(
    "fetch XMLHttpRequest WebSocket WebSocketStream EventSource WebTransport importScripts Worker SharedWorker postMessage "
    "close BroadcastChannel MessageChannel caches CacheStorage indexedDB navigator FontFace fonts eval Function Request "
    "Response URL FileReader RTCPeerConnection addEventListener dispatchEvent location origin".split()
)


def test_the_worker_keeps_nothing_that_reaches_out(worker_page: WorkerPage) -> None:
    """Of the names that a worker has for the network, for other threads and for code from text, none is left."""
    left = [set(worker.evaluate(NAMES)) for worker in worker_page.page.workers]
    locked = [names for names in left if "fetch" not in names]
    assert len(locked) == 1  # the warm one; the spares have not booted
    assert locked[0] & REACHING == set()
    assert {"fetch", "postMessage"} <= left[0] | left[1] | left[2]


def test_text_never_becomes_code_in_a_locked_worker(worker_page: WorkerPage) -> None:
    """`eval` is gone, and so are the constructors that every function leads to."""
    script = "() => [() => 1, async () => 1, function* () {}, async function* () {}].map(f => typeof f.constructor)"
    found = [worker.evaluate(script) for worker in worker_page.page.workers]
    assert sorted(found) == [["function"] * 4, ["function"] * 4, ["undefined"] * 4]


def test_browser_records_under_the_same_policy(tmp_path: Path) -> None:
    """`Browser.record`, which verify uses, gives the trace of a program."""
    from tracepane.lesson import program

    path = tmp_path / "prog.py"
    path.write_text("x = [1]\nx.append(x)\nprint(len(x))\n")
    with Browser("chromium") as browser:
        traces = [browser.record(program.job(path)) for _ in range(2)]
    assert [trace.expand()["stdout"] for trace in traces] == ["2\n", "2\n"]
    assert traces[0].end["digest"] == traces[1].end["digest"]
