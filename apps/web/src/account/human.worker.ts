import { solveChallenge } from "altcha-lib";
import type { Challenge } from "altcha-lib";
import { deriveKey } from "./derive-key.ts";

// Runs aside, so that the page stays quick while the proof is worked out.
addEventListener("message", ({ data }: MessageEvent<Challenge>) => {
  solveChallenge({ challenge: data, deriveKey, timeout: 300_000 }).then(postMessage, () => postMessage(null));
});
