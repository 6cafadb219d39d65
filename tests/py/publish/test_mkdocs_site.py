"""Sites that MkDocs builds: what lies where, in which language, and builds that must fail."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort
from site_files import CORE, FENCE, FILES, PANE, page, publish, refused, said, write

from tracepane import assets
from tracepane.publish.reference import References
from tracepane.record.job import check, digest
from tracepane.record.trace import Trace

NAMES = ("a/one", "two")
RECORDING = FILES["mkdocs.yml"].replace("[tracepane]", "[{tracepane: {record: true}}]")


def jobs(site: Path) -> dict[str, Any]:
    """The jobs of the site's one pane."""
    (path,) = (site / "assets/tracepane/jobs").iterdir()
    document: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return document


@pytest.mark.parametrize("directories", ["true", "false"])
def test_every_address_leads_to_a_file(tmp_path: Path, directories: str) -> None:
    """Job, script and style are found from each page by relative addresses, whatever the base path."""
    config = FILES["mkdocs.yml"] + f"use_directory_urls: {directories}\n"
    site = publish(tmp_path, {"mkdocs.yml": config, "docs/guide/start.md": FENCE.replace("panes", "../panes")})
    start = site / ("guide/start/index.html" if directories == "true" else "guide/start.html")
    for path in (site / "index.html", start):
        root = page(path)
        found = [each.get("job") or "" for each in root.iter("trace-pane")]
        found += [each.get("src") or "" for each in root.iter("script") if each.get("type") == "module"]
        found += [each.get("href") or "" for each in root.iter("link") if "tracepane" in (each.get("href") or "")]
        assert len(found) == 3
        assert [(path.parent / each).is_file() for each in found] == [True] * 3


def test_the_file_of_jobs(tmp_path: Path) -> None:
    """A whole job for each scenario with its digest, labels and flow in every language."""
    document = jobs(publish(tmp_path))
    assert (document["format"], document["pane"], document["build"]) == (
        "tracepane-pane/1",
        "docs/panes.yml#p",
        "abcd",
    )
    for scenario in document["scenarios"]:
        check(scenario["job"])
        assert scenario["digest"] == digest(scenario["job"])
        assert scenario["reference"] is None
    assert [each["label"] for each in document["scenarios"]] == [{"en": "One", "zh": "一"}, {"en": "<Two>", "zh": "二"}]
    assert document["flow"][0] == {"id": "a", "text": {"en": "Take", "zh": "取"}, "lines": [[3, 3]], "to": ["b"]}


def test_a_change_of_a_source_changes_the_name_of_the_jobs(tmp_path: Path) -> None:
    """So that a cached page and its jobs are always of one release."""
    names = set()
    for text in ("", "# more\n"):
        publish(tmp_path, {"docs/set.py": text})
        names |= {path.name for path in (tmp_path / "www/assets/tracepane/jobs").iterdir()}
    assert len(names) == 2


def test_the_browser_code_is_placed_whole(tmp_path: Path) -> None:
    """Under a name of its release, with the notices of other people's work."""
    site = publish(tmp_path)
    below = site / "assets/tracepane/abcd"
    names = {path.relative_to(below).as_posix() for path in below.rglob("*") if path.is_file()}
    assert names == {"pane.js", "pane.css", "worker.js", "pyodide/pyodide.mjs", "notices/python.txt", "build.json"}


OFFER = "```tracepane\ndownload: all\nroot: lib\nfiles: ['**/*.py']\n```\n"


def test_a_page_offers_its_files(tmp_path: Path) -> None:
    """An archive with one folder in it, and each file by itself, both with the very bytes; no cache of Python's."""
    files = {"docs/lib/a/one.py": "print('一')\r\n", "docs/lib/two.py": "", "docs/lib/a/__pycache__/one.py": "x"}
    site = publish(tmp_path, {"docs/guide.md": OFFER, **files})
    links = [each for each in page(site / "guide/index.html").iter("a") if each.get("download")]
    assert [each.get("download") for each in links] == ["all.zip", "one.py", "two.py"]
    archive, *single = [site / "guide" / (each.get("href") or "") for each in links]
    assert [path.read_bytes() for path in single] == [(tmp_path / f"docs/lib/{name}.py").read_bytes() for name in NAMES]
    with zipfile.ZipFile(archive) as packed:
        assert packed.namelist() == ["all/a/one.py", "all/two.py"]
        assert [packed.read(name) for name in packed.namelist()] == [path.read_bytes() for path in single]


