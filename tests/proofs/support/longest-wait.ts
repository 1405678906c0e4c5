import { expect } from "vitest";
import type { TestUser } from "@arcada/testing/setup/test-server";

/** Returns the longest time, in milliseconds, that a list of patients took while `work` ran. */
export async function measureLongestWait(clinic: TestUser, work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let isOver = false;
  const requests = (async () => {
    while (!isOver) {
      const began = performance.now();
      expect((await clinic.ask("patient.list", { page: 1, pageSize: 10 })).code).toBe(200);
      longest = Math.max(longest, performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  await work().finally(() => (isOver = true));
  await requests;
  return longest;
}
