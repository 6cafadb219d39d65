"""The content security policy: every inline script of the site, and nothing of another origin."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

from site_files import FILES, page, publish

from tracepane.publish import policy


def policies(path: Path) -> list[str]:
    """The policies that a page carries."""
    return [each.get("content") or "" for each in page(path).iter("meta") if each.get("http-equiv") == policy.MARK]


def hash_of(script: str) -> str:
    """A script's hash, worked out here."""
    return "'sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() + "'"


def write(folder: Path, **pages: str) -> None:
    """Write pages below a folder."""
    for name, text in pages.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8", newline="")


def test_inline_scripts_are_named_by_their_hashes(tmp_path: Path) -> None:
    """Those of all pages, since a page may run the scripts of the next; data and addresses need none."""
    head = '<!doctype html><html><head><meta charset="utf-8"><title>x</title></head><body>'
    write(
        tmp_path,
        a=f'{head}<script>let a = "é<b>";\n</script><script type="application/json">{{}}</script>',
        b=f'{head}<script type="module">b()</script><script src="x.js"></script>',
    )
    text = policy.apply(tmp_path)
    for name in ("a", "b"):
        assert policies(tmp_path / f"{name}.html") == [text]
    scripts = next(rule for rule in text.split("; ") if rule.startswith("script-src"))
    expected = sorted([hash_of('let a = "é<b>";\n'), hash_of("b()")])
    assert scripts == " ".join(["script-src 'self' 'wasm-unsafe-eval'", *expected])


def test_writing_it_again_replaces_it(tmp_path: Path) -> None:
    """A build for each language writes it more than once; a page keeps one, and all else as it was."""
    text = '<html><head><meta charset="utf-8"><title>x</title></head>\r\n<body>&amp;</body></html>\n'
    write(tmp_path, a=text)
    policy.apply(tmp_path)
    write(tmp_path, b="<html><head></head><script>b()</script></html>")
    policy.apply(tmp_path)
    (found,) = policies(tmp_path / "a.html")
    assert hash_of("b()") in found
    after = (tmp_path / "a.html").read_bytes().decode()
    start, end = after.index("<meta http-equiv"), after.index("<title>")
    assert after[:start] + after[end:] == text


def test_every_page_of_a_material_site_has_it(tmp_path: Path) -> None:
    """The error page too; and it stands after the character set and before anything that it rules."""
    site = publish(tmp_path)
    for path in (site / "index.html", site / "404.html"):
        assert len(policies(path)) == 1
        text = path.read_text("utf-8")
        assert text.index("charset") < text.index(policy.MARK) < text.index("<link")


def test_it_can_be_left_out(tmp_path: Path) -> None:
    """By the plugin's option."""
    config = FILES["mkdocs.yml"].replace("[tracepane]", "[{tracepane: {policy: false}}]")
    assert policies(publish(tmp_path, {"mkdocs.yml": config}) / "index.html") == []
