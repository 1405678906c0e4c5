import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createTaskPool, forEachConcurrent } from "./concurrency.ts";

const items = Array.from({ length: 20 }, (_, place) => place);

describe("forEachConcurrent", () => {
  it("processes every item, and never more than the limit at a time", async () => {
    const done: number[] = [];
    let [running, most] = [0, 0];
    await forEachConcurrent(items, 3, async (item, place) => {
      expect(item).toBe(place);
      most = Math.max(most, ++running);
      await sleep(item % 4);
      running -= 1;
      done.push(item);
    });
    expect(most).toBe(3);
    expect(done.toSorted((one, other) => one - other)).toEqual(items);
  });

  it("begins nothing after a failure, and throws it once the items in progress have ended", async () => {
    const begun: number[] = [];
    let running = 0;
    const ended = forEachConcurrent(items, 3, async (item) => {
      begun.push(item);
      running += 1;
      await sleep(item === 1 ? 5 : 30);
      running -= 1;
      if (item === 1) throw new Error("the second item");
    });
    await expect(ended).rejects.toThrow("the second item");
    expect(begun).toEqual([0, 1, 2]);
    expect(running).toBe(0);
  });
});

describe("a task pool", () => {
  it("makes the caller wait for a free slot, and throws a failure to the next caller and at the end", async () => {
    const pool = createTaskPool(1);
    const first = Promise.withResolvers<void>();
    await pool.add(() => first.promise);
    const second = pool.add(async () => {});
    expect(await Promise.race([second, sleep(5, "waits")])).toBe("waits");
    first.reject(new Error("full"));
    await expect(second).rejects.toThrow("full");
    await expect(pool.done()).rejects.toThrow("full");
  });
});
