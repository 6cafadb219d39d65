"""A load that fails says why, names the file, and can be tried again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from worker_page import WorkerPage, outcome

if TYPE_CHECKING:
    from playwright.sync_api import Route

PARTS = [
    "worker.js",
    "pyodide/pyodide.mjs",
    "pyodide/pyodide.asm.mjs",
    "pyodide/pyodide.asm.wasm",
    "stdlib.zip",
    "recorder.zip",
]
SCRIPTS = PARTS[:3]


def fail(page: WorkerPage, folder: Path, name: str, **answer: Any) -> dict[str, Any]:
    """The failure that a run is told when the server answers so for this file; the fault is gone afterwards."""
    pattern = f"**/assets/{name}"
    page.page.route(pattern, lambda route: _answer(route, answer))
    failure: dict[str, Any] = page.wait(page.begin(folder, "print(1)"))["failure"]
    page.page.unroute(pattern)
    return failure


def _answer(route: Route, answer: dict[str, Any]) -> None:
    if "abort" in answer:
        route.abort(answer["abort"])
    elif set(answer) == {"content_type"}:
        # The body is the file's own.
        route.fulfill(response=route.fetch(), headers={"content-type": answer["content_type"]})
    else:
        route.fulfill(**answer)


@pytest.mark.parametrize("name", PARTS)
def test_a_missing_file_is_named(cold_page: WorkerPage, tmp_path: Path, name: str) -> None:
    """404: kind `missing`, with the file's address and the status."""
    failure = fail(cold_page, tmp_path, name, status=404, body="no")
    assert (failure["kind"], failure["url"]) == ("missing", f"{cold_page.site.origin}/some/repo/assets/{name}")
    assert "404" in failure["detail"]


def test_a_retry_works_when_the_fault_is_gone(cold_page: WorkerPage, tmp_path: Path) -> None:
    """The same page, after two failures of different kinds, runs the program."""
    assert fail(cold_page, tmp_path, "recorder.zip", abort="connectionreset")["kind"] == "offline"
    # In this order: a script that fails may find the other parts fetched, and they are not asked for again.
    assert fail(cold_page, tmp_path, "pyodide/pyodide.asm.mjs", status=500)["kind"] == "missing"
    assert outcome(cold_page.run(tmp_path, "print(1)")) == "finished"


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_of_the_wrong_type_is_named_with_its_type(cold_page: WorkerPage, tmp_path: Path, name: str) -> None:
    """A server that does not know .mjs: kind `type`, the file and the type that it was given."""
    failure = fail(cold_page, tmp_path, name, content_type="application/octet-stream")
    assert (failure["kind"], failure["url"].rpartition("/assets/")[2]) == ("type", name)
    assert "application/octet-stream" in failure["detail"]


def test_a_core_of_the_wrong_type_does_no_harm(cold_page: WorkerPage, tmp_path: Path) -> None:
    """It is compiled from its bytes, whatever the server calls it."""
    assert fail(cold_page, tmp_path, "pyodide/pyodide.asm.wasm", content_type="text/plain") is None


def test_a_page_in_place_of_a_file_is_told_apart(cold_page: WorkerPage, tmp_path: Path) -> None:
    """A server that answers everything with its start page and 200."""
    failure = fail(cold_page, tmp_path, "stdlib.zip", status=200, body="<!doctype html>")
    assert (failure["kind"], failure["detail"]) == ("type", "what the server sent is not a zip file")


def test_no_connection_is_offline(cold_page: WorkerPage, tmp_path: Path) -> None:
    """The network is gone: kind `offline`, with the file's address."""
    failure = fail(cold_page, tmp_path, "stdlib.zip", abort="internetdisconnected")
    assert (failure["kind"], failure["url"].rpartition("/")[2]) == ("offline", "stdlib.zip")


def test_a_worker_of_another_release_is_refused(cold_page: WorkerPage, tmp_path: Path, built: Path) -> None:
    """An old worker from some cache: kind `build`, and both releases are named."""
    old = (built / "worker.js").read_text()
    release = cold_page.page.evaluate("() => tracepane.runtime.build")
    failure = fail(
        cold_page, tmp_path, "worker.js", content_type="text/javascript", body=old.replace(release, "0" * 16)
    )
    assert failure["kind"] == "build"
    assert release in failure["detail"]
    assert "0" * 16 in failure["detail"]
