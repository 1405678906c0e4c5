import type { DeriveKeyFunction } from "altcha-lib";
import { deriveKey as deriveInBrowser } from "altcha-lib/algorithms/web/pbkdf2";
import { pbkdf2 } from "./pbkdf2.ts";

/**
 * Browsers offer their own PBKDF2 only over https and on localhost; a clinic's server may use http in its own network.
 */
export const deriveKey: DeriveKeyFunction = async (parameters, salt, password) =>
  globalThis.crypto?.subtle
    ? deriveInBrowser(parameters, salt, password)
    : { parameters: {}, derivedKey: pbkdf2(password, salt, parameters.cost, parameters.keyLength ?? 32) };
