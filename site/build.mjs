/**
 * Builds the browser code into the Python package: py/src/tracepane/_assets/.
 *
 *   pane.js flow.js pane.css   what a page loads           (from site/src)
 *   worker.js                  the interpreter's side      (from site/src/worker)
 *   check.js                   what `verify` drives        (from site/src/check.ts)
 *   pyodide/                   the core, as npm ships it   (from node_modules/pyodide)
 *   stdlib.zip                 its standard library as bytecode, compiled by its own Python
 *   notices/                   the licences of what is inside, other people's work
 *   recorder.zip build.json    written by tracepane.assets, which owns their form; the recorder then as bytecode, too
 *
 * Every output is a function of its inputs; what is there and fresh is left alone.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const source = join(root, "site/src");
const target = join(root, "py/src/tracepane/_assets");
const cache = join(root, "build/cache");
const core = join(root, "node_modules/pyodide");
const coreFiles = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"];

const say = (text) => console.log(`assets: ${text}`);
const sha256 = (...parts) =>
  parts.reduce((hash, part) => hash.update(part).update("\0"), createHash("sha256")).digest("hex");
const read = (path) => readFileSync(path);
const kilobytes = (path) => `${Math.round(statSync(path).size / 1024)} kB`;

function list(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? list(join(folder, entry.name)) : [join(folder, entry.name)]))
    .sort();
}

/** What the worker and the page must share: each carries it, so that a worker of another release is told apart. */
function digestRelease(library) {
  const shared = ["worker", "runtime"].flatMap((name) => list(join(source, name)));
  const single = ["protocol.ts", "runtime.ts"].map((name) => join(source, name));
  const files = [...shared, ...single, fileURLToPath(import.meta.url), join(root, "package-lock.json")];
  return sha256(...files.flatMap((file) => [relative(root, file), read(file)]), library).slice(0, 16);
}

/** Names everything that is published, so that the folder of one release never holds files of another. */
function digestAll() {
  const files = list(target).filter((file) => !/(recorder\.zip|build\.json|\.part)$/.test(file));
  return sha256(...files.flatMap((file) => [relative(target, file), read(file)])).slice(0, 16);
}

function copyCore() {
  mkdirSync(join(target, "pyodide"), { recursive: true });
  for (const name of coreFiles) {
    const [from, to] = [join(core, name), join(target, "pyodide", name)];
    // A source map comment would make developer tools ask for a file that is not there.
    const bytes = name.endsWith(".mjs")
      ? Buffer.from(
          read(from)
            .toString()
            .replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n"),
        )
      : read(from);
    if (!existsSync(to) || !read(to).equals(bytes)) writeFileSync(to, bytes);
  }
  return coreFiles.map((name) => join(target, "pyodide", name));
}

/** Compiles the standard library, once for each Pyodide and each compiler; afterwards it is a file copy. */
async function compileLibrary() {
  const script = read(join(root, "site/stdlib.py"));
  const key = sha256(read(join(core, "python_stdlib.zip")), read(join(core, "pyodide.asm.wasm")), script).slice(0, 16);
  const cached = join(cache, `stdlib-${key}.zip`);
  if (!existsSync(cached)) {
    say("compiling the standard library with Pyodide's own Python…");
    mkdirSync(cache, { recursive: true });
    writeFileSync(cached, await runCompiler(script.toString(), null));
  }
  const to = join(target, "stdlib.zip");
  if (!existsSync(to) || !read(to).equals(read(cached))) copyFileSync(cached, to);
  return to;
}

/** Whoever serves the assets passes on other people's work, and with it their licences. */
function copyNotices() {
  const notices = join(target, "notices");
  mkdirSync(notices, { recursive: true });
  for (const name of ["pyodide.txt", "python.txt"]) copyFileSync(join(root, "site/notices", name), join(notices, name));
  for (const name of [
    "@dagrejs/dagre",
    "@dagrejs/graphlib",
    "fflate",
    "i18next",
    "lit",
    "lit-html",
    "lit-element",
    "@lit/reactive-element",
  ]) {
    copyFileSync(join(root, "node_modules", name, "LICENSE"), join(notices, `${name.split("/").at(-1)}.txt`));
  }
}

/** Bytecode of `zip`, which will lie in the recorder's place, or when it is null of Pyodide's own library. */
async function runCompiler(script, zip) {
  const { loadPyodide } = await import(pathToFileURL(join(core, "pyodide.mjs")).href);
  const pyodide = await loadPyodide({ env: { PYTHONHASHSEED: "0" } });
  pyodide.runPython(script);
  const library = `/lib/python${pythonDigits(pyodide)}.zip`;
  if (zip !== null) pyodide.FS.writeFile("/given.zip", zip);
  const [from, place] = zip === null ? [library, library] : ["/given.zip", "/lib/tracepane/recorder.zip"];
  pyodide.globals.get("compile_library")(from, "/compiled.zip", place);
  return pyodide.FS.readFile("/compiled.zip");
}

