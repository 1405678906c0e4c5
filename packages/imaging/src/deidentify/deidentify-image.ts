import { rebuildBmp } from "./rebuild-bmp.ts";
import { rebuildJpeg } from "./rebuild-jpeg.ts";
import { rebuildPng, type Zlib } from "./rebuild-png.ts";

/**
 * Rebuilds the image from its pixels and the numbers that describe their display. Pixels, colours and orientation stay
 * unchanged; names, comments, locations and previews are dropped.
 * @throws RebuildError for a file that cannot be rebuilt
 */
export const deidentifyImage = (bytes: Uint8Array, kind: "jpeg" | "png" | "bmp", zlib: Zlib): Uint8Array<ArrayBuffer> =>
  kind === "jpeg" ? rebuildJpeg(bytes) : kind === "png" ? rebuildPng(bytes, zlib) : rebuildBmp(bytes);
