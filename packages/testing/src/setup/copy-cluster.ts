import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

/**
 * Copies a migrated database into an empty data folder. Creating and migrating a cluster costs each product seconds of
 * processor time, so it is done once and copied.
 */
export async function copyCluster(node: string, folder: string): Promise<void> {
  const target = path.join(folder, "postgres");
  if (existsSync(target)) return;
  const draft = path.join(folder, "postgres.copy");
  mkdirSync(folder, { recursive: true });
  cpSync(await buildCluster(node), draft, { recursive: true });
  // PostgreSQL does not start in a folder that others may access.
  chmodSync(draft, 0o700);
  renameSync(draft, target);
}

const root = path.join(import.meta.dirname, "../../../..");
const sources = [
  "apps/server/migrations/*",
  "apps/server/src/platform/{jobs/jobs,database/migrate,postgres/*}.ts",
  "package-lock.json",
];

async function buildCluster(node: string): Promise<string> {
  const hash = createHash("sha256").update(`${process.getuid?.()}`);
  for (const file of globSync(sources, { cwd: root }).toSorted()) hash.update(readFileSync(path.join(root, file)));
  const folder = path.join(root, ".build", `cluster-${hash.digest("hex").slice(0, 16)}`);
  const cluster = path.join(folder, "postgres");
  if (existsSync(cluster)) return cluster;
  mkdirSync(path.join(root, ".build"), { recursive: true });
  const draft = mkdtempSync(`${folder}-`);
  try {
    await promisify(execFile)(node, [path.join(import.meta.dirname, "../workers/create-postgres-cluster.ts"), draft]);
    renameSync(draft, folder);
    for (const old of globSync("cluster-*", { cwd: path.dirname(folder) }))
      if (!old.startsWith(path.basename(folder)))
        rmSync(path.join(root, ".build", old), { recursive: true, force: true });
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another test may have been faster.
    if (!existsSync(cluster)) throw error;
  }
  return cluster;
}
