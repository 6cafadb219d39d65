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
  device = { fd: hideNumber(files, files["open"](PATH, "w")), receive: () => undefined };
  files["unlink"](PATH);
  return device;
}

/**
 * Only who is told the number can write to it: descriptors count up from 3, and a program that tries them all must not
 * forge an end of its own. A negative number is as good as any to Emscripten's table, and does not make it longer.
 */
function hideNumber(files: Files, stream: { fd: number }): number {
  const secret = -(0x1000_0000 + (crypto.getRandomValues(new Uint32Array(1))[0]! >>> 3));
  files["streams"][stream.fd] = null;
  files["streams"][secret] = stream;
  stream.fd = secret;
  return secret;
}