def test_the_same_files_are_the_same_archive(tmp_path: Path) -> None:
    """Byte for byte, at the same address; a change of one byte changes the address."""
    first, again, changed = (
        {path.relative_to(site).as_posix(): path.read_bytes() for path in site.rglob("all.zip")}
        for site in (
            publish(tmp_path / name, {"docs/index.md": OFFER, "docs/lib/one.py": text})
            for name, text in [("first", "1"), ("again", "1"), ("changed", "2")]
        )
    )
    assert first == again
    assert len(first) == 1
    assert first.keys() != changed.keys()


def test_pages_of_two_languages(tmp_path: Path) -> None:
    """A page's language is what the i18n plugin says; its pane speaks it."""
    config = """site_name: T
site_dir: www
theme: {name: material, font: false}
plugins:
  - i18n: {docs_structure: suffix, languages: [{locale: en, name: English, default: true}, {locale: zh, name: 中文}]}
  - tracepane
"""
    site = publish(tmp_path, {"mkdocs.yml": config, "docs/index.zh.md": f"# 标题\n\n{FENCE}"})
    for path, language, label in (("index.html", "en", "One"), ("zh/index.html", "zh", "一")):
        pane = next(iter(page(site / path).iter("trace-pane")))
        assert pane.get("lang") == language
        assert label in "".join(pane.itertext())
        assert (site / path).parent.joinpath(pane.get("job") or "").is_file()


def test_front_matter_does_not_shift_lines(tmp_path: Path) -> None:
    """A mistake is at its line of the file, not of what MkDocs hands on."""
    text = f"---\ntitle: X\n---\n\n\n# Title\n\n{FENCE.replace('#p', '#q')}"
    assert refused(tmp_path, {"docs/index.md": text}) == [
        "tracepane: 1 mistake in lessons",
        "docs/index.md:9: there is no pane `q` in docs/panes.yml. Known are: `p`.",
    ]


def test_a_build_tells_all_mistakes_of_all_pages(tmp_path: Path) -> None:
    """It fails once, without a traceback, and names each."""
    files = {
        "docs/index.md": FENCE.replace("#p", "#q"),
        "docs/more.md": "```tracepane\npane: nothing.yml#p\n```\n",
        "docs/panes.yml": PANE.replace("show: twice", "show: thrice"),
        "docs/third.md": FENCE,
    }
    said = refused(tmp_path, files)
    assert said[0] == "tracepane: 3 mistakes in lessons"
    assert [line.split(": ")[0] for line in said[1:]] == ["docs/index.md:2", "docs/more.md:2", "docs/panes.yml:3"]


def test_a_page_in_a_language_that_its_pane_lacks(tmp_path: Path) -> None:
    """The theme's language counts where nothing else says one."""
    config = FILES["mkdocs.yml"].replace("font: false", "font: false, language: fr")
    said = refused(tmp_path, {"mkdocs.yml": config})
    assert said[1].startswith("docs/panes.yml:6: `note` of the pane `p` is not translated: no text for fr.")


def test_references_are_recorded_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every scenario's native trace lies beside the jobs; the next build takes it from the cache."""
    site = publish(tmp_path, {"mkdocs.yml": RECORDING})
    before = jobs(site)
    for scenario in before["scenarios"]:
        reference = scenario["reference"]
        trace = Trace.load(site / "assets/tracepane/jobs" / reference["trace"])
        assert trace.header["job"] == scenario["digest"]
        assert (reference["digest"], reference["events"]) == (trace.end["digest"], trace.steps)
        assert reference["python"].startswith("3.14.")
    monkeypatch.setattr(References, "make", None)
    assert jobs(publish(tmp_path, {"mkdocs.yml": RECORDING})) == before


def test_a_damaged_or_foreign_trace_in_the_cache_is_recorded_anew(tmp_path: Path) -> None:
    """Neither is believed."""
    site = publish(tmp_path, {"mkdocs.yml": RECORDING})
    before = jobs(site)
    one, two = sorted((tmp_path / "build/cache/references").glob("*.trace"))
    one.write_bytes(two.read_bytes())
    two.write_bytes(two.read_bytes()[:100])
    assert jobs(publish(tmp_path, {"mkdocs.yml": RECORDING})) == before
    assert Trace.load(one).header["job"] != Trace.load(two).header["job"]


