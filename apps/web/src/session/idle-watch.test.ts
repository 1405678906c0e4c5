import { expect, it, vi } from "vitest";
import { fakeBrowser } from "../browser/fake-browser.ts";

fakeBrowser();
vi.stubGlobal("addEventListener", () => {});
const { computeIdleState: watchAt } = await import("./idle-watch.ts");
const minute = 60_000;

it("warns after the idle minutes, counts down from 60 seconds, then locks", () => {
  expect(watchAt(30 * minute - 1, 0, 30, false)).toEqual({ kind: "awake" });
  expect(watchAt(30 * minute, 0, 30, false)).toEqual({ kind: "warning", seconds: 60 });
  expect(watchAt(30 * minute + 59_000, 0, 30, false)).toEqual({ kind: "warning", seconds: 1 });
  expect(watchAt(31 * minute, 0, 30, false)).toEqual({ kind: "locked" });
});
it("locks at once after the machine slept, and stays locked on any input", () => {
  expect(watchAt(600 * minute, 0, 30, false)).toEqual({ kind: "locked" });
  expect(watchAt(1, 0, 30, true)).toEqual({ kind: "locked" });
});
it("never locks if the operator sets 0 minutes", () => expect(watchAt(1e12, 0, 0, false)).toEqual({ kind: "awake" }));
