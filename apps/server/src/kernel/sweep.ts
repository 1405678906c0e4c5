import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Collects what this thread dropped: just now, or ever. Pixels and files lie outside the heap, which hardly fills by them:
 * left alone it is swept after 64 MB of them in each thread.
 */
export const sweep = (which: "recent" | "all"): void => collect({ type: which === "all" ? "major" : "minor" });

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as (options: { type: "minor" | "major" }) => void;
