import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { defaultDataDir, MissingHomeError } from "./data-folder.ts";
import { moveDataFolder } from "./move-data-folder.ts";
import { readConfig, StartError } from "./config.ts";
import { startPostgres } from "../postgres/embedded-postgres.ts";

const base = mkdtempSync(path.join(tmpdir(), "arcada-folder-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));
const root = path.join(import.meta.dirname, "../../../../..");
const isRoot = process.getuid?.() === 0;

describe("the default data folder", () => {
  it("is outside the checkout, under every home or without one, and differs for each checkout", () => {
    const inside = path.join(root, ".build/home");
    mkdirSync(inside, { recursive: true });
    for (const environment of [
      {},
      { HOME: base },
      { HOME: "/nonexistent" },
      { HOME: inside },
      { XDG_DATA_HOME: root },
      { XDG_DATA_HOME: "data" },
    ]) {
      const { dataDir } = readConfig(environment as NodeJS.ProcessEnv);
      expect(path.relative(root, dataDir), JSON.stringify(environment)).toMatch(/^\.\./);
      expect(path.isAbsolute(dataDir)).toBe(true);
    }
    const checkouts = ["one/arcada", "two/arcada"].map((name) => path.join(base, name));
    expect(new Set(checkouts.map((checkout) => defaultDataDir({ HOME: base }, checkout))).size).toBe(2);
    expect(defaultDataDir({ XDG_DATA_HOME: base })).toMatch(new RegExp(`^${base}/arcada/`));
    expect(defaultDataDir({ HOME: base })).toContain(isRoot ? "/var/lib/arcada/" : `${base}/.local/share/arcada/`);
    expect(readConfig({ DATA_DIR: "data" }).dataDir).toBe(path.resolve("data"));
  });

  it("is not replaced by one beside the checkout while a configured home is missing or not mounted", () => {
    const [checkout, home] = [path.join(base, "volume/arcada"), path.join(base, "volume/home")];
    const uid = statSync(base).uid + 1000;
    const choose = (environment: Record<string, string>) => () => defaultDataDir(environment, checkout, uid);
    expect(choose({ HOME: home })).toThrow(MissingHomeError);
    expect(choose({ HOME: home })).toThrow(`The home folder ${home} (HOME) does not exist or is not mounted`);
    // A mount point before the mount: an empty folder of another user.
    mkdirSync(home, { recursive: true });
    expect(choose({ HOME: home })).toThrow(MissingHomeError);
    expect(choose({ HOME: home, XDG_DATA_HOME: base })()).toMatch(new RegExp(`^${base}/arcada/`));
    // The data of a start that did not notice is named.
    const beside = choose({})();
    mkdirSync(beside, { recursive: true });
    writeFileSync(path.join(beside, "secret.key"), "a key");
    expect(choose({ HOME: home })).toThrow(`There is data in ${beside}`);
    // Containers have no home, or the root of the file system, which belongs to another user.
    expect(beside).toBe(path.join(base, "volume/arcada-data", path.basename(beside)));
    expect(choose({ HOME: "/" })()).toBe(beside);
    expect(choose({ HOME: "/nonexistent" })()).toBe(beside);
    expect(readConfig({ HOME: home, DATA_DIR: base }).dataDir).toBe(base);
  });

  it.skipIf(isRoot)("refuses to start with a clear sentence if the home is missing", () => {
    expect(() => readConfig({ HOME: "/nowhere/home" })).toThrow(StartError);
  });
});

let places = 0;
/** Data of an earlier version in a checkout, and where it shall lie. */
function place(): { checkout: string; from: string; to: string; sum: string } {
  const checkout = path.join(base, `checkout-${places++}`);
  const from = path.join(checkout, "data");
  mkdirSync(path.join(from, "files/ab"), { recursive: true, mode: 0o700 });
  mkdirSync(path.join(from, "outbox"), { mode: 0o700 });
  writeFileSync(path.join(from, "secret.key"), "a key", { mode: 0o600 });
  for (let file = 0; file < 40; file++) writeFileSync(path.join(from, "files/ab", `${file}`), randomBytes(60_000));
  return { checkout, from, to: path.join(base, `there-${places}`, "arcada"), sum: sumOf(from) };
}
const sumOf = (folder: string): string => {
  const hash = createHash("sha256");
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted())
    if (lstatSync(path.join(folder, name)).isFile())
      hash.update(`${name}\0`).update(readFileSync(path.join(folder, name)));
  return hash.digest("hex");
};
const said: string[] = [];
const say = (line: string) => void said.push(line);
const worker = path.join(root, "packages/testing/src/workers/data-move-worker.ts");
const moving = (from: string, to: string) =>
  spawn(process.execPath, [worker, from, to, "copy"], { stdio: ["ignore", "pipe", "inherit"] });

describe("data of an earlier version in the checkout", () => {
  it.each([false, true])("is moved with a log line, across file systems: %s", async (copies) => {
    const { from, to, sum } = place();
    await moveDataFolder({ from, to, copies, log: say });
    expect([sumOf(to), existsSync(from), statSync(to).mode & 0o777]).toEqual([sum, false, 0o700]);
    expect(statSync(path.join(to, "secret.key")).mode & 0o777).toBe(0o600);
    expect(said.at(-1)).toContain(`${from} to ${to}`);
    const before = said.length;
    await moveDataFolder({ from, to, copies, log: say });
    expect(said.length).toBe(before);
  });

  it("survives a kill at any moment of its copying, and the next start continues", { timeout: 300_000 }, async () => {
    for (let round = 0; round < 6; round++) {
      const { checkout, from, to, sum } = place();
      for (let kill = 0; kill < 2; kill++) {
        const child = moving(from, to);
        const ended = once(child, "exit");
        await Promise.race([once(child.stdout, "data"), ended]);
        setTimeout(() => child.kill("SIGKILL"), round * 16 + Math.random() * 10);
        await ended;
      }
      await moveDataFolder({ from, to, copies: true, log: say });
      expect([sumOf(to), readdirSync(checkout)]).toEqual([sum, []]);
    }
  });

  it("is moved once by two processes that start together", { timeout: 120_000 }, async () => {
    const { from, to, sum } = place();
    const codes = await Promise.all(
      [moving(from, to), moving(from, to)].map(async (child) => (await once(child, "exit"))[0] as number),
    );
    expect([codes, sumOf(to), existsSync(from)]).toEqual([[0, 0], sum, false]);
  });

  it("stays if both folders hold data, and nothing is lost", async () => {
    const { from, to, sum } = place();
    mkdirSync(to, { recursive: true });
    writeFileSync(path.join(to, "secret.key"), "another");
    await expect(moveDataFolder({ from, to, log: say })).rejects.toThrow(/Both .* hold data/);
    expect([sumOf(from), readFileSync(path.join(to, "secret.key"), "utf8")]).toEqual([sum, "another"]);
  });

  it("stays if a copy was finished and the original was changed afterwards", async () => {
    const { from, to } = place();
    mkdirSync(to, { recursive: true });
    writeFileSync(path.join(to, "secret.key"), "a key");
    writeFileSync(path.join(to, ".copied-from"), from);
    await expect(moveDataFolder({ from, to, log: say })).rejects.toThrow("changed afterwards");
    expect(existsSync(path.join(from, "secret.key"))).toBe(true);
  });

  it("stays while another server uses it", { timeout: 120_000 }, async () => {
    const { from, to } = place();
    const used = await startPostgres({ folder: path.join(from, "postgres") });
    await expect(moveDataFolder({ from, to, log: say })).rejects.toThrow("Another Arcada uses the data");
    expect(existsSync(path.join(from, "postgres/PG_VERSION"))).toBe(true);
    await used.stop();
    await moveDataFolder({ from, to, log: say });
    expect(existsSync(path.join(to, "postgres/PG_VERSION"))).toBe(true);
  });

  it("stays if a user's symbolic link leads to it, and a folder without Arcada data is left alone", async () => {
    const { checkout, from, to } = place();
    const linked = path.join(checkout, "linked");
    symlinkSync(from, linked);
    await moveDataFolder({ from: linked, to, log: say });
    expect([readFileSync(path.join(to, "secret.key"), "utf8"), existsSync(linked), existsSync(from)]).toEqual([
      "a key",
      false,
      true,
    ]);
    const other = path.join(checkout, "other");
    mkdirSync(other);
    await moveDataFolder({ from: other, to: path.join(base, "never"), log: say });
    expect(existsSync(other)).toBe(true);
  });
});
