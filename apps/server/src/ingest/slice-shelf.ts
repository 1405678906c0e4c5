import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import type { Shelf } from "@arcada/imaging/volume/stack";

/** Slices wait in a private file, so that a volume of any size takes only the memory of one slice. */
export function fileShelf(file: string): Shelf & { close(): void } {
  // Overwrites the file that a dead thread has left.
  const handle = openSync(file, "w+", 0o600);
  let taken = new Int16Array();
  return {
    put: (place, slice) => {
      const bytes = new Uint8Array(slice.buffer, slice.byteOffset, slice.byteLength);
      // On a disk that is nearly full a write may be shorter than requested.
      for (let done = 0; done < bytes.length;)
        done += writeSync(handle, bytes, done, bytes.length - done, place * bytes.length + done);
      if (taken.length !== slice.length) taken = new Int16Array(slice.length);
    },
    get: (place) => {
      const bytes = new Uint8Array(taken.buffer);
      for (let done = 0; done < bytes.length;) {
        const read = readSync(handle, bytes, done, bytes.length - done, place * bytes.length + done);
        if (read === 0) throw new Error(`slice ${place} is not on its shelf`);
        done += read;
      }
      return taken;
    },
    close: () => {
      closeSync(handle);
      unlinkSync(file);
    },
  };
}
