import { dayIn } from "@arcada/contract/kernel/time-zone";
import { leavingCalls } from "@arcada/contract/leaving/leaving.calls";
import type { Arrival, Taking } from "@arcada/contract/leaving/leaving.calls";
import type { AuthenticatedContext, Principal, MemberContext } from "../platform/http/request-context.ts";
import { audit } from "../platform/audit/audit.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { fileUrl } from "../platform/storage/file-url.ts";
import { newId } from "../platform/runtime/ids.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve.ts";
import { files, jobs, parts, secret } from "../platform/runtime/services.ts";
import { demandStepUp } from "../platform/security/step-up.ts";
import { settleArrival } from "./arrival-bytes.ts";
import { sendArrival, sendTaking } from "./leaving.jobs.ts";
import { arrivalOf, insertTaking, moveArrival, moveTaking, takingOf } from "./leaving.store.ts";
import type { ArrivalRow, TakingRow } from "./leaving.store.ts";

const shownMost = 20;

export const leavingRoutes = routes(leavingCalls, {
  export: {
    apart: async (proof, context) => {
      await demandStepUp(context, proof);
      return context.inTransaction(begin);
    },
  },
  exportJob: async ({ id }, context) => {
    const { db, asker } = context;
    const row = (await takingOf(db, asker.iid, id)) ?? refuse("notFound");
    if (row.kind !== "everything") refuse("notFound");
    if (row.state === "done") await note(context, "institution.downloadExport", id);
    return takingShown(row, asker);
  },
  exports: async (_, { db, asker }) => {
    const rows = await db
      .selectFrom("taking")
      .selectAll()
      .where("institution_id", "=", asker.iid)
      .where("kind", "=", "everything")
      .orderBy("created_at", "desc")
      .limit(shownMost)
      .execute();
    return rows.map((row) => ({ ...takingShown(row, asker), url: null }));
  },
  cancelExport: async ({ id }, { db, asker }) => {
    const row = (await takingOf(db, asker.iid, id)) ?? refuse("notFound");
    await moveTaking(db, { iid: asker.iid, id }, ["waiting", "running"], { state: "cancelled" });
    return takingShown((await takingOf(db, asker.iid, id)) ?? row, asker);
  },

  arrivals: (_, { db }) =>
    bypassTenantScope(db, async () => {
      const rows = await db.selectFrom("arrival").selectAll().orderBy("created_at", "desc").limit(shownMost).execute();
      return Promise.all(rows.map(arrivalShown));
    }),
  import: ({ name, bytes }, { db, asker }) =>
    bypassTenantScope(db, async () => {
      const id = newId();
      await parts().make(id);
      await db.insertInto("arrival").values({ id, name, bytes, created_by: asker.uid }).execute();
      return shownAgain(db, id);
    }),
  arrivalStep: ({ id, step }, context) => bypassTenantScope(context.db, () => stepArrival(context, id, step)),
  forgetArrival: ({ id }, { db }) =>
    bypassTenantScope(db, async () => {
      const row = (await arrivalOf(db, id)) ?? refuse("notFound");
      if (!["done", "failed", "cancelled"].includes(row.state)) refuse("importBusy");
      await db.deleteFrom("arrival").where("id", "=", id).execute();
      return null;
    }),
});

async function begin(context: MemberContext): Promise<Taking> {
  const { db, asker, language } = context;
  const id = newId();
  if (!(await insertTaking(db, { institution_id: asker.iid, id, language, created_by: asker.uid })))
    refuse("exportRuns");
  await sendTaking(jobs(), db, { iid: asker.iid, id });
  await note(context, "institution.export", id);
  return takingShown((await takingOf(db, asker.iid, id)) ?? refuse("internal"), asker);
}

const note = ({ db, asker, address, requestId }: AuthenticatedContext, action: string, subject: string) =>
  audit(db, { institution_id: asker.iid, user_id: asker.uid, action, subject, address, request_id: requestId });

const takingShown = (row: TakingRow, { timeZone }: Principal): Taking => ({
  id: row.id,
  kind: row.kind,
  state: row.state,
  progress: row.progress,
  bytes: row.bytes,
  refusal: row.refusal,
  createdAt: row.created_at,
  finishedAt: row.finished_at,
  expiresAt: row.expires_at,
  url:
    row.state === "done" && row.sha256
      ? fileUrl(secret(), {
          area: "converted",
          iid: row.institution_id,
          sha256: row.sha256,
          name: `arcada-${dayIn(timeZone, row.created_at)}.zip`,
          type: "application/zip",
          download: true,
        })
      : null,
});

async function stepArrival(
  context: AuthenticatedContext,
  id: string,
  step: "check" | "import" | "cancel",
): Promise<Arrival> {
  const { db } = context;
  const row = (await arrivalOf(db, id)) ?? refuse("notFound");
  if (step === "cancel") {
    if (!(await moveArrival(db, id, ["sending", "checking", "checked"], { state: "cancelled" }))) refuse("importBusy");
    context.afterCommit.push(async () => {
      await parts().remove(id);
      if (row.sha256) await files().remove("converted", id, row.sha256);
    });
  } else if (step === "check" && !row.sha256) {
    if (((await parts().bytes(id)) ?? 0) !== row.bytes) refuse("uploadIncomplete", { name: row.name });
    context.afterCommit.push(async () => void settleArrival(context.database, id));
  } else {
    const [from, to] = step === "check" ? (["checked", "checking"] as const) : (["checked", "importing"] as const);
    if (!(await moveArrival(db, id, [from], { state: to, progress: 0 }))) refuse("importBusy");
    await sendArrival(jobs(), db, { id, step });
    await note(context, `institution.import.${step}`, id);
  }
  return shownAgain(db, id);
}

const shownAgain = async (db: Db, id: string): Promise<Arrival> =>
  arrivalShown((await arrivalOf(db, id)) ?? refuse("notFound"));

const arrivalShown = async (row: ArrivalRow): Promise<Arrival> => ({
  id: row.id,
  name: row.name,
  bytes: row.bytes,
  offset: row.state === "sending" ? ((await parts().bytes(row.id)) ?? 0) : row.bytes,
  state: row.state,
  progress: row.progress,
  found: row.found,
  refusal: row.refusal,
  createdAt: row.created_at,
  finishedAt: row.finished_at,
});
