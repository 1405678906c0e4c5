import { spawn, spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestDatabase } from "@arcada/testing/setup/test-database";
import { startS3Server } from "@arcada/testing/peers/s3-server";
import type { S3Server } from "@arcada/testing/peers/s3-server";
import { readConfig, StartError } from "../runtime/config.ts";
import { createDiskStore } from "./disk-store.ts";
import { openFileStore, loadSecretKey } from "./open-file-store.ts";
import { createS3Store } from "./s3-store.ts";
import { allocateBuffer, type FileStore } from "./file-store.ts";
import { newId } from "../runtime/ids-and-secrets.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arcada-files-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const everythingIn = async (root: string): Promise<string[]> =>
  (await readdir(root, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));

let server: S3Server | { skipped: string };
beforeAll(async () => void (server = await startS3Server()), 400_000);
afterAll(async () => void ("stop" in server && (await server.stop())));

const stores: Record<string, (root: string) => FileStore> = {
  "on a disk": (root) => createDiskStore(root),
  "in an S3 bucket": (root) => createS3Store((server as S3Server).settings, root),
};

describe.each(Object.keys(stores))("files %s", (kind) => {
  const root = path.join(folder, kind.replaceAll(" ", "-"));
  let files: FileStore;
  beforeAll(() => {
    mkdirSync(root, { recursive: true });
    if (kind.includes("S3") && "skipped" in server) return console.warn(`The S3 half did not run: ${server.skipped}`);
    files = stores[kind](root);
  });
  beforeEach(({ skip }) => {
    if (!files) skip((server as { skipped: string }).skipped);
  });

  it("come back as they went in, from bytes and from streams, small, empty and larger than one part", async () => {
    const iid = newId();
    for (const size of [0, 1, 70_000, 17_000_000]) {
      const bytes = randomBytes(size);
      const source = size % 2 === 0 ? bytes : Readable.from([bytes.subarray(0, 1), bytes.subarray(1)]);
      expect(await files.put("originals", iid, source)).toEqual({ sha256: sha256(bytes), bytes: size });
      expect(await files.bytes("originals", iid, sha256(bytes))).toBe(size);
      expect(await files.local("originals", iid, sha256(bytes), (place) => readFile(place).then(sha256))).toBe(
        sha256(bytes),
      );
    }
  });

  it("are listed by name from when they were last written on", async () => {
    const iid = newId();
    const stored = await files.put("converted", iid, Buffer.from("listed"));
    const listed = async (before: number) => {
      const found = [];
      for await (const some of files.list(new Date(before))) found.push(...some.filter((one) => one.iid === iid));
      return found;
    };
    expect(await listed(Date.now() + 3_600_000)).toEqual([{ area: "converted", iid, sha256: stored.sha256 }]);
    expect(await listed(Date.now() - 3_600_000)).toEqual([]);
  });

  it("are read from the middle, across parts", async () => {
    const iid = newId();
    const bytes = randomBytes(9_000_000);
    await files.put("converted", iid, bytes);
    for (const [start, end] of [
      [0, 0],
      [8_388_600, 8_388_615],
      [8_999_999, 8_999_999],
    ] as const) {
      const read = Buffer.concat(await (await files.read("converted", iid, sha256(bytes), { start, end })).toArray());
      expect(read).toEqual(bytes.subarray(start, end + 1));
      const into = Buffer.alloc(end + 1 - start);
      await files.readInto("converted", iid, sha256(bytes), start, into);
      expect(into).toEqual(read);
    }
    const pieces: Buffer[] = [];
    for await (const piece of files.readChunks(
      "converted",
      iid,
      sha256(bytes),
      { start: 7, end: 1_300_000 },
      allocateBuffer,
    ))
      pieces.push(Buffer.from(piece));
    expect(Buffer.concat(pieces).equals(bytes.subarray(7, 1_300_001))).toBe(true);
    const late = files.readInto("converted", iid, sha256(bytes), 8_999_990, Buffer.alloc(11));
    await expect(late).rejects.toMatchObject({ refusal: "fileDamaged" });
  });

  it("of one organisation are not there for another, nor in the other area", async () => {
    const iid = newId();
    const { sha256: name } = await files.put("originals", iid, Buffer.from("a patient's"));
    for (const [area, other] of [
      ["originals", newId()],
      ["converted", iid],
    ] as const) {
      expect(await files.bytes(area, other, name)).toBeNull();
      await expect(files.read(area, other, name)).rejects.toMatchObject({ refusal: "notFound" });
      await expect(files.local(area, other, name, async () => "lent")).rejects.toMatchObject({ refusal: "notFound" });
    }
    for (const [bad, hash] of [
      ["../..", name],
      [iid, "../../secret.key"],
      [iid, name.toUpperCase()],
    ] as const)
      expect(() => files.bytes("originals", bad, hash)).toThrow(TypeError);
  });

  it("of the same content may be written by many at once, and lie there once", async () => {
    const iid = newId();
    const bytes = randomBytes(3_000_000);
    const stored = await Promise.all(
      Array.from({ length: 6 }, () => files.put("originals", iid, Readable.from([bytes]))),
    );
    expect(new Set(stored.map((one) => one.sha256))).toEqual(new Set([sha256(bytes)]));
    expect(await files.local("originals", iid, sha256(bytes), (place) => readFile(place).then(sha256))).toBe(
      sha256(bytes),
    );
  });

  it("are moved in from this machine, or copied where the giver keeps them", async () => {
    const iid = newId();
    const [moved, kept] = [path.join(folder, newId()), path.join(folder, newId())];
    await writeFile(moved, "moved");
    await writeFile(kept, "kept");
    await files.adopt("originals", iid, moved);
    const { sha256: name } = await files.adopt("originals", iid, kept, { keep: true });
    await expect(stat(moved)).rejects.toThrow("ENOENT");
    expect(await readFile(kept, "utf8")).toBe("kept");
    expect(await files.adopt("originals", iid, kept, { keep: true, sha256: name })).toEqual({ sha256: name, bytes: 4 });
    expect(await text(await files.read("originals", iid, name))).toBe("kept");
  });

  it("that break off leave nothing behind", async () => {
    const iid = newId();
    const broken = Readable.from(
      (async function* () {
        yield randomBytes(100_000);
        throw new Error("the line went dead");
      })(),
    );
    await expect(files.put("originals", iid, broken)).rejects.toThrow("the line went dead");
    expect(
      (await everythingIn(root)).filter(
        (file) => file.includes(iid) || file.includes("incoming") || !file.includes("/"),
      ),
    ).toEqual([]);
  });

  it("can be removed, twice too", async () => {
    const iid = newId();
    const { sha256: name } = await files.put("originals", iid, Buffer.from("to go"));
    await files.remove("originals", iid, name);
    await files.remove("originals", iid, name);
    expect(await files.bytes("originals", iid, name)).toBeNull();
  });

  it("live in a store that can be tried out", async () => {
    await files.probe();
    await files.probe();
  });
});

