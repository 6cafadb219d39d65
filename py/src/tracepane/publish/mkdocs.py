"""The MkDocs plugin: it opens each page for the fence, adds script and style, and places jobs and browser code."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from mkdocs.config import config_options
from mkdocs.config.base import Config
from mkdocs.config.config_options import ExtraScriptValue
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.livereload import LiveReloadServer
from mkdocs.plugins import BasePlugin, CombinedEvent, event_priority, get_plugin_logger
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page
from mkdocs.utils.meta import get_data

from tracepane import assets
from tracepane.lesson import interpreter
from tracepane.lesson.check import check, check_pane, language_of
from tracepane.lesson.mistake import LessonError, LessonErrors, Mistakes
from tracepane.publish import policy
from tracepane.publish.fence import TracepaneExtension
from tracepane.publish.publication import Publication
from tracepane.publish.reference import References

log = get_plugin_logger(__name__)


class TracepaneConfig(Config):  # type: ignore[no-untyped-call]  # MkDocs gives no types there
    """What `mkdocs.yml` may say of the plugin."""

    record = config_options.Type(bool, default=False)  # the environment's TRACEPANE_RECORD=1 turns it on
    cache = config_options.Type(str, default="build/cache/references")  # below the folder of mkdocs.yml
    stored = config_options.Optional(config_options.Type(str))  # traces that were recorded elsewhere, all of them
    policy = config_options.Type(bool, default=True)  # a content security policy in every page, but not while serving


class TracepanePlugin(BasePlugin[TracepaneConfig]):  # type: ignore[no-untyped-call]
    """Thin: all that it knows is where MkDocs has things. Panes, HTML and files are the publication's."""

    serving = False
    server: LiveReloadServer | None = None

    def on_startup(self, *, command: str, dirty: bool) -> None:
        """Live reload writes a script of its own into each page, which no policy can know."""
        del dirty
        self.serving = command == "serve"

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Begin a build: a fresh publication, its fence among the extensions, script and style on every page."""
        if not interpreter.exact():
            log.info("no CPython 3.14 was found: where breakpoints stop is worked out with this Python's compiler")
        self.project = Path(config.config_file_path).parent if config.config_file_path else Path.cwd()
        try:
            self.publication = Publication()
            self.publication.references = self.references()
            self.fence = TracepaneExtension(self.publication, project=self.project)
            script, style = self.publication.script, self.publication.style
        except assets.AssetsError as error:
            raise PluginError(f"tracepane: {error}") from None
        extensions: list[Any] = config.markdown_extensions
        extensions[:] = [each for each in extensions if each != "tracepane" and not is_fence(each)] + [self.fence]
        if style not in config.extra_css:
            config.extra_css.insert(0, style)
            config.extra_javascript.append(module(script))
        return config

    def references(self) -> References | None:
        """Where native traces come from, if they are wanted."""
        build = self.publication.build
        digests = build["recorder"], build["pyodide"]["digest"]
        if self.config.record or os.environ.get("TRACEPANE_RECORD") == "1":
            return References(self.project / self.config.cache, *digests)
        if self.config.stored:
            return References(self.project / self.config.stored, *digests, record=None)
        return None

    @event_priority(-90)
    def on_page_markdown(self, markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
        """Tell the fence which page comes next."""
        del files
        path = Path(page.file.abs_src_path or page.file.src_uri)
        language = language_on(page, config)
        self.fence.open(path, page.url, language, before=lines_before(page), project=self.project)
        return markdown

    def on_page_content(self, html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
        """Check the page's panes in its language."""
        del files
        for shown in self.fence.shown:
            check_pane(shown.pane, self.project, self.fence.mistakes, [language_on(page, config)])
        return html

    def on_env(self, env: Any, config: MkDocsConfig, files: Files) -> Any:
        """End the build if there is any mistake, and tell those in pages that are not rendered yet too."""
        del files
        if self.fence.mistakes.errors:
            raise failure([*self.fence.mistakes.errors, *check([config.docs_dir])])
        return env

    def place(self, *, config: MkDocsConfig) -> None:
        """Place jobs, references and the browser code."""
        mistakes = Mistakes()
        self.publication.write(Path(config.site_dir), mistakes, log.info)
        if mistakes.errors:
            raise failure(mistakes.errors)
        self.watch(Path(config.docs_dir))

    @event_priority(-200)
    def guard(self, *, config: MkDocsConfig) -> None:
        """Write the policy last, after plugins that build again for each language."""
        if self.config.policy and not self.serving:
            policy.apply(Path(config.site_dir))

    on_post_build = CombinedEvent(place, guard)

    def on_serve(self, server: LiveReloadServer, *, config: MkDocsConfig, builder: Any) -> LiveReloadServer:
        """Reload also when a source outside the docs changes."""
        del builder
        self.server = server
        self.watch(Path(config.docs_dir))
        return server

    def watch(self, docs: Path) -> None:
        """Watch what panes and downloads are made from; MkDocs itself watches the docs."""
        made_from = [pane.files() for pane in self.publication.panes.values()]
        made_from += [list(offered.files.values()) for offered in self.publication.downloads.values()]
        for path in {path for each in made_from for path in each}:
            if self.server and not path.is_relative_to(docs):
                self.server.watch(str(path))


def is_fence(extension: Any) -> bool:
    """Whether an extension is the fence of an earlier build."""
    return isinstance(extension, TracepaneExtension)


def module(path: str) -> ExtraScriptValue:
    """A module script as MkDocs wants it."""
    script = ExtraScriptValue()
    script.path, script.type = path, "module"
    return script


def language_on(page: Page, config: MkDocsConfig) -> str:
    """A page's language: what an i18n plugin, its name, or its metadata say; else the theme's."""
    locale = getattr(page.file, "locale", None) or language_of(Path(page.file.src_uri)) or page.meta.get("language")
    return str(locale or config.theme.get("language") or "en")


def lines_before(page: Page) -> int:
    """Lines of a page's file before the Markdown that MkDocs gives to its extensions."""
    text = page.file.content_string.replace("\r\n", "\n")
    return text.count("\n") - get_data(text)[0].count("\n")


def failure(errors: list[LessonError]) -> PluginError:
    """The build's end: every mistake, no traceback."""
    listed = LessonErrors(errors)
    count = len(listed.errors)
    return PluginError(f"tracepane: {count} {'mistake' if count == 1 else 'mistakes'} in lessons\n{listed}")
