/**
 * Builds the browser code into the Python package: py/src/tracepane/_assets/.
 *
 *   pane.js flow.js pane.css   what a page loads           (from site/src)
 *   worker.js                  the interpreter's side      (from site/src/worker)
 *   check.js                   what `verify` drives        (from site/src/check.ts)
 *   pyodide/                   the core, as npm ships it   (from node_modules/pyodide)
 *   stdlib.zip                 its standard library as bytecode, compiled by its own Python
 *   recorder.zip build.json    written by tracepane.assets, which owns their form
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

/** Names the release: the worker and the pane carry it, so that one of another release is told apart. */
function digestCode(library) {
  const files = [...list(source), fileURLToPath(import.meta.url), join(root, "package-lock.json")];
  return sha256(...files.flatMap((file) => [relative(root, file), read(file)]), library).slice(0, 16);
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
    writeFileSync(cached, await runCompiler(script.toString()));
  }
  const to = join(target, "stdlib.zip");
  if (!existsSync(to) || !read(to).equals(read(cached))) copyFileSync(cached, to);
  return to;
}

async function runCompiler(script) {
  const { loadPyodide } = await import(pathToFileURL(join(core, "pyodide.mjs")).href);
  const pyodide = await loadPyodide({ env: { PYTHONHASHSEED: "0" } });
  pyodide.runPython(script);
  const compile = pyodide.globals.get("compile_library");
  compile(`/lib/python${pythonDigits(pyodide)}.zip`, "/compiled.zip", `/lib/python${pythonDigits(pyodide)}.zip`);
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

async function bundle(code, sizes) {
  const common = {
    bundle: true,
    format: "esm",
    target: "es2022",
    minify: true,
    legalComments: "none",
    logLevel: "warning",
    tsconfig: join(root, "site/tsconfig.base.json"),
    define: {
      __TRACEPANE_CODE__: JSON.stringify(code),
      __TRACEPANE_SIZES__: JSON.stringify(sizes),
      __TRACEPANE_CORE__: JSON.stringify(JSON.parse(read(join(core, "pyodide-lock.json")).toString()).info),
    },
    loader: { ".json": "json", ".svg": "text" },
  };
  const entry = (name) => (existsSync(join(source, name)) ? [join(source, name)] : []);
  const pane = [...entry("pane.ts"), ...entry("flow.ts")];
  await build({ ...common, entryPoints: [join(source, "worker/worker.ts")], outfile: join(target, "worker.js") });
  await build({ ...common, entryPoints: [join(source, "check.ts")], outfile: join(target, "check.js") });
  if (pane.length > 0)
    await build({ ...common, entryPoints: pane, outdir: target, splitting: true, chunkNames: "chunk-[hash]" });
  if (entry("pane.css").length > 0)
    await build({ ...common, entryPoints: entry("pane.css"), outfile: join(target, "pane.css") });
}

function describe(code, library, files) {
  const lock = JSON.parse(read(join(core, "package.json")).toString());
  const digest = sha256(...files.map(read), read(library)).slice(0, 16);
  return { code, pyodide: { version: lock.version, digest } };
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

function dropStaleChunks() {
  for (const name of existsSync(target) ? readdirSync(target) : [])
    if (/^chunk-.*\.js$/.test(name)) rmSync(join(target, name));
}

const began = Date.now();
mkdirSync(target, { recursive: true });
const files = copyCore();
const library = await compileLibrary();
const code = digestCode(read(library));
dropStaleChunks();
await bundle(code, { core: statSync(join(target, "pyodide/pyodide.asm.wasm")).size, library: statSync(library).size });
const described = describe(code, library, files);
described.python = await pythonVersion(described.pyodide.digest);
writeFileSync(join(target, "build.json"), `${JSON.stringify(described, null, 2)}\n`);
addRecorder();
for (const name of ["pane.js", "worker.js", "stdlib.zip"])
  if (existsSync(join(target, name))) say(`${name} ${kilobytes(join(target, name))}`);
say(`ready in ${((Date.now() - began) / 1000).toFixed(1)} s: ${relative(root, target)}`);
