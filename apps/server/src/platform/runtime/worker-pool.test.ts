import { afterAll, describe, expect, it } from "vitest";
import { workerPool } from "./worker-pool.ts";

const script = new URL(
  `data:text/javascript,${encodeURIComponent(`
  import { parentPort } from "node:worker_threads";
  parentPort.postMessage({ loaded: true });
  parentPort.on("message", (task) => {
    if (task === "hang") for (;;);
    if (task === "eat") { const all = []; for (;;) all.push(new Array(1e6).fill(all.length)); }
    if (task === "fill") { const all = []; for (;;) all.push(Buffer.alloc(1e6, 1)); }
    if (task === "throw") throw new Error("hostile");
    if (task === "wait") return setTimeout(() => parentPort.postMessage({ value: "waited" }), 900);
    if (task === "disk") return parentPort.postMessage({ trouble: "disk full" });
    parentPort.postMessage({ value: "did " + task });
  });
`)}`,
);
const pool = workerPool<string, string>(script, 1, { maxOldGenerationSizeMb: 64 });
afterAll(() => pool.close());
const run = (task: string, timeoutMs = 20_000) => pool.run(task, { timeoutMs });

describe("a thread for hostile files", () => {
  it("is ended when it hangs, and the next file is read all the same", async () => {
    const [hung, next] = await Promise.all([run("hang", 500), run("next")]);
    expect(hung).toEqual({ refusal: "fileTooSlow" });
    expect(next).toEqual({ value: "did next" });
  });

  it("has its processor time counted: waiting on a busy machine does not count", async () => {
    expect(await run("wait", 200)).toEqual({ value: "waited" });
  });

  it("neither exhausts the memory of the process nor lets an error escape", async () => {
    expect(await run("eat")).toEqual({ refusal: "fileBroken", died: true });
    expect(await run("throw")).toEqual({ refusal: "fileBroken", died: true });
    expect(await run("next")).toEqual({ value: "did next" });
  });

  it("is ended when it holds too much outside its heap, which Node's own limits do not count", async () => {
    const narrow = workerPool<string, string>(script, 1, { maxOldGenerationSizeMb: 64, maxExternalMb: 256 });
    expect(await narrow.run("fill", { timeoutMs: 5_000 })).toEqual({ refusal: "fileTooMuchMemory" });
    expect(await narrow.run("next", { timeoutMs: 5_000 })).toEqual({ value: "did next" });
    await narrow.close();
  });

  it("serves groups in turn, so that one group's many files do not delay another's", async () => {
    const done: string[] = [];
    const one = (group: string, task: string) =>
      pool.run(task, { timeoutMs: 20_000, group }).then(() => done.push(task));
    await Promise.all([
      ...Array.from({ length: 8 }, (_, at) => one("many", `m${at}`)),
      one("few", "f0"),
      one("few", "f1"),
    ]);
    expect(done.indexOf("f0")).toBeLessThan(3);
    expect(done.indexOf("f1")).toBeLessThan(5);
  });

  it("does not blame a file for a full disk, nor for a script that does not load", async () => {
    await expect(run("disk")).rejects.toThrow("disk full");
    const none = workerPool<string, string>(new URL("data:text/javascript,import 'nowhere-at-all'"), 1, {});
    await expect(none.run("next", { timeoutMs: 20_000 })).rejects.toThrow("nowhere-at-all");
  });

  it("is ended when its job is cancelled", async () => {
    const stop = new AbortController();
    const hung = pool.run("hang", { timeoutMs: 20_000, signal: stop.signal });
    setTimeout(() => stop.abort(new Error("cancelled")), 100);
    await expect(hung).rejects.toThrow("cancelled");
    expect(await run("next")).toEqual({ value: "did next" });
  });
});
