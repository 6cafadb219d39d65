/**
 * Starting an interpreter, in one of two ways behind one seam: from the memory that an interpreter of the same build had
 * when it had just started, or, when there is none or it is no good, from nothing.
 */
import type { PyodideAPI } from "pyodide";
import type { BootParts } from "../protocol.ts";
import { type Core, type Start, startPyodide } from "./core.ts";
import { openDevice } from "./device.ts";
import { limitMemory, lockScope } from "./lock.ts";
import { packMemory, unpackMemory } from "./snapshot.ts";

export type { Core } from "./core.ts";

export interface Interpreter {
  readonly python: string;
  /** How it was started. */
  readonly boot: "plain" | "snapshot";
  /** Why the snapshot that was at hand was not used. */
  readonly refused?: string;
  /** Its memory, when it was asked for and could be had. */
  readonly snapshot?: ArrayBuffer;
  /** What the interpreter said of itself (not of the program), for the end of a crash. */
  readonly lastWords: readonly string[];
  /** Runs the job, and throws whatever ended it: it never returns normally after an end record. */
  run(job: string, record: boolean, receive: (bytes: Uint8Array) => void): void;
  /** Writes what was recorded when it died: Python's memory outlives its stack. May throw, or give nothing. */
  rescue(): void;
}

/** `keep`: the interpreter's memory is wanted, for others to start from. */
export type Boot = (core: Core, parts: BootParts, keep: boolean) => Promise<Interpreter>;

const RECORDER = "/lib/tracepane/recorder.zip";

interface Entry {
  boot(): string;
  run(job: string, fd: number, record: boolean): void;
  rescue(): void;
}

interface Started {
  readonly pyodide: PyodideAPI;
  readonly entry: Entry;
  readonly python: string;
  readonly boot: Interpreter["boot"];
  readonly refused?: string;
  readonly lastWords: string[];
}

export const boot: Boot = async (core, parts, keep) => {
  const started = await start(core, parts, keep);
  const { pyodide, entry, lastWords } = started;
  const snapshot = keep ? takeSnapshot(pyodide) : undefined;
  const device = openDevice(pyodide.FS);
  limitMemory();
  lockScope(self);
  return {
    python: started.python,
    boot: started.boot,
    lastWords,
    ...(started.refused === undefined ? {} : { refused: started.refused }),
    ...(snapshot ? { snapshot } : {}),
    run(job, record, receive) {
      device.receive = receive;
      entry.run(job, device.fd, record);
    },
    rescue: () => entry.rescue(),
  };
};

async function start(core: Core, parts: BootParts, keep: boolean): Promise<Started> {
  if (parts.snapshot === null) return startPlain(core, parts, keep);
  try {
    return await startRestored(core, parts, parts.snapshot);
  } catch (error) {
    // What is kept is of use or it is not; the reader gets an interpreter either way.
    return { ...(await startPlain(core, parts, keep)), refused: String(error) };
  }
}

async function startPlain(core: Core, parts: BootParts, keep: boolean): Promise<Started> {
  const { pyodide, lastWords } = await open(core, parts, { keep });
  const sys = pyodide.pyimport("sys");
  sys.path.insert(0, RECORDER);
  sys.destroy();
  const entry = importEntry(pyodide);
  return { pyodide, entry, python: entry.boot(), boot: "plain", lastWords };
}

/** Python has its modules, the recorder's among them, and its path already; it has no files, which `open` puts back. */
async function startRestored(core: Core, parts: BootParts, snapshot: ArrayBuffer): Promise<Started> {
  const { pyodide, lastWords } = await open(core, parts, { restore: unpackMemory(snapshot) });
  const entry = importEntry(pyodide);
  return { pyodide, entry, python: entry.boot(), boot: "snapshot", lastWords };
}

async function open(
  core: Core,
  parts: BootParts,
  how: Omit<Start, "hear">,
): Promise<{ pyodide: PyodideAPI; lastWords: string[] }> {
  const lastWords: string[] = [];
  const pyodide = await startPyodide(core, parts, { ...how, hear: (line) => lastWords.push(line) });
  pyodide.FS.mkdirTree("/lib/tracepane");
  pyodide.FS.writeFile(RECORDER, new Uint8Array(parts.recorder));
  return { pyodide, lastWords };
}

function importEntry(pyodide: PyodideAPI): Entry {
  // Kept as proxies of its functions: the module itself would be one more road back.
  const module = pyodide.pyimport("tracepane.record._platform.browser");
  const entry: Entry = { boot: module.boot.copy(), run: module.run.copy(), rescue: module.rescue.copy() };
  module.destroy();
  return entry;
}

/** Before any program, so that it holds nothing of one. Undefined when it cannot be had: nobody waits for it. */
function takeSnapshot(pyodide: PyodideAPI): ArrayBuffer | undefined {
  try {
    return packMemory((pyodide as unknown as { makeMemorySnapshot(): Uint8Array }).makeMemorySnapshot());
  } catch {
    return undefined;
  }
}
