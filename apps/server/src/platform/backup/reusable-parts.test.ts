import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadBackupKey } from "./backup-key.ts";
import type { PackEntry } from "./pack-files-into-stream.ts";
import { openPartWriter, removeOtherParts } from "./reusable-parts.ts";
import { createFolderTarget } from "../backup-target/folder-target.ts";

const backup = "20260510T020000Z";
let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "arcada-parts-"));
  file = path.join(folder, "relation");
  writeFileSync(file, "rows of a table");
  setChangeTime(-60);
});
afterEach(() => rmSync(folder, { recursive: true }));

const setChangeTime = (seconds: number): void => utimesSync(file, new Date(), Date.now() / 1000 + seconds);
const entry = (): PackEntry => {
  const { size, mtimeMs } = statSync(file);
  return { path: "base/1/relation", file, bytes: size, changedAt: mtimeMs };
};
const place = (key: string | null = null) => {
  if (key !== null) writeFileSync(path.join(folder, "key"), key);
  return {
    target: createFolderTarget(path.join(folder, "backups")),
    key: key === null ? null : loadBackupKey(path.join(folder, "key")),
  };
};
/** Returns whether a second attempt uses the part of the first one. */
async function reusesPart(between: () => void = () => {}, keys: [string | null, string | null] = [null, null]) {
  const first = await (await openPartWriter(place(keys[0]), backup)).write([entry()]);
  between();
  const again = await openPartWriter(place(keys[1]), backup);
  const second = await again.write([entry()]);
  return { reused: again.reused === 1, same: second.name === first.name };
}

describe("a part of an interrupted backup", () => {
  it("is used if its files have not changed since", async () => {
    expect(await reusesPart()).toEqual({ reused: true, same: true });
  });

  it("is written anew under another name if a file has changed", async () => {
    const change = () => {
      writeFileSync(file, "ROWS of a table");
      setChangeTime(0);
    };
    expect(await reusesPart(change)).toEqual({ reused: false, same: false });
  });

  it("is not used if a file was written to just before it was read", async () => {
    setChangeTime(-1);
    expect((await reusesPart()).reused).toBe(false);
  });

  it("is not used if the part itself is cut off", async () => {
    const cut = () => writeFileSync(path.join(folder, "backups", backup, "database/00000.pack.zst"), "");
    expect((await reusesPart(cut)).reused).toBe(false);
  });

  it("is not used if its note was signed with another key", async () => {
    const keys: [string, string] = [randomBytes(32).toString("base64"), randomBytes(32).toString("base64")];
    expect((await reusesPart(() => {}, keys)).reused).toBe(false);
  });

  it("goes with its note when the backup does not need it", async () => {
    const writer = await openPartWriter(place(), backup);
    const unneeded = await writer.write([entry()]);
    const part = await writer.write([{ path: "backup_label", text: "START" }]);
    await removeOtherParts(place(), backup, [part]);
    const { target } = place();
    expect([
      await target.size(`${backup}/${unneeded.name}`),
      await target.size(`${backup}/${unneeded.name}.json`),
    ]).toEqual([null, null]);
    expect(await target.size(`${backup}/${part.name}`)).toBe(part.bytes);
  });
});
