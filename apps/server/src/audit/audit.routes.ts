import { Readable } from "node:stream";
import { localDayIn, formatIsoWithOffset } from "@arcada/contract/kernel/time-zone";
import { auditCalls, auditRules } from "@arcada/contract/audit/audit.calls";
import type { AccessRecord, AuditLine } from "@arcada/contract/audit/audit.calls";
import type { MemberContext } from "../platform/http/request-context.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { guardStream } from "../platform/storage/guarded-stream.ts";
import { storeTable } from "../data-export/stored-spreadsheet.writes.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve-calls.ts";
import { translateDynamic, translatorOf } from "../platform/text/texts.ts";
import type { Language } from "../platform/text/texts.ts";
import { toCsvLine, csvByteOrderMark } from "./csv-line.ts";
import { listPatientAccesses, patientExists, listAuditRows, listAuditPeople } from "./audit.store.ts";
import type { AccessRow, AuditFilter, AuditCursor, AuditRow } from "./audit.store.ts";
import { pickColumns } from "../platform/database/camel-case-columns.ts";

export const auditRoutes = routes(auditCalls, {
  list: async ({ cursor, pageSize, ...filter }, { db, principal }) => {
    const after = cursor === undefined ? null : decodeCursor(cursor);
    const rows = await bypassTenantScope(db, () =>
      listAuditRows(db, principal.iid, { ...filter, zone: principal.timeZone }, { after, most: pageSize + 1 }),
    );
    const list = rows.slice(0, pageSize);
    return { list: list.map(toAuditEntry), next: rows.length > pageSize ? encodeCursor(list.at(-1)!) : null };
  },

  looks: async ({ id, cursor, pageSize }, { db, principal }) => {
    if (!(await patientExists(db, principal.iid, id))) return refuse("notFound");
    const after = cursor === undefined ? null : decodeCursor(cursor);
    const rows = await bypassTenantScope(db, () =>
      listPatientAccesses(db, principal.iid, id, { after, most: pageSize + 1 }),
    );
    const list = rows.slice(0, pageSize);
    return { list: list.map(toAccessEntry), next: rows.length > pageSize ? encodeCursor(list.at(-1)!) : null };
  },

  people: (_, { db, principal }) => bypassTenantScope(db, () => listAuditPeople(db, principal.iid)),

  export: (filter, context) =>
    bypassTenantScope(context.db, () => exportCsv(context, { ...filter, zone: context.principal.timeZone })),
});

const encodeCursor = ({ micros, imported, id }: AuditCursor): string => `${micros}.${imported ? 1 : 0}.${id}`;
function decodeCursor(cursor: string): AuditCursor {
  const [, micros, imported, id] = /^(\d{1,17})\.([01])\.(\d{1,18})$/.exec(cursor) ?? [];
  if (micros === undefined || id === undefined) return refuse("badInput", { cursor: "invalid" });
  return { micros, imported: imported === "1", id };
}

const toAuditEntry = (row: AuditRow): AuditLine => ({
  id: encodeCursor(row),
  ...pickColumns(
    row,
    "at",
    "user_id",
    "user_name",
    "action",
    "step",
    "subject",
    "patient_id",
    "order_number",
    "address",
    "imported",
  ),
});

const toAccessEntry = (row: AccessRow): AccessRecord => ({
  id: encodeCursor(row),
  at: row.at,
  who: row.user_name,
  house: row.house,
  action: row.action,
  step: row.step,
  order: row.order_id && row.order_number ? { id: row.order_id, number: row.order_number } : null,
  share: row.share,
});

const rowsPerBatch = 5000;

async function exportCsv({ db, principal, language, now }: MemberContext, filter: AuditFilter) {
  const count = { rows: 0, cut: false };
  const lines = guardStream(Readable.from(generateCsvLines(db, principal.iid, filter, language, count)));
  const name = `arcada-audit-${localDayIn(principal.timeZone, now)}.csv`;
  const kept = { kind: "trail", name, minutes: auditRules.csvMinutes, type: "text/csv" } as const;
  return { ...(await storeTable({ db, principal, language }, lines, kept)), ...count };
}

async function* generateCsvLines(
  db: Db,
  iid: string,
  filter: AuditFilter,
  language: Language,
  count: { rows: number; cut: boolean },
): AsyncGenerator<string> {
  const say = translatorOf(language, "trail");
  const columns = ["time", "person", "action", "code", "subject", "patient", "address", "imported"] as const;
  yield csvByteOrderMark + toCsvLine(columns.map((column) => say(`column.${column}`)));
  let after: AuditCursor | null = null;
  for (;;) {
    const most = Math.min(rowsPerBatch, auditRules.csvRows - count.rows);
    const rows: AuditRow[] = await listAuditRows(db, iid, filter, { after, most: Math.max(1, most) });
    if (most === 0) {
      count.cut = rows.length > 0;
      return;
    }
    if (rows.length === 0) return;
    count.rows += rows.length;
    yield rows.map((row) => toCsvLine(toCells(row, language, filter.zone))).join("");
    after = rows.at(-1)!;
  }
}

function toCells(row: AuditRow, language: Language, zone: string): string[] {
  const step = row.step && translateDynamic(language, "order", `action.${row.step}`, row.step);
  const words = translateDynamic(language, "trail", `action.${row.action}`, row.action);
  return [
    formatIsoWithOffset(zone, row.at),
    row.user_name ?? "",
    step ? `${words}: ${step}` : words,
    row.step ? `${row.action} ${row.step}` : row.action,
    row.order_number ?? row.subject ?? "",
    row.patient_id ?? "",
    row.address ?? "",
    row.imported ? "1" : "",
  ];
}
