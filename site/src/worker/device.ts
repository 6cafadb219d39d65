/**
 * The one way out of the interpreter: a file descriptor whose writes arrive here. It hands no JavaScript object to Python,
 * so there is none to climb out by.
 */
import type { PyodideAPI } from "pyodide";

export interface Device {
  readonly fd: number;
  /** Is given a copy of each write. What it throws leaves the interpreter from inside the write. */
  receive: (bytes: Uint8Array) => void;
}

const PATH = "/dev/tracepane";

// biome-ignore lint/suspicious/noExplicitAny: Emscripten publishes no types for devices
type Files = PyodideAPI["FS"] & Record<string, any>;

export function openDevice(files: Files): Device {
  const number = files["makedev"](81, 0);
  let device: Device;
  files["registerDevice"](number, {
    write(_stream: unknown, heap: Uint8Array, offset: number, length: number): number {
      // Emscripten hands over its own view, of signed bytes, and the memory may move: copy.
      device.receive(new Uint8Array(heap.buffer, heap.byteOffset + offset, length).slice());
      return length;
    },
  });
  files["mkdev"](PATH, 0o222, number);
  device = { fd: files["open"](PATH, "w").fd, receive: () => undefined };
  // Only who is told the number can write to it.
  files["unlink"](PATH);
  return device;
}
