/** A worker that does what Pyodide's own page tells: load it as it comes, run a statement. */
import { loadPyodide } from "./pyodide/pyodide.mjs";

const pyodide = await loadPyodide();
pyodide.runPython("1 + 1");
postMessage("ready");
