/** What a page loads: it makes the elements known, once, however often the page's script runs. */
import { AskView } from "./elements/ask.ts";
import { CallsView } from "./elements/calls.ts";
import { FilesView } from "./elements/files.ts";
import { FlowView } from "./elements/flow.ts";
import { KeysView } from "./elements/keys.ts";
import { OutputView } from "./elements/output.ts";
import { PanelsView } from "./elements/panels.ts";
import { ScenariosView } from "./elements/scenarios.ts";
import { SourceView } from "./elements/source.ts";
import { StatusView } from "./elements/status.ts";
import { TimelineView } from "./elements/timeline.ts";
import { ToolbarView } from "./elements/toolbar.ts";
import { TracePane } from "./elements/trace-pane.ts";
import { VariablesView } from "./elements/variables.ts";

const elements: Readonly<Record<string, CustomElementConstructor>> = {
  "tp-ask": AskView,
  "tp-calls": CallsView,
  "tp-files": FilesView,
  "tp-flow": FlowView,
  "tp-keys": KeysView,
  "tp-output": OutputView,
  "tp-panels": PanelsView,
  "tp-scenarios": ScenariosView,
  "tp-source": SourceView,
  "tp-status": StatusView,
  "tp-timeline": TimelineView,
  "tp-toolbar": ToolbarView,
  "tp-variables": VariablesView,
  // Last: it makes the others.
  "trace-pane": TracePane,
};

for (const [name, element] of Object.entries(elements))
  if (!customElements.get(name)) customElements.define(name, element);
