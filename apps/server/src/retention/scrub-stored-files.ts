import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { audit } from "../platform/audit/audit.ts";
import type { Database, Db } from "../platform/database/database.ts";
import { publish, notifyClients } from "../platform/events/events.ts";
import { Refused } from "../platform/http/refuse.ts";
import { files } from "../platform/runtime/services.ts";
import * as store from "./scrub.store.ts";
import type { StoredFile, ScrubRow } from "./scrub.store.ts";
import { deleteLostCopiesForOrders } from "../order/order-file-copies.writes.ts";
import { clearFaults, recordFault } from "../platform/storage/file-faults.ts";
import type { FileFault } from "../platform/storage/file-faults.ts";
import { removeLostDerivedFile } from "../study/retention.writes.ts";
import { convertedFilesLost, filesDamaged } from "./scrub.events.ts";

interface ScrubOptions {
  bytesPerSecond: number;
  /** The scrub stops by itself after this time and continues when it is called again. */
  stretchMs?: number;
  signal?: AbortSignal;
  /** Called for each fault. */
  onFault?: (file: StoredFile, fault: FileFault) => void;
}

const filesAtOnce = 100;

/**
 * Reads the files of the store and compares them with their hashes. A damaged derived file is made again; a damaged
 * source file is set aside, recorded and reported. Returns the scrub, whose `finished_at` is null if it has not reached
 * its end.
 */
export async function scrubStore(database: Database, options: ScrubOptions): Promise<ScrubRow> {
  const until = Date.now() + (options.stretchMs ?? Number.POSITIVE_INFINITY);
  const { id, ...run } = await database.asSystem(store.findOrStartScrub);
  let { place } = run;
  for (;;) {
    options.signal?.throwIfAborted();
    const some = await database.asSystem((db) => store.listFilesAfter(db, place, filesAtOnce));
    if (some.length === 0) break;
    const counted = await checkFiles(database, some, options);
    place = some.at(-1)!.place;
    await database.asSystem((db) => store.advanceScrub(db, id, place, counted));
    if (Date.now() > until) break;
  }
  const ended = (await database.asSystem((db) => store.listFilesAfter(db, place, 1))).length === 0;
  return database.asSystem(async (db) => {
    if (ended) await store.endScrub(db, id);
    await reportFaults(db);
    return db.selectFrom("scrub").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  });
}

async function checkFiles(
  database: Database,
  some: readonly StoredFile[],
  options: ScrubOptions,
): Promise<store.ScrubCounts> {
  const counted = { files: some.length, bytes: 0, broken: 0, missing: 0 };
  const throttle = createThrottle(options);
  const intact: StoredFile[] = [];
  for (const file of some) {
    const first = await checkFile(file, throttle);
    counted.bytes += first.bytes;
    // A fault counts only if it is seen twice.
    const fault = first.fault && (await checkFile(file, throttle)).fault;
    if (!fault) intact.push(file);
    else if (await handleFault(database, file, fault)) {
      counted[fault] += 1;
      options.onFault?.(file, fault);
    }
  }
  await database.asSystem((db) => clearFaults(db, intact));
  return counted;
}

type Throttle = (bytes: number) => Promise<void>;

/** Limits the bytes per second to the allowed rate, averaged over the batch. */
function createThrottle({ bytesPerSecond, signal }: ScrubOptions): Throttle {
  const began = performance.now();
  let read = 0;
  return async (bytes) => {
    read += bytes;
    const early = (read / bytesPerSecond) * 1000 - (performance.now() - began);
    if (early > 20) await pause(early, undefined, { signal });
  };
}

async function checkFile(
  { area, store: iid, sha256 }: StoredFile,
  throttle: Throttle,
): Promise<{ fault: FileFault | null; bytes: number }> {
  const hash = createHash("sha256");
  let bytes = 0;
  try {
    for await (const chunk of await files().read(area, iid, sha256)) {
      hash.update(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      await throttle((chunk as Buffer).length);
    }
  } catch (error) {
    if (error instanceof Refused && error.refusal === "notFound") return { fault: "missing", bytes };
    // The disk itself cannot read it.
    if ((error as { code?: string }).code === "EIO") return { fault: "broken", bytes };
    throw error;
  }
  return { fault: hash.digest("hex") === sha256 ? null : "broken", bytes };
}

/** Returns false if nothing refers to the file any more. */
const handleFault = (database: Database, file: StoredFile, fault: FileFault): Promise<boolean> =>
  database.asSystem(async (db) => {
    if (!(await store.isStillReferenced(db, file))) return false;
    const { area, store: iid, sha256 } = file;
    if (area === "converted") {
      // The file must be deleted first: a store that compares only sizes would take it for the new one.
      await files().remove(area, iid, sha256);
      const studies = await removeLostFile(db, file);
      for (const study of studies) await publish(db, convertedFilesLost, { institution: iid, study });
      if (studies.length > 0 || !(await store.isStillReferenced(db, file))) return true;
    } else if (fault === "broken") await files().quarantine(area, iid, sha256);
    if (!(await recordFault(db, file, fault))) return true;
    for (const study of area === "originals" ? await store.listStudiesWithFile(db, file) : []) {
      await audit(db, {
        institution_id: iid,
        user_id: null,
        action: "study.damage",
        subject: study,
        detail: { sha256, fault },
      });
      await notifyClients(db, { institutions: [iid] }, "study", study);
    }
    return true;
  });

/** Removes a lost file for viewers from the rows that show it; returns the studies for which it must be made again. */
async function removeLostFile(db: Db, { store: iid, sha256 }: StoredFile): Promise<string[]> {
  const studies = await removeLostDerivedFile(db, iid, sha256);
  await deleteLostCopiesForOrders(db, iid, sha256);
  return studies;
}

async function reportFaults(db: Db): Promise<void> {
  for (const { institution, name, count } of await store.takeUnreportedFaults(db))
    await publish(db, filesDamaged, { institution, institutionName: name, count });
}
