import { rebuiltBmp } from "./bmp.ts";
import { rebuiltJpeg } from "./jpeg.ts";
import { rebuiltPng, type Zlib } from "./png.ts";

/**
 * The picture built anew from its pixels and the numbers that say how they look. Pixels, colours and the way up stay as
 * they are; names, comments, places and previews have no place in it.
 * @throws RebuildError for what cannot be built anew
 */
export const namelessPicture = (bytes: Uint8Array, kind: "jpeg" | "png" | "bmp", zlib: Zlib): Uint8Array<ArrayBuffer> =>
  kind === "jpeg" ? rebuiltJpeg(bytes) : kind === "png" ? rebuiltPng(bytes, zlib) : rebuiltBmp(bytes);
