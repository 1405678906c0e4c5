import Fastify from "fastify";
import pg from "pg";
import { peerSettings } from "./peer-process.ts";

export interface BareRoute {
  connection: pg.PoolConfig;
  query: { text: string; values: unknown[] };
}

// Sends the result of one query as JSON and nothing else: no authentication, no validation, no writes, no tenant scope.
const { connection, query } = peerSettings<BareRoute>();
const pool = new pg.Pool({ ...connection, max: 10 });
const app = Fastify();
app.get("/", async () => ({ code: 200, data: (await pool.query(query.text, query.values)).rows }));
process.once("SIGTERM", () => void Promise.all([app.close(), pool.end()]));
process.stdout.write(`${await app.listen({ host: "127.0.0.1", port: 0 })}\n`);
