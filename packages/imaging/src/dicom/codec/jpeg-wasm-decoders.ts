import loadCharls from "@cornerstonejs/codec-charls/decodewasmjs";
import loadTurbo from "@cornerstonejs/codec-libjpeg-turbo-8bit/decodewasmjs";
import loadOpenjpeg from "@cornerstonejs/codec-openjpeg/decodewasmjs";
import { checkJpeg8 } from "./jpeg-markers.ts";
import { checkJpeg2000 } from "./check-jpeg2000.ts";
import { wasmDecode, wasmFiles } from "./wasm-decoder.ts";

/** JPEG 2000 Part 1; the multiple component transform is undone, so YBR_ICT and YBR_RCT come out as RGB. */
export const decodeJpeg2000 = wasmDecode({
  file: wasmFiles.openjpeg,
  open: async (options) => new (await loadOpenjpeg(options)).J2KDecoder(),
  check: checkJpeg2000,
});

/** JPEG-LS, lossless and near-lossless. Interleave mode 0 returns one plane per component. */
export const decodeJpegLs = wasmDecode({
  file: wasmFiles.charls,
  open: async (options) => new (await loadCharls(options)).JpegLSDecoder(),
  isPlanar: (decoder) => decoder.getInterleaveMode() === 0,
});

/** JPEG baseline and extended with 8 bits; colour comes out as RGB. */
export const decodeJpeg8 = wasmDecode({
  file: wasmFiles.libjpegTurbo,
  open: async (options) => new (await loadTurbo(options)).JPEGDecoder(),
  check: checkJpeg8,
});
