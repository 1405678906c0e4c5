import { closeSync, fdatasyncSync, fstatSync, openSync, readSync } from "node:fs";

/**
 * Reads whole files one after another into the same memory: a result is valid until the next one. Separate memory for
 * each slice of a volume would be collected late. `flush`: the file is on the disk afterwards.
 */
export function createFileReader(): (path: string, how?: { flush: boolean }) => Uint8Array {
  let buffer = new Uint8Array();
  return (path, { flush } = { flush: false }) => {
    const handle = openSync(path, flush ? "r+" : "r");
    try {
      const { size } = fstatSync(handle);
      const into = size <= buffer.length ? buffer.subarray(0, size) : new Uint8Array(size);
      if (size > buffer.length && size <= maxKeptBytes) buffer = into;
      fill(handle, into);
      if (flush) fdatasyncSync(handle);
      return into;
    } finally {
      closeSync(handle);
    }
  };
}

const maxKeptBytes = 8 * 1024 * 1024;

function fill(handle: number, into: Uint8Array): void {
  for (let done = 0; done < into.length;) {
    const read = readSync(handle, into, done, into.length - done, done);
    if (read === 0) throw new Error("a file became shorter while it was read");
    done += read;
  }
}
