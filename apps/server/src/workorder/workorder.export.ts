import { languages } from "@arcada/contract/kernel/languages";
import type { Parsed } from "@arcada/contract/kernel/call";
import type { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import type { WorkorderRow } from "@arcada/contract/workorder/workorder.schema";
import { workorderRules } from "@arcada/contract/workorder/workorder.rules";
import { utcZone } from "@arcada/contract/kernel/time-zone";
import { readInstitutionZone } from "../domain/institution-time-zone.ts";
import type { Database } from "../platform/database/database.ts";
import type { OpenDocument } from "../platform/http/pdf-routes.ts";
import type { Cell } from "../platform/spreadsheet/spreadsheet.ts";
import { translatorOf } from "../platform/text/texts.ts";
import type { NameUnder, TranslateIn } from "../platform/text/texts.ts";
import { noInstitution } from "./workorder.document.ts";
import { listOrders } from "./workorder.list.ts";

type Filter = Parsed<typeof workorderCalls.export>;

/** Opens the list of work orders under a filter as a spreadsheet; `scheme` contains the role of the reader. */
export const openWorkorderSheet =
  (database: Database): OpenDocument =>
  async ({ iid, uid, language: asked, scheme, filter = "{}" }, now) => {
    const institutionId = iid === noInstitution ? null : iid;
    const principal = { uid, iid: institutionId, role: scheme as "afterSalesMember" };
    const scope = { system: false, iid: institutionId, uid, service: institutionId === null } as const;
    const language = languages.find((one) => one === asked) ?? "en";
    const { timeZone = utcZone, ...list } = JSON.parse(filter) as Filter;
    const zone = institutionId ? await database.as(scope, (db) => readInstitutionZone(db, institutionId)) : timeZone;
    const t = translatorOf(language, "workorder");
    const columns = buildColumns(t, zone);
    const rows = readPages(list, (page) => database.as(scope, (db) => listOrders({ db, principal, now }, page)));
    return {
      name: "work-orders.xlsx",
      sheet: { name: t("list.title"), rightToLeft: language === "ar", columns, rows: toCells(columns, rows) },
    };
  };

const batchSize = 100;
/** Each page is a transaction of its own, so that a slow download holds none. */
async function* readPages(
  filter: Omit<Filter, "timeZone">,
  load: (page: Parsed<typeof workorderCalls.list>) => ReturnType<typeof listOrders>,
): AsyncGenerator<WorkorderRow[]> {
  let left: number = workorderRules.maxExported;
  for (let cursor: string | undefined; left > 0;) {
    const page = await load({ ...filter, pageSize: Math.min(batchSize, left), cursor });
    yield page.list;
    left -= page.list.length;
    if (page.next === null) return;
    cursor = page.next;
  }
}

interface Column {
  title: string;
  width: number;
  cell: (order: WorkorderRow) => Cell;
}
async function* toCells(columns: readonly Column[], pages: AsyncIterable<WorkorderRow[]>): AsyncGenerator<Cell[][]> {
  for await (const orders of pages) yield orders.map((order) => columns.map(({ cell }) => cell(order)));
}

function buildColumns(t: TranslateIn<"workorder">, zone: string): Column[] {
  const column = (key: NameUnder<"workorder.field">, width: number, cell: Column["cell"]): Column => ({
    title: t(`field.${key}`),
    width,
    cell,
  });
  const instant = (value: string | null): Cell => value && { instant: value, zone };
  return [
    column("number", 18, ({ number }) => number),
    column("type", 14, ({ type }) => t(`type.${type}`)),
    column("state", 18, ({ state, outcome }) => t(outcome === "void" ? "state.void" : `state.${state}`)),
    column("clinic", 28, ({ clinic }) => clinic.name),
    column("device", 24, ({ device }) => `${device.product} ${device.model}`),
    column("serialNumber", 20, ({ device }) => device.serialNumber),
    column("assignee", 18, ({ assignee }) => assignee?.name ?? null),
    column("plannedAt", 20, ({ plannedAt }) => instant(plannedAt)),
    column("createdAt", 20, ({ createdAt }) => instant(createdAt)),
    column("finishedAt", 20, ({ finishedAt }) => instant(finishedAt)),
    column("description", 50, ({ description }) => description),
  ];
}
