import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import {
  findReleaseFaults,
  listMigrations,
  migrationFolder,
  readReleases,
  releaseListName,
} from "../apps/server/src/platform/database/migration-files.ts";
import type { ReleaseList } from "../apps/server/src/platform/database/migration-files.ts";
import { fixtureName, releaseFixtures, writeReleaseFixture } from "@arcada/testing/fixtures/release-fixture";

/**
 * Adds a release to a list: its version and the migrations that came with it. From then on, they may not be changed.
 * Throws if the list has that version, or if a released migration was changed.
 */
export async function addRelease(version: string, folder: string): Promise<ReleaseList> {
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) throw new Error(`${version} is no version, such as 1.2.0`);
  const list = await readReleases(folder);
  const files = await listMigrations(folder);
  const faults = findReleaseFaults(list, files);
  if (faults.length > 0) throw new Error(faults.join("\n"));
  if (list.releases.some((one) => one.version === version)) throw new Error(`${version} is recorded already`);
  const known = new Set(list.releases.flatMap(({ migrations }) => Object.keys(migrations)));
  const added = files.filter(({ name }) => !known.has(name)).map(({ name, sha256 }) => [name, sha256] as const);
  const releases = [...list.releases, { version, migrations: Object.fromEntries(added) }];
  return { ...list, releases };
}

// This runs before the commit of a release that the tag will name: it writes the list and a data folder of this version.
if (process.argv[1] === import.meta.filename) {
  const { version } = JSON.parse(readFileSync(path.join(import.meta.dirname, "../package.json"), "utf8")) as {
    version: string;
  };
  const list = await addRelease(version, migrationFolder);
  mkdirSync(releaseFixtures, { recursive: true });
  await writeReleaseFixture(path.join(releaseFixtures, fixtureName(version)));
  writeFileSync(path.join(migrationFolder, releaseListName), `${JSON.stringify(list, null, 2)}\n`);
  process.stdout.write(`Recorded ${version}: commit releases.json and the fixture.\n`);
}
