import { solveChallenge } from "altcha-lib";
import type { Challenge } from "altcha-lib";
import { deriveKey } from "./derive-key.ts";

// Runs in a worker, so that the page stays responsive during the computation.
addEventListener("message", ({ data }: MessageEvent<Challenge>) => {
  solveChallenge({ challenge: data, deriveKey, timeout: 300_000 }).then(postMessage, () => postMessage(null));
});
