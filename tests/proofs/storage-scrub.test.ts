import { createHash } from "node:crypto";
import { readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { sql } from "kysely";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Study } from "@arcada/contract/study/study.schema";
import { createS3Store } from "../../apps/server/src/platform/storage/s3-store.ts";
import { fileKey } from "../../apps/server/src/platform/storage/file-store.ts";
import type { StorageArea } from "../../apps/server/src/platform/storage/file-store.ts";
import { newId } from "../../apps/server/src/platform/runtime/ids-and-secrets.ts";
import { files, mail, provideServices } from "../../apps/server/src/platform/runtime/services.ts";
import { scrubStore } from "../../apps/server/src/retention/scrub-stored-files.ts";
import { startS3Server } from "@arcada/testing/peers/s3-server";
import { createPatient, uploadStudy } from "@arcada/testing/fixtures/uploads";
import { setup } from "@arcada/testing/setup/test-server";
import type { TestUser, TestSetup } from "@arcada/testing/setup/test-server";

const isFull = process.env.ARCADA_PROOF === "full";
// Each photo is three files: the original, its converted image and its thumbnail.
const photos = isFull ? 48 : 6;
const timeout = photos * 12_000;
const unlimitedSpeed = { bytesPerSecond: Number.POSITIVE_INFINITY };
const attacks = ["flip", "cut", "delete"] as const;

let clinicAndLab: TestSetup;
beforeAll(async () => void (clinicAndLab = await setup()));
const database = () => clinicAndLab.server.running.database;
const hash = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const photo = (number: number): Promise<Uint8Array> =>
  sharp({ create: { width: 60 + number, height: 40, channels: 3, background: "#a06040" } })
    .jpeg()
    .toBuffer();

async function damageFile(
  iid: string,
  area: StorageArea,
  sha256: string,
  how: (typeof attacks)[number],
): Promise<void> {
  const place = await files().local(area, iid, sha256, async (at) => at);
  if (how === "delete") return rmSync(place);
  const bytes = readFileSync(place);
  if (how === "cut") return truncateSync(place, bytes.length - 1);
  const at = Math.floor(bytes.length / 2);
  bytes[at] = bytes[at] ^ 0x10;
  writeFileSync(place, bytes);
}
const listDerivedFiles = async (who: TestUser, studies: string[]): Promise<string[]> => {
  const { rows } = await database().asSystem((db) =>
    sql<{
      sha256: string;
    }>`select sha256 from converted_file where institution_id = ${who.iid} and study_id = any(${studies}::uuid[]) union
      select thumbnail from instance where institution_id = ${who.iid} and study_id = any(${studies}::uuid[]) and thumbnail is not null order by 1`.execute(
      db,
    ),
  );
  return rows.map(({ sha256 }) => sha256);
};
const listFaults = ({ series }: Study) => series.flatMap(({ instances }) => instances.map(({ fault }) => fault));

