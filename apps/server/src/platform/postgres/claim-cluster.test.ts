import { existsSync, mkdtempSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { StartError } from "../runtime/config.ts";
import { NamespaceClaim } from "./claim-cluster.ts";

const rules = { renewMs: 30, staleMs: 400, expiredMs: 60_000 };
let file: string;
beforeEach(() => {
  file = path.join(mkdtempSync(path.join(tmpdir(), "arcada-claim-")), "postgres.claim");
});
const claimAs = (namespace: string) => new NamespaceClaim(file, namespace, rules);
const measure = async (work: Promise<unknown>): Promise<number> => {
  const began = Date.now();
  await work;
  return Date.now() - began;
};

describe("the claim of a cluster", () => {
  it("lets the processes of one container use it together", async () => {
    const [one, other] = [claimAs("a"), claimAs("a")];
    await one.take();
    expect(await measure(other.take())).toBeLessThan(200);
    one.release({ isLast: false });
    other.release({ isLast: true });
    expect(existsSync(file)).toBe(false);
  });

  it("refuses another container while the first one lives", async () => {
    const first = claimAs("a");
    await first.take();
    await expect(claimAs("b").take()).rejects.toThrow(StartError);
    first.release({ isLast: true });
    expect(await measure(claimAs("b").take())).toBeLessThan(200);
  });

  it("goes to another container when the first one was killed", async () => {
    writeFileSync(file, "a");
    expect(await measure(claimAs("b").take())).toBeGreaterThanOrEqual(rules.staleMs - 50);
  });

  it("goes to another container at once when it was left long ago", async () => {
    writeFileSync(file, "a");
    const longAgo = new Date(Date.now() - 2 * rules.expiredMs);
    utimesSync(file, longAgo, longAgo);
    expect(await measure(claimAs("b").take())).toBeLessThan(200);
  });
});
