import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { audit } from "../platform/audit/audit.ts";
import type { Database, Db } from "../platform/database/database.ts";
import { tell, notifyClients } from "../platform/events/events.ts";
import { Refused } from "../platform/http/refuse.ts";
import { files } from "../platform/runtime/services.ts";
import * as store from "./scrub.store.ts";
import type { Fault, Named, ScrubRow } from "./scrub.store.ts";

interface Scrubbing {
  bytesPerSecond: number;
  /** The scrub stops by itself after this time and continues when it is called again. */
  stretchMs?: number;
  signal?: AbortSignal;
  /** Called for each fault. */
  onFault?: (named: Named, fault: Fault) => void;
}

const filesAtOnce = 100;

/**
 * Reads the files of the store and compares them with their hashes. A damaged file for viewers is made again; a damaged
 * original is set aside, recorded and reported. Returns the scrub, whose `finished_at` is null if it has not reached
 * its end.
 */
export async function scrub(database: Database, how: Scrubbing): Promise<ScrubRow> {
  const until = Date.now() + (how.stretchMs ?? Number.POSITIVE_INFINITY);
  const { id, ...run } = await database.asSystem(store.currentScrub);
  let { place } = run;
  for (;;) {
    how.signal?.throwIfAborted();
    const some = await database.asSystem((db) => store.namedAfter(db, place, filesAtOnce));
    if (some.length === 0) break;
    const counted = await readSome(database, some, how);
    place = some.at(-1)!.place;
    await database.asSystem((db) => store.moveScrub(db, id, place, counted));
    if (Date.now() > until) break;
  }
  const ended = (await database.asSystem((db) => store.namedAfter(db, place, 1))).length === 0;
  return database.asSystem(async (db) => {
    if (ended) await store.endScrub(db, id);
    await tellFaults(db);
    return db.selectFrom("scrub").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  });
}

async function readSome(database: Database, some: readonly Named[], how: Scrubbing): Promise<store.Counted> {
  const counted = { files: some.length, bytes: 0, broken: 0, missing: 0 };
  const pace = paced(how);
  const sound: Named[] = [];
  for (const named of some) {
    const first = await look(named, pace);
    counted.bytes += first.bytes;
    // A fault counts only if it is seen twice.
    const fault = first.fault && (await look(named, pace)).fault;
    if (!fault) sound.push(named);
    else if (await settle(database, named, fault)) {
      counted[fault] += 1;
      how.onFault?.(named, fault);
    }
  }
  await database.asSystem((db) => store.clearFaults(db, sound));
  return counted;
}

type Pace = (bytes: number) => Promise<void>;

/** Limits the bytes per second to the allowed rate, averaged over the batch. */
function paced({ bytesPerSecond, signal }: Scrubbing): Pace {
  const began = performance.now();
  let read = 0;
  return async (bytes) => {
    read += bytes;
    const early = (read / bytesPerSecond) * 1000 - (performance.now() - began);
    if (early > 20) await pause(early, undefined, { signal });
  };
}

async function look({ area, store: iid, sha256 }: Named, pace: Pace): Promise<{ fault: Fault | null; bytes: number }> {
  const hash = createHash("sha256");
  let bytes = 0;
  try {
    for await (const chunk of await files().read(area, iid, sha256)) {
      hash.update(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      await pace((chunk as Buffer).length);
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
const settle = (database: Database, named: Named, fault: Fault): Promise<boolean> =>
  database.asSystem(async (db) => {
    if (!(await store.isStillNamed(db, named))) return false;
    const { area, store: iid, sha256 } = named;
    if (area === "converted") {
      // The file must be deleted first: a store that compares only sizes would take it for the new one.
      await files().remove(area, iid, sha256);
      const studies = await store.forgetConverted(db, named);
      for (const study of studies) await tell(db, { name: "convertedLost", institution: iid, study });
      if (studies.length > 0 || !(await store.isStillNamed(db, named))) return true;
    } else if (fault === "broken") await files().setAside(area, iid, sha256);
    if (!(await store.noteFault(db, named, fault))) return true;
    for (const study of area === "originals" ? await store.studiesWith(db, named) : []) {
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

async function tellFaults(db: Db): Promise<void> {
  for (const { institution, name, count } of await store.takeUntold(db))
    await tell(db, { name: "filesDamaged", institution, institutionName: name, count });
}
