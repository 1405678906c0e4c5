import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { runInOwnFolder } from "./run-in-own-folder.ts";

const notes = mkdtempSync(path.join(tmpdir(), "arcada-notes-"));
afterAll(() => rmSync(notes, { recursive: true, force: true }));

/** A process that has ended and that nobody has asked for has no command line. */
const isAlive = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8") !== "";
  } catch {
    return false;
  }
};

// A program with a server that would outlive it, as a database does. It notes its folder and the server's process.
const program = (note: string, ending: string): [string, ...string[]] => [
  process.execPath,
  "-e",
  `const server = require("node:child_process").spawn("sleep", ["600"], { detached: true, stdio: "ignore" });
   server.unref();
   require("node:fs").writeFileSync(${JSON.stringify(note)}, require("node:os").tmpdir() + " " + server.pid);
   ${ending}`,
];

describe("a program in a folder of its own", () => {
  it("leaves neither processes nor files when it is ended in the middle", async () => {
    const note = path.join(notes, "ended");
    const stop = new AbortController();
    const running = runInOwnFolder(program(note, "setInterval(() => {}, 1000)"), { stop: stop.signal });
    while (!existsSync(note) || readFileSync(note, "utf8") === "") await sleep(20);
    const [folder = "", server = ""] = readFileSync(note, "utf8").split(" ");
    expect([existsSync(folder), isAlive(Number(server))]).toEqual([true, true]);
    stop.abort();
    expect(await running).not.toBe(0);
    expect([existsSync(folder), isAlive(Number(server))]).toEqual([false, false]);
  });

  it("hands on the exit code and leaves nothing when it ends by itself", async () => {
    const note = path.join(notes, "by-itself");
    const code = await runInOwnFolder(program(note, "process.exit(3)"), { stop: new AbortController().signal });
    const [folder = "", server = ""] = readFileSync(note, "utf8").split(" ");
    expect([code, existsSync(folder), isAlive(Number(server))]).toEqual([3, false, false]);
  });
});
