// The codec packages carry no types. All are Emscripten modules with embind classes of the same shape.

export interface WasmFrameInfo {
  width: number;
  height: number;
  bitsPerSample: number;
  componentCount: number;
  isSigned?: boolean;
}

export interface WasmDecoder {
  /** Room for the codestream inside the module's memory. */
  getEncodedBuffer(size: number): Uint8Array;
  getDecodedBuffer(): Uint8Array;
  readHeader?(): void;
  decode(): void;
  getFrameInfo(): WasmFrameInfo;
}

export interface PlanarDecoder extends WasmDecoder {
  /** 0: one plane per component; 1: by line; 2: by sample. */
  getInterleaveMode(): number;
}

export interface WasmEncoder {
  getDecodedBuffer(info: WasmFrameInfo & { isUsingColorTransform: boolean }): Uint8Array;
  getEncodedBuffer(): Uint8Array;
  encode(): void;
  setQuality(lossless: boolean, quantizationStep: number): void;
}

export interface WasmOptions {
  wasmBinary?: Uint8Array;
  locateFile?: (name: string) => string;
  print?: (line: string) => void;
  printErr?: (line: string) => void;
}

export type WasmLoader<M> = (options: WasmOptions) => Promise<M>;
