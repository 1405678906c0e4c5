import { sql } from "kysely";
import { afterAll, describe, expect, it, vi } from "vitest";
import { createUploadClient, sha256 } from "@arcada/testing/clients/upload-client";
import type { Uploader } from "@arcada/testing/clients/upload-client";
import { present } from "@arcada/testing/require-present";
import type { Db } from "../database/database.ts";
import { uncountUnreferenced } from "../storage/blob-references.ts";
import { recordStoredFiles } from "./finish-uploads.ts";
import { compactStorageTally, repairStorageTally } from "./storage-tally.ts";
import { deleteFinishedUploads } from "./upload-rows.ts";
import { readStorageUsage } from "./storage-quota.ts";

const { world, ask, create, uploaded, finish, dentist, close } = await createUploadClient();
afterAll(close);

const asSystem = <T>(work: (db: Db) => Promise<T>): Promise<T> => world.database.asSystem(work);

/** Park and Miller's generator: the same sequence in every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** The sums of the rows themselves, and those of the tally. */
async function sums(iid: string): Promise<{ files: object; tally: object }> {
  const files = await asSystem((db) =>
    sql<{ stored: number; coming: number }>`select
      (select coalesce(sum(bytes), 0)::bigint from stored_file where institution_id = ${iid}) as stored,
      (select coalesce(sum(bytes), 0)::bigint from upload where institution_id = ${iid} and state <> 'finished') as coming`.execute(
      db,
    ),
  );
  const { stored, coming } = await asSystem((db) => readStorageUsage(db, iid));
  return { files: files.rows[0], tally: { stored, coming } };
}

/** One of the ways in which the sums of an institution change, or a change that does not come to its end. */
async function change(who: Uploader, random: () => number): Promise<void> {
  const bytes = Buffer.alloc(1 + Math.floor(random() * 5), Math.floor(random() * 4));
  const kind = Math.floor(random() * 6);
  if (kind === 0) await create(who, 1000);
  else if (kind === 1) {
    const made = await create(who, 500);
    await ask("DELETE", present(made.headers.get("location")), { token: who.token });
  } else if (kind === 2 || kind === 3) await finish(who, await uploaded(who, bytes));
  else if (kind === 4)
    await asSystem(async (db) => {
      await deleteFinishedUploads(db, who.iid, [sha256(bytes)]);
      await uncountUnreferenced(db, who.iid, [sha256(bytes)]);
    });
  else
    await asSystem(async (db) => {
      await recordStoredFiles(db, who.iid, { sha256: sha256(bytes), bytes: bytes.length });
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(db);
    }).catch(() => {});
}

describe("the storage tally", () => {
  it("equals the files after changes at once, cancelled ones and killed connections, while rows are combined", async () => {
    const random = createRandom(27);
    const who = await dentist();
    for (let round = 0; round < 6; round++) {
      await Promise.all([...Array.from({ length: 8 }, () => change(who, random)), compactStorageTally(world.database)]);
      const { files, tally } = await sums(who.iid);
      expect(tally).toEqual(files);
    }
    expect(await sums(who.iid)).not.toMatchObject({ files: { stored: 0 } });
  });

  it("has few rows after many changes", async () => {
    const who = await dentist();
    for (let n = 0; n < 30; n++)
      await asSystem((db) => recordStoredFiles(db, who.iid, { sha256: sha256(Buffer.from(`${n}`)), bytes: 10 }));
    await compactStorageTally(world.database);
    const { rows } = await asSystem((db) =>
      sql`select kind, files, bytes from storage_tally where institution_id = ${who.iid}`.execute(db),
    );
    expect(rows).toEqual([{ kind: "originals", files: 30, bytes: 300 }]);
  });

  it("is corrected and logged where it differs from the files", async () => {
    const who = await dentist();
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    await asSystem((db) => recordStoredFiles(db, who.iid, { sha256: sha256(Buffer.from("lost")), bytes: 70 }));
    await asSystem((db) => sql`delete from storage_tally where institution_id = ${who.iid}`.execute(db));
    const found = await repairStorageTally(world.database);
    expect(found).toEqual([{ institution: who.iid, kind: "originals", files: 1, bytes: 70 }]);
    expect(log.mock.calls.map(([line]) => JSON.parse(String(line)) as object)).toMatchObject([
      { about: "storage tally", kind: "originals", bytes: 70 },
    ]);
    expect((await sums(who.iid)).tally).toEqual({ stored: 70, coming: 0 });
    expect(await repairStorageTally(world.database)).toEqual([]);
    log.mockRestore();
  });
});
