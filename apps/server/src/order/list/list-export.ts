import { listRules } from "@arcada/contract/order/order-list.filter";
import type { OrderFilter } from "@arcada/contract/order/order-list.filter";
import type { OrderRow } from "@arcada/contract/order/order.calls";
import { orderStateKey } from "@arcada/contract/order/order.lifecycle";
import type { MemberContext } from "../../platform/http/request-context.ts";
import { storeSpreadsheet } from "../../data-export/stored-spreadsheet.writes.ts";
import type { Cell } from "../../platform/spreadsheet/spreadsheet.ts";
import { translatorOf } from "../../platform/text/texts.ts";
import type { NameUnder, TranslateIn } from "../../platform/text/texts.ts";
import { listOrders } from "./list-pages.ts";
import { rowView } from "../core/order.view.ts";

type Translate = TranslateIn<"order">;

/** Exports the list under this filter as a spreadsheet, which is written while it is read and is kept for a while. */
export async function exportOrders({ db, principal, language }: MemberContext, filter: OrderFilter) {
  const t = translatorOf(language, "order");
  const count = { rows: 0, cut: false };
  const columns = buildColumns(t, principal.timeZone);
  const storeOptions = {
    kind: "orders",
    name: `${listRules.exportName}.xlsx`,
    minutes: listRules.exportMinutes,
  } as const;
  const rows = toCells(columns, readRows(db, principal, filter, count));
  return {
    ...(await storeSpreadsheet({ db, principal, language }, { name: t("title"), columns, rows }, storeOptions)),
    ...count,
  };
}

const batchSize = 250;

async function* readRows(
  db: MemberContext["db"],
  principal: MemberContext["principal"],
  filter: OrderFilter,
  count: { rows: number; cut: boolean },
): AsyncGenerator<OrderRow[]> {
  for (let cursor: string | undefined; ;) {
    const page = await listOrders(db, principal, { ...filter, page: 1, pageSize: batchSize, cursor });
    const list = page.list.slice(0, listRules.exportRows - count.rows);
    count.rows += list.length;
    count.cut = list.length < page.list.length || (count.rows === listRules.exportRows && page.next !== null);
    yield list.map((order) => rowView(order, principal));
    if (page.next === null || count.rows === listRules.exportRows) return;
    cursor = page.next;
  }
}

interface Column {
  title: string;
  width: number;
  cell: (order: OrderRow) => Cell;
}

async function* toCells(columns: readonly Column[], pages: AsyncIterable<OrderRow[]>): AsyncGenerator<Cell[][]> {
  for await (const orders of pages) yield orders.map((order) => columns.map(({ cell }) => cell(order)));
}

function buildColumns(t: Translate, zone: string): Column[] {
  const column = (key: NameUnder<"order.list.export">, width: number, cell: Column["cell"]): Column => ({
    title: t(`list.export.${key}`),
    width,
    cell,
  });
  const day = (value: string | null): Cell => value && { day: value };
  return [
    column("number", 18, ({ number }) => number),
    column("way", 10, ({ mine }) => t(`list.export.${mine === "sender" ? "sent" : "received"}`)),
    column("other", 26, (order) => (order.mine === "sender" ? order.receiver?.name : order.sender.name) ?? null),
    column("patient", 18, ({ patientName }) => patientName),
    column("patientNumber", 14, ({ patientNumber }) => patientNumber),
    column("caseType", 14, ({ caseType }) => t(`caseType.${caseType}`)),
    column("teeth", 18, ({ teeth }) => teeth.join(" ")),
    column("state", 16, (order) => t(orderStateKey(order))),
    column("turn", 20, (order) => turnText(t, order)),
    column("responsible", 16, ({ responsibleName }) => responsibleName),
    column("creator", 16, ({ creatorName }) => creatorName),
    column("assignee", 16, ({ assigneeName }) => assigneeName),
    column("due", 12, ({ dueDate }) => day(dueDate)),
    column("promised", 12, ({ promisedDate }) => day(promisedDate)),
    column("created", 17, ({ createdAt }) => ({ instant: createdAt, zone })),
    column("updated", 17, ({ updatedAt }) => ({ instant: updatedAt, zone })),
  ];
}

const turnText = (t: Translate, { turn, myTurn }: OrderRow): string | null =>
  turn === "nobody" ? null : t(`turn.${myTurn ? "mine" : turn}`);