const pythonDigits = (pyodide) => pyodide.runPython("import sys; f'{sys.version_info.major}{sys.version_info.minor}'");

/** Asked of Pyodide once a release; a boot for two words would double the time of every build. */
async function pythonVersion(key) {
  const cached = join(cache, `python-${key}.txt`);
  if (!existsSync(cached)) {
    const { loadPyodide } = await import(pathToFileURL(join(core, "pyodide.mjs")).href);
    const pyodide = await loadPyodide();
    mkdirSync(cache, { recursive: true });
    writeFileSync(cached, pyodide.runPython("import platform; platform.python_version()"));
  }
  return read(cached).toString();
}

function optionsOf(release, sizes) {
  return {
    bundle: true,
    format: "esm",
    target: "es2022",
    minify: true,
    legalComments: "none",
    logLevel: "warning",
    tsconfig: join(root, "site/tsconfig.base.json"),
    define: {
      __TRACEPANE_RELEASE__: JSON.stringify(release),
      __TRACEPANE_SIZES__: JSON.stringify(sizes),
      __TRACEPANE_CORE__: JSON.stringify(JSON.parse(read(join(core, "pyodide-lock.json")).toString()).info),
    },
    loader: { ".json": "json", ".svg": "text" },
  };
}

const entry = (...names) => names.map((name) => join(source, name));

async function bundleWorker(options) {
  await build({ ...options, entryPoints: entry("worker/worker.ts"), outfile: join(target, "worker.js") });
  await build({ ...options, entryPoints: entry("check.ts"), outfile: join(target, "check.js") });
}

/** flow.js is an entry of its own so that it has a name of its own; the pane imports it when a diagram comes near. */
async function bundlePane(options) {
  for (const name of readdirSync(target)) if (/^chunk-.*\.js$/.test(name)) rmSync(join(target, name));
  const split = { splitting: true, chunkNames: "chunk-[hash]", outdir: target };
  await build({ ...options, ...split, entryPoints: entry("pane.ts", "flow.ts") });
  await build({ ...options, entryPoints: entry("pane.css"), outfile: join(target, "pane.css") });
}

function describe(library, files) {
  const lock = JSON.parse(read(join(core, "package.json")).toString());
  const digest = sha256(...files.map(read), read(library)).slice(0, 16);
  return { code: digestAll(), pyodide: { version: lock.version, digest } };
}

/** The recorder's zip and its digests are Python's to make: the native runner uses the same bytes. */
function addRecorder() {
  const local = join(root, ".venv/bin/python");
  const python = process.env.PYTHON ?? (existsSync(local) ? local : "python3");
  rmSync(join(target, "recorder.zip"), { force: true });
  execFileSync(python, ["-c", "from tracepane import assets; assets.refresh_recorder(assets.PACKAGE / '_assets')"], {
    env: { ...process.env, PYTHONPATH: join(root, "py/src") },
    stdio: "inherit",
  });
}

/**
 * The sources give way to their bytecode: compiling them takes as long as all the rest of a first start. A recorder that
 * is changed afterwards comes as its sources again, until the next build.
 */
async function compileRecorder() {
  const place = join(target, "recorder.zip");
  const [script, sources] = [read(join(root, "site/stdlib.py")), read(place)];
  const cached = join(
    cache,
    `recorder-${sha256(read(join(core, "pyodide.asm.wasm")), script, sources).slice(0, 16)}.zip`,
  );
  if (!existsSync(cached)) writeFileSync(cached, await runCompiler(script.toString(), sources));
  copyFileSync(cached, place);
}

/** Written even when the pane's own code does not build, so that worker and recorder stay usable while it is worked on. */
async function finish(library, files) {
  const described = describe(library, files);
  described.python = await pythonVersion(described.pyodide.digest);
  writeFileSync(join(target, "build.json"), `${JSON.stringify(described, null, 2)}\n`);
  addRecorder();
  await compileRecorder();
}

const began = Date.now();
mkdirSync(target, { recursive: true });
copyNotices();
const files = copyCore();
const library = await compileLibrary();
const sizes = { core: statSync(join(target, "pyodide/pyodide.asm.wasm")).size, library: statSync(library).size };
const options = optionsOf(digestRelease(read(library)), sizes);
await bundleWorker(options);
try {
  await bundlePane(options);
} catch {
  // esbuild has shown what is wrong, with file and line.
  process.exitCode = 1;
}
await finish(library, files);
for (const name of ["pane.js", "flow.js", "worker.js", "stdlib.zip"]) {
  if (existsSync(join(target, name))) say(`${name} ${kilobytes(join(target, name))}`);
}
if (process.exitCode) say("the pane did not build; its errors stand above");
else say(`ready in ${((Date.now() - began) / 1000).toFixed(1)} s: ${relative(root, target)}`);
