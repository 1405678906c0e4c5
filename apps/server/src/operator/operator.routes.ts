import { operatorCalls, operatorRules } from "@arcada/contract/operator/operator.calls";
import type { AuditEntry, Organisation } from "@arcada/contract/operator/operator.calls";
import { healthRules } from "@arcada/contract/operator/health.calls";
import { anchorInDatabase } from "../platform/audit/audit-chain.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import { readCursor, writeCursor } from "../platform/http/list-cursor.ts";
import { usedAnalyses } from "../platform/upload/quota.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve.ts";
import { jobs } from "../platform/runtime/services.ts";
import { auditChecks, auditLines, peopleNamed } from "./audit.store.ts";
import type { AuditLine, AuditPlace } from "./audit.store.ts";
import { healthOf } from "./health.ts";
import { platformCounts } from "./health.store.ts";
import { countHouses, countriesOf, houseOf, housesOf, rolesIn } from "./houses.store.ts";
import type { HouseRow } from "./houses.store.ts";
import { checkTrailNow } from "./operator.jobs.ts";
import { appoint, changeStaff, dismiss } from "./staff.ts";
import { staffOf } from "./staff.store.ts";

export const operatorRoutes = routes(operatorCalls, {
  overview: {
    apart: async (_, context) => {
      const { lights } = await healthOf(context);
      const counts = await context.inTransaction(({ db }) => bypassTenantScope(db, () => platformCounts(db)));
      return { ...counts, lights };
    },
  },

  organisations: ({ cursor, pageSize, ...filter }, { db }) =>
    bypassTenantScope(db, async () => {
      const rows = await housesOf(db, filter, { after: readCursor(cursor), most: pageSize + 1 });
      const page = rows.slice(0, pageSize);
      return {
        list: page.map(shownHouse),
        total: await countHouses(db, filter),
        next: rows.length > pageSize ? writeCursor(page.at(-1)!) : null,
        countries: await countriesOf(db),
      };
    }),

  organisation: ({ id }, { db }) =>
    bypassTenantScope(db, async () => {
      const row = await houseOf(db, id);
      const { used, allowed } = await usedAnalyses(db, id);
      return {
        ...shownHouse(row),
        address: row.address,
        contactPerson: row.contact_person,
        contactWay: row.contact_way,
        roles: await rolesIn(db, id),
        relations: row.relations,
        devices: row.devices,
        clinicId: row.clinic_id,
        usedAnalyses: used,
        allowedAnalyses: allowed,
        enginePacks: row.engine_packs,
      };
    }),

  staff: (_, { db }) => bypassTenantScope(db, () => staffOf(db)),
  appoint: (input, context) => bypassTenantScope(context.db, () => appoint(context, input)),
  changeStaff: (input, context) => bypassTenantScope(context.db, () => changeStaff(context, input)),
  dismiss: (input, context) => bypassTenantScope(context.db, () => dismiss(context, input)),

  health: { apart: (_, context) => healthOf(context) },
  failedJobs: ({ queue }) => jobs().failed(healthRules.failedMost, queue),
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
    const after = cursor === undefined ? null : readAuditCursor(cursor);
    context.detail = { ...filter };
    const rows = await bypassTenantScope(context.db, () =>
      auditLines(context.db, filter, { after, most: pageSize + 1 }),
    );
    const list = rows.slice(0, pageSize);
    return { list: list.map(shownLine), next: rows.length > pageSize ? cursorOf(list.at(-1)!) : null };
  },
  people: ({ search }, { db }) => bypassTenantScope(db, () => peopleNamed(db, search, operatorRules.people)),
  auditChecks: async (_, { db }) =>
    (await auditChecks(db)).map(({ started_at, finished_at, rows, broken, fault }) => ({
      startedAt: started_at,
      finishedAt: finished_at,
      rows,
      broken,
      fault,
    })),
  auditHead: async (_, { db }) => {
    const anchor = await anchorInDatabase(db);
    return anchor && { rows: anchor.rows, hash: anchor.hash, at: anchor.at };
  },
  checkAudit: async (_, { db }) => {
    await checkTrailNow(db);
    return null;
  },
});

const shownHouse = (row: HouseRow): Organisation => ({
  id: row.id,
  name: row.name,
  number: row.number,
  type: row.type,
  country: row.country,
  createdAt: row.created_at,
  members: row.members,
  usedBytes: row.used,
  allowedBytes: row.allowed,
  lastActive: row.last_active,
});

const shownLine = (row: AuditLine): AuditEntry => ({
  id: row.id,
  at: row.at,
  house: row.institution_id === null ? null : { id: row.institution_id, name: row.house ?? "" },
  person: row.user_id === null ? null : { id: row.user_id, name: row.person ?? "" },
  action: row.action,
  step: row.step,
  subject: row.subject,
  address: row.address,
});

const cursorOf = ({ micros, id }: AuditPlace): string => `${micros}.${id}`;
function readAuditCursor(cursor: string): AuditPlace {
  const [, micros, id] = /^(\d{1,17})\.(\d{1,18})$/.exec(cursor) ?? [];
  return micros === undefined || id === undefined ? refuse("badInput", { cursor: "cursorUnknown" }) : { micros, id };
}
