import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { carriedCard, carryCard, dropCardInTime } from "./carried.ts";
import { fakeBrowser } from "./fake-browser.ts";
import { forgetSession, leaveSession } from "./sign-in.ts";

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
  carryCard(card);
  forgetSession();
  expect(carriedCard()).toEqual(card);
  leaveSession();
  expect([carriedCard(), tab.size]).toEqual([null, 0]);

  carryCard(card);
  vi.advanceTimersByTime(minutes(15) - 1);
  expect(carriedCard()).toEqual(card);
  vi.advanceTimersByTime(1);
  expect([carriedCard(), tab.size]).toEqual([null, 0]);
});

it("a tab that is opened again long after gives the card to nobody and drops it", () => {
  carryCard(card);
  vi.clearAllTimers();
  vi.setSystemTime(Date.now() + minutes(60));
  expect(carriedCard()).toBeNull();
  dropCardInTime();
  vi.advanceTimersByTime(0);
  expect(tab.size).toBe(0);
});

it("the end of one card leaves another one that was scanned after it", () => {
  carryCard(card);
  vi.advanceTimersByTime(minutes(10));
  const next = { ...card, number: "6543210987654321" };
  carryCard(next);
  vi.advanceTimersByTime(minutes(10));
  expect(carriedCard()).toEqual(next);
});
