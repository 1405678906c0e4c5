import type { RefusalName } from "@arcada/contract/kernel/refusals";
import type { Database, Db } from "../platform/database/database.ts";
import { tell } from "../platform/events/events.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import { Refused } from "../platform/http/refuse.ts";
import { files } from "../platform/runtime/services.ts";
import { withArchive } from "./archive-read.ts";
import { writeArchive } from "./archive-write.ts";
import { checkArchive } from "./import-check.ts";
import { importArchive } from "./import.ts";
import { arrivalOf, moveArrival, moveTaking, takingOf } from "./leaving.store.ts";
import { purgeLeaving } from "./leaving.purge.ts";

interface TakingKey {
  iid: string;
  id: string;
}
interface ArrivalKey {
  id: string;
  step: "check" | "import";
}

export async function registerLeaving(jobs: Jobs, database: Database): Promise<void> {
  await jobs.work<TakingKey>("leaving.export", (key, signal) => runTaking(database, key, signal), {
    whenDead: (key) => endTaking(database, key, "internal"),
  });
  await jobs.work<ArrivalKey>("leaving.import", (key, signal) => runArrival(database, key, signal), {
    whenDead: ({ id }) => endArrival(database, id, "internal"),
  });
  await jobs.work("leaving.purge", () => purgeLeaving(database));
  await jobs.schedule("leaving.purge", "41 * * * *");
}

/** The person cancelled it, or the process stops. */
class Stopped extends Error {}

/** Reports progress, at most once a second, and checks whether the job is still wanted. */
function stepper(
  signal: AbortSignal,
  say: (progress: number) => Promise<boolean>,
): (progress: number) => Promise<void> {
  let next = 0;
  return async (progress) => {
    signal.throwIfAborted();
    if (Date.now() < next) return;
    next = Date.now() + 1000;
    if (!(await say(progress))) throw new Stopped();
  };
}

async function runTaking(database: Database, key: TakingKey, signal: AbortSignal): Promise<void> {
  const { iid, id } = key;
  const running = ["waiting", "running"] as const;
  const taking = await database.asSystem(async (db) =>
    (await moveTaking(db, key, running, { state: "running", progress: 0 })) ? takingOf(db, iid, id) : undefined,
  );
  if (!taking) return;
  const step = stepper(signal, (progress) => database.asSystem((db) => moveTaking(db, key, ["running"], { progress })));
  try {
    const archive = await writeArchive({ database, files: files(), iid, language: taking.language, step }, (stream) =>
      files().put("converted", iid, stream),
    );
    const kept = await database.asSystem(async (db) => {
      if (!(await moveTaking(db, key, ["running"], { state: "done", progress: 1, ...archive }))) return false;
      await tellPerson(db, taking.created_by, iid, null);
      return true;
    });
    if (!kept) await files().remove("converted", iid, archive.sha256);
  } catch (error) {
    if (error instanceof Stopped) return;
    if (!(error instanceof Refused)) throw error;
    await endTaking(database, key, error.refusal);
  }
}

const endTaking = (database: Database, key: TakingKey, refusal: RefusalName) =>
  database.asSystem(async (db) => {
    const taking = await takingOf(db, key.iid, key.id);
    if (!taking || !(await moveTaking(db, key, ["waiting", "running"], { state: "failed", refusal }))) return;
    await tellPerson(db, taking.created_by, key.iid, refusal);
  });

async function tellPerson(db: Db, user: string, iid: string, refusal: RefusalName | null): Promise<void> {
  const { name } = await db.selectFrom("institution").select("name").where("id", "=", iid).executeTakeFirstOrThrow();
  await tell(db, { name: "exportEnded", user, institution: name, isReady: refusal === null });
}

async function runArrival(database: Database, { id, step: asked }: ArrivalKey, signal: AbortSignal): Promise<void> {
  const during = asked === "check" ? "checking" : "importing";
  const arrival = await database.asSystem((db) => arrivalOf(db, id));
  if (arrival?.state !== during || !arrival.sha256) return;
  const step = stepper(signal, (progress) => database.asSystem((db) => moveArrival(db, id, [during], { progress })));
  try {
    await files().local("converted", id, arrival.sha256, (path) =>
      withArchive(path, async (archive) => {
        if (asked === "check") {
          const found = await checkArchive(database, archive, step);
          await database.asSystem((db) => moveArrival(db, id, ["checking"], { state: "checked", progress: 1, found }));
          return;
        }
        await importArchive({ database, files: files(), archive, by: arrival.created_by, step });
        await database.asSystem((db) => moveArrival(db, id, ["importing"], { state: "done", progress: 1 }));
      }),
    );
  } catch (error) {
    if (error instanceof Stopped) return;
    if (!(error instanceof Refused)) throw error;
    await endArrival(database, id, error.refusal);
  }
  if (asked === "import") await files().remove("converted", id, arrival.sha256);
}

/** Marks an import as failed and removes its archive, which is of no further use. */
async function endArrival(database: Database, id: string, refusal: RefusalName): Promise<void> {
  const arrival = await database.asSystem(async (db) => {
    await moveArrival(db, id, ["checking", "importing"], { state: "failed", refusal });
    return arrivalOf(db, id);
  });
  if (arrival?.sha256) await files().remove("converted", id, arrival.sha256);
}

/** Puts a job into the queue of an arrival that was moved to that step. */
export const sendArrival = (jobs: Jobs, db: Db, key: ArrivalKey) => jobs.send(db, "leaving.import", key);
export const sendTaking = (jobs: Jobs, db: Db, key: TakingKey) => jobs.send(db, "leaving.export", key);
