import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { freePort, Product } from "@arcada/testing/setup/product-process";

const folder = mkdtempSync(path.join(tmpdir(), "arcada-start-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const readStartFailure = async (environment: Record<string, string>): Promise<string> => {
  const product = new Product(environment);
  const said = await product.start().then(
    () => "it started",
    (error: Error) => error.message,
  );
  await product.remove();
  return said;
};
/** One sentence, no stack. */
const isSentence = (words: string): boolean => /Arcada: /.test(words) && !/\n\s+at /.test(words);

describe("a start that fails", () => {
  it("lists every mistake of the configuration at once", async () => {
    const words = await readStartFailure({
      PORT: "eighty",
      LOG_LEVEL: "loud",
      S3_ENDPOINT: "http://127.0.0.1:1",
      DATABASE_URL: "mysql://here",
    });
    for (const name of ["PORT", "LOG_LEVEL", "S3_BUCKET", "S3_ACCESS_KEY", "S3_SECRET_KEY", "DATABASE_URL"])
      expect(words).toContain(name);
    expect(isSentence(words)).toBe(true);
  });

  it("reports that the port is in use", async () => {
    const port = await freePort();
    const other = createServer().listen(port, "127.0.0.1");
    const words = await readStartFailure({ PORT: String(port) });
    other.close();
    expect(words).toContain(`Port ${port} is in use`);
    expect(isSentence(words)).toBe(true);
  });

  it("reports that the data folder is not writable", async () => {
    const file = path.join(folder, "a-file");
    writeFileSync(file, "");
    const words = await readStartFailure({ DATA_DIR: path.join(file, "data") });
    expect(words).toMatch(/data folder .* cannot be/i);
    expect(isSentence(words)).toBe(true);
  });

  it("reports that the disk is full", async (context) => {
    const small = path.join(folder, "small");
    mkdirSync(small);
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", small]).status === 0;
    if (!mounted) return context.skip("a small disk cannot be mounted here");
    try {
      const words = await readStartFailure({ DATA_DIR: path.join(small, "data") });
      expect(words).toMatch(/disk|space/i);
      expect(isSentence(words)).toBe(true);
    } finally {
      spawnSync("umount", ["-l", small]);
    }
  });

  it("reports that the database is unreachable", async () => {
    const words = await readStartFailure({ DATABASE_URL: `postgres://nobody@127.0.0.1:${await freePort()}/none` });
    expect(words).toMatch(/database/i);
    expect(isSentence(words)).toBe(true);
  });
});

it("a stop leaves no process behind, neither ours nor the database's", async () => {
  const place = path.join(folder, "first");
  const product = new Product({ DATA_DIR: place });
  await product.start();
  const mine = () => listProcesses(place);
  expect(mine().length).toBeGreaterThan(0);
  await product.stop();
  expect(mine()).toEqual([]);
  await product.remove();
});

/** Processes whose command line or environment names the folder. */
function listProcesses(folder: string): string[] {
  const found: string[] = [];
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name) && name !== String(process.pid))) {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, "utf8") + readFileSync(`/proc/${pid}/environ`, "utf8");
      const zombie = /^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
      if (line.includes(folder) && !zombie) found.push(line.replaceAll("\0", " ").slice(0, 80));
    } catch {
      // It ended, or is not ours to read.
    }
  }
  return found;
}
