import { html, nothing, type TemplateResult } from "lit";
import { icon } from "./icons.ts";
import { unfoldJson } from "./json-text.ts";
import { View } from "./view.ts";
import type { WorkspaceFile } from "./workspace.ts";

const ways = ["text", "rows", "bytes"] as const;
type Way = (typeof ways)[number];

/** Bytes and rows drawn at once; the download has all of them. */
const shownBytes = 64 * 1024;
const shownHex = 4096;
const shownRows = 200;

/** The run's workspace at the cursor: its files, what has happened to them, and what is in the one that is open. */
export class FilesView extends View {
  static override properties = {
    ...View.properties,
    files: { attribute: false },
    cursor: { type: Number },
    content: { attribute: false },
    open: { state: true },
    way: { state: true },
  };
  declare files: readonly WorkspaceFile[];
  declare cursor: number;
  declare content: (path: string) => Uint8Array | null;
  declare open: string | null;
  /** The reader's choice; null: by what is in the file. */
  declare way: Way | null;

  constructor() {
    super();
    this.open = null;
    this.way = null;
  }

  protected override render(): TemplateResult {
    if (this.files.length === 0) return html`<p class="tp-empty">${this.say("files.none")}</p>`;
    return html`<ul class="tp-files">${this.files.map((file) => this.#item(file))}</ul>`;
  }

  /** What is in a file opens beneath its name: after all the names it would be out of sight. */
  #item(file: WorkspaceFile): TemplateResult {
    const { path, size, deleted, step } = file;
    return html`<li><button type="button" class="tp-file-name" aria-expanded=${path === this.open} @click=${() => this.#toggle(path)}>
      <span class="tp-path">${path}</span></button>
      <span class="tp-change" data-change=${word(file)} ?data-now=${step === this.cursor}>${this.say(`files.${word(file)}`, { step })}</span>
      <span class="tp-dim">${deleted ? "" : this.say("files.size", { count: size })}</span>
      ${path === this.open ? this.#view(file) : nothing}</li>`;
  }

  #toggle(path: string): void {
    this.open = this.open === path ? null : path;
    this.way = null;
  }

  #view({ path, deleted }: WorkspaceFile): TemplateResult {
    const bytes = deleted ? null : this.content(path);
    if (!bytes) return html`<p class="tp-empty">${this.say("files.gone")}</p>`;
    const text = decode(bytes);
    const way = this.way ?? (text === null ? "bytes" : isRows(path, text) ? "rows" : "text");
    return html`<section class="tp-file" aria-label=${path}>
      <div class="tp-file-bar"><div class="tp-segments tp-small" role="group" aria-label=${this.say("files.way")}>${ways
        .filter((each) => each === "bytes" || text !== null)
        .map(
          (each) =>
            html`<button type="button" class="tp-segment" aria-pressed=${each === way} @click=${() => {
              this.way = each;
            }}><span>${this.say(`files.${each}`)}</span></button>`,
        )}</div>
        <button type="button" class="tp-link" @click=${() => save(path, bytes)}>${icon("download")}${this.say("files.download")}</button></div>
      <div class="tp-content" role="group" aria-label=${this.say("files.content", { path })} tabindex="0">${this.#content(way, bytes, text)}</div></section>`;
  }

  #content(way: Way, bytes: Uint8Array, text: string | null): unknown {
    if (bytes.length === 0) return html`<p class="tp-empty">${this.say("files.empty")}</p>`;
    if (way === "bytes" || text === null)
      return [html`<pre>${hex(bytes.subarray(0, shownHex))}</pre>`, this.#rest(bytes.length - shownHex)];
    if (way === "rows") return this.#rows(text.split("\n").filter((line) => line.trim()));
    return [html`<pre>${text.slice(0, shownBytes)}</pre>`, this.#rest(text.length - shownBytes)];
  }

  #rows(lines: readonly string[]): unknown {
    return [
      html`<ol class="tp-rows">${lines.slice(0, shownRows).map((line) => html`<li><pre>${unfoldJson(line)}</pre></li>`)}</ol>`,
      this.#rest(lines.length - shownRows),
    ];
  }

  #rest(count: number): TemplateResult | typeof nothing {
    return count > 0 ? html`<p class="tp-empty">${this.say("files.rest", { count })}</p>` : nothing;
  }
}

function word({ deleted, change }: WorkspaceFile): WorkspaceFile["change"] {
  return deleted ? "deleted" : change;
}

/** Null when the bytes are not text. */
function decode(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}

function isRows(path: string, text: string): boolean {
  return /\.(jsonl|ndjson)$/i.test(path) && text.trim() !== "";
}

/** Offset, sixteen bytes, and the letters among them. */
export function hex(bytes: Uint8Array): string {
  const rows: string[] = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const row = [...bytes.subarray(at, at + 16)];
    const digits = row.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const letters = row.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : ".")).join("");
    rows.push(`${at.toString(16).padStart(6, "0")}  ${digits.padEnd(47)}  ${letters}`);
  }
  return rows.join("\n");
}

function save(path: string, bytes: Uint8Array): void {
  const url = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>]));
  const link = document.createElement("a");
  link.href = url;
  link.download = path.split("/").at(-1) ?? "file";
  link.click();
  URL.revokeObjectURL(url);
}
