import { expect, it, vi } from "vitest";
import { isMetered, toMbps, measureSpeed, classifySpeed } from "./network-speed.ts";

it("is weak under 3 Mbps, medium from 3 to under 7, strong from 7", () =>
  expect([0, 2.99, 3, 6.99, 7, 900].map(classifySpeed)).toEqual([
    "weak",
    "weak",
    "medium",
    "medium",
    "strong",
    "strong",
  ]));
it("counts the bits that came in a second", () => expect(toMbps(381_909, 1000)).toBeCloseTo(3.055, 3));
it("sets the speed of a failed test to 0", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  expect(await measureSpeed()).toBe(0);
  vi.stubGlobal("fetch", async () => new Response("", { status: 503 }));
  expect(await measureSpeed()).toBe(0);
});
it("measures nothing unasked where data is paid for or saved", () => {
  for (const [connection, metered] of [
    [{ saveData: true }, true],
    [{ type: "cellular" }, true],
    [{ type: "wifi" }, false],
    [undefined, false],
  ] as const) {
    vi.stubGlobal("navigator", { connection });
    expect(isMetered()).toBe(metered);
  }
});