def test_a_stale_stored_reference_ends_the_build(tmp_path: Path) -> None:
    """Traces that were recorded elsewhere must be of these very jobs."""
    publish(tmp_path, {"mkdocs.yml": RECORDING})
    stored = FILES["mkdocs.yml"].replace("[tracepane]", "[{tracepane: {stored: build/cache/references}}]")
    site = publish(tmp_path, {"mkdocs.yml": stored})
    assert [each["reference"] is None for each in jobs(site)["scenarios"]] == [False, False]
    said = refused(tmp_path, {"mkdocs.yml": stored, "docs/set.py": "import cmath\n"})
    assert said[0] == "tracepane: 2 mistakes in lessons"
    assert said[1] == (
        "docs/panes.yml:8: the pane `p`, scenario `one`: its reference is stale or missing: "
        "there is none of this very job. "
        "Record it anew: build with `record: true` or TRACEPANE_RECORD=1."
    )


def test_a_run_that_never_reaches_what_is_shown_is_a_mistake(tmp_path: Path) -> None:
    """Recording finds what no check of the text can."""
    said = refused(tmp_path, {"mkdocs.yml": RECORDING, "docs/set.py": "1 / 0\n"})
    assert said[1] == (
        "docs/panes.yml:8: the pane `p`, scenario `one`: it ran, but nothing of what is shown did; "
        "it ended with ZeroDivisionError: division by zero. Call what is shown, or show what is called."
    )


class Reloader:
    """What the plugin needs of MkDocs' live reload server."""

    def __init__(self) -> None:
        """Nothing is watched yet."""
        self.watched: list[str] = []

    def watch(self, path: str) -> None:
        """Note the path."""
        self.watched.append(path)


def test_serving_watches_sources_outside_the_docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MkDocs watches the docs itself. No policy is written meanwhile, since live reload adds a script."""
    files = {
        "docs/panes.yml": PANE.replace("core.py", "../lib/core.py") + "  path: [../lib]\n",
        "lib/core.py": CORE + "import deep\n",
        "lib/deep.py": "",
    }
    config = load_config(str(write(tmp_path, files) / "mkdocs.yml"))
    plugin = config.plugins["tracepane"]
    # MkDocs keeps a plugin from one build to the next, and so to the next test.
    monkeypatch.setattr(plugin, "server", None)
    monkeypatch.setattr(plugin, "serving", False)
    plugin.on_startup(command="serve", dirty=False)
    build(config)
    server = Reloader()
    plugin.on_serve(server, config=config, builder=build)
    assert sorted(server.watched) == [str(tmp_path / "lib" / name) for name in ("core.py", "deep.py")]
    assert "Content-Security-Policy" not in (tmp_path / "www/index.html").read_text("utf-8")


def test_without_the_browser_code_the_build_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends with a sentence, not a traceback."""

    def missing() -> Path:
        raise assets.AssetsError("pane.js is missing. Run `make assets`.")

    monkeypatch.setattr(assets, "directory", missing)
    config = load_config(str(write(tmp_path, {}) / "mkdocs.yml"))
    with pytest.raises(Abort), said() as text:
        build(config)
    assert "tracepane: pane.js is missing. Run `make assets`." in text.getvalue()


def test_a_run_that_kills_its_interpreter_is_told_and_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine may be at fault: the next build tries again."""
    end = {"status": "crashed", "steps": 0, "detail": "killed by signal 9"}
    trace = Trace.from_chunks({"format": "tracepane-trace/1", "features": [], "job": "x", "runtime": {}}, [], end)
    monkeypatch.setattr(References.__init__, "__defaults__", (lambda _: trace,))
    said = refused(tmp_path, {"mkdocs.yml": RECORDING})
    assert said[1] == (
        "docs/panes.yml:8: the pane `p`, scenario `one`: the interpreter died of it (killed by signal 9). "
        "Try it with `tracepane record`."
    )
    assert not list(tmp_path.glob("build/cache/references/*"))
