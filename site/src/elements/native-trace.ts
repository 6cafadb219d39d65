import { Trace } from "../trace/trace.ts";
import { FileError, fetchFile } from "./pane-file.ts";

/** The recorded native run. Throws FileError, also for a damaged file. */
export async function fetchReference(url: string, signal: AbortSignal): Promise<Trace> {
  const response = await fetchFile("reference", url, signal);
  try {
    return await Trace.parse(new Uint8Array(await response.arrayBuffer()));
  } catch (error) {
    throw new FileError("reference", { kind: "type", url, detail: String(error) });
  }
}
