import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { Upload } from "@tus/utils";
import { describe, expect, it } from "vitest";
import { createClinician, createTestDatabase } from "@arcada/testing/setup/test-database";
import { newId } from "../runtime/ids-and-secrets.ts";
import { openUploadFiles } from "./unfinished-upload-files.ts";
import { UploadStore, toDisplayName } from "./upload-store.ts";

describe("a file's name", () => {
  it.each([
    ["全景 2026.dcm", "全景 2026.dcm"],
    ["../../etc/passwd", "passwd"],
    ["C:\\scans\\王伟.stl", "王伟.stl"],
    ["scan\u202Egpj.exe", "scangpj.exe"],
    ["a\r\nset-cookie: b\u0000.dcm", "aset-cookie: b.dcm"],
    ["\uFEFF\u200B \u2066x\u2069 ", "x"],
    ["e\u0301.png", "é.png"],
    ["", "file"],
    ["..", "file"],
    ["folder/", "file"],
  ])("%j is kept as %j", (given, kept) => {
    expect(toDisplayName(given)).toBe(kept);
  });
  it("ends with its ending, however long it was, and never breaks a character", () => {
    const kept = toDisplayName(`${"𠮷".repeat(300)}.dcm`);
    expect([...kept]).toHaveLength(200);
    expect([kept.endsWith("𠮷.dcm"), kept.isWellFormed()]).toEqual([true, true]);
    expect([...toDisplayName("x".repeat(500))]).toHaveLength(200);
    expect(toDisplayName("half\ud800.dcm").isWellFormed()).toBe(true);
  });
});

it("refuses by name when the disk is full, and resumes after the stored bytes once there is room (needs the right to mount)", async ({
  skip,
  onTestFinished,
}) => {
  const { database, folder } = await createTestDatabase();
  const small = path.join(folder, "small");
  mkdirSync(small);
  const mount = (options: string) => spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", small]).status === 0;
  if (!mount("size=1m")) return skip("a small disk could not be mounted");
  onTestFinished(() => void spawnSync("umount", ["-l", small]));
  const parts = await openUploadFiles(small);
  const store = new UploadStore(database, parts, { ...(await createClinician(database)), hasEnded: false });
  const bytes = randomBytes(2_000_000);
  const id = newId();
  await store.create(new Upload({ id, size: bytes.length, offset: 0 }));
  const pieces = (from: number) =>
    Readable.from(
      Array.from({ length: Math.ceil((bytes.length - from) / 65_536) }, (_, at) =>
        bytes.subarray(from + at * 65_536, from + (at + 1) * 65_536),
      ),
    );
  await expect(store.write(pieces(0), id, 0)).rejects.toMatchObject({ refusal: "storageFull" });
  const { offset } = await store.getUpload(id);
  expect(offset).toBeGreaterThan(500_000);
  expect(offset).toBeLessThan(bytes.length);
  mount("remount,size=4m");
  expect(await store.write(pieces(offset), id, offset)).toBe(bytes.length);
  await store.received(id);
  const row = await database.asSystem((db) =>
    db.selectFrom("upload").select(["state", "sha256"]).where("id", "=", id).executeTakeFirstOrThrow(),
  );
  expect(row).toEqual({ state: "received", sha256: (await parts.syncAndHash(id)).sha256 });
  expect((await parts.syncAndHash(id)).bytes).toBe(bytes.length);
});
