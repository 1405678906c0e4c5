import { inBuild } from "./place.mjs";

// Three hundred TypeScript files start in 54 ms instead of 320. What is young fills 24 MB at most, not 96; threads may
// sweep what they drop (kernel/sweep.ts). Of memory that threads give back, the C library keeps a part for each of them,
// and ever larger pieces, unless it is told to share and where to end.
/** What the server, its workers and the gateway are started with. */
export const lean = {
  NODE_COMPILE_CACHE: inBuild("compile-cache"),
  NODE_OPTIONS: ["--expose-gc", "--max-semi-space-size=8", process.env.NODE_OPTIONS].filter(Boolean).join(" "),
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "131072",
  MALLOC_TRIM_THRESHOLD_: "400000",
};
