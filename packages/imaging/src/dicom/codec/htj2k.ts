import loadOpenjph from "@cornerstonejs/codec-openjph/wasmjs";
import { checkJpeg2000 } from "./check-jpeg2000.ts";
import { wasmDecode, wasmFiles, wasmOptions } from "./wasm-decoder.ts";
import type { WasmEncoder } from "./wasm-codec-types.ts";

/** Decodes a High-Throughput JPEG 2000 codestream (transfer syntaxes .201, .202, .203). */
export const decodeHtj2k = wasmDecode({
  file: wasmFiles.openjph,
  open: async (options) => new (await loadOpenjph(options)).HTJ2KDecoder(),
  check: checkJpeg2000,
});

let encoder: Promise<WasmEncoder> | null = null;

/** Encodes one slice `[row][column]` of signed 16-bit values without loss, as an HTJ2K codestream. */
export async function encodeHtj2k(slice: Int16Array, columns: number, rows: number): Promise<Uint8Array> {
  const current = (encoder ??= openEncoder());
  try {
    const ready = await current;
    const room = ready.getDecodedBuffer({
      width: columns,
      height: rows,
      bitsPerSample: 16,
      componentCount: 1,
      isSigned: true,
      isUsingColorTransform: false,
    });
    room.set(new Uint8Array(slice.buffer, slice.byteOffset, slice.byteLength));
    ready.encode();
    return ready.getEncodedBuffer().slice();
  } catch (thrown) {
    if (encoder === current) encoder = null;
    throw thrown;
  }
}

async function openEncoder(): Promise<WasmEncoder> {
  const opened = new (await loadOpenjph(wasmOptions(wasmFiles.openjph))).HTJ2KEncoder();
  opened.setQuality(true, 0);
  return opened;
}
