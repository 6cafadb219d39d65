import type { ReferenceNote, Setup } from "../session.ts";
import { stopFinder } from "../session.ts";
import { EACH_LINE, statementsOf } from "../trace/statements.ts";
import type { PaneFile } from "./pane-file.ts";

/** What the page itself says of a pane: its shown file and where its lines stop. */
export function readSetup(pane: HTMLElement): Setup {
  const source = pane.querySelector<HTMLElement>(".tp-source") ?? pane;
  const file = source.dataset["file"] ?? "";
  const rows = [...source.querySelectorAll<HTMLElement>(".tp-line[data-breakpoint]")];
  const stops = new Map(rows.map((row) => [Number(row.dataset["line"]), Number(row.dataset["breakpoint"])]));
  return { file, stopOf: stopFinder(stops), statements: statementsOf(file, stops), references: {}, sources: {} };
}

/** What the pane's jobs say besides. */
export function withFile(setup: Setup, { scenarios }: PaneFile): Setup {
  const note = ({ reference, digest }: PaneFile["scenarios"][number]): ReferenceNote | null =>
    reference && { digest: reference.digest, job: digest };
  return {
    ...setup,
    references: Object.fromEntries(scenarios.map((scenario) => [scenario.id, note(scenario)])),
    sources: Object.fromEntries(
      scenarios.map(({ id, job }) => [id, (job["sources"] ?? []) as Setup["sources"][string]]),
    ),
  };
}

/** Of a pane that has not been built yet. */
export const noSetup: Setup = { file: "", stopOf: () => null, statements: EACH_LINE, references: {}, sources: {} };
