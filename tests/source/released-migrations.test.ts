import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import {
  findReleaseFaults,
  listMigrations,
  migrationFolder,
  readReleases,
  releaseListName,
} from "../../apps/server/src/platform/database/migration-files.ts";
import type { ReleaseList } from "../../apps/server/src/platform/database/migration-files.ts";
import { fixtureName, releaseFixtures } from "@arcada/testing/fixtures/release-fixture";
import { addRelease } from "../../scripts/record-release.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const root = path.join(import.meta.dirname, "../..");

describe("the migrations of this version", () => {
  it("are unchanged since their release, and new ones come last", async () => {
    expect(findReleaseFaults(await readReleases(), await listMigrations())).toEqual([]);
  });

  it("are recorded as in the last release that this checkout has as a tag", async () => {
    const tagged = readTaggedReleases(root);
    if (tagged) expect((await readReleases()).releases.slice(0, tagged.releases.length)).toEqual(tagged.releases);
  });

  it("have a data folder for every release", async () => {
    const { releases } = await readReleases();
    expect(releases.filter(({ version }) => !existsSync(path.join(releaseFixtures, fixtureName(version))))).toEqual([]);
  });
});

describe("a released migration", () => {
  it("may not be edited", async () => {
    const folder = await releasedFolder();
    const file = path.join(folder, "0029-feedback.sql");
    writeFileSync(file, `${readFileSync(file, "utf8")}\n-- edited\n`);
    expect(await faults(folder)).toEqual([
      "0029-feedback.sql was released with 1.0.0 and may not be changed: add a new migration.",
    ]);
    await expect(addRelease("1.1.0", folder)).rejects.toThrow("0029-feedback.sql was released with 1.0.0");
  });

  it("may not be removed, and no new one may come before it", async () => {
    const folder = await releasedFolder();
    rmSync(path.join(folder, "0029-feedback.sql"));
    writeFileSync(path.join(folder, "0028-between.sql"), "select 1;");
    expect(await faults(folder)).toEqual([
      "0029-feedback.sql was released with 1.0.0 and may not be changed: add a new migration.",
      expect.stringMatching(/^0028-between\.sql must have a higher number than the released \S+\.sql\.$/),
    ]);
  });

  it("is followed by new ones, which the next release records alone", async () => {
    const folder = await releasedFolder();
    writeFileSync(path.join(folder, "9000-later.sql"), "select 1;");
    expect(await faults(folder)).toEqual([]);
    const { releases } = await addRelease("1.1.0", folder);
    expect(releases.map(({ version, migrations }) => [version, Object.keys(migrations).at(-1)])).toEqual([
      ["1.0.0", (await listMigrations()).at(-1)?.name],
      ["1.1.0", "9000-later.sql"],
    ]);
    await expect(addRelease("1.0.0", folder)).rejects.toThrow("1.0.0 is recorded already");
    await expect(addRelease("next", folder)).rejects.toThrow("next is no version");
  });

  it("cannot be hidden by an edit of the list, because the tag has the former one", async () => {
    const checkout = mkdtempSync(path.join(tmpdir(), "arcada-tag-"));
    folders.push(checkout);
    const git = (...words: string[]) => execFileSync("git", ["-C", checkout, ...words], { stdio: "pipe" });
    expect(readTaggedReleases(checkout)).toBeNull();
    git("init", "-q");
    const migrations = path.join(checkout, "apps/server/migrations");
    cpSync(await releasedFolder(), migrations, { recursive: true });
    git("add", ".");
    git("-c", "user.name=test", "-c", "user.email=test@example.test", "commit", "-qm", "release");
    expect(readTaggedReleases(checkout)).toBeNull();
    git("tag", "v1.0.0");
    writeFileSync(path.join(migrations, releaseListName), '{ "upgradesFrom": null, "releases": [] }');
    expect(readTaggedReleases(checkout)?.releases.map(({ version }) => version)).toEqual(["1.0.0"]);
  });
});

/** Returns a copy of the migrations, released as 1.0.0. */
async function releasedFolder(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-released-"));
  folders.push(folder);
  cpSync(migrationFolder, folder, { recursive: true });
  writeFileSync(path.join(folder, releaseListName), '{ "upgradesFrom": null, "releases": [] }');
  writeFileSync(path.join(folder, releaseListName), JSON.stringify(await addRelease("1.0.0", folder)));
  return folder;
}

const faults = async (folder: string): Promise<string[]> =>
  findReleaseFaults(await readReleases(folder), await listMigrations(folder));

/** Returns the list at the newest tag of a version; null without git, or without such a tag. */
function readTaggedReleases(checkout: string): ReleaseList | null {
  const git = (...words: string[]): string =>
    execFileSync("git", ["-C", checkout, ...words], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  try {
    const tag = git("describe", "--tags", "--abbrev=0", "--match", "v[0-9]*").trim();
    return JSON.parse(git("show", `${tag}:apps/server/migrations/${releaseListName}`)) as ReleaseList;
  } catch {
    return null;
  }
}
