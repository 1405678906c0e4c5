import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { createFixtures } from "@arcada/testing/fixtures/patient-with-orders";
import { getTestServer, setup } from "@arcada/testing/setup/test-server";

/**
 * The tables that every institution may read of others: the directory of institutions, and names of people (columns are
 * granted one by one).
 */
const unscopedTables = new Set(["institution", "users"]);

describe("T-01c: the database alone keeps organisations apart", () => {
  it("shows another organisation's user no row of any table, even without the checks of the services", async () => {
    const testServer = await getTestServer();
    const home = await setup();
    await createFixtures(home);
    await home.clinic.call("member.invite", { email: "somebody@elsewhere.test", authorityId: 233 });
    await (await testServer.createUser("newUser")).call("member.apply", { iid: home.clinic.iid });
    const stranger = await testServer.createUser("clinicAdmin", await testServer.createInstitution("clinic"));
    const { database } = testServer.running;
    const tables = await database.asSystem((db) =>
      sql<{
        name: string;
        forced: boolean;
        partition: boolean;
      }>`select relname as name, relrowsecurity and relforcerowsecurity as forced, relispartition as partition from pg_class
        where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and relname <> 'migration'`.execute(db),
    );
    let foreign = 0;
    let colleagues = 0;
    for (const { name, forced, partition } of tables.rows) {
      expect(forced, `${name} has row-level security also for its owner`).toBe(true);
      // No role has rights on a partition: its rows are reached through the table.
      if (partition) continue;
      const all = await database.asSystem((db) =>
        sql<{ n: number }>`select count(*)::int as n from ${sql.table(name)}`.execute(db),
      );
      const seen = await database.as({ system: false, iid: stranger.iid, uid: stranger.uid }, async (db) => {
        const granted = await sql<{
          ok: boolean;
        }>`select has_table_privilege(current_user, ${`public.${name}`}, 'select') as ok`.execute(db);
        return granted.rows[0].ok
          ? (
              await sql<{ row: Record<string, unknown> }>`select to_jsonb(t) as row from ${sql.table(name)} t`.execute(
                db,
              )
            ).rows
          : [];
      });
      colleagues += all.rows[0].n;
      if (unscopedTables.has(name)) continue;
      foreign += seen.filter(({ row }) => row.user_id !== stranger.uid && row.institution_id !== stranger.iid).length;
    }
    console.info(`T-01c: ${tables.rows.length} tables, ${colleagues} rows, ${foreign} foreign rows seen`);
    expect(colleagues).toBeGreaterThan(40);
    expect(foreign).toBe(0);
  });

  it("lets nobody write a row for another organisation", async () => {
    const testServer = await getTestServer();
    const victim = await setup();
    const stranger = await testServer.createUser("clinicAdmin", await testServer.createInstitution("clinic"));
    const { database } = testServer.running;
    const attack = (statement: ReturnType<typeof sql>) =>
      database
        .as(
          { system: false, iid: stranger.iid, uid: stranger.uid },
          async (db) => (await statement.execute(db)).numAffectedRows ?? 0n,
        )
        .catch(() => 0n);
    expect(await attack(sql`update patient set name = 'stolen' where institution_id = ${victim.clinic.iid}`)).toBe(0n);
    expect(await attack(sql`update institution set name = 'stolen' where id = ${victim.clinic.iid}`)).toBe(0n);
    expect(await attack(sql`update users set nick_name = 'stolen' where id = ${victim.clinic.uid}`)).toBe(0n);
    expect(await attack(sql`delete from session where user_id = ${victim.clinic.uid}`)).toBe(0n);
    expect(
      await attack(
        sql`insert into membership (id, institution_id, user_id, authority_id, state) values (${stranger.uid}, ${victim.clinic.iid}, ${stranger.uid}, 222, 'normal')`,
      ),
    ).toBe(0n);
  });

  it("shows colleagues' names, but neither passwords nor private data", async () => {
    const testServer = await getTestServer();
    const { clinic } = await setup();
    const readColumn = (column: string) =>
      testServer.running.database.as({ system: false, iid: clinic.iid, uid: clinic.uid }, (db) =>
        sql`select ${sql.ref(column)} from users`.execute(db),
      );
    await expect(readColumn("nick_name")).resolves.toBeDefined();
    for (const column of ["password_hash", "birthday", "address"])
      await expect(readColumn(column), column).rejects.toThrow(/permission denied/);
  });
});
