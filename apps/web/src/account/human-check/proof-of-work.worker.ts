import { solveChallenge } from "altcha-lib";
import type { Challenge, DeriveKeyFunction } from "altcha-lib";
import { deriveKey as deriveInBrowser } from "altcha-lib/algorithms/web/pbkdf2";
import { pbkdf2 } from "./pbkdf2.ts";

// Runs in a worker, so that the page stays responsive during the computation.
addEventListener("message", ({ data }: MessageEvent<Challenge>) => {
  solveChallenge({ challenge: data, deriveKey, timeout: 300_000 }).then(postMessage, () => postMessage(null));
});

/**
 * Browsers offer their own PBKDF2 only over https and on localhost; a clinic's server may use http in its own network.
 */
const deriveKey: DeriveKeyFunction = async (parameters, salt, password) =>
  globalThis.crypto?.subtle
    ? deriveInBrowser(parameters, salt, password)
    : { parameters: {}, derivedKey: pbkdf2(password, salt, parameters.cost, parameters.keyLength ?? 32) };