describe("a disk store", () => {
  it("mends a damaged file when the same bytes come again", async () => {
    const root = path.join(folder, "mending");
    const files = createDiskStore(root);
    const iid = newId();
    const { sha256: name } = await files.put("originals", iid, Buffer.from("whole"));
    const place = path.join(root, "originals", iid, name.slice(0, 2), name);
    await writeFile(place, "torn");
    await files.put("originals", iid, Buffer.from("whole"));
    expect(await readFile(place, "utf8")).toBe("whole");
    expect([(await stat(place)).mode & 0o077, (await stat(path.dirname(place))).mode & 0o077]).toEqual([0, 0]);
  });

  it("sweeps temporary files an hour after their writer died", async () => {
    const root = path.join(folder, "sweeping");
    const files = createDiskStore(root);
    await files.put("originals", newId(), Buffer.from("x"));
    const [old, young] = [path.join(root, ".incoming", newId()), path.join(root, ".incoming", newId())];
    await writeFile(old, "half");
    await writeFile(young, "half");
    await utimes(old, new Date(Date.now() - 2 * 3600_000), new Date(Date.now() - 2 * 3600_000));
    expect(await files.removeStale()).toBe(1);
    expect(await everythingIn(path.join(root, ".incoming"))).toEqual([path.basename(young)]);
  });

  const small = path.join(folder, "small-disk");
  mkdirSync(small);
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", small]).status === 0;
  afterAll(() => void (mounted && spawnSync("umount", ["-l", small])));
  it.skipIf(!mounted)("that is full refuses by name and keeps what it had (needs the right to mount)", async () => {
    const files = createDiskStore(small);
    const iid = newId();
    const first = randomBytes(500_000);
    await files.put("originals", iid, first);
    await expect(files.put("originals", iid, randomBytes(3_000_000))).rejects.toMatchObject({ refusal: "storageFull" });
    const outside = path.join(folder, newId());
    await writeFile(outside, randomBytes(3_000_000));
    await expect(files.adopt("originals", iid, outside)).rejects.toMatchObject({ refusal: "storageFull" });
    expect((await stat(outside)).size).toBe(3_000_000);
    expect(await files.local("originals", iid, sha256(first), (place) => readFile(place))).toEqual(first);
    // The space that the failed writers had reserved is free again.
    await files.put("originals", iid, randomBytes(1_000_000));
  });

  it(
    "killed at any moment holds every file that it acknowledged, and no name over half a file",
    { timeout: 60_000 },
    async () => {
      const root = path.join(folder, "killed");
      const iid = newId();
      for (let round = 0; round < 6; round++) {
        const child = spawn(
          process.execPath,
          [path.join(import.meta.dirname, "../../../../../packages/testing/src/workers/file-writer.ts"), root, iid],
          { stdio: ["ignore", "pipe", "inherit"] },
        );
        let said = "";
        await new Promise<void>((resolve) => {
          child.once("exit", () => resolve());
          child.stdout.on("data", (bytes: Buffer) => {
            if (said === "") setTimeout(() => child.kill("SIGKILL"), 20 + round * 37);
            said += bytes.toString();
          });
        });
        const acknowledged = said.split("\n").slice(0, -1);
        expect(acknowledged.length).toBeGreaterThan(0);
        const stored = await everythingIn(path.join(root, "originals"));
        for (const file of stored)
          expect(sha256(await readFile(path.join(root, "originals", file)))).toBe(path.basename(file));
        expect(acknowledged.filter((name) => !stored.some((file) => file.endsWith(name)))).toEqual([]);
      }
    },
  );
});

