import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { readText } from "../storage/durable-writes.ts";

/** The folder of this program's migrations. Tests pass another one, with further files. */
export const migrationFolder = path.join(import.meta.dirname, "../../../migrations");

export interface MigrationFile {
  name: string;
  sha256: string;
  sql: string;
}

/** Lists the migrations of this program, in their order. */
export async function listMigrations(folder = migrationFolder): Promise<MigrationFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(path.join(folder, name), "utf8");
      return { name, sha256: createHash("sha256").update(sql).digest("hex"), sql };
    }),
  );
}

const releaseList = z.strictObject({
  /** The oldest release whose database this version upgrades; null: every release of the list. */
  upgradesFrom: z.string().nullable(),
  /** In their order. Each names the migrations that came with it, and their hashes. */
  releases: z.array(z.strictObject({ version: z.string(), migrations: z.record(z.string(), z.string()) })),
});
export type ReleaseList = z.output<typeof releaseList>;

export const releaseListName = "releases.json";

/** Reads which migrations were released, and when. `scripts/record-release.ts` writes this list. */
export async function readReleases(folder = migrationFolder): Promise<ReleaseList> {
  const text = await readText(path.join(folder, releaseListName));
  return text === null ? { upgradesFrom: null, releases: [] } : releaseList.parse(JSON.parse(text));
}

/**
 * Returns a sentence for each released migration that was changed or removed, and for each new one that does not come
 * after all of them: installations have applied the released ones already.
 */
export function findReleaseFaults({ releases }: ReleaseList, files: readonly MigrationFile[]): string[] {
  const found = new Map(files.map(({ name, sha256 }) => [name, sha256]));
  const released = releases.flatMap(({ version, migrations }) =>
    Object.entries(migrations).map(([name, sha256]) => ({ version, name, sha256 })),
  );
  const last =
    released
      .map(({ name }) => name)
      .toSorted()
      .at(-1) ?? "";
  const names = new Set(released.map(({ name }) => name));
  return [
    ...released
      .filter(({ name, sha256 }) => found.get(name) !== sha256)
      .map(({ version, name }) => `${name} was released with ${version} and may not be changed: add a new migration.`),
    ...files
      .filter(({ name }) => !names.has(name) && name < last)
      .map(({ name }) => `${name} must have a higher number than the released ${last}.`),
  ];
}
