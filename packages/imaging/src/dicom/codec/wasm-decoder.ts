import { DicomError } from "../dicom-error.ts";
import type { WasmDecoder, WasmFrameInfo, WasmOptions } from "./wasm-codec-types.ts";

/** Files that a browser has to serve, in the `dist` folders of the codec packages. */
export const wasmFiles = {
  openjph: "openjphjs.wasm",
  openjpeg: "openjpegwasm_decode.wasm",
  charls: "charlswasm_decode.wasm",
  libjpegTurbo: "libjpegturbowasm_decode.wasm",
} as const;

export type WasmFile = (typeof wasmFiles)[keyof typeof wasmFiles];

let wasmLocator: ((file: WasmFile) => string | Uint8Array) | null = null;

/**
 * Sets the location of the WebAssembly files: a URL, or the bytes themselves. Call it before the first decoding. Node
 * needs no locator: the modules find the files in their own folder.
 */
export function setWasmLocator(locator: (file: WasmFile) => string | Uint8Array): void {
  wasmLocator = locator;
}

/** Options for a module of the codec packages; its output goes to `log` instead of the console. */
export function wasmOptions(file: WasmFile, log: (line: string) => void = () => {}): WasmOptions {
  const quiet = { print: log, printErr: log };
  const found = wasmLocator?.(file);
  if (found === undefined) return quiet;
  return typeof found === "string" ? { ...quiet, locateFile: () => found } : { ...quiet, wasmBinary: found };
}

export interface WasmFrame {
  info: WasmFrameInfo;
  /** Samples as the codec left them: 1 byte each up to 8 bits, else 2 in little endian. A copy. */
  bytes: Uint8Array;
  planar: boolean;
}

/**
 * The expected shape of a codestream. If the codestream's header can be read, the shape is checked before memory is
 * allocated.
 */
export interface ExpectedShape {
  rows: number;
  columns: number;
  samples: number;
}

interface DecodeOptions<D> {
  file: WasmFile;
  open: (options: WasmOptions) => Promise<D>;
  check?: (codestream: Uint8Array, expected: ExpectedShape) => void;
  isPlanar?: (decoder: D) => boolean;
}

/**
 * A decoding function over one decoder object that lives on: a new one per frame leaks until the heap is full.
 * A decoder that failed is thrown away with its module, since its state is unknown.
 */
export function wasmDecode<D extends WasmDecoder>({ file, open, check, isPlanar }: DecodeOptions<D>) {
  let opened: Promise<D> | null = null;
  let decoderError: string | null = null;
  // OpenJPEG's build prints its errors and returns with the previous image still in place.
  const log = (line: string) => {
    if (line.includes("[ERROR]")) decoderError ??= line;
  };
  return async (
    codestream: Uint8Array,
    expected: ExpectedShape,
    /** Copies the samples out of the decoder's memory. */
    copy: (samples: Uint8Array) => Uint8Array = (samples) => new Uint8Array(samples),
  ): Promise<WasmFrame> => {
    check?.(codestream, expected);
    const current = (opened ??= open(wasmOptions(file, log)));
    try {
      const decoder = await current;
      decoderError = null;
      decoder.getEncodedBuffer(codestream.length).set(codestream);
      decoder.decode();
      if (decoderError !== null) throw new Error(decoderError);
      const info = decoder.getFrameInfo();
      checkShape(info, expected);
      return { info, bytes: copy(decoder.getDecodedBuffer()), planar: isPlanar?.(decoder) ?? false };
    } catch (thrown) {
      if (opened === current) opened = null;
      if (thrown instanceof DicomError) throw thrown;
      throw new DicomError(
        "truncated",
        `the codestream cannot be decoded: ${thrown instanceof Error ? thrown.message : "codec exception"}`,
      );
    }
  };
}

/** Throws DicomError "unsupported" if a codestream's shape differs from the header's. */
export function checkShape(
  info: Pick<WasmFrameInfo, "width" | "height" | "componentCount">,
  { rows, columns, samples }: ExpectedShape,
): void {
  if (info.width === columns && info.height === rows && info.componentCount === samples) return;
  const found = `${info.width}×${info.height}×${info.componentCount}`;
  throw new DicomError("unsupported", `the codestream is ${found}, the header says ${columns}×${rows}×${samples}`);
}
