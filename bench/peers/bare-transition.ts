import Fastify from "fastify";
import { sql } from "kysely";
import type pg from "pg";
import { successCode } from "@arcada/contract/kernel/refusals";
import { openDatabase } from "../../apps/server/src/platform/database/database.ts";
import { prepared } from "../../apps/server/src/platform/database/prepared-statements.ts";
import { peerSettings } from "./peer-process.ts";

export interface BareTransition {
  connection: pg.PoolConfig;
  iid: string;
}

// Each request writes one row with one statement inside the tenant scope and returns it. There is no authentication and
// no other work.
const { connection, iid } = peerSettings<BareTransition>();
const database = openDatabase(connection);
const app = Fastify();
app.post<{ Body: { id: string } }>("/", async ({ body: { id } }) => {
  const version = await database.as({ system: false, iid, uid: null }, async (db) => {
    const { rows } = await sql<{ version: number }>`${prepared} update orders
      set version = version + 1, updated_at = clock_timestamp() where institution_id = ${iid} and id = ${id}
      returning version`.execute(db);
    return rows[0].version;
  });
  return { code: successCode, msg: "", data: { id, version } };
});
process.once("SIGTERM", () => void Promise.all([app.close(), database.close()]));
process.stdout.write(`${await app.listen({ host: "127.0.0.1", port: 0 })}\n`);
