import { rebuiltBmp } from "./bmp.ts";
import { rebuiltJpeg } from "./jpeg.ts";
import { rebuiltPng, type Zlib } from "./png.ts";

/**
 * Rebuilds the image from its pixels and the numbers that describe their display. Pixels, colours and orientation stay
 * unchanged; names, comments, places and previews are dropped.
 * @throws RebuildError for a file that cannot be rebuilt
 */
export const namelessPicture = (bytes: Uint8Array, kind: "jpeg" | "png" | "bmp", zlib: Zlib): Uint8Array<ArrayBuffer> =>
  kind === "jpeg" ? rebuiltJpeg(bytes) : kind === "png" ? rebuiltPng(bytes, zlib) : rebuiltBmp(bytes);
