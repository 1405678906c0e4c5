import { createRequire } from "node:module";
import type { Config } from "../../platform/runtime/config.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { trimEndMatching } from "../../platform/text/trim-characters.ts";

/** Refuses a password that a guesser would try early. `strict` also refuses those that only add digits or signs to one. */
export function requireGoodPassword(password: string, config: Config): void {
  if (password.length < config.PASSWORD_MIN_LENGTH) refuse("badInput", { password: "passwordShort" });
  if (config.PASSWORD_LIST === "off") return;
  const candidates = [password.toLowerCase()];
  if (config.PASSWORD_LIST === "strict") candidates.push(trimEndMatching(password.toLowerCase(), /[\d\W_]/));
  if (candidates.some((word) => commonPasswords().has(word)) || /^(.)\1*$/.test(password))
    refuse("passwordCommon", { password: "passwordCommon" });
}

// Loaded with the first password that somebody chooses: the words take 7 MB.
let loadedPasswords: Set<string> | undefined;
const commonPasswords = (): Set<string> => (loadedPasswords ??= new Set(loadWords()["passwords-common"] as string[]));

function loadWords(): WordLists["dictionary"] {
  const { dictionary } = createRequire(import.meta.url)("@zxcvbn-ts/language-common") as WordLists;
  return dictionary;
}
type WordLists = typeof import("@zxcvbn-ts/language-common");
