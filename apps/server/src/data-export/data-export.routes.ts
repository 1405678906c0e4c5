import { localDayIn } from "@arcada/contract/kernel/time-zone";
import { dataExportCalls } from "@arcada/contract/data-export/data-export.calls";
import type { DataImport, DataExport } from "@arcada/contract/data-export/data-export.calls";
import type { AuthenticatedContext, Principal, MemberContext } from "../platform/http/request-context.ts";
import { audit } from "../platform/audit/audit.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { createFileUrl } from "../platform/storage/file-url.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve-calls.ts";
import { files, jobs, uploadParts, secret } from "../platform/runtime/services.ts";
import { demandStepUp } from "../platform/security/step-up.ts";
import { storeImportUpload } from "./import-upload.ts";
import { enqueueImport, enqueueExport } from "./data-export.jobs.ts";
import { findImport, updateImport } from "./data-export.store.ts";
import type { ImportJobRow } from "./data-export.store.ts";
import { findExport, insertExport, updateExport } from "./export-job.writes.ts";
import type { ExportJobRow } from "./export-job.writes.ts";
import { pickColumns } from "../platform/database/camel-case-columns.ts";

const maxListed = 20;

export const dataExportRoutes = routes(dataExportCalls, {
  export: {
    manualTransaction: async (proof, context) => {
      await demandStepUp(context, proof);
      return context.inTransaction(beginExport);
    },
  },
  exportJob: async ({ id }, context) => {
    const { db, principal } = context;
    const row = (await findExport(db, principal.iid, id)) ?? refuse("notFound");
    if (row.kind !== "everything") refuse("notFound");
    if (row.state === "done") await auditAction(context, "institution.downloadExport", id);
    return toExportJob(row, principal);
  },
  exports: async (_, { db, principal }) => {
    const rows = await db
      .selectFrom("taking")
      .selectAll()
      .where("institution_id", "=", principal.iid)
      .where("kind", "=", "everything")
      .orderBy("created_at", "desc")
      .limit(maxListed)
      .execute();
    return rows.map((row) => ({ ...toExportJob(row, principal), url: null }));
  },
  cancelExport: async ({ id }, { db, principal }) => {
    const row = (await findExport(db, principal.iid, id)) ?? refuse("notFound");
    await updateExport(db, { iid: principal.iid, id }, ["waiting", "running"], { state: "cancelled" });
    return toExportJob((await findExport(db, principal.iid, id)) ?? row, principal);
  },

  arrivals: (_, { db }) =>
    bypassTenantScope(db, async () => {
      const rows = await db.selectFrom("arrival").selectAll().orderBy("created_at", "desc").limit(maxListed).execute();
      return Promise.all(rows.map(toImport));
    }),
  import: ({ name, bytes }, { db, principal }) =>
    bypassTenantScope(db, async () => {
      const id = newId();
      await uploadParts().make(id);
      await db.insertInto("arrival").values({ id, name, bytes, created_by: principal.uid }).execute();
      return loadImport(db, id);
    }),
  arrivalStep: ({ id, step }, context) => bypassTenantScope(context.db, () => stepImport(context, id, step)),
  forgetArrival: ({ id }, { db }) =>
    bypassTenantScope(db, async () => {
      const row = (await findImport(db, id)) ?? refuse("notFound");
      if (!["done", "failed", "cancelled"].includes(row.state)) refuse("importBusy");
      await db.deleteFrom("arrival").where("id", "=", id).execute();
      return null;
    }),
});

async function beginExport(context: MemberContext): Promise<DataExport> {
  const { db, principal, language } = context;
  const id = newId();
  if (!(await insertExport(db, { institution_id: principal.iid, id, language, created_by: principal.uid })))
    refuse("exportRuns");
  await enqueueExport(jobs(), db, { iid: principal.iid, id });
  await auditAction(context, "institution.export", id);
  return toExportJob((await findExport(db, principal.iid, id)) ?? refuse("internal"), principal);
}

const auditAction = ({ db, principal, address, requestId }: AuthenticatedContext, action: string, subject: string) =>
  audit(db, { institution_id: principal.iid, user_id: principal.uid, action, subject, address, request_id: requestId });

const toExportJob = (row: ExportJobRow, { timeZone }: Principal): DataExport => ({
  ...pickColumns(row, "id", "kind", "state", "progress", "bytes", "refusal", "created_at", "finished_at", "expires_at"),
  url:
    row.state === "done" && row.sha256
      ? createFileUrl(secret(), {
          area: "converted",
          iid: row.institution_id,
          sha256: row.sha256,
          name: `arcada-${localDayIn(timeZone, row.created_at)}.zip`,
          type: "application/zip",
          download: true,
        })
      : null,
});

async function stepImport(
  context: AuthenticatedContext,
  id: string,
  step: "check" | "import" | "cancel",
): Promise<DataImport> {
  const { db } = context;
  const row = (await findImport(db, id)) ?? refuse("notFound");
  if (step === "cancel") {
    if (!(await updateImport(db, id, ["sending", "checking", "checked"], { state: "cancelled" }))) refuse("importBusy");
    context.afterCommit.push(async () => {
      await uploadParts().remove(id);
      if (row.sha256) await files().remove("converted", id, row.sha256);
    });
  } else if (step === "check" && !row.sha256) {
    if (((await uploadParts().bytes(id)) ?? 0) !== row.bytes) refuse("uploadIncomplete", { name: row.name });
    context.afterCommit.push(async () => void storeImportUpload(context.database, id));
  } else {
    const [from, to] = step === "check" ? (["checked", "checking"] as const) : (["checked", "importing"] as const);
    if (!(await updateImport(db, id, [from], { state: to, progress: 0 }))) refuse("importBusy");
    await enqueueImport(jobs(), db, { id, step });
    await auditAction(context, `institution.import.${step}`, id);
  }
  return loadImport(db, id);
}

const loadImport = async (db: Db, id: string): Promise<DataImport> =>
  toImport((await findImport(db, id)) ?? refuse("notFound"));

const toImport = async (row: ImportJobRow): Promise<DataImport> => ({
  ...pickColumns(row, "id", "name", "bytes", "state", "progress", "found", "refusal", "created_at", "finished_at"),
  offset: row.state === "sending" ? ((await uploadParts().bytes(row.id)) ?? 0) : row.bytes,
});
