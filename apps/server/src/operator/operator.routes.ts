import { operatorCalls, operatorRules } from "@arcada/contract/operator/operator.calls";
import type { AuditEntry, Organisation } from "@arcada/contract/operator/operator.calls";
import { healthRules } from "@arcada/contract/operator/health.calls";
import { readDatabaseAnchor } from "../platform/audit/audit-chain.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import { readCursor, writeCursor } from "../platform/http/list-cursor.ts";
import { readAnalysisUsage } from "../domain/analysis-quota.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve-calls.ts";
import { setAddress, storePublicAddress } from "../platform/runtime/public-address.ts";
import { jobs } from "../platform/runtime/services.ts";
import { listAuditChecks, listAuditLines, searchPeople } from "./audit.store.ts";
import type { AuditLine, AuditCursor } from "./audit.store.ts";
import { checkHealth } from "./instance-health.ts";
import { checkInstallation, sendTestMail } from "./check-installation.ts";
import { countPlatform } from "./instance-health.store.ts";
import {
  countInstitutions,
  listCountries,
  requireInstitution,
  listInstitutions,
  countRoles,
} from "./institutions.store.ts";
import type { InstitutionRow } from "./institutions.store.ts";
import { requestAuditCheck } from "./audit-check.jobs.ts";
import { loadGrowth } from "./platform-growth.ts";
import { noInstitution } from "./growth-spreadsheet.ts";
import { documentUrl } from "../platform/http/pdf-routes.ts";
import { appointStaff, changeStaff, dismissStaff } from "./appoint-staff.ts";
import { listStaff } from "./staff.store.ts";
import { pickColumns } from "../platform/database/camel-case-columns.ts";

export const operatorRoutes = routes(operatorCalls, {
  overview: {
    manualTransaction: async (_, context) => {
      const { lights } = await checkHealth(context);
      const counts = await context.inTransaction(({ db }) => bypassTenantScope(db, () => countPlatform(db)));
      return { ...counts, lights };
    },
  },

  growth: (days, { db, principal }) => bypassTenantScope(db, () => loadGrowth(db, days, principal.timeZone)),
  exportGrowth: async (days, { principal: { uid, role, timeZone }, language, now }) => ({
    url: documentUrl(
      "growth",
      { iid: noInstitution, uid, id: "period", language, scheme: role, filter: JSON.stringify({ ...days, timeZone }) },
      now,
    ),
  }),
  organisations: ({ cursor, pageSize, ...filter }, { db }) =>
    bypassTenantScope(db, async () => {
      const rows = await listInstitutions(db, filter, { after: readCursor(cursor), most: pageSize + 1 });
      const page = rows.slice(0, pageSize);
      return {
        list: page.map(toOrganisation),
        total: await countInstitutions(db, filter),
        next: rows.length > pageSize ? writeCursor(page.at(-1)!) : null,
        countries: await listCountries(db),
      };
    }),

  organisation: ({ id }, { db }) =>
    bypassTenantScope(db, async () => {
      const row = await requireInstitution(db, id);
      const { used, allowed } = await readAnalysisUsage(db, id);
      return {
        ...toOrganisation(row),
        ...pickColumns(row, "address", "contact_person", "contact_way"),
        roles: await countRoles(db, id),
        ...pickColumns(row, "relations", "devices", "clinic_id"),
        usedAnalyses: used,
        allowedAnalyses: allowed,
        enginePacks: row.engine_packs,
      };
    }),

  staff: (_, { db }) => bypassTenantScope(db, () => listStaff(db)),
  appoint: (input, context) => bypassTenantScope(context.db, () => appointStaff(context, input)),
  changeStaff: (input, context) => bypassTenantScope(context.db, () => changeStaff(context, input)),
  dismiss: (input, context) => bypassTenantScope(context.db, () => dismissStaff(context, input)),

  installation: async (_, { config, db, now }) => ({
    publicUrl: config.PUBLIC_URL ?? null,
    isPublicUrlFixed: config.isPublicUrlFixed,
    checks: await checkInstallation(db, config, now),
  }),
  setPublicUrl: async ({ url }, { db, config, afterCommit }) => {
    if (config.isPublicUrlFixed) refuse("publicUrlFixed");
    const address = new URL(url).origin;
    await bypassTenantScope(db, () => storePublicAddress(db, address));
    afterCommit.push(async () => setAddress(config, address));
    return {};
  },
  sendTestMail: { manualTransaction: (_, context) => sendTestMail(context) },

  health: { manualTransaction: (_, context) => checkHealth(context) },
  failedJobs: ({ queue }) => jobs().failed(healthRules.maxFailedJobs, queue),
  retryJob: async ({ queue, id }, context) => {
    context.detail = { queue };
    if (!(await jobs().retry(queue, id))) refuse("jobGone");
    return null;
  },
  removeJob: async ({ queue, id }, context) => {
    context.detail = { queue };
    if (!(await jobs().removeFailed(queue, id))) refuse("jobGone");
    return null;
  },

  audit: async ({ cursor, pageSize, ...filter }, context) => {
    const after = cursor === undefined ? null : decodeAuditCursor(cursor);
    context.detail = { ...filter };
    const rows = await bypassTenantScope(context.db, () =>
      listAuditLines(context.db, filter, { after, most: pageSize + 1 }),
    );
    const list = rows.slice(0, pageSize);
    return { list: list.map(toAuditEntry), next: rows.length > pageSize ? encodeAuditCursor(list.at(-1)!) : null };
  },
  people: ({ search }, { db }) => bypassTenantScope(db, () => searchPeople(db, search, operatorRules.people)),
  auditChecks: async (_, { db }) =>
    (await listAuditChecks(db)).map(({ fault, ...check }) => ({
      ...pickColumns(check, "started_at", "finished_at", "rows", "broken"),
      fault,
    })),
  auditHead: async (_, { db }) => {
    const anchor = await readDatabaseAnchor(db);
    return anchor && { rows: anchor.rows, hash: anchor.hash, at: anchor.at };
  },
  checkAudit: async (_, { db }) => {
    await requestAuditCheck(db);
    return null;
  },
});

const toOrganisation = (row: InstitutionRow): Organisation => ({
  ...pickColumns(row, "id", "name", "number", "type", "country", "created_at", "members", "last_active"),
  usedBytes: row.used,
  allowedBytes: row.allowed,
});

const toAuditEntry = (row: AuditLine): AuditEntry => ({
  id: row.id,
  at: row.at,
  house: row.institution_id === null ? null : { id: row.institution_id, name: row.house ?? "" },
  person: row.user_id === null ? null : { id: row.user_id, name: row.person ?? "" },
  action: row.action,
  step: row.step,
  subject: row.subject,
  address: row.address,
});

const encodeAuditCursor = ({ micros, id }: AuditCursor): string => `${micros}.${id}`;
function decodeAuditCursor(cursor: string): AuditCursor {
  const [, micros, id] = /^(\d{1,17})\.(\d{1,18})$/.exec(cursor) ?? [];
  return micros === undefined || id === undefined ? refuse("badInput", { cursor: "cursorUnknown" }) : { micros, id };
}
