import { Readable } from "node:stream";
import { dayIn, offsetTime } from "@arcada/contract/kernel/time-zone";
import { trailCalls, trailRules } from "@arcada/contract/trail/trail.calls";
import type { Look, TrailLine } from "@arcada/contract/trail/trail.calls";
import type { MemberContext } from "../platform/http/request-context.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { guardedStream } from "../platform/storage/guarded-stream.ts";
import { keepTable } from "../platform/spreadsheet/table-export.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve.ts";
import { textOf } from "../platform/text/texts.ts";
import type { Language } from "../platform/text/texts.ts";
import { csvLine, csvMark } from "./trail-csv.ts";
import { looksAt, patientIsThere, trailLines, trailPeople } from "./trail.store.ts";
import type { LookRow, TrailFilter, TrailPlace, TrailRow } from "./trail.store.ts";

export const trailRoutes = routes(trailCalls, {
  list: async ({ cursor, pageSize, ...filter }, { db, asker }) => {
    const after = cursor === undefined ? null : readCursor(cursor);
    const rows = await bypassTenantScope(db, () =>
      trailLines(db, asker.iid, { ...filter, zone: asker.timeZone }, { after, most: pageSize + 1 }),
    );
    const list = rows.slice(0, pageSize);
    return { list: list.map(shown), next: rows.length > pageSize ? cursorOf(list.at(-1)!) : null };
  },

  looks: async ({ id, cursor, pageSize }, { db, asker }) => {
    if (!(await patientIsThere(db, asker.iid, id))) return refuse("notFound");
    const after = cursor === undefined ? null : readCursor(cursor);
    const rows = await bypassTenantScope(db, () => looksAt(db, asker.iid, id, { after, most: pageSize + 1 }));
    const list = rows.slice(0, pageSize);
    return { list: list.map(lookOf), next: rows.length > pageSize ? cursorOf(list.at(-1)!) : null };
  },

  people: (_, { db, asker }) => bypassTenantScope(db, () => trailPeople(db, asker.iid)),

  export: (filter, context) =>
    bypassTenantScope(context.db, () => asTable(context, { ...filter, zone: context.asker.timeZone })),
});

const cursorOf = ({ micros, imported, id }: TrailPlace): string => `${micros}.${imported ? 1 : 0}.${id}`;
function readCursor(cursor: string): TrailPlace {
  const [, micros, imported, id] = /^(\d{1,17})\.([01])\.(\d{1,18})$/.exec(cursor) ?? [];
  if (micros === undefined || id === undefined) return refuse("badInput", { cursor: "invalid" });
  return { micros, imported: imported === "1", id };
}

const shown = (row: TrailRow): TrailLine => ({
  id: cursorOf(row),
  at: row.at,
  userId: row.user_id,
  userName: row.user_name,
  action: row.action,
  step: row.step,
  subject: row.subject,
  patientId: row.patient_id,
  orderNumber: row.order_number,
  address: row.address,
  imported: row.imported,
});

const lookOf = (row: LookRow): Look => ({
  id: cursorOf(row),
  at: row.at,
  who: row.user_name,
  house: row.house,
  action: row.action,
  step: row.step,
  order: row.order_id && row.order_number ? { id: row.order_id, number: row.order_number } : null,
  share: row.share,
});

const atOnce = 5000;

async function asTable({ db, asker, language, now }: MemberContext, filter: TrailFilter) {
  const count = { rows: 0, cut: false };
  const lines = guardedStream(Readable.from(tableLines(db, asker.iid, filter, language, count)));
  const name = `arcada-audit-${dayIn(asker.timeZone, now)}.csv`;
  const kept = { kind: "trail", name, minutes: trailRules.csvMinutes, type: "text/csv" } as const;
  return { ...(await keepTable({ db, asker, language }, lines, kept)), ...count };
}

async function* tableLines(
  db: Db,
  iid: string,
  filter: TrailFilter,
  language: Language,
  count: { rows: number; cut: boolean },
): AsyncGenerator<string> {
  const say = (key: string) => textOf(language, "trail", key);
  const columns = ["time", "person", "action", "code", "subject", "patient", "address", "imported"];
  yield csvMark + csvLine(columns.map((column) => say(`column.${column}`)));
  let after: TrailPlace | null = null;
  for (;;) {
    const most = Math.min(atOnce, trailRules.csvRows - count.rows);
    const rows: TrailRow[] = await trailLines(db, iid, filter, { after, most: Math.max(1, most) });
    if (most === 0) {
      count.cut = rows.length > 0;
      return;
    }
    if (rows.length === 0) return;
    count.rows += rows.length;
    yield rows.map((row) => csvLine(cellsOf(row, language, filter.zone))).join("");
    after = rows.at(-1)!;
  }
}

function cellsOf(row: TrailRow, language: Language, zone: string): string[] {
  const step = row.step && wordsOf(language, "order", `action.${row.step}`, row.step);
  const words = wordsOf(language, "trail", `action.${row.action}`, row.action);
  return [
    offsetTime(zone, row.at),
    row.user_name ?? "",
    step ? `${words}: ${step}` : words,
    row.step ? `${row.action} ${row.step}` : row.action,
    row.order_number ?? row.subject ?? "",
    row.patient_id ?? "",
    row.address ?? "",
    row.imported ? "1" : "",
  ];
}

function wordsOf(language: Language, file: string, key: string, otherwise: string): string {
  const words = textOf(language, file, key);
  return words === key ? otherwise : words;
}
