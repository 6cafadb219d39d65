/** A fresh interpreter for one measurement: it gets archives and a plan, runs a statement, and gives back the answer. */
import { loadPyodide } from "./pyodide/pyodide.mjs";

const FOLDER = "/tmp/bench";

onmessage = async ({ data: { core, archives, plan, statement } }) => {
  WebAssembly.instantiateStreaming = async (_source, imports) => {
    return { instance: await WebAssembly.instantiate(core, imports), module: core };
  };
  try {
    const pyodide = await loadPyodide({ stdLibURL: "/stdlib.zip", env: { PYTHONHASHSEED: "0", HOME: "/tmp" } });
    pyodide.FS.mkdir(FOLDER);
    for (const [name, url] of archives) {
      const answer = await fetch(url);
      pyodide.unpackArchive(await answer.arrayBuffer(), "zip", { extractDir: `/bench/${name}` });
    }
    pyodide.FS.writeFile(`${FOLDER}/plan.json`, plan);
    pyodide.runPython(statement);
    const answer = pyodide.FS.readFile(`${FOLDER}/answer.json`, { encoding: "utf8" });
    postMessage({ answer, memory: pyodide._module.HEAPU8.length });
  } catch (error) {
    postMessage({ failed: String(error).trim().split("\n").at(-1) });
  }
};
