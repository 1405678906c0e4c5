import type { Texts } from "./translate.ts";

/** The texts of the pages behind the sign-in. The application imports this file, so that no request waits for it. */
export const loaders = import.meta.glob<Texts>(
  ["../../../../packages/texts/{zh,en}/*.json", "!../../../../packages/texts/*/{account,common,factor,refusals}.json"],
  { import: "default" },
);
