import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, it } from "vitest";
import { copyCluster } from "@arcada/testing/setup/copy-cluster";
import { freePort } from "@arcada/testing/setup/product-process";

const children: ChildProcess[] = [];
const folder = mkdtempSync(path.join(tmpdir(), "arcada-restart-"));
afterEach(async () => {
  for (const child of children.splice(0)) {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    if (child.exitCode === null && child.kill("SIGTERM")) await ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the program that `npm start` runs, in a separate data folder. */
function startRestartingServer(environment: Record<string, string>): { child: ChildProcess; readOutput: () => string } {
  const child = spawn(
    process.execPath,
    [path.join(import.meta.dirname, "../../packages/testing/src/workers/restarting-server.mjs")],
    {
      env: { ...process.env, DATA_DIR: folder, ARCADA_DEMO: "off", LOG_LEVEL: "error", ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  children.push(child);
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
  return { child, readOutput: () => text };
}
const findServerPid = ({ pid }: ChildProcess): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")[0]);
const postmaster = (): number =>
  Number(readFileSync(path.join(folder, "postgres/postmaster.pid"), "utf8").split("\n")[0]);
const waitForExit = (child: ChildProcess) => new Promise<number | null>((resolve) => child.once("exit", resolve));

it.skipIf(process.platform !== "linux")(
  "a server that is killed answers again with the same database, and one signal still ends both",
  { timeout: 180_000 },
  async () => {
    const port = await freePort();
    await copyCluster(process.execPath, folder);
    const { child, readOutput } = startRestartingServer({ PORT: String(port) });
    const lives = () =>
      fetch(`http://127.0.0.1:${port}/livez`).then(
        ({ ok }) => ok,
        () => false,
      );
    await expect.poll(lives, { timeout: 60_000 }).toBe(true);
    const [server, database] = [findServerPid(child), postmaster()];
    process.kill(server, "SIGKILL");
    await expect.poll(() => readOutput(), { timeout: 10_000 }).toContain("started again in 1 s");
    await expect.poll(lives, { timeout: 60_000 }).toBe(true);
    expect(findServerPid(child)).not.toBe(server);
    expect(postmaster()).toBe(database);
    const ended = waitForExit(child);
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    expect(await lives()).toBe(false);
    expect(existsSync(path.join(folder, "postgres/postmaster.pid"))).toBe(false);
  },
);

it("an invalid configuration is reported once", { timeout: 60_000 }, async () => {
  const { child, readOutput } = startRestartingServer({ PORT: "eighty" });
  expect(await waitForExit(child)).toBe(78);
  expect(readOutput().match(/mistake\(s\)/g)).toHaveLength(1);
});
