import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { expect, inject, it } from "vitest";
import { readConfig } from "../../apps/server/src/platform/runtime/config.ts";
import { newId } from "../../apps/server/src/platform/runtime/ids-and-secrets.ts";
import { start } from "../../apps/server/src/start.ts";
import { connectionForDatabase } from "@arcada/testing/setup/template-database";

it("runs on a database whose owner is not a superuser and was granted the two roles by another role", async () => {
  const shared = inject("postgres");
  const name = `o_${newId().replaceAll("-", "")}`;
  const admin = new pg.Client(shared);
  await admin.connect();
  await admin.query(`create role ${name} login password 'plain-owner'`);
  await admin.query(`grant arcada_app, arcada_system to ${name}`);
  await admin.query(`create database ${name} owner ${name}`);
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-owner-"));
  const config = readConfig({ DATA_DIR: folder, PORT: "0", LOG_LEVEL: "silent", ARCADA_DEMO: "off" });
  const connection = { ...connectionForDatabase(shared, name), user: name, password: "plain-owner" };
  const running = await start(config, { connection }).catch(async (error: unknown) => {
    await admin.end();
    throw error;
  });
  const ready = await fetch(`${running.address}/readyz`);
  const checks = await ready.json();
  const sent = await running.database.asSystem(
    async (db) => (await db.selectFrom("storage").select("id").execute()).length,
  );
  await running.stop();
  await admin.query(`drop database ${name}`);
  await admin.query(`drop role ${name}`);
  await admin.end();
  rmSync(folder, { recursive: true, force: true });
  expect(checks).toMatchObject({ status: "ready" });
  expect(sent).toBe(1);
});
