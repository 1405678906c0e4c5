import { deflateSync, inflateSync } from "node:zlib";
import type { Zlib } from "@arcada/imaging/deidentify/rebuild-png";

/** Rebuilding a PNG needs these functions of zlib. */
export const pngZlib: Zlib = {
  inflate: (bytes, most) => {
    // With `info` an object is answered, which the types do not say.
    const { buffer, engine } = inflateSync(bytes, { info: true, maxOutputLength: most }) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    return { bytes: buffer, used: engine.bytesWritten };
  },
  deflate: (bytes) => deflateSync(bytes),
};