describe("T-09: a scrub of the store", () => {
  it("finds nothing where all is well, however often it is interrupted, and reads each file once", async () => {
    const { clinic } = await setup();
    await uploadStudy(clinic, await createPatient(clinic), {
      "one.jpg": await photo(900),
      "two.jpg": await photo(901),
    });
    const whole = await scrubStore(database(), unlimitedSpeed);
    expect(whole).toMatchObject({ broken: 0, missing: 0, finished_at: expect.any(String) });
    let parts = await scrubStore(database(), { ...unlimitedSpeed, stretchMs: -1 });
    for (let rounds = 0; parts.finished_at === null && rounds < 50; rounds++) {
      const stopped = AbortSignal.abort(new Error("stopped"));
      await expect(scrubStore(database(), { ...unlimitedSpeed, signal: stopped })).rejects.toThrow("stopped");
      parts = await scrubStore(database(), { ...unlimitedSpeed, stretchMs: -1 });
    }
    expect([parts.files, parts.bytes]).toEqual([whole.files, whole.bytes]);
  });

  it("does not read faster than it may", async () => {
    const { bytes } = await scrubStore(database(), unlimitedSpeed);
    const began = performance.now();
    await scrubStore(database(), { bytesPerSecond: bytes * 2 });
    expect(performance.now() - began).toBeGreaterThan(400);
  });

  it(
    `finds each flipped bit, truncation and lost file among ${photos * 3}, recreates derived files, and reports the originals`,
    { timeout },
    async () => {
      const { clinic } = await setup();
      const operator = await clinicAndLab.server.createUser("operator");
      const patient = await createPatient(clinic);
      const all = await Promise.all(Array.from({ length: photos }, (_, number) => photo(number)));
      const half = Math.floor(photos / 2);
      const named = (some: Uint8Array[], word: string) =>
        Object.fromEntries(some.map((bytes, at) => [`${word}${at}.jpg`, bytes]));
      const hurt = (await uploadStudy(clinic, patient, named(all.slice(0, half), "a"))).studies;
      const lost = (await uploadStudy(clinic, patient, named(all.slice(half), "b"))).studies;
      const made = await listDerivedFiles(clinic, lost);
      for (const [at, bytes] of all.slice(0, half).entries())
        await damageFile(clinic.iid, "originals", hash(bytes), attacks[at % 3]);
      for (const [at, sha256] of made.entries()) await damageFile(clinic.iid, "converted", sha256, attacks[at % 3]);
      const found: string[] = [];
      const { broken, missing } = await scrubStore(database(), {
        ...unlimitedSpeed,
        onFault: ({ sha256 }, fault) => found.push(`${fault} ${sha256}`),
      });
      const isOf = (contents: readonly string[]) => found.filter((one) => contents.includes(one.split(" ")[1]));
      expect(isOf(all.map(hash)).toSorted()).toEqual(
        all
          .slice(0, half)
          .map((bytes, at) => `${at % 3 === 2 ? "missing" : "broken"} ${hash(bytes)}`)
          .toSorted(),
      );
      // A study that is made again mends what has not been read yet.
      expect(isOf(made).length).toBeGreaterThanOrEqual(lost.length);
      expect(broken + missing).toBe(found.length);
      for (const id of lost)
        await expect
          .poll(async () => (await clinic.call("study.conversion", { id })).state, { timeout: 30_000 })
          .toBe("ready");
      expect(await listDerivedFiles(clinic, lost)).toEqual(made);
      for (const sha256 of made)
        expect(await files().local("converted", clinic.iid, sha256, async (at) => hash(readFileSync(at)))).toBe(sha256);
      // The damaged files are not served and are marked as such. Their derived images can still be viewed.
      for (const id of hurt) {
        const told = await clinic.call("study.detail", { id });
        expect(listFaults(told)).toEqual(["fileDamaged"]);
        expect(told.series[0].instances[0].picture).not.toBeNull();
      }
      for (const who of [clinic, operator]) {
        const { first } = (await who.call("notice.query", {})).info["0"];
        expect(first).toMatchObject({ kind: "filesDamaged", params: { files: String(half) } });
        const emails = () => mail().outbox();
        await expect
          .poll(async () => (await emails()).some(({ to }) => to === `${who.uid}@example.test`), { timeout: 10_000 })
          .toBe(true);
      }
      // A known fault is not reported again. Uploading the file again repairs it.
      await scrubStore(database(), unlimitedSpeed);
      const kinds = (await clinic.call("notice.query", {})).info["0"].list.map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === "filesDamaged")).toHaveLength(1);
      await uploadStudy(clinic, patient, named(all.slice(0, half), "again"));
      for (const id of hurt) expect(listFaults(await clinic.call("study.detail", { id }))).toEqual([null]);
      expect(await scrubStore(database(), unlimitedSpeed)).toMatchObject({ broken: 0, missing: 0 });
    },
  );
});

describe("in a bucket", () => {
  let stop = async (): Promise<void> => {};
  afterAll(() => stop());
  it(
    "a changed and a lost original are found; the changed one is kept aside and can be sent again",
    { timeout },
    async ({ skip }) => {
      const server = isFull ? await startS3Server() : { skipped: "in the full proof" };
      if ("skipped" in server) return skip(server.skipped);
      stop = () => server.stop();
      const { clinic } = await setup();
      const before = files();
      const store = createS3Store(server.settings, `/tmp/arcada-scrub-${newId()}`);
      provideServices({ files: store });
      try {
        await database().asSystem((db) => sql`delete from stored_file`.execute(db));
        const [changed, gone, sound] = await Promise.all([1, 2, 3].map((number) => photo(2000 + number)));
        for (const bytes of [changed, gone, sound]) {
          const stored = await store.put("originals", clinic.iid, bytes);
          await database().asSystem((db) =>
            db
              .insertInto("stored_file")
              .values({ institution_id: clinic.iid, ...stored })
              .execute(),
          );
        }
        const { bucket, accessKey, secretKey, ...more } = server.settings;
        const client = new S3Client({
          ...more,
          forcePathStyle: true,
          requestChecksumCalculation: "WHEN_REQUIRED",
          credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
        });
        const other = Uint8Array.from(changed);
        other[5] = 255 - other[5];
        const Key = fileKey("originals", clinic.iid, hash(changed));
        await client.send(new PutObjectCommand({ Bucket: bucket, Key, Body: other }));
        await store.remove("originals", clinic.iid, hash(gone));
        const found: string[] = [];
        await scrubStore(database(), {
          ...unlimitedSpeed,
          onFault: ({ area, sha256 }, fault) => area === "originals" && found.push(`${fault} ${sha256}`),
        });
        expect(found.toSorted()).toEqual([`broken ${hash(changed)}`, `missing ${hash(gone)}`]);
        expect(await store.bytes("originals", clinic.iid, hash(changed))).toBeNull();
        await store.put("originals", clinic.iid, changed);
        const again: string[] = [];
        await scrubStore(database(), {
          ...unlimitedSpeed,
          onFault: ({ area, sha256 }) => area === "originals" && again.push(sha256),
        });
        expect(again).toEqual([hash(gone)]);
      } finally {
        provideServices({ files: before });
      }
    },
  );
});
