import { sql } from "kysely";
import { expect, it } from "vitest";
import { createClinician, createTestDatabase } from "@arcada/testing/setup/test-database";
import { listAuditRows } from "../../apps/server/src/audit/audit.store.ts";
import { newId } from "../../apps/server/src/platform/runtime/ids-and-secrets.ts";
import { openExplainingDatabase } from "../../bench/lib/explaining-database.ts";

const entries = 100_000;
/** The entries themselves take more than two thousand pages of 8 kB. */
const maxPages = 500;

it(
  "a page of the audit log does not read a growing part of it, whatever filters it",
  { timeout: 120_000 },
  async () => {
    const { database, connection } = await createTestDatabase();
    const { iid, uid } = await createClinician(database);
    const patient = newId();
    await database.asSystem(async (db) => {
      await sql`select arcada_add_partition('audit', now() - interval '70 days')`.execute(db);
      await sql`insert into audit (institution_id, user_id, action, subject, at)
      select ${iid}, ${uid}, (array['patient.read', 'study.read', 'order.read', 'patient.list'])[1 + n % 4],
        case when n % 10000 = 0 then ${patient} else gen_random_uuid()::text end, now() - n * interval '1 minute'
      from generate_series(1, ${sql.lit(entries)}) n`.execute(db);
      await sql`analyze audit`.execute(db);
    });
    const explaining = await openExplainingDatabase(connection, { role: "arcada_system" });
    const day = new Date(Date.now() - 40 * 86_400_000).toISOString().slice(0, 10);
    const filters = {
      newest: {},
      "an area without entries": { group: "relation" as const },
      "a person without entries": { user: newId() },
      "a patient": { patient },
      "a day": { from: day, to: day },
      "before the first entry": { to: "2020-03-02" },
    };
    const pages: Record<string, number> = {};
    for (const [name, filter] of Object.entries(filters)) {
      const read = () =>
        explaining.measure((db) => listAuditRows(db, iid, { zone: "UTC", ...filter }, { after: null, most: 51 }));
      await read();
      pages[name] = (await read()).pages;
    }
    await explaining.close();
    console.info(`audit log: pages of 8 kB read of ${entries} entries ${JSON.stringify(pages)}`);
    expect(Object.entries(pages).filter(([, count]) => count > maxPages)).toEqual([]);
  },
);
