declare module "@cornerstonejs/codec-openjph/wasmjs" {
  import type { WasmDecoder, WasmEncoder, WasmLoader } from "./wasm-codec-types.ts";
  const load: WasmLoader<{ HTJ2KDecoder: new () => WasmDecoder; HTJ2KEncoder: new () => WasmEncoder }>;
  export default load;
}
declare module "@cornerstonejs/codec-openjpeg/decodewasmjs" {
  import type { WasmDecoder, WasmLoader } from "./wasm-codec-types.ts";
  const load: WasmLoader<{ J2KDecoder: new () => WasmDecoder }>;
  export default load;
}
declare module "@cornerstonejs/codec-charls/decodewasmjs" {
  import type { PlanarDecoder, WasmLoader } from "./wasm-codec-types.ts";
  const load: WasmLoader<{ JpegLSDecoder: new () => PlanarDecoder }>;
  export default load;
}
declare module "@cornerstonejs/codec-libjpeg-turbo-8bit/decodewasmjs" {
  import type { WasmDecoder, WasmLoader } from "./wasm-codec-types.ts";
  const load: WasmLoader<{ JPEGDecoder: new () => WasmDecoder }>;
  export default load;
}
