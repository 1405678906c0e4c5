import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createTestDatabase } from "@arcada/testing/setup/test-database";
import type { TestDatabase } from "@arcada/testing/setup/test-database";
import { present } from "@arcada/testing/require-present";
import { listTasks, removeFormerTasks, startRepeatedTasks } from "./repeated-tasks.ts";
import type { RepeatedTask } from "./repeated-tasks.ts";

let world: TestDatabase;
let running: { stop(): Promise<void> } | null = null;
const lines: string[] = [];
beforeAll(async () => {
  world = await createTestDatabase();
});
afterEach(async () => {
  await running?.stop();
  vi.restoreAllMocks();
});

async function begin(...tasks: (Pick<RepeatedTask, "name" | "run"> & Partial<RepeatedTask>)[]): Promise<void> {
  lines.length = 0;
  vi.spyOn(console, "error").mockImplementation((line: unknown) => void lines.push(String(line)));
  const rows = tasks.map((task) => ({ everyMs: 20, toleratedMs: 1000, ...task }));
  running = await startRepeatedTasks(world.database, rows);
}
const stateOf = async (name: string) =>
  present((await world.database.asSystem(listTasks)).find((task) => task.name === name));

describe("a repeated task", () => {
  it("records its success, with the interval and the tolerated age", async () => {
    await begin({ name: "good", run: async () => {} });
    await vi.waitFor(async () => expect((await stateOf("good")).succeededAt).not.toBeNull());
    expect(await stateOf("good")).toMatchObject({ everySeconds: 0.02, toleratedSeconds: 1, failures: 0, error: null });
    expect((await stateOf("good")).age).toBeLessThan(1);
  });

  it("records each failure, logs it once a minute, and its age rises", async () => {
    await begin({ name: "bad", run: () => Promise.reject(new Error("the disk is gone")) });
    await vi.waitFor(async () => expect((await stateOf("bad")).failures).toBeGreaterThan(3));
    const before = await stateOf("bad");
    expect(before).toMatchObject({ succeededAt: null, error: "the disk is gone" });
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { level: "error", about: "task bad", message: "the disk is gone" },
    ]);
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect((await stateOf("bad")).age).toBeGreaterThan(before.age + 0.1);
  });

  it("forgets its failures with the next success, at once", async () => {
    let isBroken = true;
    await begin({ name: "mended", run: async () => (isBroken ? Promise.reject(new Error("away")) : undefined) });
    await vi.waitFor(async () => expect((await stateOf("mended")).failures).toBeGreaterThan(0));
    isBroken = false;
    await vi.waitFor(async () => expect(await stateOf("mended")).toMatchObject({ failures: 0 }));
    expect((await stateOf("mended")).succeededAt).not.toBeNull();
  });

  it("is not begun again while it hangs, so that its age rises", async () => {
    let runs = 0;
    let resume = (): void => {};
    await begin({
      name: "hanging",
      run: () => {
        runs += 1;
        return new Promise<void>((resolve) => (resume = resolve));
      },
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(runs).toBe(1);
    expect((await stateOf("hanging")).succeededAt).toBeNull();
    resume();
  });

  it("begins after the others that are due at the same time, not together with them", async () => {
    const begun: number[] = [];
    const note = async () => void begun.push(performance.now());
    const names = ["first", "second", "third"];
    await begin(...names.map((name) => ({ name, everyMs: 400, run: note })));
    await vi.waitFor(() => expect(begun.length).toBeGreaterThanOrEqual(9), 10_000);
    // A busy machine may let timers of one round fire together, and hardly those of all.
    const gap = (at: number) => (begun[at + 1] ?? 0) - (begun[at] ?? 0);
    const gaps = [0, 3, 6].map((at) => Math.min(gap(at), gap(at + 1)));
    expect(Math.max(...gaps)).toBeGreaterThan(60);
  });

  it("is no longer listed when this version does not know it", async () => {
    await begin({ name: "former", run: async () => {} }, { name: "known", run: async () => {} });
    await removeFormerTasks(world.database, ["known"]);
    expect((await world.database.asSystem(listTasks)).map(({ name }) => name)).toEqual(["known"]);
  });
});
