/**
 * Runs jobs in Pyodide under Node, each in a fresh interpreter, as the page's worker does it: the first starts from nothing,
 * the others from the memory that it then had.
 * Arguments: the folder of Pyodide, recorder.zip, the standard library's zip (or ""). Standard input: lines of
 * {"job", "record"}. Standard output: for each a line {"records": base64, "left": what threw}.
 */
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [core, recorder, library] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${core}/pyodide.mjs`).href);

class Left extends Error {}

let snapshot = null;

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await execute(JSON.parse(line)))}\n`);
}

async function execute({ job, record }) {
  const pyodide = await loadPyodide({
    jsglobals: Object.create(null),
    env: { PYTHONHASHSEED: "0", HOME: "/tmp" },
    stdin: () => null,
    stdout: (text) => process.stderr.write(`${text}\n`),
    stderr: (text) => process.stderr.write(`${text}\n`),
    ...(library ? { stdLibURL: library } : {}),
    ...(snapshot ? { _loadSnapshot: snapshot } : { _makeSnapshot: true }),
  });
  pyodide.FS.mkdirTree("/lib/tracepane");
  pyodide.FS.writeFile("/lib/tracepane/recorder.zip", readFileSync(recorder));
  const run = start(pyodide);
  snapshot ??= pyodide.makeMemorySnapshot();
  const parts = [];
  const fd = openDevice(pyodide.FS, (bytes) => {
    parts.push(bytes);
    if (bytes[0] === 3) throw new Left();
  });
  let left = "";
  try {
    run(JSON.stringify(job), fd, record);
  } catch (error) {
    left = error instanceof Left ? "" : `${error.name}: ${error.message}`;
  }
  return { records: Buffer.concat(parts).toString("base64"), left };
}

function start(pyodide) {
  if (!snapshot) {
    const sys = pyodide.pyimport("sys");
    sys.path.insert(0, "/lib/tracepane/recorder.zip");
    sys.destroy();
  }
  const entry = pyodide.pyimport("tracepane.record._platform.browser");
  const [boot, run] = [entry.boot.copy(), entry.run.copy()];
  entry.destroy();
  boot();
  return run;
}

function openDevice(files, receive) {
  const number = files.makedev(81, 0);
  files.registerDevice(number, {
    write(_stream, heap, offset, length) {
      receive(new Uint8Array(heap.buffer, heap.byteOffset + offset, length).slice());
      return length;
    },
  });
  files.mkdev("/dev/tracepane", 0o222, number);
  const stream = files.open("/dev/tracepane", "w");
  files.unlink("/dev/tracepane");
  // Out of the way, as the worker does it: the program's own files count from 3.
  const hidden = -0x1000_0000;
  files.streams[stream.fd] = null;
  files.streams[hidden] = stream;
  stream.fd = hidden;
  return hidden;
}
