import { spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { startPostgres } from "../../../apps/server/src/platform/postgres/embedded-postgres.ts";
import type { StoredFileInfo } from "../../../apps/server/src/platform/storage/file-store.ts";
import { present } from "@arcada/testing/require-present";

const cli = path.join(import.meta.dirname, "../../../apps/server/src/cli.ts");
const environment = (dataDir: string, more: Record<string, string> = {}) => ({
  ...process.env,
  DATA_DIR: dataDir,
  ARCADA_DEMO: "off",
  ...more,
});
/** Starts a command that a test kills. */
export const begin = (dataDir: string, command: string[], more: Record<string, string> = {}): ChildProcess =>
  spawn(process.execPath, [cli, ...command], { env: environment(dataDir, more), stdio: "ignore" });
/** Runs a command to its end. */
export function run(
  dataDir: string,
  command: string[],
  more: Record<string, string> = {},
): { code: number | null; text: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...command], {
    env: environment(dataDir, more),
    encoding: "utf8",
  });
  return { code: status, text: `${stdout}${stderr}` };
}

export const hash = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** Hashes the rows of every table, and the bytes of every stored file. */
export async function fingerprint(dataDir: string): Promise<Record<string, string>> {
  const postgres = await startPostgres({ folder: path.join(dataDir, "postgres") });
  const found = await hashRows(postgres.connection);
  await postgres.stop();
  for (const area of ["originals", "converted"])
    for (const file of readdirSync(path.join(dataDir, "files"), { recursive: true, encoding: "utf8" }))
      if (file.startsWith(area) && /[0-9a-f]{64}$/.test(file))
        found[file] = hash(readFileSync(path.join(dataDir, "files", file)));
  const uploads = path.join(dataDir, "uploads");
  for (const name of existsSync(uploads) ? readdirSync(uploads) : [])
    found[`uploads/${name}`] = hash(readFileSync(path.join(uploads, name)));
  return found;
}

/** Hashes the rows of every table. */
export async function hashRows(connection: pg.ClientConfig): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    "select quote_ident(table_name) as name from information_schema.tables where table_type = 'BASE TABLE' and table_schema = 'public'",
  );
  for (const { name } of rows) {
    const text = `select count(*) || ' ' || md5(coalesce(string_agg(t::text, e'\\n' order by t::text), '')) as hash from ${name} t`;
    found[name] = present((await client.query<{ hash: string }>(text)).rows[0]).hash;
  }
  await client.end();
  return found;
}

/** Records stored files as the server does, so that rows refer to them. */
export async function countStored(dataDir: string, iid: string, stored: readonly StoredFileInfo[]): Promise<void> {
  const postgres = await startPostgres({ folder: path.join(dataDir, "postgres") });
  const client = new pg.Client(postgres.connection);
  await client.connect();
  for (const { sha256, bytes } of stored)
    await client.query("insert into stored_file (institution_id, sha256, bytes) values ($1, $2, $3)", [
      iid,
      sha256,
      bytes,
    ]);
  await client.end();
  await postgres.stop();
}
