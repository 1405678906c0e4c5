import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { StartError } from "../runtime/config.ts";
import { type EmbeddedPostgres, startPostgres } from "./embedded-postgres.ts";
import { isAlive, readPid } from "./postmaster.ts";

const place = mkdtempSync(path.join(tmpdir(), "arcada-postgres-"));
const folder = path.join(place, "postgres");
const running: EmbeddedPostgres[] = [];
const start = async (): Promise<EmbeddedPostgres> => {
  const started = await startPostgres({ folder });
  running.push(started);
  return started;
};
const ask = async (database: EmbeddedPostgres, sql: string): Promise<unknown> => {
  const client = new pg.Client(database.connection);
  client.on("error", () => {});
  await client.connect();
  try {
    return Object.values((await client.query({ text: sql, rowMode: "array" })).rows[0] ?? [])[0];
  } finally {
    await client.end();
  }
};
const postmaster = (): number => readPid(path.join(folder, "postmaster.pid"));

afterEach(async () => {
  for (const database of running.splice(0)) await database.stop();
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe("the embedded database", () => {
  it("starts in an empty folder, with checksums, and treats Chinese characters as letters", async () => {
    const database = await start();
    await ask(database, "create extension if not exists pg_trgm");
    expect(await ask(database, "select array_length(show_trgm('王伟国'), 1)")).toBeGreaterThan(2);
    expect(await ask(database, "show data_checksums")).toBe("on");
    expect(await ask(database, "show listen_addresses")).toBe("");
    expect(await ask(database, "select pg_size_bytes(current_setting('shared_buffers')) >= 2 ^ 27")).toBe(true);
    expect(await ask(database, "select current_database() || ' ' || current_user")).toBe("arcada arcada_owner");
  });

  it("leaves no process, socket or lock behind when the last one stops", async () => {
    const [first, second] = [await start(), await start()];
    expect([first.wasRunning, second.wasRunning]).toEqual([false, true]);
    const pid = postmaster();
    await first.stop();
    expect(await ask(second, "select 1")).toBe(1);
    await second.stop();
    expect(isAlive(pid)).toBe(false);
    expect(existsSync(second.connection.host)).toBe(false);
    expect(readdirSync(place).sort()).toEqual(["postgres", "postgres.log"]);
  });

  it("restarts automatically when it is killed, and keeps all acknowledged data", async () => {
    const database = await start();
    await ask(database, "create table kept as select 42 as answer");
    const killed = postmaster();
    process.kill(killed, "SIGKILL");
    await expect.poll(() => ask(database, "select answer from kept").catch(String), { timeout: 20_000 }).toBe(42);
    expect(postmaster()).not.toBe(killed);
  });

  it("is found again after all processes were killed with -9, also while it started", async () => {
    for (let round = 0; round < 6; round++) {
      const other = otherProcess();
      await sleep(round * 25);
      other.kill("SIGKILL");
      if (postmaster() && round % 2 === 0) process.kill(postmaster(), "SIGKILL");
      const database = await start();
      expect(await ask(database, "select answer from kept")).toBe(42);
      if (round % 3 === 0) await database.stop();
    }
  });

  it("serves several processes that start at once from one cluster", async () => {
    const others = [otherProcess(), otherProcess(), otherProcess()];
    const pids = await Promise.all(others.map(firstLine));
    expect(new Set(pids).size).toBe(1);
    expect(Number(pids[0])).toBe(postmaster());
    for (const other of others) other.kill("SIGTERM");
    await expect.poll(() => isAlive(Number(pids[0])), { timeout: 20_000 }).toBe(false);
  });

  it("distinguishes the database from another program that got the process id of a dead postmaster", async () => {
    await (await start()).stop();
    writeFileSync(path.join(folder, "postmaster.pid"), `${process.pid}\n${folder}\n0\n5432\n`);
    writeFileSync(`${folder}.lock`, `${process.pid} another-life`);
    expect(await ask(await start(), "select 1")).toBe(1);
  });
});

describe("a start that cannot succeed", () => {
  it("reports in one sentence that the folder holds something else", async () => {
    const taken = path.join(place, "taken");
    mkdirSync(taken);
    writeFileSync(path.join(taken, "letter.txt"), "Dear Sir");
    await expect(startPostgres({ folder: taken })).rejects.toThrow(
      /^\S+taken holds something else than a database: [^\n]+$/,
    );
    expect(readFileSync(path.join(taken, "letter.txt"), "utf8")).toBe("Dear Sir");
  });

  it("reports in one sentence that the folder cannot be written", async () => {
    const failure = await startPostgres({ folder: path.join(place, "taken/letter.txt/postgres") }).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(StartError);
    expect(String(failure)).toMatch(/cannot be written: [^\n]+$/);
  });

  it("asks for DATABASE_URL if there are no programs to run", async () => {
    process.env.ARCADA_POSTGRES_BIN = path.join(place, "nowhere");
    try {
      await expect(startPostgres({ folder: path.join(place, "other") })).rejects.toThrow(/set DATABASE_URL/);
    } finally {
      delete process.env.ARCADA_POSTGRES_BIN;
    }
  });
});

/** Spawns a separate process that starts the database, prints the postmaster's number and stops on SIGTERM. */
function otherProcess(): ChildProcess {
  const program = `
    import { readFileSync } from "node:fs";
    const { startPostgres } = await import(${JSON.stringify(path.join(import.meta.dirname, "embedded-postgres.ts"))});
    const database = await startPostgres({ folder: ${JSON.stringify(folder)} });
    process.on("SIGTERM", () => void database.stop().then(() => process.exit()));
    console.log(readFileSync(${JSON.stringify(path.join(folder, "postmaster.pid"))}, "utf8").split("\\n")[0]);
  `;
  return spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: ["ignore", "pipe", "inherit"] });
}
const firstLine = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    child.stdout?.once("data", (data: Buffer) => resolve(String(data).trim()));
    child.once("exit", (code) => reject(new Error(`ended with ${code}`)));
  });
