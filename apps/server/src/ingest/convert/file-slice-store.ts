import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import type { SliceStore } from "@arcada/imaging/volume/stack-volume";

/** Slices wait in a private file, so that a volume of any size needs only the memory of one slice. */
export function createFileSliceStore(file: string): SliceStore & { close(): void } {
  // Overwrites the file that a dead thread has left.
  const handle = openSync(file, "w+", 0o600);
  let buffer = new Int16Array();
  return {
    put: (place, slice) => {
      const bytes = new Uint8Array(slice.buffer, slice.byteOffset, slice.byteLength);
      // On a disk that is nearly full a write may be shorter than requested.
      for (let done = 0; done < bytes.length;)
        done += writeSync(handle, bytes, done, bytes.length - done, place * bytes.length + done);
      if (buffer.length !== slice.length) buffer = new Int16Array(slice.length);
    },
    get: (place) => {
      const bytes = new Uint8Array(buffer.buffer);
      for (let done = 0; done < bytes.length;) {
        const read = readSync(handle, bytes, done, bytes.length - done, place * bytes.length + done);
        if (read === 0) throw new Error(`slice ${place} is not on its shelf`);
        done += read;
      }
      return buffer;
    },
    close: () => {
      closeSync(handle);
      unlinkSync(file);
    },
  };
}
