import { pacsCalls, type PacsDestination } from "@arcada/contract/pacs/pacs.calls";
import type { Db } from "../platform/database/database.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve-calls.ts";
import type { Config } from "../platform/runtime/config.ts";
import { mayReach, parseLiteralAddress } from "../platform/security/outbound-address-guard.ts";
import { echoDestination, toDestinationFailure } from "./connect-to-destination.ts";
import {
  deleteDestination,
  insertDestination,
  listDestinations,
  recordConnection,
  requireDestination,
  updateDestination,
} from "./destination.store.ts";
import { enqueueTask } from "./send-task.ts";
import { cancelTask, insertStudyTask, listTasks, requireTask, restartTask, selectOpenTask } from "./task.store.ts";

export const pacsRoutes = routes(pacsCalls, {
  destinations: (_, { db, principal }) => listDestinations(db, principal.iid),
  saveDestination: async ({ id, ...input }, context) => {
    const { db, principal, config } = context;
    requireAllowedHost(input.host, config);
    if (input.tls && !config.DICOM_TLS_CERT) refuse("pacsNoTls", { tls: "pacsNoTls" });
    if (id !== undefined) await requireDestination(db, principal.iid, id);
    const saved: PacsDestination =
      id === undefined
        ? await insertDestination(db, principal, input)
        : await updateDestination(db, principal.iid, id, input);
    context.subject = saved.id;
    return saved;
  },
  removeDestination: async ({ id }, { db, principal }) => {
    await deleteDestination(db, principal.iid, id);
    return null;
  },
  tryDestination: {
    manualTransaction: async ({ id }, { inTransaction, config }) => {
      const destination = await inTransaction(({ db, principal }) => requireDestination(db, principal.iid, id));
      const began = performance.now();
      const failure = await echoDestination(config, destination).then(
        () => null,
        (error: unknown) => toDestinationFailure(error),
      );
      await inTransaction(({ db, principal }) => recordConnection(db, principal.iid, id, failure?.problem ?? null));
      return {
        problem: failure?.problem ?? null,
        detail: failure?.message ?? null,
        milliseconds: Math.round(performance.now() - began),
      };
    },
  },
  send: async ({ studyId, destinationId }, context) => {
    const { db, principal } = context;
    await requireDestination(db, principal.iid, destinationId);
    const total = await countStudyObjects(db, principal.iid, studyId);
    if (total === 0) refuse("pacsNoObjects");
    const id = await insertStudyTask(db, principal, { studyId, destinationId, total });
    await enqueueTask(db, principal.iid, id, destinationId);
    context.subject = studyId;
    return requireTask(db, principal.iid, id);
  },
  tasks: (input, { db, principal }) => listTasks(db, principal.iid, input),
  retry: async ({ id }, { db, principal }) => {
    const { studyId, destinationId } = await requireTask(db, principal.iid, id);
    // The study was sent anew in the meantime.
    const open = studyId && (await selectOpenTask(db, principal.iid, { studyId, destinationId }).executeTakeFirst());
    if (open && open.id !== id) return requireTask(db, principal.iid, open.id);
    await restartTask(db, principal.iid, id);
    await enqueueTask(db, principal.iid, id, destinationId);
    return requireTask(db, principal.iid, id);
  },
  cancel: async ({ id }, { db, principal }) => {
    await requireTask(db, principal.iid, id);
    await cancelTask(db, principal.iid, id);
    return requireTask(db, principal.iid, id);
  },
});

/** An address is checked when it is saved, and what a name resolves to at each connection. */
function requireAllowedHost(host: string, { DICOM_NETWORKS }: Config): void {
  const literal = parseLiteralAddress(host);
  if (literal && !mayReach(literal, DICOM_NETWORKS)) refuse("pacsAddress", { host: "pacsAddress" });
}

/** Refuses `notFound` for a study that is not the clinic's. */
async function countStudyObjects(db: Db, iid: string, studyId: string): Promise<number> {
  const study = await db
    .selectFrom("study")
    .select("id")
    .where("institution_id", "=", iid)
    .where("id", "=", studyId)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (!study) return refuse("notFound");
  const { count } = await db
    .selectFrom("dicom_instance")
    .select((of) => of.fn.countAll<string>().as("count"))
    .where("institution_id", "=", iid)
    .where("study_id", "=", studyId)
    .executeTakeFirstOrThrow();
  return Number(count);
}
