import { sql } from "kysely";
import { expect, it } from "vitest";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { createTestDatabase } from "@arcada/testing/setup/test-database";
import { listAuditRows } from "../../apps/server/src/audit/audit.store.ts";
import { listGroups } from "../../apps/server/src/notice/notice-groups.store.ts";
import { countUnread, listNotices } from "../../apps/server/src/notice/notice.store.ts";
import { findUnsealed, listAuditLines } from "../../apps/server/src/operator/audit.store.ts";
import { listOrders } from "../../apps/server/src/order/list/list-pages.ts";
import { buildListQueries } from "../../apps/server/src/patient/patient.list.ts";
import { findLastSealed } from "../../apps/server/src/platform/audit/audit-chain.ts";
import type { Db } from "../../apps/server/src/platform/database/database.ts";
import { listInbox } from "../../apps/server/src/study/inbox/inbox.store.ts";
import { insertAuditRows, insertNotices } from "../../bench/data/audit-and-notice-dataset.ts";
import type { Institution } from "../../bench/data/clinic.ts";
import { createOrderDataset } from "../../bench/data/order-dataset.ts";
import { createPatientDataset } from "../../bench/data/patient-dataset.ts";
import { openExplainingDatabase } from "../../bench/lib/explaining-database.ts";
import type { ListCost } from "../../bench/lib/explaining-database.ts";

/** The part of the full size: 10 million patients, 5 million orders, 100 million rows of the audit log, 10 million notices. */
const size = Number(process.env.ARCADA_GROWTH ?? 0.01);
const rounds = 20;

interface Houses {
  clinic: Institution;
  lab: Institution;
}
interface List {
  role: "arcada_app" | "arcada_system";
  read: (db: Db, houses: Houses) => Promise<unknown>;
}

const order = (query: Record<string, string>): List => ({
  role: "arcada_app",
  read: (db, { lab }) => listOrders(db, { iid: lab.iid, timeZone: "UTC" }, orderCalls.list.input.parse(query)),
});
const patient = (query: Record<string, string>): List => ({
  role: "arcada_app",
  read: async (db, { clinic }) => {
    const today = new Date().toISOString().slice(0, 10);
    for (const statement of buildListQueries(
      { iid: clinic.iid, timeZone: "UTC", today },
      patientCalls.list.input.parse(query),
    ))
      await statement.execute(db);
  },
});
const page = { after: null, most: 51 };
const auditOf = (filter: object): List => ({
  role: "arcada_system",
  read: (db, { clinic }) => listAuditRows(db, clinic.iid, { zone: "UTC", ...filter }, page),
});
const auditOfAll = (filter: object): List => ({
  role: "arcada_system",
  read: (db) => listAuditLines(db, { zone: 0, ...filter }, page),
});

const lists: Record<string, List> = {
  "patients, first page": patient({}),
  "patients, by name": patient({ sort: "name" }),
  "patients, two signs of a name": patient({ search: "王伟" }),
  "orders, first page": order({}),
  "orders, one state": order({ state: "completed" }),
  "orders, by patient": order({ sort: "patient" }),
  "orders, one task by its due days": order({ task: "design", sort: "due" }),
  "orders, tasks of the other side": order({ task: "atClinic", sort: "due" }),
  inbox: { role: "arcada_app", read: (db, { clinic }) => listInbox(db, clinic.iid, null, 50) },
  notices: { role: "arcada_app", read: (db, { clinic }) => listNotices(db, clinic.uid, ["orderMoved"]) },
  "notices by topic": { role: "arcada_app", read: (db, { clinic }) => listGroups(db, clinic.uid, "todo", undefined) },
  "unread notices": { role: "arcada_app", read: (db, { clinic }) => countUnread(db, clinic.uid) },
  "audit log of an organisation": auditOf({}),
  "audit log of an organisation, one area": auditOf({ group: "report" }),
  "audit log of an organisation, one person": {
    role: "arcada_system",
    read: (db, { clinic }) => listAuditRows(db, clinic.iid, { zone: "UTC", user: clinic.uid }, page),
  },
  "audit log of all": auditOfAll({}),
  "audit log of all, one action": auditOfAll({ action: "report.sign" }),
  "rows without a seal": { role: "arcada_system", read: findUnsealed },
  "head of the audit log": { role: "arcada_system", read: findLastSealed },
  "sessions of a person": {
    role: "arcada_app",
    read: (db, { clinic }) =>
      sql`select id from session where user_id = ${clinic.uid} and ended_at is null and rotated_at is null`.execute(db),
  },
};

async function measureLists(scale: number): Promise<Record<string, ListCost>> {
  const { connection } = await createTestDatabase();
  const clinic = await createPatientDataset(connection, Math.round(10_000_000 * scale));
  const { lab } = await createOrderDataset(connection, Math.round(5_000_000 * scale));
  await insertAuditRows(connection, clinic, Math.round(100_000_000 * scale));
  await insertNotices(connection, clinic, Math.round(10_000_000 * scale));
  const costs: Record<string, ListCost> = {};
  for (const [name, { role, read }] of Object.entries(lists)) {
    const reader = name.startsWith("orders") ? lab : clinic;
    const database = await openExplainingDatabase(connection, { role, iid: reader.iid, uid: reader.uid });
    await database.measure((db) => read(db, { clinic, lab }));
    const found: ListCost[] = [];
    for (let round = 0; round < rounds; round++) found.push(await database.measure((db) => read(db, { clinic, lab })));
    await database.close();
    const slowest = found.map(({ milliseconds }) => milliseconds).toSorted((one, other) => one - other);
    costs[name] = {
      pages: Math.min(...found.map(({ pages }) => pages)),
      milliseconds: slowest[Math.floor(rounds * 0.95) - 1] ?? Number.NaN,
    };
  }
  return costs;
}

/**
 * The rows of a small table share pages; in a large one, every row of a list and what is joined to it can lie on a page
 * of its own, and so can the thousand matches that a list counts at most. A list that reads more pages than this scans
 * its table, which has tens of thousands.
 */
const maxPages = 2000;
/** A search reads each of its hits, and a clinic of a hundred times as many patients has a hundred times as many. */
const searches = ["patients, two signs of a name"];

it(
  `no list reads a growing part of its table: at ${size} of the full size and at a hundredth of that`,
  { timeout: 7_200_000 },
  async () => {
    const small = await measureLists(size / 100);
    const large = await measureLists(size);
    const rows = Object.entries(large).map(([list, { pages, milliseconds }]) => {
      const before = small[list] ?? { pages: Number.NaN, milliseconds: Number.NaN };
      return {
        list,
        "pages at a hundredth": before.pages,
        pages,
        "pages, ratio": Number((pages / before.pages).toFixed(2)),
        "p95 ms at a hundredth": Number(before.milliseconds.toFixed(2)),
        "p95 ms": Number(milliseconds.toFixed(2)),
      };
    });
    console.table(rows);
    const grown = rows
      .filter(
        (row) => !searches.includes(row.list) && row.pages > maxPages && row.pages > 1.3 * row["pages at a hundredth"],
      )
      .map(({ list }) => list);
    expect(grown).toEqual([]);
  },
);