describe("the start", () => {
  it(
    "refuses a store that is not the database's: a disk that was not mounted, or another's",
    { timeout: 60_000 },
    async () => {
      const { database, folder: data } = await createTestDatabase();
      const config = readConfig({ DATA_DIR: data });
      const [one, two] = await Promise.all([openFileStore(config, database), openFileStore(config, database)]);
      const sign = await one.storeId();
      expect([sign, await two.storeId()]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), sign]);
      await openFileStore(config, database);
      await rm(path.join(data, "files"), { recursive: true });
      await expect(openFileStore(config, database)).rejects.toThrow(StartError);
      await expect(openFileStore(config, database)).rejects.toThrow("Is its disk mounted");
      expect(await readdir(data)).not.toContain("files");
      await createDiskStore(path.join(data, "files")).storeId(newId());
      await expect(openFileStore(config, database)).rejects.toThrow("another sign");
    },
  );

  it("refuses a bucket that is another's, or is not there", { timeout: 60_000 }, async ({ skip }) => {
    if ("skipped" in server) return skip(server.skipped);
    const { endpoint, bucket, accessKey, secretKey } = server.settings;
    const s3 = (name: string) =>
      readConfig({
        DATA_DIR: path.join(folder, "s3-start"),
        S3_ENDPOINT: endpoint,
        S3_BUCKET: name,
        S3_ACCESS_KEY: accessKey,
        S3_SECRET_KEY: secretKey,
      });
    const [mine, another] = [await createTestDatabase(), await createTestDatabase()];
    await openFileStore(s3(bucket), mine.database);
    await openFileStore(s3(bucket), mine.database);
    await openFileStore(readConfig({ DATA_DIR: another.folder }), another.database);
    await expect(openFileStore(s3(bucket), another.database)).rejects.toThrow("another sign");
    await expect(openFileStore(s3("no-such-bucket"), mine.database)).rejects.toThrow(StartError);
  });

  it("creates one secret for all simultaneous callers, and keeps it from other users of the machine", async () => {
    const config = readConfig({ DATA_DIR: path.join(folder, "secret") });
    const secrets = await Promise.all(Array.from({ length: 5 }, () => loadSecretKey(config)));
    expect(new Set(secrets).size).toBe(1);
    expect(secrets[0].length).toBeGreaterThanOrEqual(43);
    expect(await loadSecretKey(config)).toBe(secrets[0]);
    expect((await stat(path.join(config.dataDir, "secret.key"))).mode & 0o777).toBe(0o600);
    expect(await readdir(config.dataDir)).toEqual(["secret.key"]);
  });
});
