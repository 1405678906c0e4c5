import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { readHandedOffCard, handOffCard, scheduleCardExpiry } from "./carry-values-across-sign-in.ts";
import { fakeBrowser } from "../browser/fake-browser.ts";
import { clearSession, endSession } from "../browser/session-lifecycle.ts";

const tab = new Map<string, string>();
beforeEach(() => {
  tab.clear();
  fakeBrowser();
  vi.useFakeTimers();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => tab.get(key) ?? null,
    setItem: (key: string, value: string) => void tab.set(key, value),
    removeItem: (key: string) => void tab.delete(key),
  });
});
afterEach(() => void vi.useRealTimers());

const card = { number: "1234567890123456", secret: "ABCDEFGHJKLMNPQR" };
const minutes = (count: number) => count * 60_000;

it("a scanned card waits past a sign-in, and neither past a sign-out nor past fifteen minutes", () => {
  handOffCard(card);
  clearSession();
  expect(readHandedOffCard()).toEqual(card);
  endSession();
  expect([readHandedOffCard(), tab.size]).toEqual([null, 0]);

  handOffCard(card);
  vi.advanceTimersByTime(minutes(15) - 1);
  expect(readHandedOffCard()).toEqual(card);
  vi.advanceTimersByTime(1);
  expect([readHandedOffCard(), tab.size]).toEqual([null, 0]);
});

it("a tab that is opened again long after gives the card to nobody and drops it", () => {
  handOffCard(card);
  vi.clearAllTimers();
  vi.setSystemTime(Date.now() + minutes(60));
  expect(readHandedOffCard()).toBeNull();
  scheduleCardExpiry();
  vi.advanceTimersByTime(0);
  expect(tab.size).toBe(0);
});

it("the end of one card leaves another one that was scanned after it", () => {
  handOffCard(card);
  vi.advanceTimersByTime(minutes(10));
  const next = { ...card, number: "6543210987654321" };
  handOffCard(next);
  vi.advanceTimersByTime(minutes(10));
  expect(readHandedOffCard()).toEqual(next);
});
